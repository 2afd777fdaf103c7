"""Certified tables: for each kind its columns, its rows, and which rows there are; and their JSON Schema.

``python -m sealcheck.evidence.tables > docs/schema.json`` writes the schema down.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any

from sealcheck.algorithms.certificates import sealability_document, sealing_document, signature_document
from sealcheck.algorithms.sealability import closed_channel_graph, components
from sealcheck.algorithms.signature import signature
from sealcheck.evidence.columns import (
    CLOSED_CHANNELS,
    DEFINITIONS,
    MESSAGES,
    MINIMUM_MESSAGES,
    OPEN_CHANNELS,
    ORBIT_SIZE,
    PARTS,
    PROGRAM,
    SEAL,
    SEALABILITY_CERTIFICATE,
    SEALABLE,
    SEALING_CERTIFICATE,
    SEALS,
    SIGNATURE,
    Column,
    N,
    P,
    Q,
    record,
)
from sealcheck.kernel.programs import Shares, events_of, shares_of
from sealcheck.kernel.tables import KINDS, VERSION
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.domains import Programs, Sequences

if TYPE_CHECKING:
    from sealcheck.theorems.checking.statement import Domain  # with solvers, which a row has no use for

Document = dict[str, Any]
"""A row, as JSON knows it."""


@dataclass(frozen=True)
class Selection:
    """Which rows of another table belong to a table, if the kernel cannot count them."""

    of: str
    """The kind of the other table."""
    has: Callable[[Document], bool]
    """Whether a row of the other table is about a program that belongs here."""
    largest: str | None = None
    """Of these, only those of each level whose value in this column is the largest."""


@dataclass(frozen=True, kw_only=True)
class Table:
    """A kind of table."""

    kind: str
    text: str
    """Which rows there are, for people."""
    columns: tuple[Column, ...]
    shown: tuple[Column, ...]
    """The columns for people who want no certificates."""
    domain: "Domain"
    """The possible subjects of a row."""
    row: Callable[[Instance], Document | None]
    """The row about an instance, without its size; None if it gets none."""
    selection: Selection | None = None
    """None if every instance has a row, which the kernel checks by counting."""
    statements: tuple[str, ...] = ()
    """The statements that the rows are about, program by program: it certifies their audits."""

    @property
    def names(self) -> tuple[str, ...]:
        """The keys of a row, in order."""
        return tuple(column.name for column in self.columns)

    def rows(self, n: int, messages: int, start: int, stop: int) -> Iterator[tuple[Instance, Document]]:
        """The rows of a range of a level, each with its instance."""
        for instance in self.domain.instances(n, messages, start, stop):
            row = self.row(instance)
            if row is not None:
                yield instance, row | {"n": n, "messages": messages, "orbit_size": instance.orbit_size}


def _sealable(instance: Instance) -> Document | None:
    found = sealability_document(instance.p)
    return found if found["sealable"] else None


def _counterexample(instance: Instance) -> Document | None:
    """A program that the printed theorem calls unsealable, though it is sealable, with the parts of C_P."""
    first = signature(instance.p)
    parts = components(first.n, closed_channel_graph(first))
    found = _sealable(instance) if len(parts) > 1 else None
    return found and found | {"parts": sorted(map(sorted, parts))}


def _is_counterexample(row: Document) -> bool:
    return bool(row["sealable"]) and len(_joined(row["n"], row["closed_channels"])) > 1


def _joined(n: int, edges: list[list[int]]) -> set[int]:
    """A process of each set of processes that the edges join, whichever their direction."""
    least = list(range(n + 1))
    for i, j in edges:
        a, b = sorted((least[i], least[j]))
        least = [a if part == b else part for part in least]
    return set(least[1:])


_SEALABILITY = (
    PROGRAM,
    N,
    MESSAGES,
    ORBIT_SIZE,
    OPEN_CHANNELS,
    CLOSED_CHANNELS,
    SEALABLE,
    MINIMUM_MESSAGES,
    SEAL,
    SEALABILITY_CERTIFICATE,
)

_TABLES = (
    Table(
        kind="sealability",
        text="every program, whether it can be sealed, with a shortest seal",
        columns=_SEALABILITY,
        shown=(PROGRAM, N, OPEN_CHANNELS, MINIMUM_MESSAGES, SEAL),
        domain=Programs(),
        row=lambda instance: sealability_document(instance.p),
        statements=("closed-channels", "sealability", "seal-size"),
    ),
    Table(
        kind="worst-cases",
        text="for each n and number of messages, the programs whose shortest seals are longest",
        columns=_SEALABILITY,
        shown=(PROGRAM, N, MESSAGES, MINIMUM_MESSAGES, SEAL),
        domain=Programs(),
        row=_sealable,
        selection=Selection("sealability", lambda row: bool(row["sealable"]), largest="minimum_messages"),
        statements=("worst-case-seal",),
    ),
    Table(
        kind="counterexamples",
        text="the programs on which the printed `th:sealability` fails: sealable, though C_P falls into"
        " `parts`",
        columns=(*_SEALABILITY[:-1], PARTS, _SEALABILITY[-1]),
        shown=(PROGRAM, N, OPEN_CHANNELS, PARTS, MINIMUM_MESSAGES, SEAL),
        domain=Programs(),
        row=_counterexample,
        selection=Selection("sealability", _is_counterexample),
        statements=("sealability",),
    ),
    Table(
        kind="signatures",
        text="every program's signature",
        columns=(PROGRAM, N, MESSAGES, ORBIT_SIZE, SIGNATURE),
        shown=(PROGRAM, N, SIGNATURE),
        domain=Programs(),
        row=lambda p: {"program": str(p.p), "signature": signature_document(signature(p.p))},
    ),
    Table(
        kind="sealing-pairs",
        text="every P and Q with so many messages together, whether Q seals P",
        columns=(P, Q, N, MESSAGES, ORBIT_SIZE, SEALS, SEALING_CERTIFICATE),
        shown=(P, Q, N, SEALS),
        domain=Sequences(2, "pairs of programs"),
        row=lambda pair: sealing_document(pair.p, pair.q),
        statements=("decide-sealing",),
    ),
)

TABLES = {table.kind: table for table in _TABLES}
"""All kinds of tables: those that the kernel can check, in its order."""


def tables_about(statement: str) -> Iterator[str]:
    """The kinds of tables about a statement, and the tables they are selected from.

    >>> list(tables_about("worst-case-seal"))
    ['sealability', 'worst-cases']
    """
    named = [each for each in _TABLES if statement in each.statements]
    needed = {each.kind for each in named} | {each.selection.of for each in named if each.selection}
    return (kind for kind in TABLES if kind in needed)


def is_selected(selection: Selection, whole: Iterable[bytes], lines: Iterable[bytes]) -> bool:
    """Whether the rows are about exactly those programs of the whole table that are selected.

    Both are lines of tables that the kernel accepted, headers included, so their rows are in the same order.
    """
    return list(map(_place, _rows(lines))) == list(map(_place, _selected(selection, _rows(whole))))


def _rows(lines: Iterable[bytes]) -> Iterator[Document]:
    return map(json.loads, islice(lines, 1, None))


def _selected(selection: Selection, rows: Iterable[Document]) -> Iterator[Document]:
    for _, level in groupby(filter(selection.has, rows), key=lambda row: (row["n"], row["messages"])):
        if selection.largest is None:
            yield from level
            continue
        kept = list(level)
        most = max(row[selection.largest] for row in kept)
        yield from (row for row in kept if row[selection.largest] == most)


def _place(row: Document) -> tuple[int, int, Shares]:
    """n, messages, and the program up to layering: no two rows of a table have the same."""
    return row["n"], row["messages"], shares_of(events_of(row["program"], row["n"]), row["n"])


def schema() -> Document:
    """The JSON Schema of every line of a table, made of the columns of each kind.

    >>> sorted(schema()["$defs"]["worst-cases"]["properties"])[:3]
    ['certificate', 'closed_channels', 'messages']
    """
    number: Document = {"type": "integer", "minimum": 0}
    header: Document = {
        "sealcheck": {"const": "table"},
        "version": {"const": VERSION},
        "kind": {"enum": list(KINDS)},
        "n": _range(N, "The scope: the first and the last number of processes."),
        "messages": _range(MESSAGES, "The scope: the first and the last number of messages."),
        "levels": {"type": "array", "items": {"$ref": "#/$defs/level"}},
        "rows": number,
        "sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
    }
    level = {"n": N.schema, "messages": MESSAGES.schema, "rows": number, "programs": number}
    rows = {
        table.kind: record({column.name: column.schema for column in table.columns})
        | {"description": f"A row for {table.text}."}
        for table in _TABLES
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A line of a certified table of sealcheck, version {VERSION}",
        "description": "The first line is a header, each other one a row of the kind that the header names.",
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in ("header", *rows)],
        "$defs": {"header": record(header), "level": record(level), **DEFINITIONS, **rows},
    }


def _range(column: Column, description: str) -> Document:
    bounds = {"type": "array", "items": column.schema, "minItems": 2, "maxItems": 2}
    return bounds | {"description": description}


if __name__ == "__main__":
    print(json.dumps(schema(), indent=2))
