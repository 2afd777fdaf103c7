"""What is counted of programs, each number declared once: levels, shards and samples all have these."""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from operator import add
from typing import Any, Self

from sealcheck.algorithms.packed.profiles import Verdicts


def _same(one: int, _: int) -> int:
    return one


def _larger(one: int | None, other: int | None) -> int | None:
    return max((number for number in (one, other) if number is not None), default=None)


KEPT = {"added": _same}
"""Of a field that is the same of all that is added up."""
LARGEST = {"added": _larger}
"""Of a field of which the larger is kept."""


@dataclass(frozen=True, kw_only=True)
class Counts:
    """How many of some programs are what; and whoever has more fields inherits how they are added up.

    >>> one = Counts(**counts_of(Verdicts.of([(1, True, 2), (3, False, 4)])))
    >>> one + Counts(**counts_of(Verdicts.of([(2, False, None), (0, True, 0)])))
    Counts(sealable=3, unsealable=1, unconnected_yet_sealable=1, most_seal_messages=4)
    """

    sealable: int
    unsealable: int
    unconnected_yet_sealable: int
    """Counterexamples to `th:sealability` as printed."""
    most_seal_messages: int | None = field(metadata=LARGEST)
    """The most messages that the minimum seal of a sealable program has; None where none is sealable."""

    @property
    def counts(self) -> dict[str, Any]:
        """These fields, by their names, without those that others add."""
        return {each.name: getattr(self, each.name) for each in fields(Counts)}

    def __add__(self, other: Self) -> Self:
        """Both together, which have no program, or no draw, in common."""
        both: dict[str, Any] = {}
        for each in fields(self):
            added: Callable[[Any, Any], Any] = each.metadata.get("added", add)
            both[each.name] = added(getattr(self, each.name), getattr(other, each.name))
        return type(self)(**both)


def counts_of(said: Verdicts) -> dict[str, Any]:
    """The fields of `Counts` for programs of which this is said, by their names."""
    most = int(said.minimum.max(initial=-1))
    return {
        "sealable": int(said.sealable.sum()),
        "unsealable": int((~said.sealable).sum()),
        "unconnected_yet_sealable": int((said.sealable & ~said.connected).sum()),
        "most_seal_messages": most if most >= 0 else None,
    }
