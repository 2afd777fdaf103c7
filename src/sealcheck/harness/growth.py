"""Claims about growth: what is counted, and on which programs."""

from collections.abc import Callable, Iterator

from sealcheck.harness.families import exchange
from sealcheck.harness.statement import Growth
from sealcheck.programs.straight_line import StraightLine

EXCHANGE = "all processes send to all others and then receive"
ONE_FAMILY = "counted on one family of programs for each claim: the one that the claim's evidence describes"


def counts(how: Callable[[int], int], *sizes: int) -> Callable[[], Iterator[tuple[int, int]]]:
    """What is counted at these sizes.

    >>> list(counts(lambda n: n * n, 2, 4)())
    [(2, 4), (4, 16)]
    """
    return lambda: ((n, how(n)) for n in sizes)


def of_exchange(what: str, exponent: int, how: Callable[[StraightLine], int]) -> Growth:
    """What is counted where all send and then receive."""
    return Growth(f"{what}, where {EXCHANGE}", "n", exponent, counts(lambda n: how(exchange(n)), 2, 4, 8, 16))
