"""The ledger of an audit as files that can be checked: rows, proofs, and tables.

A row says what was found about one claim.  To check it, its statement is decided again for every instance,
without any solver, and each query about a whole level must have a proof.  That is more than the kernel does
alone: it needs the statement, which says what the claim is, and the ways to the truth that are no solvers.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from sealcheck.errors import Disagreement, InputError, LimitReached
from sealcheck.kernel.reading import canonical, fields, items, lines, value_of
from sealcheck.kernel.rejected import Rejected
from sealcheck.theorems.answered import Answered, is_answerable, verify_answers
from sealcheck.theorems.checking import (
    Counts,
    Tally,
    check_every_length,
    check_instances,
    count,
    every_length,
    verdict_on,
)
from sealcheck.theorems.cubes import numbered
from sealcheck.theorems.proved import Part, together, verify_proof
from sealcheck.theorems.registry import STATEMENTS
from sealcheck.theorems.statement import Statement

VERSION = 1
LEDGER = "ledger.jsonl"

TABLES = {
    "closed-channels": ("sealability",),
    "decide-sealing": ("sealing-pairs",),
    "seal-size": ("sealability",),
    "sealability": ("sealability", "counterexamples"),
    "worst-case-seal": ("worst-cases",),
}
"""The tables whose rows show what some statements are about, program by program."""

Level = tuple[int, int]

_HEADER: dict[str, type] = {
    "sealcheck": str,
    "version": int,
    "n": int,
    "messages": int,
    "rows": int,
    "sha256": str,
}
_ROW: dict[str, type] = {
    "statement": str,
    "claim": int,
    "form": str,
    "text": str,
    "verdict": str,
    "counterexample": object,
    "instances": int,
    "vacuous": int,
    "every_length": list,
    "counts": object,
    "proofs": list,
    "answers": list,
    "tables": list,
}


def row(
    about: Statement,
    number: int,
    found: Tally,
    verdict: str,
    lengths: Sequence[int],
    counts: Counts | None,
    proofs: Sequence[str],
    spaces: Sequence[Level],
) -> dict[str, Any]:
    """The row about a claim; `found` is what going through all instances gave."""
    claim = about.claims[number]
    breaking = found.refuting.get(number)
    return {
        "statement": about.id,
        "claim": number,
        "form": claim.form.value,
        "text": claim.text,
        "verdict": verdict,
        "counterexample": breaking and {"n": breaking.n, "programs": breaking.texts},
        "instances": found.checked,
        "vacuous": found.vacuous,
        "every_length": lengths,
        "counts": counts,
        "proofs": proofs,
        "answers": [f"answers/{about.id}-n{n}-m{m}.answers" for n, m in spaces if is_answerable(about)],
        "tables": [f"tables/{kind}.jsonl" for kind in TABLES.get(about.id, ())],
    }


def ledger_lines(n: int, messages: int, rows: Sequence[dict[str, Any]]) -> Iterator[bytes]:
    """The file of the ledger, line by line."""
    body = [canonical(item) for item in rows]
    digest = hashlib.sha256(b"".join(line + b"\n" for line in body)).hexdigest()
    yield canonical(
        {
            "sealcheck": "ledger",
            "version": VERSION,
            "n": n,
            "messages": messages,
            "rows": len(body),
            "sha256": digest,
        }
    )
    yield from body


def verify_ledger(
    path: Path, on_row: Callable[[], None], on_proof: Callable[[Path], None]
) -> Iterator[tuple[int, str]]:
    """Check a ledger and the proofs that it names: pairs of a row, from 1 (0: the whole), and a complaint.

    `on_row` is told of each row, `on_proof` of each proof that was accepted.  Raises Rejected where the file
    is no ledger, OSError where it can't be read.
    """
    with open(path, "rb") as stream:
        source = lines(stream)
        header = fields(value_of(next(source, b"")), _HEADER)
        if header["sealcheck"] != "ledger" or header["version"] != VERSION:
            raise Rejected(f"this is no ledger that version {VERSION} knows")
        if not (1 <= header["n"] <= 4 and 0 <= header["messages"] <= 6):
            raise Rejected("ledgers are for n up to 4 and up to 6 messages")
        levels = [(n, m) for n in range(1, header["n"] + 1) for m in range(header["messages"] + 1)]
        checker = _Checker(path.parent, levels, on_proof)
        digest, number = hashlib.sha256(), 0
        for number, line in enumerate(source, 1):
            digest.update(line + b"\n")
            on_row()
            try:
                checker.check(value_of(line))
            except (Rejected, Disagreement, LimitReached) as error:
                yield number, str(error)
    if number != header["rows"] or digest.hexdigest() != header["sha256"]:
        yield 0, "the rows are not those that the header speaks of"
    yield from ((0, complaint) for complaint in checker.missing())


class _Checker:
    """Checks rows against what can be found out again."""

    def __init__(self, folder: Path, levels: Sequence[Level], on_proof: Callable[[Path], None]) -> None:
        self._folder, self._levels, self._on_proof = folder, levels, on_proof
        self._seen: set[tuple[str, int]] = set()
        self._answered: set[str] = set()
        self._replayed = cache(self._replay)

    def check(self, value: object) -> None:
        """Check one row.  Raises Rejected."""
        found = fields(value, _ROW)
        id, number = found["statement"], found["claim"]
        if id not in STATEMENTS or not 0 <= number < len(STATEMENTS[id].claims):
            raise Rejected("there is no such claim")
        if (id, number) in self._seen:
            raise Rejected("the claim is there twice")
        self._seen.add((id, number))
        about = STATEMENTS[id]
        claim = about.claims[number]
        if found["instances"] != sum(_expected(about, level) for level in self._levels):
            raise Rejected("'instances' is not the number of instances that there are")
        by_level, one_by_one = self._replayed(id)
        lengths = every_length(claim, self._levels)
        total = Tally()
        for tally in (one_by_one, *(check_every_length(about, number, n) for n in lengths)):
            total.add(tally)
        counts = count(claim.growth) if claim.growth else None
        verdict = verdict_on(about, number, total, counts).value
        expected = row(about, number, total, verdict, lengths, counts, found["proofs"], self._levels)
        for key, wanted in expected.items():
            if canonical(found[key]) != canonical(wanted):
                raise Rejected(f"'{key}' is {_short(found[key])}, but found again it is {_short(wanted)}")
        self._check_proofs(about, number, by_level, items(found["proofs"]))
        self._check_answers(about.id, tuple(found["answers"]))

    def _replay(self, id: str) -> tuple[dict[Level, Tally], Tally]:
        """What a statement's ways other than solvers find, for all levels."""
        about = STATEMENTS[id]
        by_level = {level: check_instances(about, *level, solvers=()) for level in self._levels}
        total = Tally()
        for level, tally in by_level.items():
            if tally.checked != _expected(about, level):
                raise Rejected(f"at (n, messages) = {level} the instances are not as many as there are")
            total.add(tally)
        if total.disputed is not None:
            raise Rejected(f"the ways contradict each other on {total.disputed}: {total.answers}")
        return by_level, total

    def _check_proofs(
        self, about: Statement, number: int, by_level: dict[Level, Tally], files: Sequence[Any]
    ) -> None:
        """Every query is refuted by a proof, except where the level has a counterexample."""
        found = together(map(self._proof, files))
        for level, tally in by_level.items():
            for question in numbered(about.id, number, *level):
                if question not in found.refuted and number not in tally.refuting:
                    raise Rejected(f"nothing refutes the query {Part(question).file_name}")

    def _check_answers(self, id: str, files: Sequence[str]) -> None:
        """The answers about every instance, once for all claims of a statement."""
        if id in self._answered:
            return
        self._answered.add(id)
        for level, name in zip(self._levels, files, strict=bool(files)):
            path = self._folder / name
            try:
                if verify_answers(path) != Answered(id, *level):
                    raise Rejected("the answers are about something else")
            except (InputError, Rejected) as error:
                raise Rejected(f"{name}: {error}") from None
            self._on_proof(path)

    def _proof(self, name: object) -> Part:
        if not isinstance(name, str) or not name.startswith("proofs/") or ".." in name:
            raise Rejected(f"{_short(name)} is no name of a proof")
        path = self._folder / name
        try:
            part, _ = verify_proof(path)
        except InputError as error:
            raise Rejected(str(error)) from None
        except Rejected as error:
            raise Rejected(f"{name}: {error}") from None
        self._on_proof(path)
        return part

    def missing(self) -> Iterator[str]:
        """The claims that a ledger on these statements should have, too."""
        for id in sorted({id for id, _ in self._seen}):
            for number in range(len(STATEMENTS[id].claims)):
                if (id, number) not in self._seen:
                    yield f"a claim of {id} is missing"


def _expected(about: Statement, level: Level) -> int:
    return about.domain.expected(*level) if about.domain else 0


def _short(value: object) -> str:
    text = canonical(value).decode()
    return text if len(text) <= 80 else f"{text[:77]}..."
