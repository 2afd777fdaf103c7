"""Verify files and folders of evidence.

- Tables: the kernel, a small checker, is enough to check them.
- Proofs and a solver's answers: sealcheck makes their formulas again from its encoding of the statement, and
  the kernel checks the proofs.
- Ledgers: all oracles other than solvers decide the claims again.

Each acceptance names the checkers that a reader must trust.
"""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, assert_never

from sealcheck.errors import InputError
from sealcheck.evidence.outcome import (
    IGNORED,
    Acceptance,
    Accepted,
    AcceptedAnswers,
    AcceptedClaim,
    AcceptedProofs,
    AcceptedTable,
    Level,
    Trust,
    Verification,
)
from sealcheck.evidence.table_files import (
    CheckedTables,
    CheckLines,
    Kind,
    NoEvidence,
    OnRow,
    both,
    kind_of,
    opened,
    table_lines,
)
from sealcheck.kernel.reading import LONGEST, Rejected
from sealcheck.kernel.tables import check_lines
from sealcheck.questions.verified_checker import VerifiedChecker

if TYPE_CHECKING:
    from sealcheck.evidence.proofs import Part


def files_at(path: Path, outcome: Verification, *, kernel_only: bool) -> list[Path]:
    """The files to check, in order. Without `kernel_only`, they include the files that a ledger `path` names.

    Entries of folders that are neither files nor folders are rejected.  Raises InputError if a folder is
    empty or cannot be read.
    """
    if not path.is_dir():
        return [path] if kernel_only else [path, *_named_by(path)]
    files: list[Path] = []
    for folder, folders, names in os.walk(path, onerror=_refuse_folder):
        folders.sort()
        for name in sorted([*names, *(name for name in folders if (Path(folder) / name).is_symlink())]):
            file = Path(folder) / name
            if name in IGNORED:
                outcome.ignored.append(str(file))
            elif file.is_file():
                files.append(file)
            else:
                to = f"a symbolic link to {'a folder' if file.is_dir() else 'nothing'}, and is not followed"
                outcome.reject(str(file), 0, f"this is {to if file.is_symlink() else 'not a regular file'}")
    if not (files or outcome.rejections or outcome.ignored):
        raise InputError(f"{path} is an empty folder")
    return files


def _refuse_folder(error: OSError) -> NoReturn:
    raise InputError(f"cannot read {error.filename}: {error.strerror}")


def _named_by(path: Path) -> list[Path]:
    if not path.is_file():
        return []
    with opened(path) as stream:
        if b'"sealcheck":"ledger"' not in stream.readline(LONGEST):
            return []
    from sealcheck.evidence.ledger import named_files

    return named_files(path)


_RANGE = r"([0-9]{1,3})(?:\.\.([0-9]{1,3}))?"
_SYNTAX = re.compile(
    rf"(?:(table|proofs|ledger) )?([A-Za-z0-9:.-]+)(?: (as-printed|repaired))? n={_RANGE} messages={_RANGE}"
)
_MEANT = {"table": AcceptedTable, "proofs": AcceptedProofs, "ledger": AcceptedClaim}


@dataclass(frozen=True)
class Expectation:
    """A reader's requirement: evidence of this name must be accepted for all of these levels (n, m)."""

    text: str
    name: str
    meant: tuple[type[Acceptance], ...]
    form: str | None
    levels: tuple[Level, ...]

    @classmethod
    def parsed(cls, text: str) -> "list[Expectation]":
        """The expectations that a text describes. A label of the paper stands for all statements under it.

        Raises InputError if the text is malformed.

        >>> (found,) = Expectation.parsed("table sealability n=2..3 messages=0")
        >>> found.levels
        ((2, 0), (3, 0))
        >>> [found.name for found in Expectation.parsed("th:decide.sealing n=2 messages=0")]
        ['decide-sealing']
        """
        match = _SYNTAX.fullmatch(" ".join(text.split()))
        if match is None:
            raise InputError(
                f"'{text[:60]}' is not an expectation: write, for instance, 'sealability n=3 messages=0..4';"
                " optional are table, proofs or ledger before the name, and as-printed or repaired after it"
            )
        which, name, form, *bounds = match.groups()
        n, messages = (range(int(a), int(b or a) + 1) for a, b in (bounds[:2], bounds[2:]))
        if not n or not messages:
            raise InputError(f"'{text[:60]}' expects an empty range")
        meant = (_MEANT[which],) if which else tuple(_MEANT.values())
        levels = tuple(product(n, messages))
        names = [name]
        if not re.fullmatch("[a-z0-9-]+", name):  # a label of the paper
            from sealcheck.theorems.registry import named

            names = named(name)
        return [cls(text, each, meant, form, levels) for each in names]

    def missing(self, accepted: Sequence[Accepted]) -> list[Level]:
        """The expected levels for which no complete evidence was accepted."""
        return min((self._missing(kind, accepted) for kind in self.meant), key=len)

    def _missing(self, kind: type[Acceptance], accepted: Sequence[Accepted]) -> list[Level]:
        about = [each for each in accepted if isinstance(each, kind) and each.name == self.name]
        if not about:
            return list(self.levels)
        covered = {(getattr(each, "claim", None), level) for each in about for level in each.levels}
        if kind is AcceptedTable:
            return [level for level in self.levels if self.form or (None, level) not in covered]
        from sealcheck.evidence.proofs import asks
        from sealcheck.theorems.registry import statement

        needed = [
            number
            for number, claim in enumerate(statement(self.name).claims)
            if self.form in (None, claim.form.value) and (kind is AcceptedClaim or claim.whole_space)
        ]

        def has_all(level: Level) -> bool:
            return bool(needed) and all(
                (number, level) in covered or (kind is AcceptedProofs and not asks(self.name, number, *level))
                for number in needed
            )

        return [level for level in self.levels if not has_all(level)]


def verify_path(
    path: Path,
    on_row: OnRow | None = None,
    *,
    check: CheckLines = check_lines,
    kernel_only: bool = False,
    expected: Sequence[str] = (),
    verified: VerifiedChecker | None = None,
) -> Verification:
    """Check a file of evidence, or every file of a folder.

    `check` checks the rows of tables, and so does `verified` if given.  With `kernel_only`, files that need
    more than the kernel are not checked.  An unmet expectation in `expected` counts as a rejection.
    Files are read line by line, so memory does not depend on their length.

    Raises InputError if there is no evidence.  Raises Disagreement if `verified` refuses a row that `check`
    accepts, and LimitReached if a row is too large for `verified`.
    """
    expectations = [each for text in expected for each in Expectation.parsed(text)]
    checks = check if verified is None else both(verified, check)
    outcome = Verification()
    tables = CheckedTables(outcome, checks, is_verified=verified is not None, on_row=on_row)
    _Verification(path, outcome, tables, kernel_only).go_through()
    if verified is not None:
        outcome.accepted = [left_unverified(each) for each in outcome.accepted]
    for expectation in expectations:
        if missing := expectation.missing(outcome.accepted):
            lacking = _not_there(expectation, missing)
            outcome.reject(str(path), 0, f"expected {expectation.text}, but {lacking}")
    return outcome


OF_LEDGERS = (
    "rows of ledgers (but as an oracle, it answers the questions that it knows about their instances)"
)
OF_FORMULAS = "proofs, and a solver's answers"


def left_unverified(accepted: Accepted) -> Accepted:
    """The acceptance, with a note on the evidence that the verified checker has not checked."""
    if Trust.VERIFIED in accepted.by:
        return accepted
    return replace(accepted, unverified=OF_LEDGERS if Trust.REPLAY in accepted.by else OF_FORMULAS)


def _not_there(expectation: Expectation, missing: Sequence[tuple[int, int]]) -> str:
    """The missing levels of an expectation, in words."""
    if len(missing) == len(expectation.levels):
        return "none of it was accepted as complete"
    shown = ", ".join(f"n = {n}, messages = {m}" for n, m in missing[:3])
    more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
    return f"this was not accepted as complete: {shown}{more}"


@dataclass
class _Verification:
    """The verification of a file or folder: first of each file alone, then of all files together."""

    path: Path
    outcome: Verification
    tables: CheckedTables
    kernel_only: bool
    proofs: dict[Path, "Part"] = field(default_factory=dict)
    answers: dict[Path, AcceptedAnswers] = field(default_factory=dict)
    ledgers: list[Path] = field(default_factory=list)

    def go_through(self) -> None:
        """Check all files."""
        for file in files_at(self.path, self.outcome, kernel_only=self.kernel_only):
            try:
                self._verify_file(file)
            except NoEvidence as reason:
                if file == self.path:
                    raise InputError(f"{file} is not evidence: {reason}") from None
                self.outcome.reject(str(file), 0, f"this is not evidence: {reason}")
            except InputError as error:
                if file == self.path:
                    raise
                self.outcome.reject(str(file), 0, str(error))
        if not (self.outcome.files or self.outcome.rejections or self.outcome.not_checked):
            raise InputError(f"{self.path} contains no evidence")
        self.tables.find_complete()
        named = self._verify_ledgers()
        self.tables.accept()
        if self.proofs:
            from sealcheck.evidence.proofs import accept_proofs  # with the solvers: tables need none

            accept_proofs(self.proofs, named, self.path, self.outcome)
        for path, answers in self.answers.items():
            self.outcome.accepted.append(answers)
            if path not in named:  # a solver's answers by themselves say nothing about a claim
                self.outcome.reject(str(path), 0, "no row of a ledger names these answers")
        for ledger in self.ledgers:
            for path in (*self.tables.headers, *self.proofs):
                if ledger.parent in path.parents and path not in named:
                    self.outcome.reject(str(path), 0, f"no row of {ledger} names this file")

    def _verify_file(self, path: Path) -> None:
        """Check a file alone.  Raises NoEvidence."""
        with opened(path) as stream:
            start = stream.readline(LONGEST)
            stream.seek(0)
            kind = kind_of(start)
            self.outcome.files += 1
            if self.kernel_only and kind.needs is not Trust.KERNEL:
                self.outcome.not_checked.append((str(path), kind.needs))
                return
            try:
                match kind:
                    case Kind.TABLE:
                        self.tables.verify(path, table_lines(path, stream))
                    case Kind.PROOF:
                        from sealcheck.evidence.proofs import verify_proof

                        self.proofs[path], _ = verify_proof(path)
                    case Kind.ANSWERS:
                        from sealcheck.evidence.cubes import verify_answers

                        self.answers[path] = verify_answers(path)
                    case Kind.LEDGER:
                        self.ledgers.append(path)
                    case _:
                        assert_never(kind)
            except Rejected as error:
                self.outcome.reject(str(path), 0, str(error))

    def _verify_ledgers(self) -> set[Path]:
        """Check the ledgers, and return the files that they name."""
        named: set[Path] = set()
        for path in self.ledgers:
            from sealcheck.evidence.ledger import Files, named_files, verify_ledger

            tables = {at: header for at, header in self.tables.headers.items() if at in self.tables.complete}
            files = Files(tables, self.proofs, self.answers)
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
        if self.tables.on_row:
            self.tables.on_row(self.outcome.rows)
