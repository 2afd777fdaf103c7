"""Verdicts on all canonical programs of a level, and on random samples of a level.

A *level* (n, m) has all programs of n processes and m messages, indexed as in
`sealcheck.programs.space.Space`. The *share* of a process is its part of a program. Of all renamings of a
program, the *canonical* program has the least shares, compared process by process.

The verdicts, whether a program can be sealed and how many messages a shortest seal has, are those of
`minimum_seal.minimum_or_unsealable`.

A sample draws indices uniformly, with replacement: every program of the level is equally likely. A draw
depends only on its number, the seed and the level.

A sample cannot show that no program has a property. It can show, with 95 % confidence, that few programs have
it (`absent`, `interval`).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace

import numpy as np
import numpy.typing as npt

from sealcheck.algorithms.packed.events import CODE, Ints, codes
from sealcheck.algorithms.packed.profiles import KEPT, Counts, Judge, Verdicts, counts_of
from sealcheck.algorithms.packed.walk import automaton, paths, pick, rows, walk
from sealcheck.errors import InputError
from sealcheck.programs.straight_line import StraightLine, unpacked

CHUNK = 1 << 14
"""The most programs that are found before they are judged: about a megabyte."""


@dataclass(frozen=True, kw_only=True)
class Batch(Verdicts):
    """Canonical programs and their verdicts, in columns, in index order."""

    index: Ints
    """The index in `Space`."""
    orbit_size: npt.NDArray[np.int32]
    """The number of different programs that are renamings of this program."""
    shares: Ints
    """For each program, the events of each process, packed as in `programs.straight_line`."""

    def __len__(self) -> int:
        return len(self.index)

    def program(self, row: int) -> StraightLine:
        """The program of a row. Raises IndexError if there is no such row."""
        return unpacked(self.shares[row].tolist())


@dataclass(frozen=True, kw_only=True)
class LevelCounts(Counts):
    """Counts over a range of a level. `programs` counts all programs in the range; the other fields are about
    the canonical programs in the range.
    """

    programs: int
    renamed: int
    """The number of programs that are renamings of the canonical programs; for a whole level, all programs.
    """
    canonical: int

    @classmethod
    def of_batch(cls, batch: Batch) -> "LevelCounts":
        """The counts of the rows of a batch; `programs` is 0."""
        renamed = int(batch.orbit_size.sum(dtype=np.int64))
        return cls(programs=0, renamed=renamed, canonical=len(batch), **counts_of(batch))


NOTHING = LevelCounts(programs=0, renamed=0, canonical=0, **counts_of(Verdicts.of([])))
"""The counts of no programs."""


class PackedLevel:
    """The level (n, m), with its programs packed into integers.

    Time and memory to create it: 0.04 s for (3, 8), 0.3 s and 6 MB for (4, 6), 20 s and 350 MB for (4, 9).
    Raises InputError if `is_packable(n, m)` is false.

    >>> level = PackedLevel(3, 4)
    >>> level.size, level.tally().canonical
    (2280, 381)
    >>> batch = level.batch(1630, 2280)
    >>> print(len(batch), batch.index[0], batch.program(0), batch.minimum[0], sep=", ")
    1, 1630, snd 1->2; snd 1->3; snd 2->3; mt 3->2; rcv 2<-1; rcv 3<-2; rcv 3<-1, 4
    """

    def __init__(self, n: int, m: int) -> None:
        self.n, self.m = n, m
        self._automaton, self._codes = automaton(n, m), codes(n)
        self._judge = Judge(n)

    @property
    def size(self) -> int:
        """The number of programs."""
        return int(self._automaton.size[-1])

    def batch(self, start: int = 0, stop: int | None = None) -> Batch:
        """The canonical programs with start <= index < stop. Memory is proportional to their number."""
        chunks = list(self.batches(start, stop))
        columns = {each.name: [getattr(chunk, each.name) for chunk in chunks] for each in fields(Batch)}
        return Batch(**{name: np.concatenate(parts) for name, parts in columns.items()})

    def tally(self, start: int = 0, stop: int | None = None) -> LevelCounts:
        """Counts over the programs with start <= index < stop, in constant memory."""
        start, stop = self._range(start, stop)
        total = replace(NOTHING, programs=stop - start)
        for chunk in self.batches(start, stop):
            total += LevelCounts.of_batch(chunk)
        return total

    def verdicts(self, indices: Ints) -> Verdicts:
        """The verdicts on the programs with these indices, in any order. The programs need not be canonical.

        Raises IndexError if an index is outside 0..size-1. For each program, the time is linear in the number
        of branches at the states of `walk.Automaton` that lead to it.

        >>> PackedLevel(2, 2).verdicts(np.arange(5)).sealable
        array([ True,  True,  True,  True, False])
        """
        if len(indices) and not 0 <= indices.min() <= indices.max() < self.size:
            raise IndexError(f"indices must be from 0 to {self.size - 1}")
        profiles = np.empty(len(indices), np.int64)
        pick(self._automaton, self._codes, indices, paths(self.n, self.m), profiles)
        return self._judge.verdicts(profiles)

    def _range(self, start: int, stop: int | None) -> tuple[int, int]:
        stop = self.size if stop is None else min(stop, self.size)
        start = max(start, 0)
        return start, max(start, stop)

    def batches(self, start: int = 0, stop: int | None = None) -> Iterator[Batch]:
        """The canonical programs of a range, at most `CHUNK` at a time; at least one batch."""
        start, stop = self._range(start, stop)
        path, found = paths(self.n, self.m), rows(self.n, CHUNK)
        is_first = True
        while is_first or start < stop:
            count, start = walk(self._automaton, self._codes, start, stop, path=path, found=found)
            index, orbit_size, shares, profile = (column[:count].copy() for column in found)
            said = vars(self._judge.verdicts(profile))
            yield Batch(index=index, orbit_size=orbit_size.astype(np.int32), shares=shares, **said)
            is_first = False


BLOCK = 1 << 14
"""The number of draws that are made, and judged, at a time."""
CONFIDENCE = 0.95
"""The confidence level of statements about the fraction of programs with a property."""


def draws(seed: int, n: int, m: int, size: int, start: int, stop: int) -> Iterator[Ints]:
    """The draws number start to stop-1, in arrays of at most `BLOCK`. A draw is an index of the level (n, m),
    from 0 to size-1.

    Raises InputError if the level is empty, if it has more programs than 64 bits can number, or if the seed
    is negative.

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
    """The program with this index, from 0 to size-1. The time is that of `PackedLevel.verdicts`.

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
            return unpacked(words)
        branch = int(first[target[branch]])
        while index >= size[branch]:
            index -= int(size[branch])
            branch += 1


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """The number of draws, and the level (n, messages) from which the programs are drawn."""

    n: int = field(metadata=KEPT)
    messages: int = field(metadata=KEPT)
    programs: int = field(metadata=KEPT)
    """The number of programs of the level."""
    drawn: int


@dataclass(frozen=True, kw_only=True)
class Sample(Counts, Drawn):
    """Counts over `drawn` uniform random programs, which need not be canonical."""

    @classmethod
    def of(cls, n: int, messages: int, programs: int, said: Verdicts) -> "Sample":
        """The counts over the drawn programs, by their verdicts."""
        drawn = len(said.sealable)
        return cls(n=n, messages=messages, programs=programs, drawn=drawn, **counts_of(said))


def absent(drawn: int) -> float:
    """If no drawn program has a property, at most this fraction of the level has it, with 95 % confidence.

    This is the rule of three: (1 - 3/d)^d < 0.05 for d draws.

    >>> absent(100_000)
    3e-05
    """
    return min(1, 3 / drawn)


def interval(occurred: int, drawn: int) -> tuple[float, float]:
    """Limits for the fraction of programs with a property, if `occurred` of `drawn` programs have it.

    The confidence is at least 95 % (Clopper and Pearson).

    >>> [round(limit, 4) for limit in interval(5, 20)]
    [0.0866, 0.491]
    """
    from scipy.stats import binomtest  # half a second to import

    limits = binomtest(occurred, drawn).proportion_ci(CONFIDENCE, method="exact")
    return float(limits.low), float(limits.high)
