"""Calls of the functions of algorithms, explorers and encodings."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import sealcheck

ROOT = Path(sealcheck.__path__[0])
FLOORS = tuple(str(ROOT / floor) + "/" for floor in ("algorithms", "explorers", "encodings"))


class Calls:
    """Which functions of the floors are called while it watches."""

    def __init__(self) -> None:
        self.seen: set[str] = set()

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        """What the interpreter calls for each event."""
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(FLOORS) and code.co_name != "<module>":
            self.seen.add(f"{Path(code.co_filename).relative_to(ROOT)}: {code.co_qualname}")

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch what is called inside."""
        forget()
        before = sys.getprofile()
        sys.setprofile(self)
        try:
            yield
        finally:
            sys.setprofile(before)


def forget() -> None:
    """Empty all caches of functions, so that no call profits from an earlier one."""
    for name, module in list(sys.modules.items()):
        if name.startswith("sealcheck."):
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()
