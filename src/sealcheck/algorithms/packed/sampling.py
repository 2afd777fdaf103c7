"""Uniform random programs of levels that are too large to go through, and what they show.

Indices are drawn uniformly, with replacement, and each is the index of exactly one program, so every
program of the level is as likely as any other.  A draw is known by its number: it depends on that, the
seed and the level, and not on which other ones are made.

What a sample shows is never that a level is free of something, but that it is rare: of what does not
occur among d programs, the level has a share of at most 3/d with 95 % confidence (the rule of three:
(1 - 3/d)^d < 0.05).  Of what does occur, the share is within the limits of Clopper and Pearson (1934).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from sealcheck.algorithms.packed.counts import KEPT, Counts, counts_of
from sealcheck.algorithms.packed.events import CODE, Ints, share_of
from sealcheck.algorithms.packed.levels import PackedLevel
from sealcheck.algorithms.packed.profiles import Verdicts
from sealcheck.errors import InputError
from sealcheck.programs.straight_line import StraightLine

BLOCK = 1 << 14
"""Draws that are made, and judged, at a time."""
CONFIDENCE = 0.95
"""How likely, at least, what is said of a share holds."""


def draws(seed: int, n: int, m: int, size: int, start: int, stop: int) -> Iterator[Ints]:
    """Draws number start..stop-1 from the indices 0..size-1 of the space (n, m), at most `BLOCK` at a time.

    Raises InputError where there is nothing to draw from, or more than an index can number, and where the
    seed is negative.

    >>> once = np.concatenate(list(draws(2026, 3, 12, 267_595_117_836, 0, 40_000)))
    >>> part, = draws(2026, 3, 12, 267_595_117_836, 20_000, 20_003)
    >>> bool((part == once[20_000:20_003]).all())
    True
    """
    if seed < 0:
        raise InputError(f"the seed must be at least 0, not {seed}")
    if not size:
        raise InputError(f"the space of n = {n}, m = {m} has no programs to draw")
    if size > np.iinfo(np.int64).max:
        raise InputError(f"the space of n = {n}, m = {m} has {size} programs, too many to number in 64 bits")
    for block in range(start // BLOCK, -(-stop // BLOCK)):
        indices = np.random.default_rng([seed, n, m, block]).integers(0, size, BLOCK)
        yield indices[max(start - block * BLOCK, 0) : stop - block * BLOCK]


def unranked(level: PackedLevel, index: int) -> StraightLine:
    """The program with this index, which must be in 0..size-1; O(branches of the states passed).

    >>> level = PackedLevel(3, 12)
    >>> print(unranked(level, level.size // 3))  # doctest: +NORMALIZE_WHITESPACE
    snd 1->2; mt 1->3; mt 3->2; mt 2->1; snd 1->3; rcv 2<-1; snd 2->3; snd 2->3; mt 3->1; mt 1->2; mt 3->1;
    rcv 3<-2; rcv 3<-2; rcv 3<-1; mt 3->1; mt 1->2
    """
    first, step, target, size = level._automaton
    words = [0] * level.n
    branch = int(first[-1])
    while True:
        for p in range(level.n):
            if code := int(step[branch]) >> (CODE * p) & 7:
                words[p] = words[p] << CODE | code
        if target[branch] < 0:
            return StraightLine(tuple(share_of(level.n, p, word) for p, word in enumerate(words, 1)))
        branch = int(first[target[branch]])
        while index >= size[branch]:
            index -= int(size[branch])
            branch += 1


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """How many programs were drawn, and of how many of the space (n, messages)."""

    n: int = field(metadata=KEPT)
    messages: int = field(metadata=KEPT)
    programs: int = field(metadata=KEPT)
    """The programs of the level."""
    drawn: int


@dataclass(frozen=True, kw_only=True)
class Sample(Counts, Drawn):
    """Counts over `drawn` uniform random programs, renamed ones told apart."""

    @classmethod
    def of(cls, n: int, messages: int, programs: int, said: Verdicts) -> "Sample":
        """The counts over programs of which this is said."""
        drawn = len(said.sealable)
        return cls(n=n, messages=messages, programs=programs, drawn=drawn, **counts_of(said))


def absent(drawn: int) -> float:
    """The share that has at most, with 95 % confidence, what none of so many programs has.

    >>> absent(100_000)
    3e-05
    """
    return min(1, 3 / drawn)


def interval(occurred: int, drawn: int) -> tuple[float, float]:
    """The limits of Clopper and Pearson for a share: with 95 % confidence or more, it is between them.

    >>> [round(limit, 4) for limit in interval(5, 20)]
    [0.0866, 0.491]
    """
    from scipy.stats import binomtest  # half a second to import

    limits = binomtest(occurred, drawn).proportion_ci(CONFIDENCE, method="exact")
    return float(limits.low), float(limits.high)
