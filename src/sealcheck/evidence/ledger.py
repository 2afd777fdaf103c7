"""The ledger of an audit as a file: its scope, a row for each claim, and the names of files of evidence.

A *statement* is a theorem, lemma or procedure of the paper, and makes one or more *claims*. A *level* (n, m)
consists of all programs of n processes with m messages. A *query* asks a solver about a whole level at once.
A model of a query is a counterexample to a claim; or, if the query is *by proof*, a program to which the
claim's proof does not apply.

To check a row, all oracles other than solvers decide the claim again for every instance up to the ledger's
bounds. The row must name, for every query of its claim, a model or a proof that there is no model. The files
that the row names must have been accepted, and must be about the row's claim.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

from sealcheck.encodings.clauses import satisfies
from sealcheck.errors import Disagreement, LimitReached
from sealcheck.evidence.cubes import LevelQuery, answers_name, clausal, is_answerable, numbered
from sealcheck.evidence.outcome import Accepted, AcceptedAnswers, AcceptedClaim, AcceptedLedger, Level, Trust
from sealcheck.evidence.proofs import Part, together
from sealcheck.evidence.table_files import digested, with_digest
from sealcheck.evidence.tables import tables_about
from sealcheck.kernel.reading import Rejected, canonical, fields, header, items, lines, numbers, value_of
from sealcheck.kernel.tables import Header
from sealcheck.theorems.checking.check import Inline
from sealcheck.theorems.checking.statement import Statement, Tally, total
from sealcheck.theorems.checking.verdicts import Counts, count, on_record, verdict_on
from sealcheck.theorems.registry import STATEMENTS

VERSION = 4
LEDGER = "ledger.jsonl"
UNFINISHED = "unfinished.json"
"""This file exists until all other files of the audit are written."""

MOST = (4, 6)
"""The largest n, and the largest number of messages. To check a larger ledger would take days."""

_HEADER: dict[str, type] = {"statements": list, "n": list, "messages": list, "rows": int, "sha256": str}
ROW: dict[str, type] = {
    "statement": str,
    "claim": int,
    "form": str,
    "text": str,
    "verdict": str,
    "theorems": list,
    "counterexample": object,
    "instances": int,
    "vacuous": int,
    "counts": object,
    "proofs": list,
    "models": list,
    "answers": list,
    "tables": list,
}


@dataclass(frozen=True)
class Scope:
    """The scope of a ledger: the statements whose claims all have rows, and the bounds of the checks."""

    statements: tuple[str, ...]
    n: int
    messages: int

    @property
    def levels(self) -> tuple[Level, ...]:
        """Each (n, messages), smallest first."""
        return tuple((n, m) for n in range(1, self.n + 1) for m in range(self.messages + 1))

    @property
    def claims(self) -> tuple[tuple[str, int], ...]:
        """The claims in the order of the rows: each is a statement, and a number within the statement."""
        return tuple((id, number) for id in self.statements for number in range(len(STATEMENTS[id].claims)))

    @property
    def tables(self) -> tuple[str, ...]:
        """The kinds of the tables that rows name."""
        return tuple(sorted({kind for id in self.statements for kind in tables_about(id)}))


def row(
    about: Statement,
    number: int,
    found: Tally,
    verdict: str,
    *,
    counts: Counts | None,
    proofs: Sequence[str],
    models: Sequence[Mapping[str, Any]],
    levels: Sequence[Level],
) -> dict[str, Any]:
    """The row about a claim; `found` is the result of checking the claim on all instances."""
    claim = about.claims[number]
    breaking = found.refuting
    shown = breaking is not None or counts is not None
    theorems = on_record(claim.theorems) or (() if shown else on_record(claim.refutations))
    return {
        "statement": about.id,
        "claim": number,
        "form": claim.form.value,
        "text": claim.text,
        "verdict": verdict,
        "theorems": [f"{found.file} {found.name}" for found in theorems],
        "counterexample": breaking and {"n": breaking.n, "programs": breaking.texts},
        "instances": found.checked,
        "vacuous": found.vacuous,
        "counts": counts,
        "proofs": proofs,
        "models": models,
        "answers": [f"answers/{answers_name(about.id, *level)}" for level in levels if is_answerable(about)],
        "tables": [table_name(kind) for kind in tables_about(about.id)],
    }


def table_name(kind: str) -> str:
    """The file of a table, relative to the ledger."""
    return f"tables/{kind}.jsonl"


def model_document(asked: LevelQuery, true: Iterable[int]) -> dict[str, Any]:
    """A query and its model as JSON; `true` lists the variables that are true in the model."""
    return {"n": asked.n, "messages": asked.messages, "number": asked.number, "true": sorted(true)}


def ledger_text(scope: Scope, rows: Sequence[Mapping[str, Any]]) -> bytes:
    """The text of a ledger's file."""
    first = {
        "sealcheck": "ledger",
        "version": VERSION,
        "statements": scope.statements,
        "n": [1, scope.n],
        "messages": [0, scope.messages],
        "rows": len(rows),
    }
    return with_digest(first, b"".join(canonical(item) + b"\n" for item in rows))


def scope_of(line: bytes) -> tuple[Scope, int, str]:
    """The scope, the number of rows, and their digest, from a ledger's first line.  Raises Rejected."""
    first = header(line, "ledger", VERSION, _HEADER)
    ids = items(first["statements"])
    if not ids or any(type(id) is not str or id not in STATEMENTS for id in ids) or len(set(ids)) < len(ids):
        raise Rejected("'statements' is not a list of different statements of this version")
    (least, n), (none, messages) = (numbers(first[key], 2) for key in ("n", "messages"))
    if (least, none) != (1, 0) or not (1 <= n <= MOST[0] and 0 <= messages <= MOST[1]):
        raise Rejected(f"ledgers are for 1 to {MOST[0]} processes, and for 0 to {MOST[1]} messages")
    return Scope(tuple(ids), n, messages), first["rows"], first["sha256"]


def named_files(path: Path) -> list[Path]:
    """The files that the rows of a ledger name, up to the first unreadable row, without missing files."""
    names: set[str] = set()
    with open(path, "rb") as stream:
        try:
            for line in lines(stream):
                value = value_of(line)
                if isinstance(value, dict):
                    listed = [value.get(key) for key in ("proofs", "answers", "tables")]
                    names |= {n for each in listed if isinstance(each, list) for n in each if is_inside(n)}
        except Rejected:  # the check of the ledger says so
            pass
    return [path.parent / name for name in sorted(names) if (path.parent / name).is_file()]


def is_inside(name: object) -> bool:
    """Whether a name is the path of a file in one of the folders `proofs`, `answers` and `tables`."""
    return isinstance(name, str) and bool(re.fullmatch(r"(proofs|answers|tables)/(?!\.{1,2}\Z)[^/\0]+", name))


_MODEL: dict[str, type] = {"n": int, "messages": int, "number": int, "true": list}


@dataclass
class Files:
    """The accepted files in the folder of a ledger."""

    tables: dict[Path, Header] = field(default_factory=dict)
    """The complete tables: no row of their scope is missing."""
    proofs: dict[Path, Part] = field(default_factory=dict)
    answers: dict[Path, AcceptedAnswers] = field(default_factory=dict)


def verify_ledger(
    path: Path, files: Files, on_row: Callable[[], None]
) -> Iterator[Accepted | tuple[int, str]]:
    """Check a ledger. Yield complaints, each with the number of a row, and then the accepted rows.

    Rows are numbered from 1; a complaint with number 0 is about the whole ledger. If all rows hold and none
    is missing, the ledger itself is yielded last.  Raises Rejected if the file is not a ledger, and OSError
    if the file can't be read.
    """
    with open(path, "rb") as stream:
        source = lines(stream)
        scope, rows, digest = scope_of(next(source, b""))
        checker = _Checker(path.parent, scope, files)
        body, number = hashlib.sha256(), 0
        accepted: list[Accepted] = []
        for number, line in enumerate(digested(source, body), 1):
            on_row()
            try:
                accepted.append(checker.check(number, line))
            except (Rejected, Disagreement, LimitReached) as error:
                yield number, str(error)
    complaints = [f"the row about claim {k} of {id} is missing" for id, k in scope.claims[number:]]
    if (number, body.hexdigest()) != (rows, digest):
        complaints.insert(0, "the rows do not match the header")
    yield from ((0, complaint) for complaint in complaints)
    yield from accepted
    if not complaints and len(accepted) == len(scope.claims):
        yield AcceptedLedger(
            name=path.name,
            by=(Trust.REPLAY, Trust.FORMULA, Trust.KERNEL),
            levels=frozenset(scope.levels),
            files=(str(path),),
            statements=scope.statements,
            claims=len(accepted),
        )


class _Checker:
    """Decides the claims of a ledger again, and compares the results with the rows."""

    def __init__(self, folder: Path, scope: Scope, files: Files) -> None:
        self._folder, self._scope, self._files = folder, scope, files
        self._replays: dict[str, list[dict[Level, Tally]]] = {}
        self._ask = Inline(())
        """Asks all oracles except solvers, and keeps the answers for further statements."""

    def check(self, position: int, line: bytes) -> Accepted:
        """Check one row; the first row has position 1.  Raises Rejected."""
        found = fields(value_of(line), ROW)
        claims = self._scope.claims
        if position > len(claims):
            raise Rejected("there are more rows than claims")
        id, number = claims[position - 1]
        if (found["statement"], found["claim"]) != (id, number):
            raise Rejected(f"expected the row about claim {number} of {id} here")
        about = STATEMENTS[id]
        by_level = self._replayed(about)[number]
        queries = self._checked_queries(about, number, by_level, found)
        instances = total(list(by_level.values()))
        claim, everything = about.claims[number], total([instances, queries])
        counts = count(claim.growth) if claim.growth else None
        expected = row(
            about,
            number,
            replace(instances, refuting=everything.refuting),
            verdict_on(about, claim, everything, counts, self._scope.levels).value,
            counts=counts,
            proofs=found["proofs"],
            models=found["models"],
            levels=self._scope.levels,
        )
        for key, wanted in expected.items():
            if canonical(found[key]) != canonical(wanted):
                raise Rejected(f"'{key}' is {_short(found[key])}, but recomputed it is {_short(wanted)}")
        self._check_answers(about.id, found["answers"])
        self._check_tables(about.id)
        return self._accepted(about, number, found)

    def _replayed(self, about: Statement) -> list[dict[Level, Tally]]:
        """For each claim and level, the result of checking all instances, without solvers."""
        if about.id in self._replays:
            return self._replays[about.id]
        tallies = [{level: Tally() for level in self._scope.levels} for _ in about.claims]
        if about.domain is None:
            return tallies
        for level in self._scope.levels:
            instances = 0
            for instance in about.domain.instances(*level, 0, about.domain.size(*level)):
                instances += 1
                for claim, by_level in zip(about.claims, tallies, strict=True):
                    if claim.check is not None:
                        by_level[level].check(claim, instance, self._ask)
            if instances != about.domain.expected(*level):
                raise Rejected(f"at (n, messages) = {level} the number of instances is wrong")
        for tally in chain.from_iterable(by_level.values() for by_level in tallies):
            if tally.disputed is not None:
                raise Rejected(f"the oracles contradict each other: {tally.dispute}")
        self._replays[about.id] = tallies
        return tallies

    def _checked_queries(
        self, about: Statement, number: int, by_level: Mapping[Level, Tally], found: Mapping[str, Any]
    ) -> Tally:
        """The tally of the claim's queries.  Raises Rejected if a model or a proof is missing or wrong."""
        parts = [self._proof(name) for name in found["proofs"]]
        proved = together(parts).proved
        models = [self._model(about.id, number, value) for value in found["models"]]
        asked = {q: level for level in self._scope.levels for q in numbered(about.id, number, *level)}
        for query in [*(part.query for part in parts), *models]:
            if query not in asked:
                raise Rejected(f"the row names evidence about {_named(query)}, which is not its own")
        if len(set(parts)) < len(parts) or len({*proved, *models}) < len(proved) + len(models):
            raise Rejected("the row names evidence about a query twice")
        for query in asked:
            if query not in proved and query not in models:
                raise Rejected(f"there is neither a proof nor a model of {_named(query)}")
        unconfirmed = [query for query in models if by_level[asked[query]].refuting is None]
        for query in unconfirmed:
            if not clausal(query).by_proof:
                raise Rejected(f"{_named(query)} has a model, but the claim holds there")
        return Tally(checked=len(asked), unknown=len(unconfirmed))

    def _proof(self, name: object) -> Part:
        if not is_inside(name) or (part := self._files.proofs.get(self._folder / str(name))) is None:
            raise Rejected(f"{_short(name)} is not an accepted proof")
        return part

    @staticmethod
    def _model(id: str, claim: int, value: object) -> LevelQuery:
        """The query whose model this is.  Raises Rejected."""
        found = fields(value, _MODEL)
        query = LevelQuery(id, claim, found["n"], found["messages"], found["number"])
        if query.n > MOST[0] or query.messages > MOST[1] or query not in numbered(*query.level):
            raise Rejected(f"there is no query {_named(query)}")
        if not satisfies(set(numbers(found["true"])), clausal(query).clauses):
            raise Rejected(f"the model of {_named(query)} is invalid")
        return query

    def _check_answers(self, id: str, names: Sequence[str]) -> None:
        """Check that these files, one for each level, have accepted answers.  Raises Rejected."""
        for level, name in zip(self._scope.levels, names, strict=bool(names)):
            found = self._files.answers.get(self._folder / name)
            if found is None or (found.name, found.levels) != (id, frozenset({level})):
                raise Rejected(f"{name} has no accepted answers about {id} at this level")

    def _check_tables(self, id: str) -> None:
        for kind in tables_about(id):
            found = self._files.tables.get(self._folder / table_name(kind))
            bounds = (1, self._scope.n), (0, self._scope.messages)
            if found is None or (found.kind, found.n, found.messages) != (kind, *bounds):
                raise Rejected(
                    f"{table_name(kind)} is not an accepted, complete {kind} table of these bounds"
                )

    def _accepted(self, about: Statement, number: int, found: Mapping[str, Any]) -> Accepted:
        names = [*found["proofs"], *found["answers"], *found["tables"]]
        by = [] if about.claims[number].not_boundable else [Trust.REPLAY]
        if found["proofs"] or found["models"] or found["answers"]:
            by.append(Trust.FORMULA)
        if found["tables"]:
            by.append(Trust.KERNEL)
        if found["theorems"]:
            by.append(Trust.RECORD)
        return AcceptedClaim(
            name=about.id,
            by=tuple(by),
            levels=frozenset(self._scope.levels),
            files=tuple(str(self._folder / name) for name in names),
            claim=number,
            form=found["form"],
            verdict=found["verdict"],
            instances=found["instances"],
            vacuous=found["vacuous"],
            proofs=len(found["proofs"]),
            models=len(found["models"]),
        )


def _named(query: LevelQuery) -> str:
    return Part(query).file_name.removesuffix(".proof")


def _short(value: object) -> str:
    text = canonical(value).decode()
    return text if len(text) <= 80 else f"{text[:77]}..."
