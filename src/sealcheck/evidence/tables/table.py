"""A kind of table: its instances, the content of a row, and the check that no row is missing."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sealcheck.evidence.tables.columns import Column
from sealcheck.questions.instance import Instance

if TYPE_CHECKING:
    from sealcheck.theorems.checking.statement import (
        Domain,  # with it come solvers, which a row has no use for
    )

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
    """What people see who want no certificates."""
    domain: "Domain"
    """What a row can be about."""
    row: Callable[[Instance], Document | None]
    """The row about an instance, without its size; None if it gets none."""
    selection: Selection | None = None
    """None if the rows are all that there are, which the kernel checks by counting."""
    statements: tuple[str, ...] = ()
    """The statements that the rows are about, program by program: what an audit certifies has this table."""

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
