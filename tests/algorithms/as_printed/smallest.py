"""The smallest program, or pair, with a property."""

from collections.abc import Callable, Iterator

from sealcheck.programs.space import Space
from sealcheck.programs.straight_line import StraightLine

Bounds = dict[int, int]
"""The most messages for each number of processes."""


def canonical(n: int, m: int) -> Iterator[StraightLine]:
    return (p for p in Space(n, m).programs() if p.is_canonical)


def smallest_program(has: Callable[[StraightLine], bool], bounds: Bounds) -> str | None:
    """The text of the first program with a property (fewest processes, then messages), or None."""
    programs = (p for n, most in bounds.items() for m in range(most + 1) for p in canonical(n, m))
    return next((str(p) for p in programs if has(p)), None)


def smallest_pair(has: Callable[[StraightLine, StraightLine], bool], bounds: Bounds) -> list[str] | None:
    """The first pair with a property, up to renaming.

    The order: fewest processes, then messages of both programs, then messages of the first program.
    """
    pairs = (
        (p, q)
        for n, most in bounds.items()
        for total in range(most + 1)
        for m in range(total + 1)
        for p in canonical(n, m)
        for q in Space(n, total - m).programs()
    )
    return next(([str(p), str(q)] for p, q in pairs if has(p, q)), None)
