"""The certified tables that the page shows, as far as they are short enough to be read there."""

import json
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import takewhile

from sealcheck.evidence.tables.registry import table
from sealcheck.kernel.tables import KINDS
from sealcheck.spark_sweeps.tables import Summary, levels

MOST_ROWS = 1_000
"""Instances that the rows of one table may be about; the rest is for a file."""


@dataclass(frozen=True, kw_only=True)
class ShownTable:
    """A table for people, without its certificates."""

    kind: str
    text: str
    n: int
    messages: int
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    sha256: str
    """Of the rows as JSON Lines, as a file of the table has it in its header."""

    @property
    def command(self) -> str:
        """What writes the table to a file, which `verify` checks."""
        bounds = f"--n {f'1..{self.n}' if self.n > 1 else 1} --messages {self.messages}"
        return f"sealcheck table {self.kind} {bounds} --out {self.kind}.jsonl"


def shown_tables(n: int, messages: int) -> list[ShownTable]:
    """Each kind of table for all of 1..n processes and as many of 0..messages as are few enough."""
    return [_shown(kind, n, messages) for kind in KINDS]


def _shown(kind: str, n: int, messages: int) -> ShownTable:
    made = table(kind)
    few = takewhile(lambda m: m == 0 or _instances(kind, n, m) <= MOST_ROWS, range(messages + 1))
    most = max(few)
    spaces = _spaces(n, most)
    summary = Summary(kind, spaces)
    rows = []
    for level in levels(kind, spaces, lambda: nullcontext(None)):
        for line in summary.add(level):
            row = json.loads(line)
            rows.append(tuple(column.look(row[column.name]) for column in made.shown))
    columns = tuple(column.name.replace("_", " ") for column in made.shown)
    sha256 = json.loads(summary.header)["sha256"]
    return ShownTable(
        kind=kind,
        text=made.text,
        n=n,
        messages=most,
        columns=columns,
        rows=tuple(rows),
        sha256=sha256,
    )


def _spaces(n: int, messages: int) -> Sequence[tuple[int, int]]:
    return [(k, m) for k in range(1, n + 1) for m in range(messages + 1)]


def _instances(kind: str, n: int, messages: int) -> int:
    return sum(table(kind).domain.expected(*level) for level in _spaces(n, messages))
