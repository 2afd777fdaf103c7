"""Signatures: the information about a balanced straight-line program that decides sealing.

Q *seals* P if no receive of P can take a message of Q, or of anything that follows. The signature of P
decides which programs seal P, and which programs P seals.

The *program graph* of P has an edge from each event to the next event of its process, and a *message edge*
from the k'th send to the k'th receive of each channel. A node *reaches* another node if a path (a *causal
chain*) leads to it. The paper's sig(P) has an edge from each node to each node that it reaches, but only for
two kinds of nodes:

- the first send and the last receive of each channel;
- dummy nodes Fd_k and Ld_k, the start and the end of process k.

Sealing depends only on three kinds of edges: last receive -> Ld_k, Fd_k -> first send, and Fd_k -> Ld_i. For
each last receive, first send and Fd_k, a bit mask has the processes at the other ends of these edges (bit
k - 1 for process k).

Two passes over the events compute the masks. `look_back` goes from the first event to the last. For each
process p, it updates the set of processes whose start reaches p's present event. `look_forward` goes from the
last event to the first, and updates the set of processes whose end p's present event reaches.

If a message edge adds a process to a set, the pass keeps the edge as a *hop*. Causal chains are read off the
hops.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import or_

from sealcheck.programs.runs import Place
from sealcheck.programs.straight_line import Channel, Event, Kind, StraightLine


@dataclass(frozen=True)
class Reach:
    """The result of `look_forward`: which ends of processes are reached, with causal chains.

    - `places`: for each channel, the last receive on it.
    - `masks`: for each channel, the processes whose end the last receive on it reaches.
    - `ends`: for each process k, the processes whose end the start of k reaches.
    - `hops[i, k]`: the next message edge on a chain from process i to the end of process k.

    In the result of `look_back`, `places` has the first sends, and `masks` the processes whose start reaches
    them. `ends` has, for each process k, the processes whose start reaches the end of k. Hops lead back to
    starts.
    """

    places: dict[Channel, Place]
    masks: dict[Channel, int]
    ends: tuple[int, ...]
    hops: dict[tuple[int, int], tuple[Place, Place]]

    def chain(self, place: Place, k: int) -> tuple[Place, ...]:
        """The events of a causal chain from `place` to the end of process k. O(n).

        In a result of `look_back`, the chain leads from `place` back to the start of process k. The chain has
        `place` and both events of every message edge.
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
    """For each first send and for each process's end: the processes whose start reaches this send or end.

    Raises DeadlockError if the program deadlocks. O(events * n / wordsize). Source: a signature's edges from
    Fd_k (section `sec:rel`).

    >>> from sealcheck.programs.straight_line import mt
    >>> reach = look_back(StraightLine.of(3, mt(1, 2) + mt(2, 3)))
    >>> [(str(channel), [*bits(mask)]) for channel, mask in sorted(reach.masks.items())]
    [('1->2', [1]), ('2->3', [1, 2])]
    """
    return _look(program.linearization, Kind.SEND, [0] * program.n, 1)


def look_forward(program: StraightLine) -> Reach:
    """For each last receive and for each process's start: the processes whose end this receive or start
    reaches.

    Raises DeadlockError if the program deadlocks. O(events * n / wordsize). Source: a signature's edges to
    Ld_k (section `sec:rel`).

    >>> from sealcheck.programs.straight_line import mt
    >>> reach = look_forward(StraightLine.of(3, mt(1, 2) + mt(2, 3)))
    >>> [(str(channel), [*bits(mask)]) for channel, mask in sorted(reach.masks.items())]
    [('1->2', [2, 3]), ('2->3', [3])]
    """
    after = [len(share) + 1 for share in program.shares]
    return _look(reversed(program.linearization), Kind.RECEIVE, after, -1)


def _look(events: Iterable[Event], opening: Kind, at: list[int], step: int) -> Reach:
    """One pass over the events. Of the two events of a message edge, the pass must meet `opening` first.

    `at` has the position before the pass's first event of each process; `step` is 1 or -1.
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


@dataclass(frozen=True)
class Signature:
    """The sealing signature of a balanced straight-line program without deadlock.

    All channels that the program uses are included; the paper keeps only the receives of `open_channels` and
    the sends of `interfering_sends`. Source: signatures, in section `sec:rel`.
    """

    n: int
    receives: dict[Channel, int]
    """For each channel, the processes k such that the last receive on it reaches Ld_k."""
    sends: dict[Channel, int]
    """For each channel, the processes k such that Fd_k reaches the first send on it."""
    ends: tuple[int, ...]
    """``ends[k - 1]``: the processes i such that Fd_k reaches Ld_i."""

    @cached_property
    def open_channels(self) -> tuple[Channel, ...]:
        """The channels i->j whose last receive does not reach Ld_i, sorted."""
        reaches = self.receives.items()
        return tuple(sorted(channel for channel, mask in reaches if not mask >> (channel.sender - 1) & 1))

    @cached_property
    def interfering_sends(self) -> tuple[Channel, ...]:
        """The channels i->j such that Fd_j does not reach the first send on them, sorted."""
        reaches = self.sends.items()
        return tuple(sorted(channel for channel, mask in reaches if not mask >> (channel.receiver - 1) & 1))

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """``starts[i - 1]``: the processes k such that Fd_k reaches Ld_i."""
        return tuple(sum(1 << k for k, mask in enumerate(self.ends) if mask >> i & 1) for i in range(self.n))


def signature(program: StraightLine) -> Signature:
    """The signature of a balanced straight-line program. O(events * n / wordsize).

    Raises DeadlockError if the program deadlocks. Callers must check that the program is balanced. Source:
    sig(P) (section 4).

    >>> from sealcheck.programs.straight_line import mt
    >>> [str(c) for c in signature(StraightLine.of(2, mt(1, 2))).open_channels]
    ['1->2']
    >>> [str(c) for c in signature(StraightLine.of(2, mt(1, 2) + mt(2, 1))).open_channels]
    ['2->1']
    """
    forward, back = look_forward(program), look_back(program)
    return Signature(program.n, forward.masks, back.masks, forward.ends)


Heard = dict[Channel, int]
"""For each channel with a receive so far, the processes that the last receive on it reaches."""


def through(heard: Heard, layer: Signature) -> Heard:
    """`heard` after `layer`, the signature of the program that runs next.

    >>> from sealcheck.programs.straight_line import mt
    >>> answered = through({Channel(1, 2): 0b10}, signature(StraightLine.of(2, mt(2, 1))))
    >>> [(str(channel), list(bits(mask))) for channel, mask in answered.items()]
    [('1->2', [1, 2]), ('2->1', [1])]
    """
    after = {mask: spread(mask, layer.ends) for mask in set(heard.values())}
    return {channel: after[mask] for channel, mask in heard.items()} | layer.receives


def spread(mask: int, reached: tuple[int, ...]) -> int:
    """The mask of all processes that are in ``reached[k - 1]`` for some process k in `mask`."""
    return reduce(or_, (reached[k - 1] for k in bits(mask)), 0)
