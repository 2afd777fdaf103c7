"""Causal reach between the events of a program and the starts and ends of its processes.

There is one pass over the events in each direction. It carries a bit mask for every process, bit k - 1 for
process k: the processes whose start it has heard of, or whose end will hear of it. This is a vector clock
with one bit per process.  A message edge that brings something new is kept as a hop, so a causal chain can be
read off afterwards.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sealcheck.programs.runs import Place
from sealcheck.programs.straight_line import Channel, Event, Kind, StraightLine


@dataclass(frozen=True)
class Reach:
    """The process starts or ends to which a set of events is causally joined, with the paths.

    `places` has the last receive (first send) of each channel, `masks` the processes k whose
    end it reaches (whose start reaches it); `ends` has that mask for the start (the end) of
    each process; `hops[process, k]` is the next message edge on a chain between the process
    and process k, the process's own event first.
    """

    places: dict[Channel, Place]
    masks: dict[Channel, int]
    ends: tuple[int, ...]
    hops: dict[tuple[int, int], tuple[Place, Place]]

    def chain(self, place: Place, k: int) -> tuple[Place, ...]:
        """The events of a causal chain from `place` to the end (from the start) of process k.

        It starts at `place` and has the two events of every message edge.  O(n).
        """
        chain = [place]
        while chain[-1].process != k:
            chain += self.hops[chain[-1].process, k]
        return tuple(chain)


def bits(mask: int) -> Iterator[int]:
    """The processes in a mask, ascending.

    >>> list(bits(0b101))
    [1, 3]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length()
        mask ^= low


def look_back(program: StraightLine) -> Reach:
    """For each first send and each process, the processes whose start reaches it.

    Raises DeadlockError if the program deadlocks.  O(events * n / wordsize).
    Source: the edges from Fd_k of signatures, in section `sec:rel`.

    >>> from sealcheck.programs.straight_line import mt
    >>> reach = look_back(StraightLine.of(3, mt(1, 2) + mt(2, 3)))
    >>> [(str(channel), [*bits(mask)]) for channel, mask in sorted(reach.masks.items())]
    [('1->2', [1]), ('2->3', [1, 2])]
    """
    return _look(program.linearization, Kind.SEND, [0] * program.n, 1)


def look_forward(program: StraightLine) -> Reach:
    """For each last receive and each process, the processes whose end it reaches.

    Raises DeadlockError if the program deadlocks.  O(events * n / wordsize).
    Source: the edges to Ld_k of signatures, in section `sec:rel`.

    >>> from sealcheck.programs.straight_line import mt
    >>> reach = look_forward(StraightLine.of(3, mt(1, 2) + mt(2, 3)))
    >>> [(str(channel), [*bits(mask)]) for channel, mask in sorted(reach.masks.items())]
    [('1->2', [2, 3]), ('2->3', [3])]
    """
    after = [len(share) + 1 for share in program.shares]
    return _look(reversed(program.linearization), Kind.RECEIVE, after, -1)


def _look(events: Iterable[Event], opening: Kind, at: list[int], step: int) -> Reach:
    """One pass, in which events of the `opening` kind come before the other end of their message edge.

    `at` has the position before the first event of each process; `step` leads to the next one.
    """
    known = [1 << k for k in range(len(at))]
    in_transit: defaultdict[tuple[int, int], deque[tuple[int, int]]] = defaultdict(deque)
    places: dict[Channel, Place] = {}
    masks: dict[Channel, int] = {}
    hops: dict[tuple[int, int], tuple[Place, Place]] = {}
    for kind, sender, receiver in events:
        channel = (sender, receiver)
        here, there = (receiver, sender) if kind else channel
        at[here - 1] += step
        if kind is opening:
            in_transit[channel].append((known[here - 1], at[here - 1]))
            if channel not in masks:
                places[Channel(*channel)] = Place(here, at[here - 1])
                masks[Channel(*channel)] = known[here - 1]
            continue
        mask, position = in_transit[channel].popleft()
        if new := mask & ~known[here - 1]:
            known[here - 1] |= new
            hop = Place(here, at[here - 1]), Place(there, position)
            hops.update(((here, k), hop) for k in bits(new))
    return Reach(places, masks, tuple(known), hops)
