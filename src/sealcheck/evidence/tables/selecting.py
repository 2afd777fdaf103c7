"""Whether a table has all rows that belong to it, where these are selected from another table."""

import json
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from typing import Any

from sealcheck.evidence.tables.registry import table
from sealcheck.evidence.tables.table import Selection
from sealcheck.kernel.programs import Shares, events_of, shares_of

Place = tuple[int, int, Shares]
"""n, messages, and the program up to layering: no two rows of a table have the same."""


def selected_from(kind: str) -> str:
    """The kind of the table from which the rows of this one are selected."""
    selection = table(kind).selection
    assert selection is not None
    return selection.of


def is_selected(kind: str, whole: Iterable[bytes], lines: Iterable[bytes]) -> bool:
    """Whether the rows are about exactly those programs of the whole table that belong here.

    Both are lines of tables that the kernel accepted, headers included, so their rows are in the same order.
    """
    selection = table(kind).selection
    assert selection is not None
    return list(map(_place, _rows(lines))) == list(map(_place, _selected(selection, _rows(whole))))


def _rows(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    return map(json.loads, islice(lines, 1, None))


def _selected(selection: Selection, rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for _, level in groupby(filter(selection.has, rows), key=lambda row: (row["n"], row["messages"])):
        if selection.largest is None:
            yield from level
            continue
        kept = list(level)
        most = max(row[selection.largest] for row in kept)
        yield from (row for row in kept if row[selection.largest] == most)


def _place(row: dict[str, Any]) -> Place:
    return row["n"], row["messages"], shares_of(events_of(row["program"], row["n"]), row["n"])
