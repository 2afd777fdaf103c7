"""What happens before what in every run of a program, by vector clocks.

The program graph joins successive events of a process, and the k'th send with the k'th receive of a channel.
One pass over the events carries, for every process, how many events of each process reach its present.
A receive that teaches something is kept, with the clock after it, so that causal chains can be read
off afterwards.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict, deque
from functools import cached_property

from sealcheck.programs.events import Channel
from sealcheck.programs.runs import Place
from sealcheck.programs.straight_line import StraightLine

Clock = tuple[int, ...]
"""For each process, how many of its events are in the past."""


class Causality:
    """The program graph's paths.  Raises DeadlockError where the program deadlocks.  O(events * n).

    A send without a receive of the same number has no edge.

    >>> from sealcheck.programs.events import mt
    >>> there_and_back = Causality(StraightLine.of(2, mt(1, 2) + mt(2, 1)))
    >>> there_and_back.clock(Place(1, 2))
    (2, 2)
    >>> there_and_back.chain(Place(2, 1), Place(1, 2))
    (Place(process=2, position=1), Place(process=2, position=2), Place(process=1, position=2))
    """

    def __init__(self, program: StraightLine) -> None:
        n = program.n
        self.program = program
        self.source: dict[Place, Place] = {}
        """For each receive, the send of the same number on its channel."""
        self.rank: dict[Place, int] = {}
        """Where each event stands in an order in which all can happen."""
        self._taught: list[list[int]] = [[0] for _ in range(n)]  # positions of receives that teach something
        self._clocks: list[list[Clock]] = [[(0,) * n] for _ in range(n)]  # right after these
        self._fill()

    def _fill(self) -> None:
        at = [0] * self.program.n
        in_transit: defaultdict[Channel, deque[tuple[Place, Clock]]] = defaultdict(deque)
        for event in self.program.linearization:
            process, channel = event.process, event.channel
            at[process - 1] += 1
            place = Place(process, at[process - 1])
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

    @cached_property
    def ends(self) -> tuple[Place, ...]:
        """The last event of each process; position 0 where it has none."""
        return tuple(Place(process, len(share)) for process, share in enumerate(self.program.shares, 1))

    def clock(self, place: Place) -> Clock:
        """How many events of each process reach the place, itself among them; position 0 is the start."""
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

        There must be one.  It goes through each process once at most: each time to the receive by
        which a process first learnt of the first place.  O(n log events).
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
        if chain[-1] != first:
            chain.append(first)
        return tuple(reversed(chain))
