"""Causal reach between the events of a program and the starts and ends of its processes.

One pass over the events in each direction, carrying for every process the set of processes
whose start it has heard of (or whose end will hear of it) as a bit mask, bit k - 1 for process
k: a vector clock with one bit per process.  A message edge that brings something new is kept
as a hop, so a causal chain can be read off afterwards.
"""

from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass

from sealcheck.programs.runs import Place
from sealcheck.programs.straight_line import Channel, Kind, StraightLine


@dataclass(frozen=True)
class Hop:
    """One message edge of a causal chain."""

    send: Place
    receive: Place


@dataclass(frozen=True)
class Reach:
    """Which process starts or ends a set of events is causally joined to, with the way there.

    `places` has the last receive (first send) of each channel, `masks` the processes k whose
    end it reaches (whose start reaches it); `ends` has that mask for the start (the end) of
    each process; `hops[process, k]` is the next message edge on a chain between the process
    and process k.
    """

    places: dict[Channel, Place]
    masks: dict[Channel, int]
    ends: tuple[int, ...]
    hops: dict[tuple[int, int], Hop]

    def chain(self, place: Place, k: int) -> tuple[Place, ...]:
        """The events of a causal chain from `place` to the end (from the start) of process k.

        It starts at `place` and has the two events of every message edge.  O(n).
        """
        chain = [place]
        while place.process != k:
            hop = self.hops[place.process, k]
            near, far = (
                (hop.send, hop.receive) if hop.send.process == place.process else (hop.receive, hop.send)
            )
            chain += [near, far]
            place = far
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
    known = [1 << k for k in range(program.n)]
    at = [0] * program.n
    in_transit: defaultdict[tuple[int, int], deque[tuple[int, int]]] = defaultdict(deque)
    places: dict[Channel, Place] = {}
    masks: dict[Channel, int] = {}
    hops: dict[tuple[int, int], Hop] = {}
    for kind, sender, receiver in program.linearization:
        channel = (sender, receiver)
        if kind is Kind.SEND:
            at[sender - 1] += 1
            in_transit[channel].append((known[sender - 1], at[sender - 1]))
            if channel not in masks:
                places[Channel(*channel)] = Place(sender, at[sender - 1])
                masks[Channel(*channel)] = known[sender - 1]
            continue
        at[receiver - 1] += 1
        mask, send_position = in_transit[channel].popleft()
        if new := mask & ~known[receiver - 1]:
            known[receiver - 1] |= new
            hop = Hop(Place(sender, send_position), Place(receiver, at[receiver - 1]))
            hops.update(((receiver, k), hop) for k in bits(new))
    return Reach(places, masks, tuple(known), hops)


def look_forward(program: StraightLine) -> Reach:
    """For each last receive and each process, the processes whose end it reaches.

    Raises DeadlockError if the program deadlocks.  O(events * n / wordsize).
    Source: the edges to Ld_k of signatures, in section `sec:rel`.

    >>> from sealcheck.programs.straight_line import mt
    >>> reach = look_forward(StraightLine.of(3, mt(1, 2) + mt(2, 3)))
    >>> [(str(channel), [*bits(mask)]) for channel, mask in sorted(reach.masks.items())]
    [('1->2', [2, 3]), ('2->3', [3])]
    """
    reached = [1 << k for k in range(program.n)]
    at = [len(share) for share in program.shares]
    awaited: defaultdict[tuple[int, int], deque[tuple[int, int]]] = defaultdict(deque)
    places: dict[Channel, Place] = {}
    masks: dict[Channel, int] = {}
    hops: dict[tuple[int, int], Hop] = {}
    for kind, sender, receiver in reversed(program.linearization):
        channel = (sender, receiver)
        if kind is Kind.RECEIVE:
            awaited[channel].append((reached[receiver - 1], at[receiver - 1]))
            if channel not in masks:
                places[Channel(*channel)] = Place(receiver, at[receiver - 1])
                masks[Channel(*channel)] = reached[receiver - 1]
            at[receiver - 1] -= 1
            continue
        mask, receive_position = awaited[channel].popleft()
        if new := mask & ~reached[sender - 1]:
            reached[sender - 1] |= new
            hop = Hop(Place(sender, at[sender - 1]), Place(receiver, receive_position))
            hops.update(((sender, k), hop) for k in bits(new))
        at[sender - 1] -= 1
    return Reach(places, masks, tuple(reached), hops)
