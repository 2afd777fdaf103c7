"""Claims about growth: what is counted, on which programs, and whether it grows as fast as is claimed."""

from collections.abc import Callable, Iterator
from math import log

from sealcheck.harness.answering import inline
from sealcheck.harness.families import exchange
from sealcheck.harness.statement import Ask, Growth
from sealcheck.programs.straight_line import StraightLine

Counts = tuple[tuple[int, int], ...]
"""Sizes of inputs, and how much was counted for each."""

EXCHANGE = "all processes send to all others and then receive"
ONE_FAMILY = "counted on one family of programs for each claim: the one that the claim's evidence describes"


def counts(how: Callable[[int], int], *sizes: int) -> Callable[[Ask], Iterator[tuple[int, int]]]:
    """What is counted at these sizes.

    >>> with inline(()) as ask:
    ...     list(counts(lambda n: n * n, 2, 4)(ask))
    [(2, 4), (4, 16)]
    """
    return lambda ask: ((n, how(n)) for n in sizes)


def of_exchange(what: str, exponent: int, how: Callable[[StraightLine], int]) -> Growth:
    """What is counted where all send and then receive."""
    return Growth(f"{what}, where {EXCHANGE}", "n", exponent, counts(lambda n: how(exchange(n)), 2, 4, 8, 16))


def count(growth: Growth) -> Counts:
    """What the claim about growth counts, for every size.

    Raises Disagreement where the oracles of what it asks contradict each other.
    """
    with inline(()) as ask:
        return tuple(growth.counts(ask))


def fitted_exponent(counts: Counts) -> float:
    """The exponent e for which the last count is to the one before as the sizes to the power of e.

    >>> fitted_exponent(((2, 4), (4, 16), (8, 64)))
    2.0
    """
    (size, few), (larger, many) = counts[-2:]
    return log(many / few) / log(larger / size)


TOLERANCE = 0.25
"""How far above a claimed exponent a fitted one may be: lower-order terms fade slowly."""


def grows_faster(growth: Growth, counts: Counts) -> bool:
    """Whether the counts contradict the claim.

    >>> claimed = [Growth("squares", "n", exponent, counts(lambda n: n * n, 2, 4)) for exponent in (1, 2)]
    >>> [grows_faster(growth, ((2, 4), (4, 16))) for growth in claimed]
    [True, False]
    """
    return fitted_exponent(counts) > growth.exponent + TOLERANCE
