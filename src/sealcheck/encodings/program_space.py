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
from pysmt.shortcuts import FALSE, TRUE, And, Iff, Implies, Not, Or, Symbol

from sealcheck.encodings.order import ConsistentCut, Interleaving, Order, Relation
from sealcheck.encodings.runs import Conditional, Skeleton, SymbolicRun, at_most_one
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
    """That one of the formulas holds and no other."""
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


class Outside:
    """One send outside the interval, on any channel: before it (`E`) or after it (`L`)."""

    def __init__(self, name: str, n: int, *, self_channels: bool = False) -> None:
        self.name, self.processes = name, range(1, n + 1)
        self.self_channels = self_channels

    def at(self, process: int) -> FNode:
        """That `process` is the sender."""
        return Symbol(f"{self.name}@{process}")

    def to(self, process: int) -> FNode:
        """That `process` is the receiver."""
        return Symbol(f"{self.name}>{process}")

    def well_formed(self) -> FNode:
        """That there is one channel, between different processes unless self-channels are on."""
        return And(
            exactly_one([self.at(p) for p in self.processes]),
            exactly_one([self.to(p) for p in self.processes]),
            *(Not(And(self.at(p), self.to(p))) for p in self.processes if not self.self_channels),
        )

    def by(self, program: SymbolicMessages, event: str) -> FNode:
        """That the sender is the process of `event`."""
        return Or(And(self.at(p), program.at(event, p)) for p in self.processes)

    def on_channel_of(self, program: SymbolicMessages, a: int) -> FNode:
        """That the send is on the channel of message a of `program`."""
        return And(
            And(
                Iff(self.at(p), program.at(program.sends[a], p)),
                Iff(self.to(p), program.at(program.receives[a], p)),
            )
            for p in self.processes
        )


def skeleton(
    layers: Sequence[SymbolicMessages], earlier: Sequence[Outside], later: Sequence[Outside]
) -> Skeleton:
    """The events of a run of the layers in sequence, with sends before and after the interval."""
    successions = [succession for layer in layers for succession in layer.successions()]
    for first, second in combinations(layers, 2):
        successions += [
            Conditional(e, f, Or(And(first.at(e, p), second.at(f, p)) for p in first.processes))
            for e in first.events
            for f in second.events
        ]
    for layer in layers:
        for event in layer.events:
            successions += [Conditional(outside.name, event, outside.by(layer, event)) for outside in earlier]
            successions += [Conditional(event, outside.name, outside.by(layer, event)) for outside in later]
    candidates = [
        Conditional(p.receives[a], q.sends[b], TRUE() if (p, a) == (q, b) else same_channel(p, a, q, b))
        for p in layers
        for a in p.messages
        for q in layers
        for b in q.messages
    ] + [
        Conditional(p.receives[a], outside.name, outside.on_channel_of(p, a))
        for p in layers
        for a in p.messages
        for outside in (*earlier, *later)
    ]
    return Skeleton(
        tuple([s for layer in layers for s in layer.sends] + [o.name for o in (*earlier, *later)]),
        tuple(r for layer in layers for r in layer.receives),
        frozenset(outside.name for outside in earlier),
        tuple(successions),
        tuple(candidates),
    )


class Reach:
    """Paths in the program graph of one or more layers, exactly.

    Every edge goes forward in the interleaving that comes with the program, so the graph has
    no cycle and the recursive definition of "there is a path" has one solution.
    """

    def __init__(
        self, name: str, layers: Sequence[SymbolicMessages], successions: Sequence[Conditional]
    ) -> None:
        self._name = name
        self._messages = [
            (s, r) for layer in layers for s, r in zip(layer.sends, layer.receives, strict=True)
        ]
        self._local = {(c.first, c.second): c.condition for c in successions}
        self._events = [event for layer in layers for event in layer.events]

    def path(self, first: str, second: str) -> FNode:
        """That a non-empty path leads from `first` to `second`."""
        return Symbol(f"{self._name}:{first}~>{second}") if first != second else FALSE()

    def path_or_same(self, first: str, second: str) -> FNode:
        """That the events are the same or joined by a path."""
        return TRUE() if first == second else self.path(first, second)

    def definition(self) -> FNode:
        """A path stays in its process, or its last message edge goes from `send` to `receive`."""
        return And(
            Iff(
                self.path(e, f),
                Or(
                    self._local.get((e, f), FALSE()),
                    *(
                        And(
                            self.path_or_same(e, send),
                            TRUE() if receive == f else self._local.get((receive, f), FALSE()),
                        )
                        for send, receive in self._messages
                        if receive != e and send != f
                    ),
                ),
            )
            for e in self._events
            for f in self._events
            if e != f
        )


class SpaceRun:
    """The symbolic run of layered symbolic programs, from a silent cut, with later sends."""

    def __init__(
        self,
        layers: Sequence[SymbolicMessages],
        order: type[Interleaving] | type[Relation] | type[ConsistentCut] = Interleaving,
        *,
        later_sends: int = 1,
    ) -> None:
        """Lay out the events; without acyclicity `order` must be a `Relation` or a `ConsistentCut`."""
        n, self_channels = layers[0].n, layers[0].self_channels
        self.layers = layers
        self.earlier = [Outside("E0", n, self_channels=self_channels)]
        self.later = [Outside(f"L{k}", n, self_channels=self_channels) for k in range(later_sends)]
        parts = skeleton(layers, self.earlier, self.later)
        self.order: Order = order("t", parts.events)
        self.run = SymbolicRun(parts, self.order)

    def well_formed(self) -> list[FNode]:
        """That the layers are programs and the outside sends have channels."""
        return [*(layer.well_formed() for layer in self.layers), *self.outside_well_formed()]

    def outside_well_formed(self) -> list[FNode]:
        """That the outside sends have channels."""
        return [send.well_formed() for send in (*self.earlier, *self.later)]
