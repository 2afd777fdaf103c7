"""Verdicts on all canonical programs of a level, a range at a time, in compiled loops.

The programs and their indices are those of `Space`, the verdicts those of `minimum_or_unsealable`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

import numpy as np
import numpy.typing as npt

from sealcheck.algorithms.packed.automaton import automaton
from sealcheck.algorithms.packed.counts import Counts, counts_of
from sealcheck.algorithms.packed.events import Ints, codes, share_of
from sealcheck.algorithms.packed.profiles import Judge, Verdicts
from sealcheck.algorithms.packed.walk import Rows, paths, pick, rows, walk
from sealcheck.programs.straight_line import StraightLine

CHUNK = 1 << 14
"""Rows that are found before they are judged: about a megabyte."""


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Canonical programs and what is said of them, in columns, in index order."""

    index: Ints
    """The index in `Space`."""
    orbit_size: npt.NDArray[np.int8]
    shares: Ints
    """For each program the packed shares of its processes, see `events`."""
    open_channels: npt.NDArray[np.int8]
    """How many channels are open."""
    connected: npt.NDArray[np.bool_]
    """Whether the closed channels connect all processes: `th:sealability` as printed."""
    sealable: npt.NDArray[np.bool_]
    minimum: npt.NDArray[np.int8]
    """Messages of a minimum seal, -1 where there is no seal."""

    def __len__(self) -> int:
        return len(self.index)

    @property
    def said(self) -> Verdicts:
        """The last four columns."""
        return Verdicts(
            open_channels=self.open_channels,
            connected=self.connected,
            sealable=self.sealable,
            minimum=self.minimum,
        )

    def program(self, row: int) -> StraightLine:
        """The program of a row.  Raises IndexError where there is no such row."""
        words = self.shares[row].tolist()
        return StraightLine(tuple(share_of(len(words), p, word) for p, word in enumerate(words, 1)))

    def text(self, row: int) -> str:
        """The program of a row as program text.  Raises IndexError where there is no such row."""
        return str(self.program(row))


@dataclass(frozen=True, kw_only=True)
class LevelCounts(Counts):
    """Counts over a range of a level; all but `programs` and `renamed` count canonical programs."""

    programs: int
    renamed: int
    """All that renaming makes of the canonical programs: `programs`, where the range is the level."""
    canonical: int

    @classmethod
    def of_batch(cls, batch: Batch) -> "LevelCounts":
        """The counts of rows, which stand for no program but those that are in them."""
        renamed = int(batch.orbit_size.sum(dtype=np.int64))
        return cls(programs=0, renamed=renamed, canonical=len(batch), **counts_of(batch.said))


NOTHING = LevelCounts(programs=0, renamed=0, canonical=0, **counts_of(Verdicts.of([])))
"""Of no programs."""


class PackedLevel:
    """The space (n, m), for up to 4 processes and 14 messages, as long as its automaton fits memory.

    Making it takes time and memory in the number of branches of `automaton`: 0.04 s for (3, 8), 0.3 s and
    6 MB for (4, 6), 20 s and 350 MB for (4, 9).  Raises InputError where `automaton` does.

    >>> level = PackedLevel(3, 4)
    >>> level.size, level.tally().canonical
    (2280, 381)
    >>> batch = level.batch(1630, 2280)
    >>> print(len(batch), batch.index[0], batch.text(0), batch.minimum[0], sep=", ")
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
        """The canonical programs with start <= index < stop.  Memory in their number."""
        chunks = list(self._chunks(start, stop))
        columns = {each.name: [getattr(chunk, each.name) for chunk in chunks] for each in fields(Batch)}
        return Batch(**{name: np.concatenate(parts) for name, parts in columns.items()})

    def tally(self, start: int = 0, stop: int | None = None) -> LevelCounts:
        """Counts over the programs with start <= index < stop.  Memory does not depend on their number."""
        start, stop = self._range(start, stop)
        total = replace(NOTHING, programs=stop - start)
        for chunk in self._chunks(start, stop):
            total += LevelCounts.of_batch(chunk)
        return total

    def verdicts(self, indices: Ints) -> Verdicts:
        """The verdicts on the programs with these indices, canonical or not, in any order.

        Raises IndexError where one is outside 0..size-1.  O(branches of the states passed) for each.

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

    def _chunks(self, start: int, stop: int | None) -> Iterator[Batch]:
        """The rows of a range, at most `CHUNK` at a time; at least one chunk."""
        start, stop = self._range(start, stop)
        path, found = paths(self.n, self.m), rows(self.n, CHUNK)
        count, start = walk(self._automaton, self._codes, start, stop, path=path, found=found)
        yield self._judged(found, count)
        while start < stop:
            count, start = walk(self._automaton, self._codes, start, stop, path=path, found=found)
            yield self._judged(found, count)

    def _judged(self, found: Rows, count: int) -> Batch:
        index, orbit_size, shares, profile = (column[:count].copy() for column in found)
        said = self._judge.verdicts(profile)._asdict()
        return Batch(index=index, orbit_size=orbit_size.astype(np.int8), shares=shares, **said)
