"""Formulas about all programs of a size at once: the space (n, m), of n processes and m messages.

The space consists of balanced deadlock-free straight-line programs. Each of these programs has an execution
in which each receive takes the oldest message of its channel. So a program is described by its m messages and
an interleaving of their 2m events.  Messages are numbered in the order of their sends, or channel by channel.
Every program has at least one description.

The formulas describe paths in the program graph, signatures, and runs of programs in sequence. The
*signature* of a program says between which of these events paths lead: the first send and the last receive
on each channel, the start and the end of each process. The signature decides which programs seal the program.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, permutations, product

from sealcheck.encodings.formulas import FALSE, TRUE, And, Formula, Iff, Implies, Not, Or, Symbol
from sealcheck.encodings.runs import Conditional, Skeleton, SymbolicRun, at_most_one
from sealcheck.encodings.solving import Answer, ConsistentCut, Interleaving, Order, Relation
from sealcheck.programs.straight_line import Event, StraightLine, rcv, snd


class SymbolicMessages(ABC):
    """The m messages of a program, each a send and a receive, as Boolean variables prefixed by `name`.

    Subclasses describe the order of the sends and receives in each process. If `self_channels` is set, a
    process may send to itself.
    """

    def __init__(self, name: str, n: int, m: int, *, self_channels: bool, by_channel: bool) -> None:
        self.name, self.n, self.m = name, n, m
        self.self_channels, self.by_channel = self_channels, by_channel
        self.processes = range(1, n + 1)
        self.messages = range(m)
        self._at: dict[tuple[str, int], Formula] = {}  # asked for thousands of times
        self.sends = [f"{name}s{a}" for a in self.messages]
        self.receives = [f"{name}r{a}" for a in self.messages]
        self.events = [event for pair in zip(self.sends, self.receives, strict=True) for event in pair]

    @abstractmethod
    def well_formed(self) -> Formula:
        """The condition that the variables describe a program."""

    @abstractmethod
    def successions(self) -> list[Conditional]:
        """For each pair of events, the condition that one process has the first event before the second."""

    @abstractmethod
    def decoded(self, answer: Answer) -> StraightLine:
        """The program that a model describes."""

    def at(self, event: str, process: int) -> Formula:
        """The condition that `event` belongs to `process`."""
        found = self._at.get((event, process))
        if found is None:
            found = self._at[event, process] = Symbol(f"{event}@{process}")
        return found

    def same_process(self, first: str, second: str) -> Formula:
        """The condition that two events belong to the same process."""
        first, second = sorted((first, second))
        return Or(And(self.at(first, p), self.at(second, p)) for p in self.processes)

    def on_channels(self) -> Formula:
        """The condition that each message has a channel."""
        one_process = [exactly_one([self.at(event, p) for p in self.processes]) for event in self.events]
        no_self_channel = [
            Not(And(self.at(s, p), self.at(r, p)))
            for s, r in zip(self.sends, self.receives, strict=True)
            for p in self.processes
            if not self.self_channels
        ]
        return And(*one_process, *no_self_channel, *(self._runs_of_messages() if self.by_channel else ()))

    def _runs_of_messages(self) -> Iterator[Formula]:
        """Define `same_channel`, and require that the messages of each channel have consecutive numbers."""
        for a, b in combinations(self.messages, 2):
            is_so = equal_channels(self, a, self, b)
            if b > a + 1:
                is_so = And(same_channel(self, a, self, b - 1), same_channel(self, b - 1, self, b))
            yield Iff(same_channel(self, a, self, b), is_so)

    def channels_ascend(self) -> Iterator[Formula]:
        """The conditions that messages are numbered by sender, and the messages of one sender by receiver."""
        for a, b in pairwise(self.messages):
            for smaller, larger in combinations(self.processes, 2):
                yield Not(And(self.at(self.sends[a], larger), self.at(self.sends[b], smaller)))
                receivers = And(self.at(self.receives[a], larger), self.at(self.receives[b], smaller))
                yield Implies(self.same_process(self.sends[a], self.sends[b]), Not(receivers))

    def channel_splits(self) -> list[tuple[Formula, ...]]:
        """For each message and channel, the condition that the message is on the channel."""
        pairs = [(i, j) for i in self.processes for j in self.processes if self.self_channels or i != j]
        return [
            tuple(And(self.at(s, i), self.at(r, j)) for i, j in pairs)
            for s, r in zip(self.sends, self.receives, strict=True)
        ]

    def event(self, answer: Answer, event: str) -> Event:
        """The event of that name in a model."""
        a = int(event[len(self.name) + 1 :])
        sender, receiver = (
            next(p for p in self.processes if answer.value(self.at(end, p)))
            for end in (self.sends[a], self.receives[a])
        )
        return snd(sender, receiver) if event in self.sends else rcv(receiver, sender)


class SymbolicProgram(SymbolicMessages):
    """A program of the space (n, m), described by a FIFO interleaving.

    If messages are numbered `by_channel`, a program has fewer descriptions. Solvers are up to ten times
    faster with this numbering for some questions, and without it for others.
    """

    def __init__(
        self, name: str, n: int, m: int, *, self_channels: bool = False, by_channel: bool = False
    ) -> None:
        super().__init__(name, n, m, self_channels=self_channels, by_channel=by_channel)
        self.order = Interleaving(f"{name}:w", self.events)

    def well_formed(self) -> Formula:
        """The condition that the variables describe a program."""
        sent_first = [self.order.before(s, r) for s, r in zip(self.sends, self.receives, strict=True)]
        sends_ascend = (self.order.before(s, t) for s, t in pairwise(self.sends))
        return And(
            self.on_channels(),
            *sent_first,
            *(self.channels_ascend() if self.by_channel else sends_ascend),
            *self._oldest_first(),
            self.order.axioms(acyclic=True),
        )

    def _oldest_first(self) -> Iterator[Formula]:
        ends = (self.sends, self.receives) if self.by_channel else (self.receives,)
        for a, b in combinations(self.messages, 2):
            in_order = And(self.order.before(events[a], events[b]) for events in ends)
            yield Implies(same_channel(self, a, self, b), in_order)

    def successions(self) -> list[Conditional]:
        """For each pair of events, the condition that one process has the first event before the second."""
        return [
            Conditional(e, f, And(self.same_process(e, f), self.order.before(e, f)))
            for e, f in permutations(self.events, 2)
        ]

    def decoded(self, answer: Answer) -> StraightLine:
        """The program that a model describes."""
        return StraightLine.of(self.n, [self.event(answer, e) for e in self.order.listed(answer.value)])


def exactly_one(formulas: Sequence[Formula]) -> Formula:
    """The condition that exactly one of the formulas holds.

    >>> from sealcheck.encodings.formulas import Symbol
    >>> print(exactly_one([Symbol("a"), Symbol("b")]).serialize())
    ((a | b) & (! (a & b)))
    """
    return And(Or(formulas), at_most_one(formulas))


def same_channel(p: SymbolicMessages, a: int, q: SymbolicMessages, b: int) -> Formula:
    """The condition that message a of p and message b of q use the same channel."""
    if p is q and a > b:
        a, b = b, a  # one formula for both
    return Symbol(f"{p.name}:{a}={b}") if p is q and p.by_channel else equal_channels(p, a, q, b)


def equal_channels(p: SymbolicMessages, a: int, q: SymbolicMessages, b: int) -> Formula:
    """The condition that the two messages have the same sender and the same receiver."""
    return And(
        Implies(p.at(x, k), q.at(y, k))
        for x, y in ((p.sends[a], q.sends[b]), (p.receives[a], q.receives[b]))
        for k in p.processes
    )


def processes_by_first_use(programs: Sequence[SymbolicMessages]) -> Formula:
    """Symmetry breaking: processes are numbered in the order in which messages first name them.

    In a message, the sender comes before the receiver. If a statement does not depend on the names of
    processes, this condition loses nothing, because any program can be renamed to satisfy it. If messages are
    numbered by channel, choose the renaming whose sorted list of channels is smallest in lexicographic order.
    If process k appeared in this list before some process j < k, swapping j and k would give a smaller list.
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


class LayerPaths:
    """The paths in the program graph of one or more layers.

    If an interleaving describes the program, every edge goes forward in it. So the graph has no cycle, and
    the recursive definition of "there is a path" has exactly one solution. Source: program graphs, in section
    `sec:rel`.
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

    def path(self, first: str, second: str) -> Formula:
        """The condition that a non-empty path leads from `first` to `second`."""
        return Symbol(f"{self._name}:{first}~>{second}") if first != second else FALSE()

    def path_or_same(self, first: str, second: str) -> Formula:
        """The condition that the events are the same, or that a path leads from `first` to `second`."""
        return TRUE() if first == second else self.path(first, second)

    def definition(self) -> Formula:
        """Define `path`: a path stays in a process, or has a last message edge (from send to receive)."""
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
            for e, f in permutations(self._events, 2)
        )


class SendOutside:
    """A send on any channel, before the interval (`E`) or after it (`L`)."""

    def __init__(self, name: str, n: int, *, self_channels: bool = False) -> None:
        self.name, self.processes = name, range(1, n + 1)
        self.self_channels = self_channels

    def at(self, process: int) -> Formula:
        """The condition that `process` is the sender."""
        return Symbol(f"{self.name}@{process}")

    def to(self, process: int) -> Formula:
        """The condition that `process` is the receiver."""
        return Symbol(f"{self.name}>{process}")

    def well_formed(self) -> Formula:
        """The condition that the send has one channel."""
        return And(
            exactly_one([self.at(p) for p in self.processes]),
            exactly_one([self.to(p) for p in self.processes]),
            *(Not(And(self.at(p), self.to(p))) for p in self.processes if not self.self_channels),
        )

    def by(self, program: SymbolicMessages, event: str) -> Formula:
        """The condition that the sender is the process of `event`."""
        return Or(And(self.at(p), program.at(event, p)) for p in self.processes)

    def on_channel_of(self, program: SymbolicMessages, a: int) -> Formula:
        """The condition that the send is on the channel of message a of `program`."""
        return And(
            And(
                Implies(self.at(p), program.at(program.sends[a], p)),
                Implies(self.to(p), program.at(program.receives[a], p)),
            )
            for p in self.processes
        )


def skeleton(
    layers: Sequence[SymbolicMessages], earlier: Sequence[SendOutside], later: Sequence[SendOutside]
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
    messages = [(layer, a) for layer in layers for a in layer.messages]
    candidates = [
        Conditional(p.receives[a], q.sends[b], TRUE() if (p, a) == (q, b) else same_channel(p, a, q, b))
        for (p, a), (q, b) in product(messages, repeat=2)
    ] + [
        Conditional(p.receives[a], outside.name, outside.on_channel_of(p, a))
        for (p, a), outside in product(messages, (*earlier, *later))
    ]
    return Skeleton(
        (*(p.sends[a] for p, a in messages), *(outside.name for outside in (*earlier, *later))),
        tuple(p.receives[a] for p, a in messages),
        frozenset(outside.name for outside in earlier),
        tuple(successions),
        tuple(candidates),
    )


class SpaceRun:
    """The symbolic run of symbolic programs as layers. It starts at a silent cut, and later sends may follow.

    Source: the definition of runs, in section 2.2.
    """

    def __init__(
        self,
        layers: Sequence[SymbolicMessages],
        order: type[Interleaving] | type[Relation] | type[ConsistentCut] = Interleaving,
        *,
        later_sends: int = 1,
    ) -> None:
        """Lay out the events. If cycles are allowed, `order` must be a `Relation` or a `ConsistentCut`."""
        n, self_channels = layers[0].n, layers[0].self_channels
        self.layers = layers
        self.earlier = [SendOutside("E0", n, self_channels=self_channels)]
        self.later = [SendOutside(f"L{k}", n, self_channels=self_channels) for k in range(later_sends)]
        parts = skeleton(layers, self.earlier, self.later)
        self.order: Order = order("t", parts.events)
        self.run = SymbolicRun(parts, self.order)

    def well_formed(self) -> list[Formula]:
        """The condition that the layers are programs and the outside sends have channels."""
        return [*(layer.well_formed() for layer in self.layers), *self.outside_well_formed()]

    def outside_well_formed(self) -> list[Formula]:
        """The condition that the outside sends have channels."""
        return [send.well_formed() for send in (*self.earlier, *self.later)]


def in_order_of_sending(space: SpaceRun) -> Formula:
    """The condition that, on each channel, the receives of a layer take messages in the order of sending.

    **Why this loses nothing.** Swaps of messages turn any run into a run that meets this condition. Let a and
    b be receives of one layer on one channel, with a before b. The receives a and b are *crossed* if b takes
    an older message than a. Swap the messages of crossed receives:

    1. The send of the older message happens before the send of the newer message, which happens before a,
    which happens before b. So for both new pairs of send and receive, the send already happened before the
    receive in the old run.
    2. So happens-before in the new run is contained in happens-before in the old run. Unrelated events stay
    unrelated, and no cycle arises. If a set of events contains all causes of its events (`ConsistentCut`) in
    the old run, it does so in the new run.
    3. The set of messages that the layer's receives take stays the same. So with 2, every axiom still holds.
    4. Each swap reduces the number of crossed pairs. So in the end, no pair is crossed.

    So a search may use the condition if it looks for events that are not causally related, or for a layer
    that takes messages that are not its own. The condition does not compare receives of different layers. If
    P and Q take messages of each other, swapping these messages would remove the interference.

    **The formula.** Take two receives of one layer on one channel, and number the sends in their order. For
    each k: if the later receive takes one of the first k messages, the earlier receive also takes one of the
    first k messages, or no message. For each receive and k, a variable says that the receive takes one of the
    first k messages. With these variables, a solver can show by induction on k that no matching is possible.
    With conditions on crossed pairs, a solver would need far more steps.

    All sends before the interval have the same number, because they are not ordered. So do all sends after
    the interval. If messages are numbered by channel, a receive is compared only with the next receive. This
    is enough if all receives take a message.
    """
    sends = [[outside.name for outside in space.earlier]]
    sends += [[send] for layer in space.layers for send in layer.sends]
    sends += [[outside.name for outside in space.later]]
    constraints: list[Formula] = []
    for layer in space.layers:
        taken = [[Symbol(f"up to {k}:{r}") for k in range(len(sends))] for r in layer.receives]
        for receive, up_to in zip(layer.receives, taken, strict=True):
            before: list[Formula] = []
            for reached, level in zip(up_to, sends, strict=True):
                here = [space.run.matched(receive, send) for send in level]
                constraints.append(Iff(reached, Or(*before, *here)))
                before = [reached]
        for a, b in pairwise(layer.messages) if layer.by_channel else combinations(layer.messages, 2):
            comparable = And(same_channel(layer, a, layer, b), taken[a][-1])
            for sooner, later in zip(taken[a][:-1], taken[b][:-1], strict=True):
                constraints.append(Or(Not(comparable), Not(later), sooner))
    return And(constraints)


class SymbolicSignature:
    """The signature sig(P) of a symbolic program P.

    Besides first sends and last receives, sig(P) has a dummy first event Fd_k and a dummy last event Ld_k for
    each process k. E+ is the set of pairs of events such that a path leads from the first to the second.
    Source: signatures, in section `sec:rel`.
    """

    def __init__(self, program: SymbolicMessages) -> None:
        self.program = program
        self.n, self.processes = program.n, program.processes
        self.reach = LayerPaths(f"{program.name}:path", [program], program.successions())
        self._known: dict[tuple[int, int, int], Formula] = {}

    def reaches_end(self, message: int, process: int) -> Formula:
        """(receive of `message`, Ld_process) in E+."""
        return Symbol(f"{self.program.name}:r{message}~>lst{process}")

    def reached_from_start(self, process: int, message: int) -> Formula:
        """(Fd_process, send of `message`) in E+."""
        return Symbol(f"{self.program.name}:fst{process}~>s{message}")

    def start_reaches_end(self, first: int, second: int) -> Formula:
        """(Fd_first, Ld_second) in E+."""
        return Symbol(f"{self.program.name}:fst{first}~>lst{second}")

    def definition(self) -> Formula:
        """The definition of the three kinds of pairs in E+ by paths between events."""
        p, path = self.program, self.reach.path_or_same
        to_end = [
            Iff(self.reaches_end(a, k), Or(And(path(p.receives[a], e), p.at(e, k)) for e in p.events))
            for a, k in product(p.messages, p.processes)
        ]
        from_start = [
            Iff(self.reached_from_start(k, a), Or(And(path(e, p.sends[a]), p.at(e, k)) for e in p.events))
            for a, k in product(p.messages, p.processes)
        ]
        across = [
            self.start_reaches_end(k, i)
            if k == i
            else Iff(
                self.start_reaches_end(k, i),
                Or(And(path(e, f), p.at(e, k), p.at(f, i)) for e in p.events for f in p.events),
            )
            for k, i in product(p.processes, repeat=2)
        ]
        return And(self.reach.definition(), *to_end, *from_start, *across)

    def is_last(self, message: int) -> Formula:
        """The condition that the receive of `message` is the last receive on its channel."""
        p = self.program
        return And(Not(same_channel(p, message, p, b)) for b in range(message + 1, p.m))

    def is_first(self, message: int) -> Formula:
        """The condition that the send of `message` is the first send on its channel."""
        p = self.program
        return And(Not(same_channel(p, message, p, b)) for b in range(message))

    def sender_of(self, message: int, holds: "dict[int, Formula]") -> Formula:
        """The condition that `holds` is true of the sender of `message`."""
        p = self.program
        return Or(And(p.at(p.sends[message], i), holds[i]) for i in p.processes)

    def has_receive_node(self, message: int) -> Formula:
        """The receive of `message` is in sig(P): last on its channel, without a path to Ld_sender."""
        closed = self.sender_of(message, {i: self.reaches_end(message, i) for i in self.program.processes})
        return And(self.is_last(message), Not(closed))

    def has_send_node(self, message: int) -> Formula:
        """The send of `message` is in sig(P): it is first on its channel, without a path from Fd_receiver."""
        p = self.program
        heard = Or(
            And(p.at(p.receives[message], j), self.reached_from_start(j, message)) for j in p.processes
        )
        return And(self.is_first(message), Not(heard))

    def knows_at_end(self, process: int, sender: int, receiver: int) -> Formula:
        """The condition that a path leads from every receive on sender->receiver, if any, to Ld_process."""
        asked = (process, sender, receiver)
        if asked not in self._known:  # criteria mention each of them thousands of times
            self._known[asked] = And(
                Implies(self.is_on(a, sender, receiver), self.reaches_end(a, process))
                for a in self.program.messages
            )
        return self._known[asked]

    def is_on(self, message: int, sender: int, receiver: int) -> Formula:
        """The condition that the message is on sender->receiver."""
        p = self.program
        return And(p.at(p.sends[message], sender), p.at(p.receives[message], receiver))
