"""Certified tables: the columns and rows of each kind, and the JSON Schema of tables.

Most kinds have a row for each program or pair of programs of a level (n, m): n processes, m messages. Tables
of other kinds have rows for only some of these programs (`Selection`).

``python -m sealcheck.evidence.tables > docs/schema.json`` writes the schema to its file.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any

from sealcheck.algorithms.certificates import sealability_document, sealing_document, signature_document
from sealcheck.algorithms.sealability import closed_channel_graph, components
from sealcheck.algorithms.signature import signature
from sealcheck.kernel.programs import Shares, events_of, shares_of
from sealcheck.kernel.tables import KINDS, VERSION
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.domains import Programs, Sequences

if TYPE_CHECKING:
    from sealcheck.theorems.checking.statement import Domain  # with solvers, which a row has no use for

Document = dict[str, Any]
"""A row, as JSON knows it."""

Schema = Mapping[str, Any]


def plain(value: object) -> str:
    """A value as text for people: yes or no for truth values, and "none" for None.

    >>> plain("eps"), plain(True), plain(None)
    ('eps', 'yes', 'none')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


@dataclass(frozen=True)
class Column:
    """A key of the rows of a table."""

    name: str
    schema: Schema
    """The JSON Schema of a value; its references are in `DEFINITIONS`."""
    arrow: str
    """The column's type in Parquet; ``json`` for values that are written as JSON text."""
    look: Callable[[Any], str] = plain
    """Writes a value for people."""


def _natural(least: int) -> Schema:
    return {"type": "integer", "minimum": least}


def _reference(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _list(schema: Schema) -> Schema:
    return {"type": "array", "items": schema}


def _pair(schema: Schema, description: str) -> Schema:
    pair = {"type": "array", "prefixItems": [schema, schema], "items": False, "minItems": 2}
    return pair | {"description": description}


def record(**properties: Schema) -> dict[str, Any]:
    """The schema of an object with exactly these keys."""
    required = list(properties)
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _certificate(name: str, **properties: Schema) -> Schema:
    return record(kind={"const": name}, **properties)


_TEXT: Schema = {"type": "string"}
_TRUTH: Schema = {"type": "boolean"}
_CHANNEL, _PLACE, _CHAINS = _reference("channel"), _reference("place"), _list(_reference("chain"))
_PROCESSES = _list(_natural(1))

DEFINITIONS: dict[str, Schema] = {
    "channel": _pair(_natural(1), "Sender and receiver."),
    "place": _pair(
        _natural(1), "A process, and the position of an event in its share of the program, from 1."
    ),
    "chain": record(channel=_CHANNEL, places=_list(_PLACE), into={"enum": ["send", "end"]}),
    "seal_certificate": _certificate("seal", chains=_CHAINS, states=_list(_list(_natural(0)))),
    "closed_knowledge": _certificate("closed-knowledge", knowledge=_list(_natural(0))),
    "chains_certificate": _certificate("chains", chains=_CHAINS),
    "run_certificate": _certificate(
        "run",
        later=_TEXT,
        order=_list(_PLACE),
        matching=_list(_pair(_PLACE, "A receive, and the send whose message it takes.")),
        receive=_PLACE,
    ),
    "signature": record(
        receives=_list(record(channel=_CHANNEL, reaches=_PROCESSES)),
        sends=_list(record(channel=_CHANNEL, reached_from=_PROCESSES)),
        starts=_list(_pair(_natural(1), "The start of the first process reaches the end of the other.")),
    ),
}
"""The shared parts of the columns' schemas."""


def arrow(channel: list[int]) -> str:
    """A channel, in the form for people."""
    return "->".join(map(str, channel))


def _channels(channels: list[list[int]]) -> str:
    return ", ".join(map(arrow, channels)) or "none"


def _parts(parts: list[list[int]]) -> str:
    return ", ".join(" ".join(map(str, part)) for part in parts)


def _edges(found: dict[str, Any]) -> str:
    receives = (f"rcv {arrow(node['channel'])} to {node['reaches']}" for node in found["receives"])
    sends = (f"snd {arrow(node['channel'])} from {node['reached_from']}" for node in found["sends"])
    return ", ".join([*receives, *sends, *(f"{k} to {i}" for k, i in found["starts"])]) or "none"


LISTS = "lists of lists of int32"
"""The Parquet type of channels, and of parts."""

PROGRAM, P, Q = (Column(name, _TEXT, "string") for name in ("program", "p", "q"))
N = Column("n", _natural(1), "int32")
MESSAGES = Column("messages", _natural(0), "int32")
ORBIT_SIZE = Column("orbit_size", _natural(1), "int64")
OPEN_CHANNELS, CLOSED_CHANNELS = (
    Column(name, _list(_CHANNEL), LISTS, _channels) for name in ("open_channels", "closed_channels")
)
SEALABLE, SEALS = (Column(name, _TRUTH, "bool") for name in ("sealable", "seals"))
MINIMUM_MESSAGES = Column("minimum_messages", {"type": ["integer", "null"], "minimum": 0}, "int32")
SEAL = Column("seal", {"type": ["string", "null"]}, "string")
PARTS = Column("parts", _list(_PROCESSES), LISTS, _parts)
SIGNATURE = Column("signature", _reference("signature"), "json", _edges)
SEALABILITY_CERTIFICATE = Column(
    "certificate", {"oneOf": [_reference("seal_certificate"), _reference("closed_knowledge")]}, "json"
)
SEALING_CERTIFICATE = Column(
    "certificate", {"oneOf": [_reference("chains_certificate"), _reference("run_certificate")]}, "json"
)


@dataclass(frozen=True)
class Selection:
    """The selection of a table's programs from the rows of another table."""

    of: str
    """The kind of the other table."""
    has: Callable[[Document], bool]
    """Whether the program of a row of the other table is selected."""
    largest: str | None = None
    """A column; if given, only the rows with the column's largest value in their level are selected."""


@dataclass(frozen=True, kw_only=True)
class Table:
    """A kind of table."""

    kind: str
    text: str
    """The rows of the table, in words."""
    columns: tuple[Column, ...]
    shown: tuple[Column, ...]
    """The columns of LaTeX and Markdown tables, which have no certificates."""
    domain: "Domain"
    """The programs, or pairs of programs, that a row can be about."""
    row: Callable[[Instance], Document | None]
    """The row about an instance, without n, messages and orbit size; None if the instance has no row."""
    selection: Selection | None = None
    """How rows are selected; None if every instance has a row, so that the kernel can count the rows."""
    statements: tuple[str, ...] = ()
    """The paper's statements about which the rows are evidence."""

    def rows(self, n: int, messages: int, start: int, stop: int) -> Iterator[tuple[Instance, Document]]:
        """The rows about the instances `start` to `stop` of a level, each with its instance."""
        for instance in self.domain.instances(n, messages, start, stop):
            row = self.row(instance)
            if row is not None:
                yield instance, row | {"n": n, "messages": messages, "orbit_size": instance.orbit_size}


def _sealable(instance: Instance) -> Document | None:
    found = sealability_document(instance.p)
    return found if found["sealable"] else None


def _counterexample(instance: Instance) -> Document | None:
    """The row about a sealable program whose closed channels do not connect all processes; otherwise None."""
    first = signature(instance.p)
    parts = components(first.n, closed_channel_graph(first))
    found = _sealable(instance) if len(parts) > 1 else None
    return found and found | {"parts": sorted(map(sorted, parts))}


def _joined(n: int, edges: list[list[int]]) -> set[int]:
    """The smallest process of each part that the edges connect; their direction does not matter."""
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
        text="the sealable programs that the printed `th:sealability` calls unsealable, because closed"
        " channels leave the processes in several unconnected `parts`",
        columns=(*_SEALABILITY[:-1], PARTS, _SEALABILITY[-1]),
        shown=(PROGRAM, N, OPEN_CHANNELS, PARTS, MINIMUM_MESSAGES, SEAL),
        domain=Programs(),
        row=_counterexample,
        selection=Selection(
            "sealability",
            lambda row: bool(row["sealable"]) and len(_joined(row["n"], row["closed_channels"])) > 1,
        ),
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
        text="every pair P, Q with that many messages in total, and whether Q seals P",
        columns=(P, Q, N, MESSAGES, ORBIT_SIZE, SEALS, SEALING_CERTIFICATE),
        shown=(P, Q, N, SEALS),
        domain=Sequences(2, "pairs of programs"),
        row=lambda pair: sealing_document(pair.p, pair.q),
        statements=("decide-sealing",),
    ),
)

TABLES = {table.kind: table for table in _TABLES}
"""All kinds of tables that the kernel can check, in the kernel's order."""


def tables_about(statement: str) -> Iterator[str]:
    """The kinds of tables about a statement, with the kinds from which their programs are selected.

    >>> list(tables_about("worst-case-seal"))
    ['sealability', 'worst-cases']
    """
    named = [each for each in _TABLES if statement in each.statements]
    needed = {each.kind for each in named} | {each.selection.of for each in named if each.selection}
    return (kind for kind in TABLES if kind in needed)


def is_selected(selection: Selection, whole: Iterable[bytes], lines: Iterable[bytes]) -> bool:
    """Whether a table is about exactly the programs that are selected from the whole table.

    The kernel must have accepted the two tables: the comparison relies on the kernel's order of rows.
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
    """The place of a row: n, messages, and each process's share of the program. No two rows share a place."""
    return row["n"], row["messages"], shares_of(events_of(row["program"], row["n"]), row["n"])


def schema() -> Document:
    """The JSON Schema of every line of a table, built from the columns of each kind.

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
        table.kind: record(**{column.name: column.schema for column in table.columns})
        | {"description": f"Rows: {table.text}."}
        for table in _TABLES
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A line of a certified table of sealcheck, version {VERSION}",
        "description": "The first line is a header. All other lines are rows of the kind in the header.",
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in ("header", *rows)],
        "$defs": {"header": record(**header), "level": record(**level), **DEFINITIONS, **rows},
    }


def _range(column: Column, description: str) -> Document:
    bounds = {"type": "array", "items": column.schema, "minItems": 2, "maxItems": 2}
    return bounds | {"description": description}


if __name__ == "__main__":
    print(json.dumps(schema(), indent=2))
