"""Uniform random programs of levels that are too large to go through.

Indices are drawn uniformly, with replacement, and each is the index of exactly one program, so every
program of the level is as likely as any other.  What a sample shows is never that a level is free of
something, but that it is rare: of what does not occur among d programs, the level has a share of at
most 3/d with 95 % confidence (the rule of three: (1 - 3/d)^d < 0.05).
"""

from dataclasses import dataclass

import numpy as np

from sealcheck.algorithms.packed.levels import PackedLevel
from sealcheck.errors import InputError

CHUNK = 1 << 14
"""Programs that are drawn before they are judged."""


@dataclass(frozen=True)
class Sample:
    """Counts over `drawn` uniform random programs of the space (n, m), renamed ones told apart."""

    n: int
    m: int
    programs: int
    """The programs of the level."""
    drawn: int
    sealable: int
    unsealable: int
    unconnected_yet_sealable: int
    """Counterexamples to `th:sealability` as printed."""
    most_messages: int
    """The most messages that a minimum seal has; -1 where none of the programs is sealable."""

    @property
    def rule_of_three(self) -> str:
        """What may be said of that which did not occur among the programs drawn."""
        share = f"{min(1, 3 / self.drawn):.2g} of the {self.programs} programs of n = {self.n}, m = {self.m}"
        return f"not verified: what {self.drawn} random programs lack, at most {share} have (95 % confidence)"


def sample(level: PackedLevel, count: int, seed: int) -> Sample:
    """Counts over `count` programs of the level, drawn uniformly; the same for the same seed.

    Raises InputError unless count >= 1 and the level has a program.  Memory does not depend on `count`.

    >>> drawn = sample(PackedLevel(3, 12), 2_000, seed=2026)
    >>> drawn.drawn == drawn.sealable + drawn.unsealable == 2_000
    True
    >>> print(drawn.rule_of_three)  # doctest: +NORMALIZE_WHITESPACE
    not verified: what 2000 random programs lack,
    at most 0.0015 of the 267595117836 programs of n = 3, m = 12 have (95 % confidence)
    """
    if count < 1:
        raise InputError(f"a sample has at least 1 program, not {count}")
    if not level.size:
        raise InputError(f"the space of n = {level.n}, m = {level.m} has no programs to draw")
    source = np.random.default_rng(seed)
    sealable, unconnected, most = 0, 0, -1
    for start in range(0, count, CHUNK):
        said = level.verdicts(source.integers(0, level.size, min(CHUNK, count - start)))
        sealable += int(said.sealable.sum())
        unconnected += int((said.sealable & ~said.connected).sum())
        most = max(most, int(said.minimum.max()))
    return Sample(level.n, level.m, level.size, count, sealable, count - sealable, unconnected, most)
