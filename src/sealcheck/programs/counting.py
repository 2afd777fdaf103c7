"""How many programs the bounded space holds, without enumerating them.

Cartier and Foata's inversion counts traces by inclusion and exclusion: in every non-empty
program the sources (events that can happen first) are a non-empty set, and the alternating
sum over non-empty subsets of a non-empty set is 1.  So the programs that lead from one content
of the channels to empty channels number the sum, over non-empty sets of events that can
happen at once, of (-1)^(size + 1) times the number behind that set.

Programs up to renaming processes are counted by Burnside's lemma: the same sum over events
that a renaming permutes among themselves counts the programs which the renaming leaves alone.
Nothing is shared with `space`, whose enumeration these counts check.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise, product
from math import factorial, prod
from operator import itemgetter

from sealcheck.errors import InputError

Lengths = tuple[int, ...]
"""The cycle lengths of a renaming, in descending order."""

Contents = tuple[int, ...]
"""The number of messages on each channel."""


def count_programs(n: int, m: int) -> int:
    """The number of programs of the space (n, m).  Raises InputError unless n >= 1 and m >= 0.

    Time and memory in the number of contents that the channels can have.

    >>> [count_programs(2, m) for m in range(5)]
    [1, 2, 5, 14, 42]
    """
    _require_bounds(n, [m])
    return _count_fixed((1,) * n, m)


def count_canonical(n: int, m: int) -> int:
    """The number of programs of the space (n, m) up to renaming processes.  Raises InputError as above.

    >>> [count_canonical(3, m) for m in range(5)]
    [1, 1, 7, 48, 381]
    """
    return count_canonical_sequences(n, [m])


def count_canonical_sequences(n: int, messages: Sequence[int]) -> int:
    """The number of sequences of programs with so many messages, up to renaming processes.

    One renaming applies to all programs of a sequence: pairs (P, Q) are sequences of two.
    Raises InputError unless n >= 1 and no program has fewer than 0 messages.

    >>> count_canonical_sequences(2, [1, 1])
    2
    """
    _require_bounds(n, messages)
    total = sum(
        prod(_count_fixed(lengths, m) for m in messages) * _renamings(lengths)
        for lengths in _partitions(n, n)
    )
    return total // factorial(n)


def _require_bounds(n: int, messages: Sequence[int]) -> None:
    if n < 1:
        raise InputError(f"the number of processes must be at least 1, not {n}")
    if messages and min(messages) < 0:
        raise InputError(f"the number of messages must be at least 0, not {min(messages)}")


def _partitions(n: int, largest: int) -> Iterator[Lengths]:
    """The ways to write n as a sum of numbers up to `largest`, in descending order."""
    if n == 0:
        yield ()
    for first in range(min(n, largest), 0, -1):
        for rest in _partitions(n - first, first):
            yield (first, *rest)


def _renamings(lengths: Lengths) -> int:
    """How many renamings have cycles of these lengths.

    >>> _renamings((2, 1)), _renamings((3,))
    (3, 2)
    """
    same: int = prod(length**count * factorial(count) for length, count in Counter(lengths).items())
    return factorial(sum(lengths)) // same


@cache
def _count_fixed(lengths: Lengths, m: int) -> int:
    """The number of programs with m messages that a renaming with such cycles maps to themselves."""
    return _Fixed(lengths).count(m)


class _Fixed:
    """Programs that a renaming maps to themselves, its cycles taking the place of processes.

    Events that the renaming permutes happen together.  Applied as often as the cycle of a process is
    long, the renaming brings that process back, and so must bring back whom it talks to.  So the
    lengths of two cycles that talk divide one another; they are equal, and the channels between them
    fall into as many classes, each of which acts as one channel and has as many messages at a time.
    """

    def __init__(self, lengths: Lengths) -> None:
        cycles = range(len(lengths))
        ends = [
            (a, b)
            for a, b in product(cycles, repeat=2)
            if lengths[a] == lengths[b]
            for _ in range(lengths[a] - (a == b))
        ]
        self._lengths = lengths
        self._weights = [lengths[a] for a, _ in ends]
        self._swaps = [_swapped(ends, a) for a, (one, other) in enumerate(pairwise(lengths)) if one == other]
        self._outgoing = [[k for k, (a, _) in enumerate(ends) if a == cycle] for cycle in cycles]
        self._incoming = [[k for k, (_, b) in enumerate(ends) if b == cycle] for cycle in cycles]
        self._behind: dict[tuple[Contents, int], int] = {}
        self._receiving = cache(self._sum_with_receives)
        self._sending = cache(self._sum_with_sends)

    def count(self, m: int) -> int:
        """The number of them with m messages.

        What lies behind a state has fewer messages to come or in transit, or as many and fewer to come.
        As many lie behind each of the states that renaming makes of one.
        """
        alike_of = [self._alike(contents) for contents in self._contents(m)]
        for messages in range(m + 1):
            for left in range(messages + 1):
                for alike in alike_of[messages - left]:
                    number = -self._receiving(0, alike[0], left, 0) if messages else 1
                    self._behind.update(((contents, left), number) for contents in alike)
        return self._behind[(0,) * len(self._weights), m]

    def _contents(self, most: int) -> list[list[Contents]]:
        """All contents of the channels with 0..`most` messages, by that number."""
        found: list[list[Contents]] = [[()], *([] for _ in range(most))]
        for weight in self._weights:
            found = [
                [
                    (*contents, count)
                    for count in range(size // weight + 1)
                    for contents in found[size - count * weight]
                ]
                for size in range(most + 1)
            ]
        return found

    def _alike(self, every: list[Contents]) -> list[list[Contents]]:
        """The same contents, those together that renaming cycles of the same length makes of each other."""
        seen, found = set[Contents](), []
        for contents in every:
            if contents in seen:
                continue
            seen.add(contents)
            alike = [contents]
            for each in alike:
                images = {swapped for swap in self._swaps if (swapped := swap(each)) not in seen}
                seen |= images
                alike += images
            found.append(alike)
        return found

    def _sum_with_receives(self, cycle: int, contents: Contents, left: int, acted: int) -> int:
        """The signed sum over sets of sources; the cycles from `cycle` on may receive, all may send.

        A set is chosen cycle by cycle, first those that receive, then those that send, so that sets with
        the same effect are summed once.  `acted` has a bit for each cycle that received.
        """
        if cycle == len(self._lengths):
            return self._sending(0, contents, left, acted)
        total = self._receiving(cycle + 1, contents, left, acted)
        for channel in self._incoming[cycle]:
            if contents[channel]:
                fewer = _changed(contents, channel, -1)
                total -= self._receiving(cycle + 1, fewer, left, acted | 1 << cycle)
        return total

    def _sum_with_sends(self, cycle: int, contents: Contents, left: int, acted: int) -> int:
        """The signed sum over sets of sources; only the cycles from `cycle` on may still send."""
        if cycle == len(self._lengths):
            return self._behind[contents, left] if acted else 0
        total = self._sending(cycle + 1, contents, left, acted)
        length = self._lengths[cycle]
        if not acted >> cycle & 1 and length <= left:
            for channel in self._outgoing[cycle]:
                more = _changed(contents, channel, 1)
                total -= self._sending(cycle + 1, more, left - length, acted | 1 << cycle)
        return total


def _swapped(ends: Sequence[tuple[int, int]], cycle: int) -> Callable[[Contents], Contents]:
    """What becomes of contents, by the ends of channels, where a cycle and the next one change places."""
    places = {cycle: cycle + 1, cycle + 1: cycle}
    order = sorted(range(len(ends)), key=lambda k: [places.get(end, end) for end in ends[k]])
    return itemgetter(*order)


def _changed(contents: Contents, channel: int, by: int) -> Contents:
    return (*contents[:channel], contents[channel] + by, *contents[channel + 1 :])
