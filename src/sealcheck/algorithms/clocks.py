"""Decide by vector clocks which events happen before which, in every run of layers in sequence.

*Layers* are programs that each process runs one after the other. In the runs considered here, each receive
takes a message of its own layer. Their graph has an edge from each event to the next event of its process.
Within a layer, it also has a *message edge* from the k'th send to the k'th receive of a channel. An event
*reaches* another event if a path leads to it.

The *clock* of an event e counts, for each process, the events of this process that reach e. A receive
*teaches* its process something if the clock of the process gains events of other processes. One pass over the
events stores the clocks after all receives that teach something. Paths are read off the stored clocks.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from functools import partial

from sealcheck.programs.runs import Place
from sealcheck.programs.straight_line import Event, Kind, StraightLine

Clock = tuple[int, ...]
"""For each process, the number of its events that are in the past of an event."""


class Causality:
    """The happens-before relation of layers in sequence, if receives take messages of their own layer.

    If a layer has no k'th send on a channel, the layer's k'th receive on this channel waits forever. Events
    that this receive reaches do not happen, either. O(events * n).

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
        self._n = n
        self._done = [0] * n
        # For each process and each position: the process and the position of the send, if the event is a
        # receive; and the event's rank in the order. The arrays are flat: there may be millions of events.
        self._senders, self._sends, self._ranks = ([array("i", [0]) for _ in range(n)] for _ in range(3))
        self._taught = [array("i", [0]) for _ in range(n)]  # positions of receives that teach something
        self._clocks = [array("i", [0] * n) for _ in range(n)]  # the clocks after these receives
        due = [0] * n
        for layer in layers:
            # A process that waits forever does nothing in later layers.
            going = zip(layer.shares, self._done, due, strict=True)
            begun = tuple(share if done == end else () for share, done, end in going)
            self._add((layer if self._done == due else StraightLine(begun)).possible)
            due = [end + len(share) for end, share in zip(due, layer.shares, strict=True)]
        self.ends = tuple(Place(process, end) for process, end in enumerate(due, 1))
        """The last event of each process, even if this event cannot happen; position 0 if there is no event.
        """
        self.reached = tuple(self._done)
        """For each process, the number of its events that can happen."""
        self._events = sum(self.reached)

    def _add(self, events: Iterable[Event]) -> None:
        in_transit: defaultdict[tuple[int, int], deque[tuple[int, Clock]]] = defaultdict(deque)
        latest = [tuple(clocks[-self._n :]) for clocks in self._clocks]
        for rank, (kind, sender, receiver) in enumerate(events, sum(self._done)):
            here = (receiver if kind else sender) - 1
            self._done[here] = position = self._done[here] + 1
            self._ranks[here].append(rank)
            if kind is Kind.SEND:
                in_transit[sender, receiver].append((position, latest[here]))
                self._senders[here].append(0)
                self._sends[here].append(0)
                continue
            sent, told = in_transit[sender, receiver].popleft()
            self._senders[here].append(sender)
            self._sends[here].append(sent)
            known = latest[here]
            if known[sender - 1] < sent and sender != receiver:
                learnt = list(map(max, known, told))
                learnt[sender - 1] = sent
                self._taught[here].append(position)
                self._clocks[here].extend(learnt)
                latest[here] = tuple(learnt)

    def source(self, place: Place) -> Place | None:
        """The send of a message edge to `place`. None if `place` is not a receive, or cannot happen."""
        process, position = place
        senders = self._senders[process - 1]
        sender = senders[position] if position < len(senders) else 0
        return Place(sender, self._sends[process - 1][position]) if sender else None

    def rank(self, place: Place) -> int:
        """The position of an event in one possible order of all events that can happen. Events that cannot
        happen come last.
        """
        process, position = place
        ranks = self._ranks[process - 1]
        return ranks[position] if position < len(ranks) else self._events

    def _count(self, clocks: "array[int]", process: int, number: int) -> int:
        """The number of events of a process that the clock with this number, from 0, counts."""
        return clocks[number * self._n + process - 1]

    def _known(self, process: int, number: int) -> Clock:
        """The clock after the receive with this number among those that teach the process something."""
        return tuple(self._clocks[process - 1][number * self._n : (number + 1) * self._n])

    @property
    def is_whole(self) -> bool:
        """Whether every event can happen."""
        return all(done == end.position for done, end in zip(self.reached, self.ends, strict=True))

    def clock(self, place: Place) -> Clock:
        """The clock of a process after the event at a place. Position 0 is the start."""
        process, position = place
        latest = bisect_right(self._taught[process - 1], position) - 1
        known = self._known(process, latest)
        return (*known[: process - 1], position, *known[process:])

    def reaches(self, first: Place, second: Place) -> bool:
        """Whether a path leads from the first place to the second, or both are the same. O(log events)."""
        if first.process == second.process:
            return first.position <= second.position
        latest = bisect_right(self._taught[second.process - 1], second.position) - 1
        return self._count(self._clocks[second.process - 1], first.process, latest) >= first.position

    def chain(self, first: Place, second: Place) -> tuple[Place, ...]:
        """The events of a path from the first place to the second, with both ends of each message edge.

        There must be a path. The result enters a process at most once: at the earliest receive of this
        process that the place `first` reaches. O(n log events).
        """
        chain = [second]
        while chain[-1].process != first.process:
            process = chain[-1].process
            taught, clocks = self._taught[process - 1], self._clocks[process - 1]
            count_at = partial(self._count, clocks, first.process)
            by = bisect_left(range(len(taught)), first.position, key=count_at)
            receive = Place(process, taught[by])
            chain += [receive] if receive != chain[-1] else []
            send = self.source(receive)
            assert send is not None  # only receives teach
            chain.append(send)
        chain += [first] if chain[-1] != first else []
        return tuple(reversed(chain))
