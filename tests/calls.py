"""Calls of the functions of algorithms, explorers and encodings."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import sealcheck

ROOT = Path(sealcheck.__path__[0])
FLOORS = tuple(str(ROOT / floor) + "/" for floor in ("algorithms", "explorers", "encodings"))


class Calls:
    """Which functions of the floors are called while it watches."""

    def __init__(self) -> None:
        self._called: dict[int, CodeType] = {}

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        """Note a call. The interpreter calls this for each event, millions of times."""
        if event == "call":
            self._called[id(frame.f_code)] = frame.f_code  # codes themselves are slow to hash

    @property
    def seen(self) -> set[str]:
        """The functions, with their files."""
        return {
            f"{Path(code.co_filename).relative_to(ROOT)}: {code.co_qualname}"
            for code in self._called.values()
            if code.co_filename.startswith(FLOORS) and code.co_name != "<module>"
        }

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


BELOW = ("errors", "words", "kernel", "support", "programs", "language")
"""Packages that the floors may import, and that import no floor. Their caches hide no call of a floor."""


def forget() -> None:
    """Empty the caches of functions that may call the floors, so that no call profits from an earlier one."""
    for name in [each for each in sys.modules if each.startswith("sealcheck.")]:
        if name.split(".")[1] in BELOW:
            continue
        for function in _caching(name):
            function.cache_clear()


@cache
def _caching(module: str) -> list[Any]:
    return [value for value in vars(sys.modules[module]).values() if hasattr(value, "cache_clear")]
