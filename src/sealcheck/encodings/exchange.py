"""`th:decide.sealing`, second half: the run of its proof, by paths of the program graph.

No theorem is taken for granted.  That paths compose, and that what one edge adds to them is transitive,
follows from what they are.  Programs are described by `SymbolicTrace`.  Processes can be renamed, so the
channel is always 1->2.
"""

from collections.abc import Iterator
from itertools import permutations, product

from pysmt.fnode import FNode
from pysmt.shortcuts import FALSE, TRUE, And, Iff, Implies, Not, Or, Symbol

from sealcheck.encodings import interference
from sealcheck.encodings.order import Relation
from sealcheck.encodings.paths import LayerPaths
from sealcheck.encodings.program_space import exactly_one
from sealcheck.encodings.runs import axioms
from sealcheck.encodings.sealing import PairOfTraces, on_first_channel
from sealcheck.encodings.space_runs import SpaceRun


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
    """The criterion fails for a message on 1->2, and the run of the theorem's proof is no run.

    Source: `th:decide.sealing`.
    """
    exchange = Exchange(pair)
    legal = And(*axioms(exchange.space.run), interference.crosses_in_space(exchange.space, pair.p))
    return [*pair.constraints(), *exchange.definition(), Not(legal)]


class Exchange:
    """The run of the proof's second half, by what happens before what.

    All receives take the message of their own number, except that P's last receive on 1->2 takes the message
    of the target, Q's first send there, or else L0; and the target's own receive gets the one that was left
    over.  Here no order of all events is written down.  Lamport's relation without the exchange is that of
    the graph; the exchange adds the edge from the target to P's receive.  That the new relation has all that
    must happen before what, and that no event is before itself, is asked.
    Source: the proof of `th:decide.sealing`.
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


def paths_compose(reach: LayerPaths, events: list[str]) -> Iterator[FNode]:
    """Where a path ends and another one begins there is a path from end to end.

    That follows from what paths are; a solver would have to find it by induction, again and again.
    Source: (N_E)+, in `GraphCause`.
    """
    for e, f, g in permutations(events, 3):
        yield Implies(And(reach.path(e, f), reach.path(f, g)), reach.path(e, g))
