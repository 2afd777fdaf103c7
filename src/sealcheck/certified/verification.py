"""Verifying files of certified evidence with the kernel: tables, proofs, runs, and folders of these.

Nothing here decides anything: it finds out what a file is, and hands it to the kernel.  Neither
solvers nor the algorithms are imported; Arrow is for a Parquet table, Spark where it is asked for, and
pySMT where the formula that a proof refutes is made again.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from sealcheck.errors import InputError
from sealcheck.kernel.programs import balanced_events, events_of, shares_of
from sealcheck.kernel.reading import LONGEST, canonical, fields, lines
from sealcheck.kernel.rejected import Rejected
from sealcheck.kernel.runs import check_run
from sealcheck.kernel.tables import check_lines

if TYPE_CHECKING:
    from sealcheck.theorems.proved import Part

MOST_SHOWN = 100
"""Rejections that are kept; all are counted."""

LEDGER = "ledger.jsonl"

PARQUET = b"PAR1"

OnRow = Callable[[int], None]
"""Told how many rows have been gone through."""

CheckLines = Callable[[Iterable[bytes]], Iterator[tuple[int, str]]]


@dataclass
class Outcome:
    """What the kernel said of a file, or of several."""

    files: int = 0
    rows: int = 0
    refuted: dict[tuple[str, int, int, int], tuple[int, int]] = field(default_factory=dict)
    """For the levels (statement, claim, n, messages) that proofs speak of which no ledger names: how many
    of their whole-space queries are refuted, and how many there are."""
    rejections: int = 0
    rejected: list[tuple[str, int, str]] = field(default_factory=list)
    """The first of them: the file, the row, counted from 1, or 0 for the file as a whole, and why."""

    @property
    def ok(self) -> bool:
        """Whether everything was accepted."""
        return not self.rejections

    def reject(self, file: str, row: int, reason: str) -> None:
        """Take note of a rejection."""
        self.rejections += 1
        if len(self.rejected) < MOST_SHOWN:
            self.rejected.append((file, row, reason))


def verify_path(
    path: Path, on_row: OnRow | None = None, *, spark: bool = False, master: str | None = None
) -> Outcome:
    """Check a table or a proof, or every file of a folder, on Spark if `spark`.

    Reads line by line: memory does not depend on the length.  Raises InputError where a file is neither.
    """
    outcome = Outcome()
    parts: list[Part] = []
    with ExitStack() as stack:
        check = _on_spark(stack, master) if spark else check_lines
        done: set[Path] = set()
        for file in _files(path):
            if file not in done:
                outcome.files += 1
                _verify_file(file, check, outcome, on_row, done, parts)
    if parts:
        _conclude(path, parts, outcome)
    return outcome


def _conclude(path: Path, parts: "list[Part]", outcome: Outcome) -> None:
    """Count the queries that all proofs together refute; in a folder, no part may be missing."""
    from sealcheck.theorems.cubes import numbered
    from sealcheck.theorems.proved import together

    found = together(parts)
    for level in sorted({part.question.level for part in parts}):
        questions = numbered(*level)
        outcome.refuted[level] = len(found.refuted & set(questions)), len(questions)
    for gap in found.gaps if path.is_dir() else ():
        outcome.reject(str(path), 0, gap)


def _on_spark(stack: ExitStack, master: str | None) -> CheckLines:
    from sealcheck.certified.spread import check_lines_on_spark
    from sealcheck.spark_sweeps.session import spark_session

    session = stack.enter_context(spark_session(master, "sealcheck verify"))
    return lambda source: check_lines_on_spark(session, source)


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(file for file in path.rglob("*") if file.is_file())
    files.sort(key=lambda file: file.name != LEDGER)  # a ledger checks the proofs that it names
    if not files:
        raise InputError(f"{path} is an empty folder")
    return files


def _verify_file(
    path: Path,
    check: CheckLines,
    outcome: Outcome,
    on_row: OnRow | None,
    done: set[Path],
    parts: "list[Part]",
) -> None:
    before = outcome.rows

    def counted(source: Iterator[bytes]) -> Iterator[bytes]:
        for number, line in enumerate(source):
            outcome.rows = before + number
            if on_row and number % 256 == 0:
                on_row(outcome.rows)
            yield line

    try:
        with open(path, "rb") as stream:
            start = stream.readline(LONGEST)
            stream.seek(0)
            if b'"sealcheck":"proof"' in start:
                _verify_proof(path, outcome, parts)
                return
            if b'"sealcheck":"answers"' in start:
                _verify_answers(path, outcome)
                return
            if b'"sealcheck":"ledger"' in start:
                _verify_ledger(path, outcome, on_row, done)
                return
            source = _parquet(path) if start.startswith(PARQUET) else lines(stream)
            for row, reason in check(counted(source)):
                outcome.reject(str(path), row, reason)
    except Rejected as error:
        raise InputError(f"{path} is no certified table or proof: {error}") from None
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None


def _parquet(path: Path) -> Iterator[bytes]:
    from sealcheck.certified.formats import parquet_lines

    return parquet_lines(path)


def _verify_proof(path: Path, outcome: Outcome, parts: "list[Part]") -> None:
    from sealcheck.theorems.proved import verify_proof

    try:
        part, _ = verify_proof(path)
        parts.append(part)
    except Rejected as error:
        outcome.reject(str(path), 0, str(error))


def _verify_answers(path: Path, outcome: Outcome) -> None:
    from sealcheck.theorems.answered import verify_answers

    try:
        verify_answers(path)
    except Rejected as error:
        outcome.reject(str(path), 0, str(error))


def _verify_ledger(path: Path, outcome: Outcome, on_row: OnRow | None, done: set[Path]) -> None:
    from sealcheck.certified.ledger import verify_ledger

    def count_row() -> None:
        outcome.rows += 1
        if on_row:
            on_row(outcome.rows)

    def count_proof(proof: Path) -> None:
        outcome.files += 1
        done.add(proof)

    try:
        for row, reason in verify_ledger(path, count_row, count_proof):
            outcome.reject(str(path), row, reason)
    except Rejected as error:
        outcome.reject(str(path), 0, str(error))


def verify_run(text: str) -> Outcome:
    """Check a run, or an answer that has one for its certificate.  Raises InputError where it is none."""
    try:
        value = json.loads(text, object_pairs_hook=_once, parse_float=_refuse, parse_constant=_refuse)
        if isinstance(value, dict) and isinstance(value.get("certificate"), dict):
            value = value["certificate"]
        canonical(value)
    except (ValueError, RecursionError) as error:
        raise InputError(f"this is no run: {error}") from None
    if not isinstance(value, dict) or value.get("kind") != "run":
        raise InputError("this is no run: the key 'kind' must be 'run'")
    outcome = Outcome(files=1, rows=1)
    try:
        _check_run(value)
    except Rejected as error:
        outcome.reject("the run", 0, str(error))
    return outcome


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key is there twice")
    return dict(pairs)


def _refuse(text: str) -> NoReturn:
    raise ValueError(f"{text[:20]} is no whole number")


MOST_NAMED = 99
"""Processes that the kernel can read the names of."""


def _check_run(value: object) -> None:
    """Check a run that speaks for itself: that Q does not seal P, for it shows a run of P;Q;later."""
    types = {"kind": str, "n": int, "p": str, "q": str, "later": str, "program": str, "channel": list}
    run = fields(value, types | {"order": list, "matching": list, "receive": list})
    n = run["n"]
    if not 1 <= n <= MOST_NAMED:
        raise Rejected(f"n must be in 1..{MOST_NAMED}")
    p, q = balanced_events(run["p"], n), balanced_events(run["q"], n)
    rest = [*q, *events_of(run["later"], n)]
    check_run(p, rest, n, run["order"], run["matching"], run["receive"])
    if shares_of(events_of(run["program"], n), n) != shares_of([*p, *rest], n):
        raise Rejected("the program is not P;Q;later")
    process, position = run["receive"]
    if run["channel"] != [*shares_of(p, n)[process - 1][position - 1][1:]]:
        raise Rejected("the channel is not that of the receive")
