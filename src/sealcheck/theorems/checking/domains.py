"""Domains of statements: the programs of a level, sequences of programs, lists of examples.

A level (n, messages) has all programs over n processes with that number of messages. An instance is one
program, or several. Programs that are equal up to renaming processes form a class. One program of each class
is canonical.
"""

import gc
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, permutations
from operator import itemgetter
from typing import TYPE_CHECKING, TypeVar

from sealcheck.programs.space import Space, count_canonical, count_canonical_sequences, count_programs
from sealcheck.programs.straight_line import Renaming, StraightLine
from sealcheck.questions.instance import Instance
from sealcheck.words import counted

if TYPE_CHECKING:
    from sealcheck.theorems.checking.statement import (
        Domain,  # with it come solvers, which tables have no use for
    )

T = TypeVar("T")
Listing = Callable[[int, int], Iterable[Instance]]
"""Lists the instances of a level."""

HIDDEN_PROGRAMS = 100_000
"""The index of a space of at least this size is hidden from garbage collection."""
REMEMBERED_INDICES = 10_000
"""A range of at most this many indices keeps its instances."""


@lru_cache(maxsize=8)
def indexed_space(n: int, messages: int, *, self_channels: bool = False) -> Space:
    """The indexed space (n, messages), cached.

    Indexing a space takes longer than checking a range: 4 s for (4, 5), 26 s for (4, 6).
    """
    space = Space(n, messages, self_channels=self_channels)
    if space.size >= HIDDEN_PROGRAMS:
        gc.collect()  # whatever is garbage now would be kept for good
        gc.freeze()  # or Spark's garbage collection after every task looks through it: 2 s for (4, 6)
    return space


class Remembered(ABC):
    """A domain that lists the instances of a small range once, for all statements that use them."""

    @abstractmethod
    def found(self, n: int, messages: int, start: int, stop: int) -> Iterator[Instance]:
        """The instances with start <= index < stop, listed again."""

    def instances(self, n: int, messages: int, start: int, stop: int) -> Iterator[Instance]:
        """The instances with start <= index < stop."""
        if stop - start > REMEMBERED_INDICES:
            return self.found(n, messages, start, stop)
        return iter(_found(self, n, messages, start, stop))


@lru_cache(maxsize=64)
def _found(domain: Remembered, n: int, messages: int, start: int, stop: int) -> tuple[Instance, ...]:
    return tuple(domain.found(n, messages, start, stop))


@dataclass(frozen=True)
class Programs(Remembered):
    """The canonical programs of the level."""

    noun: str = "programs"

    def size(self, n: int, messages: int) -> int:
        """The number of programs."""
        return count_programs(n, messages)

    def expected(self, n: int, messages: int) -> int:
        """By Burnside's lemma."""
        return count_canonical(n, messages)

    def found(self, n: int, messages: int, start: int, stop: int) -> Iterator[Instance]:
        """The canonical programs of the range."""
        for program in indexed_space(n, messages).programs(start, stop):
            if program.is_canonical:
                yield Instance.of(program)


@dataclass(frozen=True)
class Sequences(Remembered):
    """The sequences of `length` programs with this number of messages in total, up to renaming processes.

    The first program is canonical. Each further program is least under the renamings that fix all earlier
    programs.
    """

    length: int
    noun: str

    def size(self, n: int, messages: int) -> int:
        """The number of first programs."""
        return sum(count_programs(n, first) for first in range(messages + 1))

    def expected(self, n: int, messages: int) -> int:
        """By Burnside's lemma."""
        return sum(count_canonical_sequences(n, parts) for parts in shared_out(messages, self.length))

    def found(self, n: int, messages: int, start: int, stop: int) -> Iterator[Instance]:
        """The sequences whose first program is in the range; shorter first programs come first."""
        everything = list(permutations(range(1, n + 1)))
        for first in range(messages + 1):
            programs = count_programs(n, first)
            inside = max(0, start), min(programs, stop)
            if inside[0] < inside[1]:
                for program in indexed_space(n, first).programs(*inside):
                    for others in shared_out(messages - first, self.length - 1):
                        yield from _least(n, (program,), others, everything)
            start, stop = start - programs, stop - programs


def shared_out(messages: int, parts: int, least: int = 0) -> Iterator[tuple[int, ...]]:
    """Every way to divide messages among `parts` parts of at least `least`. Small first parts come first.

    >>> list(shared_out(1, 2)), list(shared_out(3, 2, 1))
    ([(0, 1), (1, 0)], [(1, 2), (2, 1)])
    """
    if parts == 1:
        if messages >= least:
            yield (messages,)
        return
    for first in range(least, messages + 1):
        for rest in shared_out(messages - first, parts - 1, least):
            yield first, *rest


def _least(
    n: int, programs: tuple[StraightLine, ...], others: Sequence[int], renamings: Sequence[Renaming]
) -> Iterator[Instance]:
    """The least sequences that begin with `programs`. `renamings` fix all but the last program."""
    last = programs[-1]
    renamed = [last.renamed(r) for r in renamings]
    if min(renamed) < last:
        return
    if not others:
        yield Instance.of(*programs)
        return
    fixing = [r for r, other in zip(renamings, renamed, strict=True) if other == last]
    for program in indexed_space(n, others[0]).programs():
        yield from _least(n, (*programs, program), others[1:], fixing)


@dataclass(frozen=True)
class Listed:
    """Instances that a function lists, level by level."""

    noun: str
    listing: Listing

    def size(self, n: int, messages: int) -> int:
        """The length of the list."""
        return len(_listed(self.listing, n, messages))

    def expected(self, n: int, messages: int) -> int:
        """The length of the list: there is no second way to count."""
        return self.size(n, messages)

    def instances(self, n: int, messages: int, start: int, stop: int) -> Iterator[Instance]:
        """The instances of the range."""
        return iter(_listed(self.listing, n, messages)[start:stop])


@lru_cache(maxsize=64)
def _listed(listing: Listing, n: int, messages: int) -> tuple[Instance, ...]:
    return tuple(listing(n, messages))


@dataclass(frozen=True)
class Bounded:
    """A domain up to the bounds that the oracles can manage.

    For each n, the domain has the instances with at most `most[n]` messages. If n is not in `most`, there are
    none.

    >>> domain = Bounded(Programs(), {2: 1})
    >>> [domain.size(n, messages) for n, messages in ((2, 1), (2, 2), (3, 0))]
    [2, 0, 0]
    """

    domain: "Domain"
    most: Mapping[int, int]

    @property
    def noun(self) -> str:
        """The noun for the instances, in the plural."""
        return self.domain.noun

    def _has(self, n: int, messages: int) -> bool:
        return messages <= self.most.get(n, -1)

    def size(self, n: int, messages: int) -> int:
        """The number of indices of the level."""
        return self.domain.size(n, messages) if self._has(n, messages) else 0

    def expected(self, n: int, messages: int) -> int:
        """The number of instances of the level."""
        return self.domain.expected(n, messages) if self._has(n, messages) else 0

    def instances(self, n: int, messages: int, start: int, stop: int) -> Iterator[Instance]:
        """The instances with start <= index < stop."""
        if self._has(n, messages):
            yield from self.domain.instances(n, messages, start, stop)

    def __str__(self) -> str:
        """The bounds, for people."""
        return "; ".join(f"up to {counted(most, 'message')} {at}" for at, most in grouped(self.most))


def grouped(by_number: Mapping[int, T]) -> Iterator[tuple[str, T]]:
    """The values, with texts that name their numbers of processes. Equal neighbours share a text.

    >>> list(grouped({1: 4, 2: 4, 3: 2}))
    [('at n = 1, 2', 4), ('at n = 3', 2)]
    """
    for value, group in groupby(by_number.items(), key=itemgetter(1)):
        yield f"at n = {', '.join(str(n) for n, _ in group)}", value


def every(domain: "Domain") -> Listing:
    """Lists all instances of a domain.

    >>> [str(instance) for instance in every(Programs())(2, 1)]
    ['mt 1->2']
    """
    return lambda n, messages: domain.instances(n, messages, 0, domain.size(n, messages))
