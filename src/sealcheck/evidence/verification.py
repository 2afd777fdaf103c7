"""Verifying files of evidence: tables, proofs, answers, ledgers, and folders of these.

Tables are for the kernel by itself.  A proof, or a solver's answers, need the formulas that they are
about, which pySMT makes again from the statement.  The rows of a ledger are decided again by all oracles but
solvers.  What is accepted says which of these it took.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from sealcheck.errors import InputError
from sealcheck.evidence.expecting import Expectation
from sealcheck.evidence.levels_proved import accept_every_length, accept_proofs
from sealcheck.evidence.opening import (
    NEEDS,
    NoEvidence,
    kind_of,
    lines_of,
    opened,
    refuse_folder,
    table_lines,
    why_no_file,
)
from sealcheck.evidence.outcome import (
    IGNORED,
    Accepted,
    AcceptedAnswers,
    AcceptedTable,
    Outcome,
    Trust,
)
from sealcheck.evidence.verified_rows import CHECKED, CheckLines, beside
from sealcheck.kernel.reading import LONGEST
from sealcheck.kernel.rejected import Rejected
from sealcheck.kernel.tables import EXHAUSTIVE, Header, check_lines, header_of
from sealcheck.verified import VerifiedChecker

if TYPE_CHECKING:
    from sealcheck.evidence.answers import Answered
    from sealcheck.evidence.every_length import ProfileClaim
    from sealcheck.evidence.proofs import Part

OnRow = Callable[[int], None]
"""Told how many rows have been gone through."""


def verify_path(
    path: Path,
    on_row: OnRow | None = None,
    *,
    check: CheckLines = check_lines,
    kernel_only: bool = False,
    expected: Sequence[str] = (),
    verified: VerifiedChecker | None = None,
) -> Outcome:
    """Check a file of evidence, or every file of a folder.

    The rows of tables are checked by `check`, and by `verified` where that is given; if `kernel_only`,
    nothing else is checked at all.  What is `expected` and not accepted is a rejection, see `Expectation`.
    Reads line by line: memory does not depend on the length.  Raises InputError where the file is no
    evidence, or the folder has none, and Disagreement where `verified` refuses a row that `check` accepts.
    """
    expectations = [each for text in expected for each in Expectation.parsed(text)]
    both = check if verified is None else beside(verified, check)
    verification = _Verification(path, on_row, both, kernel_only, is_verified=verified is not None)
    verification.go_through()
    outcome = verification.outcome
    for expectation in expectations:
        missing = expectation.missing(outcome.accepted)
        if missing:
            outcome.reject(
                str(path), 0, f"expected {expectation.text}, but {_not_there(expectation, missing)}"
            )
    return outcome


def _not_there(expectation: Expectation, missing: Sequence[tuple[int, int]]) -> str:
    if len(missing) == len(expectation.levels):
        return "nothing of that was accepted as complete"
    shown = ", ".join(f"n = {n}, messages = {m}" for n, m in missing[:3])
    more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
    return f"this was not accepted as complete: {shown}{more}"


@dataclass
class _Found:
    """What the files have turned out to be, each by itself."""

    tables: dict[Path, Header] = field(default_factory=dict)
    proofs: dict[Path, "Part"] = field(default_factory=dict)
    every_length: dict[Path, "tuple[ProfileClaim, int]"] = field(default_factory=dict)
    """Proofs about profiles: the claim, and the number of the query."""
    answers: dict[Path, "Answered"] = field(default_factory=dict)
    ledgers: list[Path] = field(default_factory=list)


@dataclass
class _Verification:
    """One going through a file or a folder: each file by itself, and then what they are together."""

    path: Path
    on_row: OnRow | None
    check: CheckLines
    kernel_only: bool
    is_verified: bool
    outcome: Outcome = field(default_factory=Outcome)
    found: _Found = field(default_factory=_Found)
    complete: dict[Path, str] = field(default_factory=dict)
    """Tables that leave nothing out, and how that is known."""

    def go_through(self) -> None:
        """Check all there is."""
        for file in self._files():
            try:
                self._verify_file(file)
            except NoEvidence as reason:
                if file == self.path:
                    raise InputError(f"{file} is no evidence: {reason}") from None
                self.outcome.reject(str(file), 0, f"this is no evidence: {reason}")
            except InputError as error:
                if file == self.path:
                    raise
                self.outcome.reject(str(file), 0, str(error))
        if not (self.outcome.files or self.outcome.rejections or self.outcome.not_checked):
            raise InputError(f"{self.path} has no evidence in it")
        self._complete_tables()
        named = self._verify_ledgers()
        self._accept_tables()
        accept_proofs(self.found.proofs, named, self.path, self.outcome)
        accept_every_length(self.found.every_length, self.path, self.outcome)
        self._accept_answers(named)
        self._reject_unnamed(named)

    def _files(self) -> list[Path]:
        """The files to check, in order; what is no file, but should have been one, is rejected."""
        if not self.path.is_dir():
            return [self.path, *self._named_by(self.path)]
        files: list[Path] = []
        for folder, folders, names in os.walk(self.path, onerror=refuse_folder):
            folders.sort()
            for name in sorted([*names, *(name for name in folders if (Path(folder) / name).is_symlink())]):
                file = Path(folder) / name
                if name in IGNORED:
                    self.outcome.ignored.append(str(file))
                elif file.is_file():
                    files.append(file)
                else:
                    self.outcome.reject(str(file), 0, why_no_file(file))
        if not (files or self.outcome.rejections or self.outcome.ignored):
            raise InputError(f"{self.path} is an empty folder")
        return files

    def _named_by(self, path: Path) -> list[Path]:
        """The files that this one names, if it is a ledger."""
        if self.kernel_only or not path.is_file():
            return []
        with opened(path) as stream:
            if b'"sealcheck":"ledger"' not in stream.readline(LONGEST):
                return []
        from sealcheck.evidence.ledger import named_files

        return named_files(path)

    def _verify_file(self, path: Path) -> None:
        """Check a file by itself.  Raises NoEvidence."""
        with opened(path) as stream:
            start = stream.readline(LONGEST)
            stream.seek(0)
            kind = kind_of(start)
            needed = NEEDS[kind]
            self.outcome.files += 1
            if self.kernel_only and needed is not Trust.KERNEL:
                self.outcome.not_checked.append((str(path), needed))
                return
            try:
                self._verify_kind(kind, path, stream)
            except Rejected as error:
                self.outcome.reject(str(path), 0, str(error))

    def _verify_kind(self, kind: str, path: Path, stream: BinaryIO) -> None:
        """Check a file of this kind by itself.  Raises NoEvidence and Rejected."""
        match kind:
            case "table":
                self._verify_table(path, table_lines(path, stream))
            case "proof":
                from sealcheck.evidence.proofs import verify_proof

                self.found.proofs[path], _ = verify_proof(path)
            case "every-length":
                from sealcheck.evidence.every_length import verify_every_length

                self.found.every_length[path] = verify_every_length(path)
            case "answers":
                from sealcheck.evidence.answers import verify_answers

                self.found.answers[path] = verify_answers(path)
            case _:
                self.found.ledgers.append(path)

    def _verify_table(self, path: Path, source: Iterator[bytes]) -> None:
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
            self.found.tables[path] = header
            if header.kind in EXHAUSTIVE:
                self.complete[path] = "by counting"

    def _tell(self, number: int) -> None:
        if self.on_row and number % 256 == 0:
            self.on_row(self.outcome.rows)

    def _complete_tables(self) -> None:
        """Compare tables whose rows can't be counted with those that they are selected from."""
        for path, header in self.found.tables.items():
            if header.kind in EXHAUSTIVE:
                continue
            from sealcheck.evidence.tables.selecting import is_selected, selected_from

            of = selected_from(header.kind)
            for other, whole in self.found.tables.items():
                if whole.kind == of and (whole.n, whole.messages) == (header.n, header.messages):
                    if is_selected(header.kind, lines_of(other), lines_of(path)):
                        self.complete[path] = f"by comparing it with {other}"
                    else:
                        self.outcome.reject(
                            str(path), 0, f"the rows are not those of {other} that belong here"
                        )
                    break

    def _accept_tables(self) -> None:
        for path, header in self.found.tables.items():
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

    def _verify_ledgers(self) -> set[Path]:
        """Check the ledgers, and say which files they name."""
        named: set[Path] = set()
        for path in self.found.ledgers:
            from sealcheck.evidence.ledger import named_files
            from sealcheck.evidence.replay import Files, verify_ledger

            tables = {file: header for file, header in self.found.tables.items() if file in self.complete}
            files = Files(tables, self.found.proofs, self.found.answers)
            named |= set(named_files(path))
            try:
                for said in verify_ledger(path, files, self._count_row):
                    if isinstance(said, Accepted):
                        self.outcome.accepted.append(said)
                    else:
                        self.outcome.reject(str(path), *said)
            except Rejected as error:
                self.outcome.reject(str(path), 0, str(error))
        return named

    def _count_row(self) -> None:
        self.outcome.rows += 1
        if self.on_row:
            self.on_row(self.outcome.rows)

    def _accept_answers(self, named: set[Path]) -> None:
        """Answers say something about a claim in a ledger only; by themselves they are a solver's."""
        for path, found in self.found.answers.items():
            self.outcome.accepted.append(
                AcceptedAnswers(
                    name=found.statement,
                    by=(Trust.FORMULA,),
                    levels=frozenset({(found.n, found.messages)}),
                    files=(str(path),),
                    instances=found.instances,
                    asked=dict(found.asked),
                )
            )
            if path not in named:
                self.outcome.reject(str(path), 0, "no row of a ledger names these answers")

    def _reject_unnamed(self, named: set[Path]) -> None:
        """Beside a ledger, there is nothing that it does not name."""
        for ledger in self.found.ledgers:
            beside = [*self.found.tables, *self.found.proofs, *self.found.every_length]
            for path in beside:
                if ledger.parent in path.parents and path not in named:
                    self.outcome.reject(str(path), 0, f"no row of {ledger} names this")
