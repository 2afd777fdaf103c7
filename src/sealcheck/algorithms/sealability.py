"""Can P be sealed properly?  An exact answer that does not use the paper's criterion.

A *seal* is a program after P such that no receive of P can take a later message. A channel is *open* if P
receives on it, and if P's last receive on it does not causally precede the end of its sender. All other
channels are *closed*. Process k *knows* that an open channel is safe once P's last receive on it causally
precedes k's next event.

A message is *safe* if its channel is closed, or if its sender knows that its channel is safe. A
seal sends only safe messages. By a message, the receiver learns all that the sender knows.

Knowledge never shrinks, so a safe message stays safe. *Saturation* sends every safe message until nobody
learns anything. Then every process knows all that any seal could teach it. P is sealable exactly if the
sender of every open channel then knows that the channel is safe.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from sealcheck.algorithms.signature import Signature, signature
from sealcheck.programs.straight_line import Channel, StraightLine, channels, mt

PRUNED = 400
"""The longest seal from which `without_idle` removes unnecessary transmissions."""

Part = frozenset[int]
"""A set of processes."""

Knowledge = tuple[int, ...]
"""For each process, a mask of the open channels that it knows to be safe. Bit b is the b'th open channel."""


@dataclass(frozen=True)
class Problem:
    """The knowledge that a seal of P has to spread."""

    n: int
    open_channels: tuple[Channel, ...]
    initial: Knowledge

    @classmethod
    def of(cls, first: Signature) -> "Problem":
        """The sealing problem of a program with this signature."""
        open_channels = first.open_channels
        known = [first.receives[channel] for channel in open_channels]
        initial = (sum((mask >> k & 1) << bit for bit, mask in enumerate(known)) for k in range(first.n))
        return cls(first.n, open_channels, tuple(initial))

    @cached_property
    def _facts(self) -> dict[Channel, int]:
        return {channel: 1 << bit for bit, channel in enumerate(self.open_channels)}

    def is_safe(self, channel: Channel, knowledge: Knowledge) -> bool:
        """Whether a message on `channel` is safe if the processes have this knowledge."""
        fact = self.fact(channel)
        return not fact or bool(knowledge[channel.sender - 1] & fact)

    def fact(self, channel: Channel) -> int:
        """The bit that stands for `channel` in a mask; 0 if the channel is not open."""
        return self._facts.get(channel, 0)

    @cached_property
    def needs(self) -> Knowledge:
        """For each process, a mask of the open channels on which it sends. The process must know these
        channels to be safe at the end of the seal.
        """
        needs = [0] * self.n
        for channel in self.open_channels:
            needs[channel.sender - 1] |= self.fact(channel)
        return tuple(needs)

    def unsafe(self, knowledge: Knowledge) -> tuple[Channel, ...]:
        """The open channels that their own senders do not know to be safe."""
        return tuple(channel for channel in self.open_channels if not self.is_safe(channel, knowledge))


def told(knowledge: Knowledge, channel: Channel) -> Knowledge:
    """The knowledge after one message on `channel`: the receiver learns what the sender knows.

    >>> told((0b1, 0b0), Channel(1, 2))
    (1, 1)
    """
    learnt = list(knowledge)
    learnt[channel.receiver - 1] |= knowledge[channel.sender - 1]
    return tuple(learnt)


@dataclass(frozen=True)
class Sealable:
    """A seal exists: send one message on each of these channels, in this order."""

    transmissions: tuple[Channel, ...]

    def seal(self, n: int) -> StraightLine:
        """The seal as a program over n processes."""
        return transmitting(n, self.transmissions)


@dataclass(frozen=True)
class Unsealable:
    """No seal exists: `knowledge` includes what processes know at P's end, and no safe message adds to it.

    `stuck` lists the open channels that their own senders do not know to be safe.
    """

    problem: Problem
    knowledge: Knowledge
    stuck: tuple[Channel, ...]


def transmitting(n: int, transmissions: Iterable[Channel]) -> StraightLine:
    """The program of one transmission on each channel, in order.

    >>> print(transmitting(3, [Channel(1, 2), Channel(2, 3)]))
    mt 1->2; mt 2->3
    """
    return StraightLine.of(n, [event for channel in transmissions for event in mt(*channel)])


def sealability(program: StraightLine) -> Sealable | Unsealable:
    """Whether a balanced straight-line program can be sealed properly.

    Raises DeadlockError if the program deadlocks. O(events * n / wordsize), plus at most n^3 rounds of n^2
    unions of knowledge. Source: sealability (section 4).

    >>> two = StraightLine.of(2, mt(1, 2))
    >>> print(sealability(two).seal(2))
    mt 2->1
    >>> from sealcheck.programs.straight_line import rcv, snd
    >>> x = [snd(1, 2), snd(2, 1), rcv(1, 2), rcv(2, 1)]
    >>> [str(channel) for channel in sealability(StraightLine.of(2, x)).stuck]
    ['1->2', '2->1']
    >>> print(sealability(StraightLine.of(3, x)).seal(3))
    mt 1->3; mt 2->3; mt 3->1; mt 3->2
    """
    return saturate(Problem.of(signature(program)))


def saturate(problem: Problem) -> Sealable | Unsealable:
    """Send safe messages that teach something, until there is a seal or until no message teaches anything.

    At most n^3 rounds over the n^2 channels.

    >>> saturate(Problem.of(signature(StraightLine.of(2, mt(1, 2))))).transmissions
    (Channel(sender=2, receiver=1),)
    """
    knowledge = problem.initial
    lessons: list[tuple[Channel, int]] = []
    learnt_something = True
    while learnt_something and problem.unsafe(knowledge):
        learnt_something = False
        for channel in channels(problem.n):
            news = knowledge[channel.sender - 1] & ~knowledge[channel.receiver - 1]
            if news and problem.is_safe(channel, knowledge):
                lessons.append((channel, news))
                knowledge = told(knowledge, channel)
                learnt_something = True
    if stuck := problem.unsafe(knowledge):
        return Unsealable(problem, knowledge, stuck)
    return Sealable(without_idle(problem, _relevant(problem, lessons)))


def _relevant(problem: Problem, lessons: Sequence[tuple[Channel, int]]) -> list[Channel]:
    """The transmissions that teach something that is needed in the end, found backwards from the last."""
    needed = list(problem.needs)
    kept: list[Channel] = []
    for channel, news in reversed(lessons):
        i, j = channel.sender - 1, channel.receiver - 1
        if used := needed[j] & news:
            kept.append(channel)
            needed[j] &= ~news
            needed[i] |= used | problem.fact(channel)
    return kept[::-1]


def suffices(problem: Problem, transmissions: Iterable[Channel]) -> bool:
    """Whether these transmissions, in this order, are all safe and seal P. O(transmissions + n).

    >>> problem = Problem.of(signature(StraightLine.of(2, mt(1, 2))))
    >>> [suffices(problem, sent) for sent in ([Channel(2, 1)], [], [Channel(1, 2)])]
    [True, False, False]
    """
    knowledge = list(problem.initial)
    for channel in transmissions:
        known, fact = knowledge[channel.sender - 1], problem.fact(channel)
        if fact & ~known:
            return False
        knowledge[channel.receiver - 1] |= known
    return not any(need & ~known for need, known in zip(problem.needs, knowledge, strict=True))


def without_idle(problem: Problem, transmissions: Sequence[Channel]) -> tuple[Channel, ...]:
    """Leave out transmissions, one by one from the last, if the rest still seals P.

    Takes quadratic time. Sequences of more than `PRUNED` transmissions are returned unchanged.

    >>> problem = Problem.of(signature(StraightLine.of(2, mt(1, 2))))
    >>> without_idle(problem, [Channel(2, 1), Channel(1, 2)])
    (Channel(sender=2, receiver=1),)
    """
    kept = list(transmissions)
    for index in reversed(range(len(kept) if len(kept) <= PRUNED else 0)):
        fewer = kept[:index] + kept[index + 1 :]
        if suffices(problem, fewer):
            kept = fewer
    return tuple(kept)


def closed_channel_graph(first: Signature) -> frozenset[Channel]:
    """C_P: the closed channels between different processes, including those that P does not use.

    Source: C_P, in section `sec:rel`, before `th:sealability`.

    >>> sorted(map(str, closed_channel_graph(signature(StraightLine.of(2, mt(1, 2))))))
    ['2->1']
    """
    return frozenset(channels(first.n)) - frozenset(first.open_channels)


def blocks(first: Signature) -> frozenset[Part]:
    """A partition of the processes into blocks. P is sealable exactly if there is only one block.

    Two processes share a block if a channel between them, in either direction, is closed. The blocks of i and
    j also merge if P's last receive on an open channel i->j causally precedes the end of some process in i's
    block. The printed `th:sealability` does not merge blocks; the repaired theorem does.

    >>> from sealcheck.programs.straight_line import rcv, snd
    >>> x = [snd(1, 2), snd(2, 1), rcv(1, 2), rcv(2, 1)]
    >>> [sorted(map(sorted, blocks(signature(StraightLine.of(n, x))))) for n in (2, 3)]
    [[[1], [2]], [[1, 2, 3]]]
    """
    part_of = parts(first.n, closed_channel_graph(first))
    merging = True
    while merging:
        merging = False
        for i, j in first.open_channels:
            informed = first.receives[Channel(i, j)]
            if part_of[i] != part_of[j] and any(informed >> (k - 1) & 1 for k in part_of[i]):
                _join(part_of, i, j)
                merging = True
    return frozenset(part_of.values())


def parts(n: int, edges: Iterable[Channel]) -> dict[int, Part]:
    """The connected component of each process in the undirected version of a graph. O(n^2 + edges).

    >>> parts(3, [Channel(3, 2)])[2] == {2, 3}
    True
    """
    found = {process: frozenset([process]) for process in range(1, n + 1)}
    for i, j in edges:
        if j not in found[i]:
            _join(found, i, j)
    return found


def _join(part_of: dict[int, Part], i: int, j: int) -> None:
    joined = part_of[i] | part_of[j]
    part_of |= dict.fromkeys(joined, joined)


def components(n: int, edges: Iterable[Channel]) -> frozenset[Part]:
    """The connected components of the undirected version of a graph on 1..n. O(n^2 + edges).

    >>> sorted(map(sorted, components(4, [Channel(1, 2), Channel(3, 2)])))
    [[1, 2, 3], [4]]
    """
    return frozenset(parts(n, edges).values())


def is_connected(n: int, edges: Iterable[Channel]) -> bool:
    """Whether the undirected version of a graph on 1..n is connected.

    >>> is_connected(3, [Channel(1, 2), Channel(3, 2)]), is_connected(3, [Channel(1, 2)])
    (True, False)
    """
    return len(components(n, edges)) == 1
