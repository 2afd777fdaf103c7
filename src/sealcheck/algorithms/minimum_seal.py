"""A seal with the fewest messages, and why fewer do not do.

Any seal can be reordered so that every message is received right after it is sent: that only
brings knowledge earlier, and knowledge never makes a send unsafe.  So it is enough to look at
sequences of transmissions, and of those only at the knowledge they lead to.  A* search over
knowledge states finds a shortest sequence; each process that lacks something it must know has
yet to receive a message, which bounds the distance from below (an admissible, consistent
heuristic, for a message changes the knowledge of one process only).
"""

from dataclasses import dataclass
from heapq import heappop, heappush

from sealcheck.algorithms.sealability import Knowledge, Problem, Sealable, Unsealable, saturate, told
from sealcheck.errors import LimitReached
from sealcheck.programs.events import Channel, channels

STATES = 300_000
"""Knowledge states looked at before the search gives up."""


@dataclass(frozen=True)
class Minimum(Sealable):
    """A seal of the fewest messages.

    `excluded` is the number of knowledge states that were reached and left behind because
    they can still be completed with fewer messages as far as the lower bound can tell, and
    were all extended in every way without success.
    """

    excluded: int

    @property
    def reason(self) -> str:
        """Why fewer messages do not do, in a sentence."""
        messages = len(self.transmissions)
        if not messages:
            return "no channel is open: nothing needs to be sent"
        if not self.excluded:
            return f"{messages} processes must each receive a message, to learn that an open channel is safe"
        return (
            f"with {messages - 1} messages or fewer, all {self.excluded} reachable states of knowledge "
            "from which that many could suffice were extended in every way, and none seals"
        )


def minimum_seal(problem: Problem, *, states: int = STATES) -> Minimum:
    """A seal with as few messages as possible; `problem` must be sealable.

    Exponential in n at worst.  Raises LimitReached after looking at `states` states.

    >>> from sealcheck.algorithms.signature import signature
    >>> from sealcheck.programs.events import mt
    >>> from sealcheck.programs.straight_line import StraightLine
    >>> pair = StraightLine.of(3, mt(1, 2) + mt(1, 3))
    >>> found = minimum_seal(Problem.of(signature(pair)))
    >>> [str(channel) for channel in found.transmissions], found.excluded
    (['2->1', '3->1'], 0)
    """
    needs = _needs(problem)
    start = problem.initial
    cheapest: dict[Knowledge, int] = {start: 0}
    came_from: dict[Knowledge, tuple[Knowledge, Channel]] = {}
    frontier = [(_lacking(start, needs), 0, start)]
    expanded: list[int] = []
    while frontier:
        estimate, negative_sent, knowledge = heappop(frontier)
        sent = -negative_sent
        if sent > cheapest[knowledge]:
            continue
        if not problem.unsafe(knowledge):
            excluded = sum(bound < sent for bound in expanded)
            return Minimum(_path(came_from, knowledge), excluded)
        expanded.append(estimate)
        if len(cheapest) > states:
            raise LimitReached(f"the minimum seal was not found among the first {states} states of knowledge")
        for channel in channels(problem.n):
            if not problem.is_safe(channel, knowledge):
                continue
            learnt = told(knowledge, channel)
            if sent + 1 < cheapest.get(learnt, states):
                cheapest[learnt] = sent + 1
                came_from[learnt] = knowledge, channel
                heappush(frontier, (sent + 1 + _lacking(learnt, needs), -sent - 1, learnt))
    raise ValueError("the program is not sealable")


def minimum_or_unsealable(problem: Problem, *, states: int = STATES) -> Minimum | Unsealable:
    """The minimum seal of a sealable problem, or why there is none."""
    found = saturate(problem)
    return minimum_seal(problem, states=states) if isinstance(found, Sealable) else found


def _needs(problem: Problem) -> Knowledge:
    needs = [0] * problem.n
    for bit, channel in enumerate(problem.open_channels):
        needs[channel.sender - 1] |= 1 << bit
    return tuple(needs)


def _lacking(knowledge: Knowledge, needs: Knowledge) -> int:
    return sum(1 for known, need in zip(knowledge, needs, strict=True) if need & ~known)


def _path(came_from: dict[Knowledge, tuple[Knowledge, Channel]], knowledge: Knowledge) -> tuple[Channel, ...]:
    path: list[Channel] = []
    while knowledge in came_from:
        knowledge, channel = came_from[knowledge]
        path.append(channel)
    return tuple(reversed(path))
