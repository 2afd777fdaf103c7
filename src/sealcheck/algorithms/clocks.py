"""Happens-before in every run of layers in sequence that stay apart, by vector clocks.

The graph joins successive events of a process, and in each layer the k'th send with the k'th receive of a
channel; of a single layer, that is its program graph.  One pass over the events carries, for every process,
how many events of each process reach its present.  A receive that teaches something is kept, with the clock
after it, so that causal chains can be read off afterwards.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence

from sealcheck.programs.runs import Place
from sealcheck.programs.straight_line import Channel, Event, StraightLine

Clock = tuple[int, ...]
"""For each process, how many of its events are in the past."""


class Causality:
    """Happens-before, if each message is received in the layer that it was sent in.

    In each layer a message edge goes from the k'th send on a channel to the k'th receive.  A receive without
    such a send waits for ever, as do all events that depend on it.  O(events * n).

    >>> from sealcheck.programs.straight_line import mt
    >>> there_and_back = Causality([StraightLine.of(2, mt(1, 2) + mt(2, 1))])
    >>> there_and_back.clock(Place(1, 2))
    (2, 2)
    >>> there_and_back.chain(Place(2, 1), Place(1, 2))
    (Place(process=2, position=1), Place(process=2, position=2), Place(process=1, position=2))
    """

    def __init__(self, layers: Sequence[StraightLine]) -> None:
        """All layers are over the same processes."""
        n = layers[0].n
        self.source: dict[Place, Place] = {}
        """For each receive that can happen, the send of the same number on its channel in its layer."""
        self.rank: dict[Place, int] = {}
        """Where each event that can happen stands in an order in which all of them do."""
        self._done = [0] * n
        self._taught: list[list[int]] = [[0] for _ in range(n)]  # positions of receives that teach something
        self._clocks: list[list[Clock]] = [[(0,) * n] for _ in range(n)]  # right after these
        due = [0] * n
        for layer in layers:
            # A process that waits for ever does nothing in later layers.
            going = zip(layer.shares, self._done, due, strict=True)
            begun = tuple(share if done == end else () for share, done, end in going)
            self._add((layer if self._done == due else StraightLine(begun)).possible)
            due = [end + len(share) for end, share in zip(due, layer.shares, strict=True)]
        self.ends = tuple(Place(process, end) for process, end in enumerate(due, 1))
        """The last event of each process, whether it can happen or not; position 0 if it has none."""
        self.reached = tuple(self._done)
        """How many events of each process can happen."""

    def _add(self, events: Iterable[Event]) -> None:
        """Go on with the events of a layer, in this order."""
        in_transit: defaultdict[Channel, deque[tuple[Place, Clock]]] = defaultdict(deque)
        for event in events:
            process, channel = event.process, event.channel
            self._done[process - 1] += 1
            place = Place(process, self._done[process - 1])
            self.rank[place] = len(self.rank)
            known = self._clocks[process - 1][-1]
            if event.is_send:
                in_transit[channel].append((place, known))
                continue
            send, told = in_transit[channel].popleft()
            self.source[place] = send
            if known[send.process - 1] < send.position and send.process != process:
                learnt = list(map(max, known, told))
                learnt[send.process - 1] = send.position
                self._taught[process - 1].append(place.position)
                self._clocks[process - 1].append(tuple(learnt))

    @property
    def is_whole(self) -> bool:
        """Whether every event can happen."""
        return all(done == end.position for done, end in zip(self.reached, self.ends, strict=True))

    def clock(self, place: Place) -> Clock:
        """The number of events of each process up to the place, itself included; position 0 is the start."""
        process, position = place
        latest = bisect_right(self._taught[process - 1], position) - 1
        known = self._clocks[process - 1][latest]
        return (*known[: process - 1], position, *known[process:])

    def reaches(self, first: Place, second: Place) -> bool:
        """Whether a path leads from the first place to the second, or they are the same.  O(log events)."""
        if first.process == second.process:
            return first.position <= second.position
        latest = bisect_right(self._taught[second.process - 1], second.position) - 1
        return self._clocks[second.process - 1][latest][first.process - 1] >= first.position

    def chain(self, first: Place, second: Place) -> tuple[Place, ...]:
        """The events of a path from the first place to the second, with both ends of each message edge.

        There must be such a path. It enters each process at most once, at the receive by which the process
        first learnt of the first place.  O(n log events).
        """
        chain = [second]
        while chain[-1].process != first.process:
            process = chain[-1].process
            by = bisect_left(
                self._clocks[process - 1], first.position, key=lambda clock: clock[first.process - 1]
            )
            receive = Place(process, self._taught[process - 1][by])
            chain += [receive] if receive != chain[-1] else []
            chain.append(self.source[receive])
        chain += [first] if chain[-1] != first else []
        return tuple(reversed(chain))
