"""The ledger of an audit as a file: its scope, a row for each claim of it, and the files that rows name."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sealcheck.evidence.answers import answers_name, is_answerable
from sealcheck.evidence.cubes import LevelQuery
from sealcheck.evidence.outcome import Level
from sealcheck.evidence.tables.registry import tables_about
from sealcheck.harness.growth import Counts
from sealcheck.harness.statement import Statement
from sealcheck.harness.tally import Tally
from sealcheck.harness.verdicts import on_record, refutations_on_record
from sealcheck.kernel.reading import canonical, header, items, lines, numbers, value_of
from sealcheck.kernel.rejected import Rejected
from sealcheck.theorems.registry import STATEMENTS

VERSION = 3
LEDGER = "ledger.jsonl"
UNFINISHED = "unfinished.json"
"""Is there as long as not everything else is."""

MOST = (4, 6)
"""The largest n and number of messages: for more, deciding everything again would take days."""

_HEADER: dict[str, type] = {
    "statements": list,
    "n": list,
    "messages": list,
    "rows": int,
    "sha256": str,
}
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
    "every_length": list,
    "counts": object,
    "proofs": list,
    "models": list,
    "answers": list,
    "tables": list,
}


@dataclass(frozen=True)
class Scope:
    """What a ledger is about: it has a row for each claim of these statements, up to the bounds."""

    statements: tuple[str, ...]
    n: int
    messages: int

    @property
    def levels(self) -> tuple[Level, ...]:
        """Each (n, messages), smallest first."""
        return tuple((n, m) for n in range(1, self.n + 1) for m in range(self.messages + 1))

    @property
    def claims(self) -> tuple[tuple[str, int], ...]:
        """Each claim by its statement and its number there, in the order of the rows."""
        return tuple((id, number) for id in self.statements for number in range(len(STATEMENTS[id].claims)))

    @property
    def tables(self) -> tuple[str, ...]:
        """The kinds of tables that rows name."""
        return tuple(sorted({kind for id in self.statements for kind in tables_about(id)}))


def row(
    about: Statement,
    number: int,
    found: Tally,
    verdict: str,
    *,
    lengths: Sequence[int],
    counts: Counts | None,
    proofs: Sequence[str],
    models: Sequence[Mapping[str, Any]],
    levels: Sequence[Level],
) -> dict[str, Any]:
    """The row about a claim; `found` is what going through all instances gave."""
    claim = about.claims[number]
    breaking = found.refuting
    shown = breaking is not None or counts is not None
    theorems = on_record(claim) or (() if shown else refutations_on_record(claim))
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
        "every_length": lengths,
        "counts": counts,
        "proofs": proofs,
        "models": models,
        "answers": [f"answers/{answers_name(about.id, *level)}" for level in levels if is_answerable(about)],
        "tables": [table_name(kind) for kind in tables_about(about.id)],
    }


def table_name(kind: str) -> str:
    """The file of a table, seen from the ledger."""
    return f"tables/{kind}.jsonl"


def model_document(asked: LevelQuery, true: Sequence[int]) -> dict[str, Any]:
    """That a query has a model: the variables that are true in it."""
    return {"n": asked.n, "messages": asked.messages, "number": asked.number, "true": list(true)}


def ledger_lines(scope: Scope, rows: Sequence[Mapping[str, Any]]) -> Iterator[bytes]:
    """The file of the ledger, line by line."""
    body = [canonical(item) for item in rows]
    yield canonical(
        {
            "sealcheck": "ledger",
            "version": VERSION,
            "statements": scope.statements,
            "n": [1, scope.n],
            "messages": [0, scope.messages],
            "rows": len(body),
            "sha256": hashlib.sha256(b"".join(line + b"\n" for line in body)).hexdigest(),
        }
    )
    yield from body


def scope_of(line: bytes) -> tuple[Scope, int, str]:
    """What the first line says: the scope, the number of rows, and their digest.  Raises Rejected."""
    first = header(line, "ledger", VERSION, _HEADER)
    ids = items(first["statements"])
    if not ids or any(type(id) is not str or id not in STATEMENTS for id in ids) or len(set(ids)) < len(ids):
        raise Rejected("'statements' is no list of different statements that this version knows")
    (least, n), (none, messages) = (numbers(first[key], 2) for key in ("n", "messages"))
    if (least, none) != (1, 0) or not (1 <= n <= MOST[0] and 0 <= messages <= MOST[1]):
        raise Rejected(f"ledgers are for 1 to {MOST[0]} processes, and for 0 to {MOST[1]} messages")
    return Scope(tuple(ids), n, messages), first["rows"], first["sha256"]


def named_files(path: Path) -> list[Path]:
    """The files that the rows of a ledger name, as far as they can be read, and that are there."""
    names: set[str] = set()
    with open(path, "rb") as stream:
        try:
            for line in lines(stream):
                value = value_of(line)
                if isinstance(value, dict):
                    for key in ("proofs", "answers", "tables"):
                        listed = value.get(key)
                        names |= (
                            {name for name in listed if is_inside(name)}
                            if isinstance(listed, list)
                            else set()
                        )
        except Rejected:  # whoever checks the ledger will say so
            pass
    return [path.parent / name for name in sorted(names) if (path.parent / name).is_file()]


def is_inside(name: object) -> bool:
    """Whether this names a file in a folder of a ledger."""
    return (
        isinstance(name, str)
        and name.startswith(("proofs/", "answers/", "tables/"))
        and name.count("/") == 1
        and "\0" not in name
        and not name.endswith(("/", "/.", "/.."))
    )
