"""The program itself as a variable: one formula for the whole space (n, m).

A balanced deadlock-free straight-line program with m messages can be executed with each
receive taking the oldest message of its channel.  So it is described by m messages, each with
a sender, a receiver, a send event and the receive event of the same number on its channel,
and by an interleaving of the 2m events; process order is what the interleaving says of events
of one process.  Messages are numbered in the order of their sends, or channel by channel; neither
leaves any freedom in naming them, and every program of the space has at least one such description.
`encodings.traces` describes it just once, by the order of the events of each process.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from pysmt.fnode import FNode
from pysmt.shortcuts import And, Iff, Implies, Not, Or, Symbol

from sealcheck.encodings.order import Interleaving
from sealcheck.encodings.runs import Conditional, at_most_one
from sealcheck.encodings.solving import Answer
from sealcheck.programs.events import Event, rcv, snd
from sealcheck.programs.straight_line import StraightLine


class SymbolicMessages(ABC):
    """The m messages of a program, each a send and a receive, as Boolean variables prefixed by `name`.

    How their events are ordered in each process is for the descriptions of a program to say.
    """

    def __init__(self, name: str, n: int, m: int, *, self_channels: bool, by_channel: bool) -> None:
        self.name, self.n, self.m = name, n, m
        self.self_channels, self.by_channel = self_channels, by_channel
        self.processes = range(1, n + 1)
        self.messages = range(m)
        self.sends = [f"{name}s{a}" for a in self.messages]
        self.receives = [f"{name}r{a}" for a in self.messages]
        self.events = [event for pair in zip(self.sends, self.receives, strict=True) for event in pair]

    @abstractmethod
    def well_formed(self) -> FNode:
        """That the variables describe a program, without self-channels unless they are on."""

    @abstractmethod
    def successions(self) -> list[Conditional]:
        """Every pair of different events, if in one process and in that order."""

    @abstractmethod
    def decoded(self, answer: Answer) -> StraightLine:
        """The program that a model describes."""

    def at(self, event: str, process: int) -> FNode:
        """That `event` belongs to `process`."""
        return Symbol(f"{event}@{process}")

    def same_process(self, first: str, second: str) -> FNode:
        """That two events belong to the same process."""
        first, second = sorted((first, second))
        return Or(And(self.at(first, p), self.at(second, p)) for p in self.processes)

    def on_channels(self) -> FNode:
        """That each message has a channel, without self-channels unless they are on."""
        one_process = [exactly_one([self.at(event, p) for p in self.processes]) for event in self.events]
        no_self_channel = [
            Not(And(self.at(s, p), self.at(r, p)))
            for s, r in zip(self.sends, self.receives, strict=True)
            for p in self.processes
            if not self.self_channels
        ]
        return And(*one_process, *no_self_channel)

    def channels_ascend(self) -> Iterator[FNode]:
        """Messages are numbered by sender, and those of one sender by receiver."""
        for a, b in pairwise(self.messages):
            for smaller, larger in combinations(self.processes, 2):
                yield Not(And(self.at(self.sends[a], larger), self.at(self.sends[b], smaller)))
                receivers = And(self.at(self.receives[a], larger), self.at(self.receives[b], smaller))
                yield Implies(self.same_process(self.sends[a], self.sends[b]), Not(receivers))

    def channel_splits(self) -> list[tuple[FNode, ...]]:
        """For each message, that it is on this channel or that: one of them holds."""
        pairs = [(i, j) for i in self.processes for j in self.processes if self.self_channels or i != j]
        return [
            tuple(And(self.at(s, i), self.at(r, j)) for i, j in pairs)
            for s, r in zip(self.sends, self.receives, strict=True)
        ]

    def event(self, answer: Answer, event: str) -> Event:
        """What the event of that name is in a model."""
        a = int(event[len(self.name) + 1 :])
        sender, receiver = (
            next(p for p in self.processes if answer.value(self.at(end, p)))
            for end in (self.sends[a], self.receives[a])
        )
        return snd(sender, receiver) if event in self.sends else rcv(receiver, sender)


class SymbolicProgram(SymbolicMessages):
    """A program of the space (n, m), described by a FIFO interleaving.

    Numbering messages `by_channel` describes a program less often, numbering them in the order of
    their sends says more of the interleaving.  Which of the two a solver likes better differs from
    question to question, by up to a factor of ten.
    """

    def __init__(
        self, name: str, n: int, m: int, *, self_channels: bool = False, by_channel: bool = False
    ) -> None:
        super().__init__(name, n, m, self_channels=self_channels, by_channel=by_channel)
        self.order = Interleaving(f"{name}:w", self.events)

    def well_formed(self) -> FNode:
        """That the variables describe a program, without self-channels unless they are on."""
        sent_first = [self.order.before(s, r) for s, r in zip(self.sends, self.receives, strict=True)]
        return And(
            self.on_channels(),
            *sent_first,
            *(self.channels_ascend() if self.by_channel else self._sends_ascend()),
            *self._oldest_first(),
            self.order.axioms(acyclic=True),
        )

    def _sends_ascend(self) -> Iterator[FNode]:
        """Messages are numbered in the order of their sends."""
        return (self.order.before(s, t) for s, t in pairwise(self.sends))

    def _oldest_first(self) -> Iterator[FNode]:
        """On each channel messages are sent, and received, in the order of their numbers."""
        ends = (self.sends, self.receives) if self.by_channel else (self.receives,)
        for a, b in combinations(self.messages, 2):
            in_order = And(self.order.before(events[a], events[b]) for events in ends)
            yield Implies(same_channel(self, a, self, b), in_order)

    def successions(self) -> list[Conditional]:
        """Every pair of different events, if in one process and in that order."""
        return [
            Conditional(e, f, And(self.same_process(e, f), self.order.before(e, f)))
            for e in self.events
            for f in self.events
            if e != f
        ]

    def decoded(self, answer: Answer) -> StraightLine:
        """The program that a model describes."""
        return StraightLine.of(self.n, [self.event(answer, e) for e in self.order.listed(answer.value)])


def exactly_one(formulas: Sequence[FNode]) -> FNode:
    """That one of the formulas holds and no other.

    >>> from pysmt.shortcuts import Symbol
    >>> print(exactly_one([Symbol("a"), Symbol("b")]).serialize())
    ((a | b) & (! (a & b)))
    """
    return And(Or(formulas), at_most_one(formulas))


def same_channel(p: SymbolicMessages, a: int, q: SymbolicMessages, b: int) -> FNode:
    """That message a of p and message b of q use the same channel."""
    if p is q and a > b:
        a, b = b, a  # one formula for both
    return And(
        Iff(p.at(x, k), q.at(y, k))
        for x, y in ((p.sends[a], q.sends[b]), (p.receives[a], q.receives[b]))
        for k in p.processes
    )


def processes_by_first_use(programs: Sequence[SymbolicMessages]) -> FNode:
    """Symmetry breaking: processes are numbered in the order in which messages first name them.

    Messages are taken in order, the sender before the receiver.  Sound for a statement that does
    not depend on the names of processes: any program can be renamed to satisfy this.  Where messages
    are numbered by channel, take a renaming for which the lists of channels, in order, are the
    least; were a process named in them while a smaller one is not yet, swapping the two would make
    them smaller.
    """
    constraints = []
    named: list[tuple[SymbolicMessages, str]] = []
    for program in programs:
        for event in program.events:
            for process in range(2, program.n + 1):
                used_before = Or(q.at(other, process - 1) for q, other in named)
                constraints.append(Implies(program.at(event, process), used_before))
            named.append((program, event))
    return And(constraints)
