"""Sealing as formulas once more, where causality is taken from the program graph.

`GraphCause` is a theorem: the normal edges of the graph of P;Q are causal in every run, and so is whatever
paths of them join.  With that, no run has to be described to say that communication of P cannot cross the
cut after P, and the pigeonhole principle, which is what solvers find hard about runs, is left to the proof
of the theorem.

The theorem speaks of any straight-line program, hence of P;Q, that occurs after a silent cut in a run of Rel,
whatever follows.  In the graph of P;Q the k'th send on a channel is joined with the k'th receive; as P is
balanced, those are the messages of P and of Q by themselves.  Nothing else is taken for granted.

Programs are described by `SymbolicTrace`.  Processes can be renamed, so the channel is always 1->2.
"""

from collections.abc import Iterator
from itertools import permutations, product

from pysmt.fnode import FNode
from pysmt.shortcuts import FALSE, TRUE, And, Iff, Implies, Not, Or, Symbol

from sealcheck.encodings import interference
from sealcheck.encodings.order import Relation
from sealcheck.encodings.paths import Reach
from sealcheck.encodings.program_space import SymbolicMessages, exactly_one
from sealcheck.encodings.receive_nodes import no_node
from sealcheck.encodings.runs import axioms
from sealcheck.encodings.sealing import Pair
from sealcheck.encodings.space_runs import SpaceRun
from sealcheck.encodings.symbolic_signature import SymbolicSignature
from sealcheck.encodings.traces import SymbolicTrace


class PairOfTraces(Pair[SymbolicTrace]):
    """P and Q, each described by the order of the events of each process."""

    def __init__(self, n: int, p_messages: int, q_messages: int) -> None:
        super().__init__(SymbolicTrace("P", n, p_messages), SymbolicTrace("Q", n, q_messages))

    @property
    def signatures(self) -> tuple[SymbolicSignature, SymbolicSignature]:
        """Those of P and Q."""
        return self.sig_p, self.sig_q

    def constraints(self) -> list[FNode]:
        """That P and Q are programs, and what their signatures are."""
        return [part for sig in self.signatures for part in (sig.program.well_formed(), sig.definition())]


def on_first_channel(program: SymbolicMessages, a: int) -> FNode:
    """That message a is on 1->2."""
    return And(program.at(program.sends[a], 1), program.at(program.receives[a], 2))


class Past:
    """A set of events of P;Q that has, with each event, all that the program graph has before it.

    Let a receive r of P take a message that is sent after P, by send s, in some run.  (If instead a receive
    after P takes a message of P, then, P being balanced and its start a silent cut, some receive of P takes
    such a message as well.)  The events that cause s, with s itself, are a set like that: by `GraphCause` an
    edge of the graph is a cause, and causes of causes are causes.  And r is not in it: s causes r, and
    nothing causes itself.

    So where there is no such set, there is no such run.  Where there is one, a run need not follow from what
    is said here; it is looked for by the oracles, when the instance is confirmed.
    """

    def __init__(self, pair: PairOfTraces) -> None:
        self.pair = pair

    def has(self, event: str) -> FNode:
        """That the event is in the set."""
        return Symbol(f"past:{event}")

    def closed(self) -> Iterator[FNode]:
        """With an event, the set has all those that a path leads from, also from P into Q."""
        for sig in self.pair.signatures:
            for e, f in permutations(sig.program.events, 2):
                yield Implies(And(sig.reach.path(e, f), self.has(f)), self.has(e))
        p, q = self.pair.p, self.pair.q
        for e, f in product(p.events, q.events):
            one_process = Or(And(p.at(e, k), q.at(f, k)) for k in p.processes)
            yield Implies(And(one_process, self.has(f)), self.has(e))

    def lacks(self, a: int) -> FNode:
        """The set lacks the receive of P's message a, which is on 1->2."""
        return And(on_first_channel(self.pair.p, a), Not(self.has(self.pair.p.receives[a])))

    def needed_by_a_later_send(self) -> FNode:
        """The set has a send of Q on 1->2, or all that process 1 does, as one after Q would need."""
        q = self.pair.q
        of_q = [And(on_first_channel(q, b), self.has(q.sends[b])) for b in q.messages]
        all_of_1 = [Implies(layer.at(e, 1), self.has(e)) for layer in (self.pair.p, q) for e in layer.events]
        return Or(*of_q, And(all_of_1))


def met_but_crossed(pair: PairOfTraces) -> list[FNode]:
    """The criterion holds, and yet a later send needs less than all that P receives on its channel."""
    past = Past(pair)
    return [
        *pair.constraints(),
        pair.criterion(),
        *past.closed(),
        Or(past.lacks(a) for a in pair.p.messages),
        past.needed_by_a_later_send(),
    ]


def no_node_but_open(pair: PairOfTraces) -> list[FNode]:
    """No receive node for 1->2 is in sig(P), and yet a later send needs less than all of P; Q is empty."""
    past = Past(pair)
    return [
        *pair.constraints(),
        *past.closed(),
        Or(And(past.lacks(a), no_node(pair.sig_p, a)) for a in pair.p.messages),
        past.needed_by_a_later_send(),
    ]


class OneEdgeMore(Relation):
    """A relation that is transitive by its definition: what paths join, or a path, one more edge, and a path.

    The pairs that paths join are a transitive relation.  With an edge from x to y added, its closure has the
    pairs (e, f) with e up to x, and y up to f, as well, and no others: who takes the new edge twice could as
    well take it once.  So of an order only irreflexivity is left to ask; that transitivity follows, a test
    asks at small bounds.
    """

    def axioms(self, *, acyclic: bool) -> FNode:
        """Irreflexivity if `acyclic`."""
        return And(Not(self.before(e, e)) for e in self._events) if acyclic else TRUE()


def not_met_but_no_run(pair: PairOfTraces) -> list[FNode]:
    """The criterion fails for a message on 1->2, and the run of the theorem's proof is not one."""
    exchange = Exchange(pair)
    legal = And(*axioms(exchange.space.run), interference.crosses_in_space(exchange.space, pair.p))
    return [*pair.constraints(), *exchange.definition(), Not(legal)]


class Exchange:
    """The run of the proof's second half: `encodings.sealing.StolenMessage` by what happens before what.

    All receives take the message of their own number, except that P's last receive on 1->2 takes the message
    of the target, Q's first send there, or else L0; and the target's own receive gets the one that was left
    over.  Here no order of all events is written down.  Lamport's relation without the exchange is that of
    the graph; the exchange adds the edge from the target to P's receive.  Nothing of this needs the lemma:
    that the new relation has all that must happen before what, and that no event is before itself, is asked.
    """

    def __init__(self, pair: PairOfTraces) -> None:
        self.pair = pair
        self.space = SpaceRun([pair.p, pair.q], OneEdgeMore)
        self.first, self.last = self.space.earlier[0].name, self.space.later[0].name
        self.events = [*pair.p.events, *pair.q.events, self.first, self.last]

    def chosen(self, a: int) -> FNode:
        """Message a of P is the one that fails the criterion."""
        return Symbol(f"chosen{a}")

    def is_target(self, b: int) -> FNode:
        """Message b of Q is Q's first on 1->2."""
        return And(on_first_channel(self.pair.q, b), self.pair.sig_q.is_first(b))

    def takes_later(self) -> FNode:
        """Q does not send on 1->2, so the target is the later send."""
        return Not(Or(self.is_target(b) for b in self.pair.q.messages))

    def definition(self) -> list[FNode]:
        """The choice, and the run in terms of it."""
        p, sig = self.pair.p, self.pair.sig_p
        outside = [And(send.at(1), send.to(2)) for send in (*self.space.earlier, *self.space.later)]
        fails = [
            Implies(
                self.chosen(a), And(on_first_channel(p, a), sig.has_receive_node(a), Not(self.pair.met(a)))
            )
            for a in p.messages
        ]
        choice = exactly_one([self.chosen(a) for a in p.messages]) if p.m else FALSE()
        composed = (
            part for of in self.pair.signatures for part in paths_compose(of.reach, of.program.events)
        )
        return [
            *self.space.outside_well_formed(),
            *outside,
            choice,
            *fails,
            *composed,
            *self._ends(),
            *self._across(),
            *self._order(),
            *self._matching(),
        ]

    def _to_end(self, event: str, k: int) -> FNode:
        """A path leads from the event to an event of process k in its layer, or it is one."""
        return Symbol(f"{event}~>end{k}")

    def _from_start(self, k: int, event: str) -> FNode:
        """A path leads from an event of process k in its layer to the event, or it is one."""
        return Symbol(f"start{k}~>{event}")

    def _ends(self) -> Iterator[FNode]:
        for sig in self.pair.signatures:
            layer, path = sig.program, sig.reach.path_or_same
            for e, k in product(layer.events, layer.processes):
                yield Iff(self._to_end(e, k), Or(And(path(e, f), layer.at(f, k)) for f in layer.events))
                yield Iff(self._from_start(k, e), Or(And(path(f, e), layer.at(f, k)) for f in layer.events))

    def _crosses(self, e: str, f: str) -> FNode:
        """A path leads from e of P to f of Q."""
        return Symbol(f"PQ:{e}~>{f}")

    def _across(self) -> Iterator[FNode]:
        """A path from P to Q goes over in some process."""
        p, q = self.pair.p, self.pair.q
        for e, f in product(p.events, q.events):
            over = Or(And(self._to_end(e, k), self._from_start(k, f)) for k in p.processes)
            yield Iff(self._crosses(e, f), over)

    def _caused(self, e: str, f: str) -> FNode:
        """A path leads from e to f in the graph of P;Q and the sends outside, which have edges of 1 only."""
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

    def _order(self) -> Iterator[FNode]:
        """What the edge from the target to the chosen receive adds to the graph's paths."""
        p, q = self.pair.p, self.pair.q
        up_to, since = ({e: Symbol(f"{name}:{e}") for e in self.events} for name in ("up to", "since"))

        def reaches(e: str, f: str) -> FNode:
            return TRUE() if e == f else self._caused(e, f)

        for e in self.events:
            to_target = [And(self.is_target(b), reaches(e, q.sends[b])) for b in q.messages]
            yield Iff(up_to[e], Or(*to_target, And(self.takes_later(), reaches(e, self.last))))
            yield Iff(since[e], Or(And(self.chosen(a), reaches(p.receives[a], e)) for a in p.messages))
        for e, f in product(self.events, repeat=2):
            both = Or(self._caused(e, f), And(up_to[e], since[f]))
            yield Iff(self.space.order.before(e, f), both)

    def _matching(self) -> Iterator[FNode]:
        p, q = self.pair.p, self.pair.q
        matched: dict[tuple[str, str], FNode] = {}
        for a in p.messages:
            matched[p.receives[a], p.sends[a]] = Not(self.chosen(a))
            matched[p.receives[a], self.last] = And(self.chosen(a), self.takes_later())
            for b in q.messages:
                exchanged = And(self.chosen(a), self.is_target(b))
                matched[p.receives[a], q.sends[b]] = matched[q.receives[b], p.sends[a]] = exchanged
        for b in q.messages:
            matched[q.receives[b], q.sends[b]] = Not(self.is_target(b))
        for c in self.space.run.skeleton.candidates:
            taken = matched.get((c.first, c.second), FALSE())
            yield Iff(self.space.run.matched(c.first, c.second), taken)


def paths_compose(reach: Reach, events: list[str]) -> Iterator[FNode]:
    """Where a path ends and another one begins there is a path from end to end.

    That follows from what paths are; a solver would have to find it by induction, again and again.
    """
    for e, f, g in permutations(events, 3):
        yield Implies(And(reach.path(e, f), reach.path(f, g)), reach.path(e, g))
