"""Files of evidence and their kinds; the check of tables.

Tables are checked row by row, and then for missing rows. The kernel, sealcheck's small checker of evidence,
checks each row. The verified checker is a program extracted from Coq proofs. If it is given, it checks each
row, too.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from sealcheck.errors import Disagreement, InputError, LimitReached
from sealcheck.evidence.outcome import AcceptedTable, Trust, Verification
from sealcheck.kernel.reading import Rejected, canonical, lines, value_of
from sealcheck.kernel.tables import EXHAUSTIVE, Header, header_of
from sealcheck.questions.verified_checker import VerifiedChecker, refused

if TYPE_CHECKING:
    from hashlib import _Hash

PARQUET = b"PAR1"


def with_digest(header: Mapping[str, object], body: bytes) -> bytes:
    """The text of a file of evidence; its header has the digest of its body."""
    return canonical({**header, "sha256": sha256(body).hexdigest()}) + b"\n" + body


def digested(source: Iterable[bytes], digest: "_Hash") -> Iterator[bytes]:
    """The lines of `source`, unchanged; each line also goes into the digest."""
    for line in source:
        digest.update(line + b"\n")
        yield line


class Kind(Enum):
    """A kind of file: its name in the file's first line, and the checkers that it needs."""

    TABLE = "table", Trust.KERNEL
    PROOF = "proof", Trust.FORMULA
    ANSWERS = "answers", Trust.FORMULA
    LEDGER = "ledger", Trust.REPLAY

    def __init__(self, called: str, needs: Trust) -> None:
        self.called = called
        self.needs = needs


class NoEvidence(Exception):
    """This file cannot be checked; the message says why."""


@contextmanager
def about_file(path: Path | str) -> Iterator[None]:
    """Put the file's name in front of the message of a Disagreement or a LimitReached."""
    try:
        yield
    except (Disagreement, LimitReached) as error:
        raise type(error)(f"{path}: {error}") from None


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """A file, read from its start.  Raises InputError if reading it fails."""
    try:
        with open(path, "rb") as stream:
            yield stream
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None


def kind_of(start: bytes) -> Kind:
    """The kind of a file, from its first line.  Raises NoEvidence if the line names no kind."""
    if start.startswith(PARQUET):
        return Kind.TABLE
    if not start:
        raise NoEvidence("it is empty")
    try:
        value = value_of(start.removesuffix(b"\n"))
    except Rejected as error:
        raise NoEvidence(str(error)) from None
    kind = value.get("sealcheck") if isinstance(value, dict) else None
    if kind == "unfinished":
        raise NoEvidence(
            "the audit that writes this folder has not finished: run the same command to continue it"
        )
    for each in Kind:
        if each.called == kind:
            return each
    raise NoEvidence(f"it does not say that it is one of {', '.join(each.called for each in Kind)}")


def table_lines(path: Path, stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a table, JSON Lines or Parquet; `stream` must be at its start."""
    if stream.read(len(PARQUET)) == PARQUET:
        from sealcheck.evidence.formats import parquet_lines  # with pyarrow

        return parquet_lines(path)
    stream.seek(0)
    return lines(stream)


OnRow = Callable[[int], None]
"""A function that is told how many rows have been checked so far."""

CheckLines = Callable[[Iterable[bytes]], Iterator[tuple[int, str]]]
"""A function that checks lines as `kernel.tables.check_lines` does, in this process or elsewhere."""


@dataclass
class CheckedTables:
    """The tables checked so far; rejections and accepted rows go to `outcome`."""

    outcome: Verification
    check: CheckLines
    is_verified: bool
    """Whether `check` asks the verified checker, too."""
    on_row: OnRow | None
    headers: dict[Path, Header] = field(default_factory=dict)
    """The headers of the tables whose rows all hold."""
    complete: dict[Path, str] = field(default_factory=dict)
    """The tables without missing rows; for each, the way in which missing rows were ruled out."""

    def verify(self, path: Path, source: Iterator[bytes]) -> None:
        """Check a table.  Raises NoEvidence if it has no header."""
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
                if self.on_row and number % 256 == 0:
                    self.on_row(self.outcome.rows)
                yield line

        with about_file(path):
            for row, reason in self.check(counted()):
                self.outcome.reject(str(path), row, reason)
                accepted = False
        if accepted:
            self.headers[path] = header
            if header.kind in EXHAUSTIVE:
                self.complete[path] = "by counting"

    def find_complete(self) -> None:
        """Compare tables whose rows the kernel can't count with the tables from which they are selected."""
        for path, header in self.headers.items():
            if header.kind in EXHAUSTIVE:
                continue
            from sealcheck.evidence.tables import TABLES, is_selected

            selection = TABLES[header.kind].selection
            assert selection is not None
            for other, whole in self.headers.items():
                if (whole.kind, whole.n, whole.messages) != (selection.of, header.n, header.messages):
                    continue
                with opened(other) as all_rows, opened(path) as rows:
                    has_all = is_selected(selection, table_lines(other, all_rows), table_lines(path, rows))
                if has_all:
                    self.complete[path] = f"by comparing it with {other}"
                else:
                    self.outcome.reject(str(path), 0, f"the rows are not the corresponding rows of {other}")
                break

    def accept(self) -> None:
        """Add the tables whose rows all hold to the accepted evidence."""
        for path, header in self.headers.items():
            self.outcome.accepted.append(
                AcceptedTable(
                    name=header.kind,
                    by=(Trust.KERNEL, Trust.VERIFIED) if self.is_verified else (Trust.KERNEL,),
                    unverified=OF_TABLES if self.is_verified else "",
                    levels=frozenset(header.levels if path in self.complete else ()),
                    files=(str(path),),
                    n=header.n,
                    messages=header.messages,
                    rows=header.rows,
                    programs=sum(programs for _, programs in header.levels.values()),
                    complete=self.complete.get(path),
                )
            )


OF_TABLES = "the header of a table, and the order and the completeness of its rows"
"""The parts of a table that only the kernel checks, not the verified checker."""


def both(checker: VerifiedChecker, check: CheckLines) -> CheckLines:
    """A check that does what `check` does, and also asks the verified checker about each row.

    The returned check raises LimitReached if a row is too large for the verified checker. After the last row,
    it raises Disagreement if the verified checker has refused a row that `check` accepts.
    """

    def checked(lines: Iterable[bytes]) -> Iterator[tuple[int, str]]:
        source = iter(lines)
        first = next(source, b"")
        kind = header_of(first).kind
        refused: dict[int, str] = {}

        def told() -> Iterator[bytes]:
            yield first
            for number, line in enumerate(source, 1):
                if why := refusal(checker, kind, line):
                    refused[number] = why
                yield line

        for row, reason in check(told()):
            refused.pop(row, None)
            yield row, reason
        for row, why in refused.items():
            raise Disagreement(f"row {row} of the {kind} table: the kernel accepts it, but {why}")

    return checked


def refusal(checker: VerifiedChecker, kind: str, line: bytes) -> str:
    """Why the verified checker refuses a row; empty if it accepts the row.  Raises LimitReached."""
    try:
        said = checker.ask({"table": kind, "row": line.decode("ascii")})
    except UnicodeDecodeError:
        return "the line is not ASCII text"
    return refused(said, "a row")
