"""Find a seal with the fewest messages, and evidence that fewer messages do not suffice.

A *seal* is a program after P such that no receive of P can take a later message. Process k *knows* a channel
to be safe if P's last receive on it happens before k's next event. If P does not use a channel, all processes
know it to be safe. A seal sends only on channels that their senders know to be safe. At its end, the sender
of each channel must know the channel to be safe (`sealcheck.algorithms.sealability`).

We may assume that each message of a seal is received right after it is sent: a later receive would not make
any process know more. So an A* search over states of knowledge finds a shortest sequence of messages. Its
lower bound is the larger of two numbers:

- how many processes do not know all that they must know: each of them must still receive a message;
- how many processes are the only one to know something that another process must know: each of them must
  still send a message.

A message lowers each number by at most one, so the bound is consistent.

The module also finds the programs of n processes that are hardest to seal. The *profile* of P gives, for each
channel on which P receives, the processes whose end is reached by P's last receive on it. The profile decides
whether P can be sealed, and by how many messages. For each n, there are finitely many profiles, so a bound
for all profiles holds for programs of every length.

A sealable profile has n - 1 *bridges* that join all processes (`sealcheck.algorithms.seal_construction`).
Suppose that we keep only these bridges: apart from them, a channel is known to be safe only by its receiver.
The resulting profile is still sealable. It needs at least as many messages as the given profile, because more
knowledge only helps. So the search goes only through the few profiles of this form.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from heapq import heappop, heappush
from itertools import permutations
from operator import or_

from sealcheck.algorithms.sealability import Knowledge, Problem, Sealable, Unsealable, saturate, told
from sealcheck.algorithms.signature import Signature
from sealcheck.errors import LimitReached
from sealcheck.programs.straight_line import Channel, StraightLine, channels, mt, rcv, snd

STATES = 300_000
ENTRIES = 20_000_000
"""A search keeps at most `STATES` states of knowledge, with at most `ENTRIES` integers.
"""


@dataclass(frozen=True)
class Minimum(Sealable):
    """A seal of the fewest messages.

    `states` has the states of knowledge at which the lower bound alone does not exclude a shorter seal, each
    with the number of messages sent before it. In these states, the search has tried every safe message.
    """

    states: tuple[tuple[int, Knowledge], ...]

    @property
    def excluded(self) -> int:
        """The number of states in `states`."""
        return len(self.states)

    @property
    def reason(self) -> str:
        """Why fewer messages are not enough, in a sentence."""
        messages = len(self.transmissions)
        if not messages:
            return "no channel is open, so nothing needs to be sent"
        if not self.excluded and messages == 1:
            return "1 process must receive a message to learn that an open channel is safe"
        if not self.excluded:
            return (
                f"{messages} processes must each receive a message to learn that an open channel is safe,"
                f" or {messages} processes must each send what they alone know"
            )
        them = "it" if self.excluded == 1 else "them"
        return (
            f"only {self.excluded} of the reachable states of knowledge could lead to a seal with fewer than"
            f" {messages} messages; every safe message from {them} was tried, without success"
        )


def minimum_seal(problem: Problem, *, states: int | None = None) -> Minimum:
    """A seal with as few messages as possible; `problem` must be sealable.

    Exponential in n in the worst case. Raises LimitReached if the search keeps more than `states` states; the
    default takes a few hundred megabytes.

    >>> from sealcheck.algorithms.signature import signature
    >>> from sealcheck.programs.straight_line import StraightLine, mt
    >>> pair = StraightLine.of(3, mt(1, 2) + mt(1, 3))
    >>> found = minimum_seal(Problem.of(signature(pair)))
    >>> [str(channel) for channel in found.transmissions], found.excluded
    (['2->3', '3->1'], 0)
    """
    if states is None:
        states = min(STATES, ENTRIES // problem.n)
    start = problem.initial
    cheapest: dict[Knowledge, int] = {start: 0}
    came_from: dict[Knowledge, tuple[Knowledge, Channel]] = {}
    frontier = [(_at_least(problem, start), 0, start)]
    expanded: list[tuple[int, int, Knowledge]] = []
    while frontier:
        estimate, negative_sent, knowledge = heappop(frontier)
        sent = -negative_sent
        if sent > cheapest[knowledge]:
            continue
        if not problem.unsafe(knowledge):
            extended = tuple((before, state) for bound, before, state in expanded if bound < sent)
            return Minimum(_path(came_from, knowledge), extended)
        expanded.append((estimate, sent, knowledge))
        if len(cheapest) > states:
            raise LimitReached(f"no minimum seal was found among the first {states} states of knowledge")
        for channel in channels(problem.n):
            if not problem.is_safe(channel, knowledge):
                continue
            learnt = told(knowledge, channel)
            if learnt not in cheapest or sent + 1 < cheapest[learnt]:
                cheapest[learnt] = sent + 1
                came_from[learnt] = knowledge, channel
                heappush(frontier, (sent + 1 + _at_least(problem, learnt), -sent - 1, learnt))
    raise ValueError("the program is not sealable")


def minimum_or_unsealable(problem: Problem, *, states: int | None = None) -> Minimum | Unsealable:
    """The minimum seal of a problem, or why there is no seal. Raises LimitReached as `minimum_seal` does.

    >>> from sealcheck.algorithms.signature import signature
    >>> from sealcheck.programs.straight_line import StraightLine, mt, rcv, snd
    >>> crossing = [snd(1, 2), snd(2, 1), rcv(1, 2), rcv(2, 1)]
    >>> for events in (mt(1, 2), crossing):
    ...     print(type(minimum_or_unsealable(Problem.of(signature(StraightLine.of(2, events))))).__name__)
    Minimum
    Unsealable
    """
    found = saturate(problem)
    return minimum_seal(problem, states=states) if isinstance(found, Sealable) else found


def _at_least(problem: Problem, knowledge: Knowledge) -> int:
    """A lower bound on the messages still needed."""
    lacking = [need & ~known for need, known in zip(problem.needs, knowledge, strict=True)]
    missing = reduce(or_, lacking, 0)
    once, twice = 0, 0
    for known in knowledge:
        twice |= once & known
        once |= known
    alone = once & ~twice & missing
    return max(sum(map(bool, lacking)), sum(bool(known & alone) for known in knowledge))


def _path(came_from: dict[Knowledge, tuple[Knowledge, Channel]], knowledge: Knowledge) -> tuple[Channel, ...]:
    path: list[Channel] = []
    while knowledge in came_from:
        knowledge, channel = came_from[knowledge]
        path.append(channel)
    return tuple(reversed(path))


Masks = Mapping[Channel, int]
"""For each channel that is received on, a mask of processes (bit k - 1 for process k)."""

Bridge = tuple[int, int, int]
"""(i, j, k): the last receive on i->j reaches the end of k, and k is not j."""


def as_signature(n: int, profile: Masks) -> Signature:
    """A signature with this profile, sufficient to find seals. `sends` and `ends` are empty.

    >>> as_signature(2, {Channel(1, 2): 0b10}).open_channels
    (Channel(sender=1, receiver=2),)
    """
    return Signature(n, dict(profile), {}, ())


def hardest_profiles(n: int) -> Iterator[Masks]:
    """All sealable profiles with only n - 1 bridges (see the module's text), up to renaming processes.

    >>> len(list(hardest_profiles(4)))
    35
    """
    bridges = [(i, j, k) for i, j in channels(n) for k in range(1, n + 1) if k != j]
    renamings = list(permutations(range(1, n + 1)))
    sets: set[tuple[Bridge, ...]] = {()}
    for _ in range(n - 1):
        larger = {(*chosen, bridge) for chosen in sets for bridge in bridges if bridge not in chosen}
        sets = {
            min(tuple(sorted((r[i - 1], r[j - 1], r[k - 1]) for i, j, k in chosen)) for r in renamings)
            for chosen in larger
        }
    for chosen in sorted(sets):
        profile = {channel: 1 << (channel.receiver - 1) for channel in channels(n)}
        for i, j, k in chosen:
            profile[Channel(i, j)] |= 1 << (k - 1)
        if isinstance(saturate(Problem.of(as_signature(n, profile))), Sealable):
            yield profile


def worst_case(n: int) -> int:
    """An upper bound on the messages of a minimum seal, over all sealable programs of n processes.

    The bound is exact if `hardest_program` needs as many messages. Exponential in n: n = 4 takes a tenth of a
    second.

    >>> worst_case(2), worst_case(3)
    (1, 4)
    """
    problems = (Problem.of(as_signature(n, profile)) for profile in hardest_profiles(n))
    return max((len(minimum_seal(problem).transmissions) for problem in problems), default=0)


def hardest_program(n: int) -> StraightLine:
    """A sealable program of n processes with the longest shortest seal: 3n - 5 messages, for n >= 2.

    First, process 1 sends to all others, and they receive. Then all other processes send to all processes,
    and only after that do the processes receive. So the channels from process 1 are closed. On any other
    channel, only the receiver knows that the last receive is over.

    >>> print(hardest_program(2))
    mt 1->2; mt 2->1
    """
    others = range(2, n + 1)
    first = [event for i in others for event in mt(1, i)]
    crossing = [(i, j) for i in others for j in range(1, n + 1) if i != j]
    return StraightLine.of(n, [*first, *(snd(i, j) for i, j in crossing), *(rcv(j, i) for i, j in crossing)])
