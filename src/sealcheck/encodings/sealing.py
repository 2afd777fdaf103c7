"""Formulas about sealing: does anything after P communicate with P?

Q seals P if, in every run of P;Q from a silent cut, no message crosses the cut after P (≀P;Q refines P≀Q). At
a silent cut ``≀``, no message is in transit. P is TCC if the empty program seals P (`l:seal.algebra`, item
6).

By a criterion of the theorem `th:decide.sealing`, the signatures of P and Q (`program_space`) decide whether
Q seals P. Formulas describe this criterion, runs that would refute it, and the runs in the proofs of this
theorem and of `th:TCCbadforREL`. Processes can be renamed, so formulas about a single channel consider only
1->2.

Causality (which events come before which in every run) is encoded in two ways. With `PairOfPrograms`,
formulas describe runs. With `PairOfTraces`, causality is read off the program graph of P;Q. By the theorem
`GraphCause`, e happens before f in every run if a path leads from e to f. So the second encoding needs no
formulas about runs, and spares the solvers the theorem's pigeonhole argument, which is hard for them.

The theorem `GraphCause` covers any straight-line program that occurs after a silent cut in a run of Rel, with
any program after it. The graph joins the k'th send on a channel with the k'th receive on it. P is balanced,
so these two events are both in P or both in Q.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import permutations, product
from typing import Generic, TypeVar

from sealcheck.encodings.causality import SymbolicTrace
from sealcheck.encodings.formulas import FALSE, TRUE, And, Formula, Iff, Implies, Not, Or, Symbol
from sealcheck.encodings.given import GivenRun, given_run
from sealcheck.encodings.program_space import (
    LayerPaths,
    SpaceRun,
    SymbolicMessages,
    SymbolicProgram,
    SymbolicSignature,
    exactly_one,
    in_order_of_sending,
    processes_by_first_use,
    same_channel,
)
from sealcheck.encodings.runs import Axiom, axioms
from sealcheck.encodings.solving import Answer, Interleaving, Relation, Solver, satisfiable
from sealcheck.programs.straight_line import StraightLine


def crosses(given: GivenRun) -> Formula:
    """The condition that a receive of P takes a later message, or a later receive takes a message of P.

    *Later* means after P: in Q, or after Q. Source: the definition of seals, in section 3.
    """
    return Or(
        given.run.matched(c.first, c.second)
        for c in given.run.skeleton.candidates
        if (given.layer_of(c.first) == "P") != (given.layer_of(c.second) in "PE")
    )


def seals(p: StraightLine, q: StraightLine, solver: Solver) -> bool:
    """Whether Q seals P, by the solver. Source: the definition of seals, in section 3.

    >>> from sealcheck.encodings.solving import open_solver
    >>> from sealcheck.programs.straight_line import mt
    >>> there, back = (StraightLine.of(2, mt(*channel)) for channel in ((1, 2), (2, 1)))
    >>> with open_solver("z3") as solver:
    ...     seals(there, back, solver), seals(there, there, solver)
    (True, False)
    """
    given = given_run([p, q], solver.order)
    return not satisfiable(solver, [*given.axioms, crosses(given)])


def crosses_in_space(space: SpaceRun, p: SymbolicMessages) -> Formula:
    """The condition of `crosses` for symbolic programs, of which P is the first layer.

    Source: the definition of seals, in section 3.
    """
    inside = {*p.sends, *space.run.skeleton.earlier}
    return Or(
        space.run.matched(c.first, c.second)
        for c in space.run.skeleton.candidates
        if (c.first in p.receives) != (c.second in inside)
    )


def no_node_but_open(
    sig: SymbolicSignature,
    without: Sequence[Axiom] = (),
    *,
    order: type[Interleaving] | type[Relation] = Interleaving,
    later_sends: int = 1,
) -> list[Formula]:
    """The condition that P takes a later message on a channel that has no receive node in sig(P).

    A last receive on a channel is a node of the signature sig(P) if no path leads from it to the end of the
    channel's sender. These nodes should mark all channels that P leaves open. Source: closed channels and
    signatures, in section `sec:rel`.
    """
    p = sig.program
    space = SpaceRun([p], order, later_sends=later_sends)
    takes_later = [
        And(Or(space.run.matched(p.receives[a], later.name) for later in space.later), _no_node(sig, a))
        for a in p.messages
    ]
    described = [*space.well_formed(), processes_by_first_use([p]), sig.definition()]
    return [*described, *axioms(space.run, without), in_order_of_sending(space), Or(takes_later)]


def _no_node(sig: SymbolicSignature, a: int) -> Formula:
    """The condition that no receive on the channel of message a is a node of sig(P)."""
    p = sig.program
    return And(
        Not(sig.has_receive_node(b))
        if a == b
        else Implies(same_channel(p, a, p, b), Not(sig.has_receive_node(b)))
        for b in p.messages
    )


Description = TypeVar("Description", bound=SymbolicMessages)


class Pair(Generic[Description]):
    """Symbolic P and Q with their signatures and the criterion; subclasses describe P and Q.

    Source: `th:decide.sealing`.
    """

    def __init__(self, p: Description, q: Description) -> None:
        self.p, self.q = p, q
        self.signatures = self.sig_p, self.sig_q = SymbolicSignature(p), SymbolicSignature(q)

    def met(self, a: int) -> Formula:
        """The condition that some process k meets the theorem's demands for the receive of P's message a."""
        p, q = self.p, self.q
        per_process = []
        for k in p.processes:
            to_sender = self.sig_p.sender_of(a, {i: self.sig_q.start_reaches_end(k, i) for i in p.processes})
            to_send = [
                Implies(
                    And(same_channel(p, a, q, b), self.sig_q.has_send_node(b)),
                    self.sig_q.reached_from_start(k, b),
                )
                for b in q.messages
            ]
            per_process.append(And(self.sig_p.reaches_end(a, k), to_sender, *to_send))
        return Or(per_process)

    def criterion(self) -> Formula:
        """The theorem's right-hand side: the condition for every receive node of sig(P)."""
        return And(Implies(self.sig_p.has_receive_node(a), self.met(a)) for a in self.p.messages)

    def channel_splits(self) -> list[tuple[Formula, ...]]:
        """For each message of P and Q, and each channel: the condition that it is the message's channel."""
        return [*self.p.channel_splits(), *self.q.channel_splits()]

    def __str__(self) -> str:
        return f"n={self.p.n} m={self.p.m}+{self.q.m}"

    def decoded(self, answer: Answer) -> tuple[StraightLine, StraightLine]:
        """P and Q as a model describes them."""
        return self.p.decoded(answer), self.q.decoded(answer)


class PairOfPrograms(Pair[SymbolicProgram]):
    """P and Q, each described by an interleaving."""

    def __init__(self, n: int, p_messages: int, q_messages: int) -> None:
        super().__init__(SymbolicProgram("P", n, p_messages), SymbolicProgram("Q", n, q_messages))

    def constraints(self) -> list[Formula]:
        """The definitions of the signatures, and the condition that processes are numbered by first use."""
        named = processes_by_first_use([self.p, self.q])
        return [self.sig_p.definition(), self.sig_q.definition(), named]


class PairOfTraces(Pair[SymbolicTrace]):
    """P and Q, each described by the order of the events of each process."""

    def __init__(self, n: int, p_messages: int, q_messages: int) -> None:
        super().__init__(SymbolicTrace("P", n, p_messages), SymbolicTrace("Q", n, q_messages))

    def constraints(self) -> list[Formula]:
        """The condition that P and Q are programs, and the definitions of their signatures."""
        return [part for sig in self.signatures for part in (sig.program.well_formed(), sig.definition())]


def met_but_crossed(
    pair: PairOfPrograms,
    without: Sequence[Axiom] = (),
    *,
    order: type[Interleaving] | type[Relation] = Interleaving,
    later_sends: int = 1,
    criterion: Callable[[PairOfPrograms], Formula] = PairOfPrograms.criterion,
) -> list[Formula]:
    """The condition that the criterion holds, but in some run a message crosses the cut after P.

    Source: `th:decide.sealing`.

    >>> from sealcheck.encodings.solving import open_solver
    >>> with open_solver("z3") as solver:
    ...     satisfiable(solver, met_but_crossed(PairOfPrograms(2, 1, 1)))
    False
    """
    space = SpaceRun([pair.p, pair.q], order, later_sends=later_sends)
    return [
        *pair.constraints(),
        *space.well_formed(),
        *axioms(space.run, without),
        in_order_of_sending(space),
        criterion(pair),
        crosses_in_space(space, pair.p),
    ]


def on_first_channel(program: SymbolicMessages, a: int) -> Formula:
    """The condition that message a is on 1->2."""
    return And(program.at(program.sends[a], 1), program.at(program.receives[a], 2))


class OneEdgeMore(Relation):
    """The paths of a graph to which one edge was added, as a transitive relation.

    Let the new edge lead from x to y. A new path from e to f leads from e to x (or e = x), takes the new
    edge, and leads from y to f (or f = y). A path that takes the new edge twice could as well take it once.
    So the relation is transitive by its definition, and the query requires only irreflexivity. A test checks
    the transitivity at small bounds.
    """

    def axioms(self, *, acyclic: bool) -> Formula:
        """Irreflexivity if `acyclic`."""
        return And(Not(self.before(e, e)) for e in self._events) if acyclic else TRUE()


def not_met_but_no_run(pair: PairOfTraces) -> list[Formula]:
    """The condition that the criterion fails for a message on 1->2, but the proof gives no run that crosses.

    Source: `th:decide.sealing`.
    """
    exchange = Exchange(pair)
    legal = And(*axioms(exchange.space.run), crosses_in_space(exchange.space, pair.p))
    return [*pair.constraints(), *exchange.definition(), Not(legal)]


class Exchange:
    """The run in the second half of the proof of `th:decide.sealing`: a matching and happens-before.

    The *target* is Q's first send on 1->2 or, if Q does not send there, L0, a send after Q. The k'th receive
    on a channel takes the k'th message, with two exceptions:

    - P's last receive on 1->2 takes the message of the target.
    - The receive that loses its message in this way, if any, takes the message that P's last receive gives
    up.

    The order of events (`OneEdgeMore`) consists of the paths of the program graph with one more edge, from
    the target to P's last receive on 1->2. The query asks whether this order includes happens-before, and
    puts no event before itself. Source: the proof of `th:decide.sealing`.
    """

    def __init__(self, pair: PairOfTraces) -> None:
        self.pair = pair
        self.space = SpaceRun([pair.p, pair.q], OneEdgeMore)
        self.first, self.last = self.space.earlier[0].name, self.space.later[0].name
        self.events = [*pair.p.events, *pair.q.events, self.first, self.last]

    def chosen(self, a: int) -> Formula:
        """The condition that message a of P is chosen, because it fails the criterion."""
        return Symbol(f"chosen{a}")

    def is_target(self, b: int) -> Formula:
        """The condition that message b of Q is Q's first message on 1->2."""
        return And(on_first_channel(self.pair.q, b), self.pair.sig_q.is_first(b))

    def takes_later(self) -> Formula:
        """The condition that Q does not send on 1->2, so that the target is L0."""
        return Not(Or(self.is_target(b) for b in self.pair.q.messages))

    def definition(self) -> list[Formula]:
        """The choice of a message that fails the criterion, and the definition of its run."""
        p, sig = self.pair.p, self.pair.sig_p
        outside = [And(send.at(1), send.to(2)) for send in (*self.space.earlier, *self.space.later)]
        fails = []
        for a in p.messages:
            unmet = And(on_first_channel(p, a), sig.has_receive_node(a), Not(self.pair.met(a)))
            fails.append(Implies(self.chosen(a), unmet))
        choice = exactly_one([self.chosen(a) for a in p.messages]) if p.m else FALSE()
        layers = ((sig.reach, sig.program.events) for sig in self.pair.signatures)
        composed = (part for layer in layers for part in paths_compose(*layer))
        run = (*self._ends(), *self._across(), *self._order(), *self._matching())
        return [*self.space.outside_well_formed(), *outside, choice, *fails, *composed, *run]

    def _to_end(self, event: str, k: int) -> Formula:
        """The condition that the event is of process k, or that a path in its layer leads to k."""
        return Symbol(f"{event}~>end{k}")

    def _from_start(self, k: int, event: str) -> Formula:
        """The condition that the event is of process k, or that a path in its layer comes from k."""
        return Symbol(f"start{k}~>{event}")

    def _ends(self) -> Iterator[Formula]:
        for sig in self.pair.signatures:
            layer, path = sig.program, sig.reach.path_or_same
            for e, k in product(layer.events, layer.processes):
                yield Iff(self._to_end(e, k), Or(And(path(e, f), layer.at(f, k)) for f in layer.events))
                yield Iff(self._from_start(k, e), Or(And(path(f, e), layer.at(f, k)) for f in layer.events))

    def _crosses(self, e: str, f: str) -> Formula:
        """The condition that a path leads from event e of P to event f of Q."""
        return Symbol(f"PQ:{e}~>{f}")

    def _across(self) -> Iterator[Formula]:
        p, q = self.pair.p, self.pair.q
        for e, f in product(p.events, q.events):
            over = Or(And(self._to_end(e, k), self._from_start(k, f)) for k in p.processes)
            yield Iff(self._crosses(e, f), over)

    def _caused(self, e: str, f: str) -> Formula:
        """The condition that a path joins e and f in the graph of P;Q and the outside sends of process 1."""
        p, q = self.pair.p, self.pair.q
        if e == f or e == self.last or f == self.first:
            return FALSE()
        if e == self.first:
            return TRUE()
        if f == self.last:
            if e in q.events:
                return self._to_end(e, 1)
            over = [And(self._to_end(e, k), self.pair.sig_q.start_reaches_end(k, 1)) for k in p.processes]
            return Or(self._to_end(e, 1), *over)
        if e in p.events and f in q.events:
            return self._crosses(e, f)
        if e in q.events and f in p.events:
            return FALSE()
        return (self.pair.sig_p if e in p.events else self.pair.sig_q).reach.path(e, f)

    def _order(self) -> Iterator[Formula]:
        p, q = self.pair.p, self.pair.q
        up_to, since = ({e: Symbol(f"{name}:{e}") for e in self.events} for name in ("up to", "since"))

        def reaches(e: str, f: str) -> Formula:
            return TRUE() if e == f else self._caused(e, f)

        for e in self.events:
            to_target = [And(self.is_target(b), reaches(e, q.sends[b])) for b in q.messages]
            yield Iff(up_to[e], Or(*to_target, And(self.takes_later(), reaches(e, self.last))))
            yield Iff(since[e], Or(And(self.chosen(a), reaches(p.receives[a], e)) for a in p.messages))
        for e, f in product(self.events, repeat=2):
            both = Or(self._caused(e, f), And(up_to[e], since[f]))
            yield Iff(self.space.order.before(e, f), both)

    def _matching(self) -> Iterator[Formula]:
        p, q = self.pair.p, self.pair.q
        matched: dict[tuple[str, str], Formula] = {}
        for a in p.messages:
            matched[p.receives[a], p.sends[a]] = Not(self.chosen(a))
            matched[p.receives[a], self.last] = And(self.chosen(a), self.takes_later())
            for b in q.messages:
                exchanged = And(self.chosen(a), self.is_target(b))
                matched[p.receives[a], q.sends[b]] = matched[q.receives[b], p.sends[a]] = exchanged
        for b in q.messages:
            matched[q.receives[b], q.sends[b]] = Not(self.is_target(b))
        yield from _matched_as(matched, self.space)


def paths_compose(reach: LayerPaths, events: list[str]) -> Iterator[Formula]:
    """The conditions that two paths, of which one ends where the other starts, form one path.

    These conditions follow from the definition of paths, but a solver would need an induction to find them.
    Source: the remark after `GraphCause`, about the transitive closure of the graph's edges.
    """
    for e, f, g in permutations(events, 3):
        yield Implies(And(reach.path(e, f), reach.path(f, g)), reach.path(e, g))


def last_receive_cannot_wait(p: SymbolicProgram) -> list[Formula]:
    """The condition that, for a program with messages, the proof's run is not a run or nothing crosses.

    Source: `th:TCCbadforREL`.

    >>> from sealcheck.encodings.solving import open_solver
    >>> with open_solver("z3") as solver:
    ...     satisfiable(solver, last_receive_cannot_wait(SymbolicProgram("P", 2, 1)))
    False
    """
    space = SpaceRun([p])
    legal = And(*axioms(space.run), crosses_in_space(space, p))
    return [*space.well_formed(), processes_by_first_use([p]), *_last_receive_waits(p, space), Not(legal)]


def is_last(p: SymbolicProgram, a: int) -> Formula:
    """The condition that the receive of message a is the last event of P's interleaving."""
    receive = p.receives[a]
    return And(p.order.before(event, receive) for event in p.events if event != receive)


def _last_receive_waits(p: SymbolicProgram, space: SpaceRun) -> Iterator[Formula]:
    """The run in the theorem's proof: P's last receive takes a message sent after P."""
    before, later = space.order.before, space.later[0]
    for a in p.messages:
        yield Implies(is_last(p, a), later.on_channel_of(p, a))
    yield before("E0", "L0")
    for e in p.events:
        last = is_last(p, p.receives.index(e)) if e in p.receives else FALSE()
        yield from (before("E0", e), Iff(before(e, "L0"), Not(last)))
        yield from (Iff(before(e, f), p.order.before(e, f)) for f in p.events if e < f)
    matched = {(p.receives[a], p.sends[a]): Not(is_last(p, a)) for a in p.messages}
    matched |= {(p.receives[a], "L0"): is_last(p, a) for a in p.messages}
    yield from _matched_as(matched, space)


def _matched_as(matched: Mapping[tuple[str, str], Formula], space: SpaceRun) -> Iterator[Formula]:
    for c in space.run.skeleton.candidates:
        yield Iff(space.run.matched(c.first, c.second), matched.get((c.first, c.second), FALSE()))
