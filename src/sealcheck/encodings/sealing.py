"""`th:decide.sealing` as formulas: the criterion on symbolic signatures, and the run of the proof."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from pysmt.fnode import FNode
from pysmt.shortcuts import FALSE, TRUE, And, Iff, Implies, Not, Or, Symbol

from sealcheck.encodings import interference
from sealcheck.encodings.order import Interleaving, Relation
from sealcheck.encodings.paths import Reach
from sealcheck.encodings.program_space import (
    SymbolicMessages,
    SymbolicProgram,
    exactly_one,
    processes_by_first_use,
    same_channel,
)
from sealcheck.encodings.runs import Axiom, axioms
from sealcheck.encodings.solving import Answer
from sealcheck.encodings.space_runs import SpaceRun
from sealcheck.encodings.symbolic_signature import SymbolicSignature
from sealcheck.encodings.symmetry import in_order_of_sending
from sealcheck.programs.straight_line import StraightLine

Description = TypeVar("Description", bound=SymbolicMessages)


class Pair(Generic[Description]):
    """Symbolic P and Q, however described, with their signatures and the criterion."""

    def __init__(self, p: Description, q: Description) -> None:
        self.p, self.q = p, q
        self.sig_p, self.sig_q = SymbolicSignature(p), SymbolicSignature(q)

    def met(self, a: int) -> FNode:
        """The criterion's "there is a process k" for the receive of P's message a."""
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

    def criterion(self) -> FNode:
        """The theorem's right-hand side: the condition for every receive node of sig(P)."""
        return And(Implies(self.sig_p.has_receive_node(a), self.met(a)) for a in self.p.messages)

    def channel_splits(self) -> list[tuple[FNode, ...]]:
        """For each message of P, then of Q, on which channel it is."""
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

    def constraints(self) -> list[FNode]:
        """What the signatures of P and Q are, and in which order processes are named."""
        return [
            self.sig_p.definition(),
            self.sig_q.definition(),
            processes_by_first_use([self.p, self.q]),
        ]


def met_but_crossed(
    pair: PairOfPrograms,
    without: Sequence[Axiom] = (),
    *,
    order: type[Interleaving] | type[Relation] = Interleaving,
    later_sends: int = 1,
    criterion: Callable[[PairOfPrograms], FNode] = PairOfPrograms.criterion,
) -> list[FNode]:
    """The criterion holds, or another one, and yet some run has communication of P cross the cut after P."""
    space = SpaceRun([pair.p, pair.q], order, later_sends=later_sends)
    return [
        *pair.constraints(),
        *space.well_formed(),
        *axioms(space.run, without),
        in_order_of_sending(space),
        criterion(pair),
        interference.crosses_in_space(space, pair.p),
    ]


def not_met_but_no_run(pair: PairOfPrograms) -> list[FNode]:
    """The criterion fails for some message, and the run of the theorem's proof is not one."""
    space = SpaceRun([pair.p, pair.q])
    legal = And(*axioms(space.run), interference.crosses_in_space(space, pair.p))
    witness = StolenMessage(pair, space)
    return [*pair.constraints(), *space.well_formed(), *witness.definition(), Not(legal)]


class StolenMessage:
    """The run of the proof's second half, for a message of P that fails the criterion.

    The target is Q's first send on the message's channel, else the later send L0.  All that
    the target needs happens first; P's last receive on the channel waits and takes the target's
    message.  All other receives take the message of their own number, except that the receive
    of the target's own message gets the one that was left over.
    """

    def __init__(self, pair: PairOfPrograms, space: SpaceRun) -> None:
        self.pair, self.space = pair, space
        self.later = space.later[0]
        layers = [pair.p, pair.q]
        self.events = pair.p.events + pair.q.events
        self.reach = Reach("PQ:path", layers, space.run.skeleton.successions)

    def chosen(self, a: int) -> FNode:
        """Message a of P is the one that fails the criterion."""
        return Symbol(f"chosen{a}")

    def is_target(self, b: int) -> FNode:
        """Message b of Q is the first of Q on the channel of the chosen one."""
        p, q = self.pair.p, self.pair.q
        on_channel = Or(And(self.chosen(a), same_channel(p, a, q, b)) for a in p.messages)
        return And(on_channel, self.pair.sig_q.is_first(b))

    def takes_later(self) -> FNode:
        """Q does not send on the channel, so the target is the later send."""
        return Not(Or(self.is_target(b) for b in self.pair.q.messages))

    def needed(self, event: str) -> FNode:
        """The target can't happen without `event`."""
        return Symbol(f"needed:{event}")

    def definition(self) -> list[FNode]:
        """The choice, and the run in terms of it."""
        p = self.pair.p
        choice = [
            exactly_one([self.chosen(a) for a in p.messages]) if p.m else FALSE(),
            *(
                Implies(
                    self.chosen(a),
                    And(
                        self.pair.sig_p.has_receive_node(a),
                        Not(self.pair.met(a)),
                        self.later.on_channel_of(p, a),
                    ),
                )
                for a in p.messages
            ),
        ]
        return [*choice, self.reach.definition(), *self._what_is_needed(), *self._order(), *self._matching()]

    def _what_is_needed(self) -> list[FNode]:
        q, path = self.pair.q, self.reach.path_or_same
        found = []
        for event in self.events:
            to_send = [And(self.is_target(b), path(event, q.sends[b])) for b in q.messages]
            to_end = Or(
                And(path(event, last), self.later.by(layer, last))
                for layer in (self.pair.p, q)
                for last in layer.events
            )
            found.append(Iff(self.needed(event), Or(*to_send, And(self.takes_later(), to_end))))
        return found

    def _order(self) -> list[FNode]:
        before = self.space.order.before
        order = []
        for e in self.events:
            order += [before("E0", e), Iff(before(e, "L0"), Or(self.needed(e), Not(self.takes_later())))]
            for f in self.events:
                if e < f:
                    first = And(self.needed(e), Not(self.needed(f)))
                    same = Iff(self.needed(e), self.needed(f))
                    order.append(Iff(before(e, f), Or(first, And(same, self._listed_before(e, f)))))
        return [*order, before("E0", "L0")]

    def _listed_before(self, e: str, f: str) -> FNode:
        """The order of P's interleaving followed by Q's."""
        layers = (self.pair.p, self.pair.q)
        mine, other = (next(layer for layer in layers if event in layer.events) for event in (e, f))
        if mine is other:
            return mine.order.before(e, f)
        return TRUE() if mine is self.pair.p else FALSE()

    def _matching(self) -> list[FNode]:
        p, q = self.pair.p, self.pair.q
        matched: dict[tuple[str, str], FNode] = {}
        for a in p.messages:
            matched[p.receives[a], p.sends[a]] = Not(self.chosen(a))
            matched[p.receives[a], "L0"] = And(self.chosen(a), self.takes_later())
            for b in q.messages:
                matched[p.receives[a], q.sends[b]] = And(self.chosen(a), self.is_target(b))
                matched[q.receives[b], p.sends[a]] = And(self.chosen(a), self.is_target(b))
        for b in q.messages:
            matched[q.receives[b], q.sends[b]] = Not(self.is_target(b))
        return [
            Iff(self.space.run.matched(c.first, c.second), matched.get((c.first, c.second), FALSE()))
            for c in self.space.run.skeleton.candidates
        ]
