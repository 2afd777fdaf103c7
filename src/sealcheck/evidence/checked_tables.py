"""Tables, checked: each row by itself, and then which tables leave nothing out."""

from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path

from sealcheck.evidence.opening import NoEvidence, lines_of
from sealcheck.evidence.outcome import AcceptedTable, Trust, Verification
from sealcheck.evidence.verified_rows import CHECKED, CheckLines
from sealcheck.kernel.rejected import Rejected
from sealcheck.kernel.tables import EXHAUSTIVE, Header, header_of

OnRow = Callable[[int], None]
"""Told how many rows have been gone through."""


@dataclass
class CheckedTables:
    """What has become of tables so far; rejections, and rows, go to `outcome`."""

    outcome: Verification
    check: CheckLines
    is_verified: bool
    """Whether `check` asks the verified checker, too."""
    on_row: OnRow | None
    _: KW_ONLY
    headers: dict[Path, Header] = field(default_factory=dict)
    """Of the tables whose rows all hold."""
    complete: dict[Path, str] = field(default_factory=dict)
    """Those that leave nothing out, and how that is known."""

    def verify(self, path: Path, source: Iterator[bytes]) -> None:
        """Check a table.  Raises NoEvidence where it has no header."""
        try:
            first = next(source, b"")
            header = header_of(first)
        except Rejected as error:
            raise NoEvidence(str(error)) from None
        before, accepted = self.outcome.rows, True

        def counted() -> Iterator[bytes]:
            yield first
            for number, line in enumerate(source, 1):
                self.outcome.rows = before + number
                self._tell(number)
                yield line

        for row, reason in self.check(counted()):
            self.outcome.reject(str(path), row, reason)
            accepted = False
        if accepted:
            self.headers[path] = header
            if header.kind in EXHAUSTIVE:
                self.complete[path] = "by counting"

    def _tell(self, number: int) -> None:
        """Say from time to time how far this is."""
        if self.on_row and number % 256 == 0:
            self.on_row(self.outcome.rows)

    def find_complete(self) -> None:
        """Compare tables whose rows can't be counted with those that they are selected from."""
        for path, header in self.headers.items():
            if header.kind in EXHAUSTIVE:
                continue
            from sealcheck.evidence.tables.selecting import is_selected, selected_from

            of = selected_from(header.kind)
            for other, whole in self.headers.items():
                if whole.kind == of and (whole.n, whole.messages) == (header.n, header.messages):
                    if is_selected(header.kind, lines_of(other), lines_of(path)):
                        self.complete[path] = f"by comparing it with {other}"
                    else:
                        self.outcome.reject(
                            str(path), 0, f"the rows are not those of {other} that belong here"
                        )
                    break

    def accept(self) -> None:
        """Take note of the tables whose rows all hold."""
        for path, header in self.headers.items():
            self.outcome.accepted.append(
                AcceptedTable(
                    name=header.kind,
                    by=(Trust.KERNEL, *self._others(header.kind)),
                    levels=frozenset(header.levels if path in self.complete else ()),
                    files=(str(path),),
                    n=header.n,
                    messages=header.messages,
                    rows=header.rows,
                    programs=sum(programs for _, programs in header.levels.values()),
                    complete=self.complete.get(path),
                )
            )

    def _others(self, kind: str) -> list[Trust]:
        """Who has checked the rows of a table beside the kernel."""
        return [Trust.VERIFIED] if self.is_verified and kind in CHECKED else []
