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
from pysmt.shortcuts import And, Implies, Not, Or, Symbol

from sealcheck.encodings.receive_nodes import no_node
from sealcheck.encodings.sealing import PairOfTraces, on_first_channel


class Past:
    """A set of events of P;Q that has, with each event, all that the program graph has before it.

    Let a receive r of P take a message that is sent after P, by send s, in some run.  (If instead a receive
    after P takes a message of P, then, P being balanced and its start a silent cut, some receive of P takes
    such a message as well.)  The events that cause s, with s itself, are a set like that: by `GraphCause` an
    edge of the graph is a cause, and causes of causes are causes.  And r is not in it: s causes r, and
    nothing causes itself.

    So where there is no such set, there is no such run.  Where there is one, a run need not follow from what
    is said here; it is looked for by the oracles, when the instance is confirmed.  Source: `GraphCause`.
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
    """The criterion holds, and yet a later send needs less than all that P receives on its channel.

    Source: `th:decide.sealing`.
    """
    past = Past(pair)
    return [
        *pair.constraints(),
        pair.criterion(),
        *past.closed(),
        Or(past.lacks(a) for a in pair.p.messages),
        past.needed_by_a_later_send(),
    ]


def no_node_but_open(pair: PairOfTraces) -> list[FNode]:
    """No receive node for 1->2 is in sig(P), and yet a later send needs less than all of P; Q is empty.

    Source: closed channels and signatures, in section `sec:rel`.
    """
    past = Past(pair)
    return [
        *pair.constraints(),
        *past.closed(),
        Or(And(past.lacks(a), no_node(pair.sig_p, a)) for a in pair.p.messages),
        past.needed_by_a_later_send(),
    ]
