"""`th:decide.sealing`: whether Q properly seals P can be read off the two signatures.

Reading      Q seals P iff for every receive node j<-i of sig(P) there is a process k with
             (receive, Ld_k) in E_P, (Fd_k, Ld_i) in E_Q and, if sig(Q) has the send node i->j,
             (Fd_k, send) in E_Q.  Straight-line programs never diverge, so "properly" adds
             nothing.
Refutation   either a pair that meets the criterion and a run of P;Q in which communication of P
             crosses the cut after P; or a pair that does not meet it, where the run in the
             theorem's proof (everything the stolen send needs happens first) is no such run.
Not claimed  that P and Q beyond the bound behave alike.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from pysmt.fnode import FNode
from pysmt.shortcuts import FALSE, TRUE, And, Iff, Implies, Not, Or, Symbol

from sealcheck import explorer
from sealcheck.algorithms.as_printed.is_seal import is_seal_repaired
from sealcheck.algorithms.program_graph import causal_pairs
from sealcheck.algorithms.reach import bits
from sealcheck.algorithms.sealing import Interferes, decide
from sealcheck.algorithms.signature import signature
from sealcheck.encodings.order import Interleaving, Relation
from sealcheck.encodings.program_space import (
    Reach,
    SpaceRun,
    SymbolicProgram,
    exactly_one,
    processes_by_first_use,
    same_channel,
)
from sealcheck.encodings.runs import Axiom, axioms
from sealcheck.encodings.solving import Answer, Solver
from sealcheck.encodings.symbolic_signature import SymbolicSignature
from sealcheck.programs.events import mt
from sealcheck.programs.runs import Place
from sealcheck.theorems import by_kernel, interference
from sealcheck.theorems.ablation import first_difference, first_model, unbalanced
from sealcheck.theorems.domains import Sequences, indexed_space
from sealcheck.theorems.statement import Claim, Form, Hypothesis, Instance, Query, Statement


def criterion(instance: Instance) -> bool:
    """The theorem's right-hand side, on the signatures of P and Q."""
    p, q = signature(instance.p), signature(instance.q)
    return all(
        any(
            q.ends[k - 1] >> (channel.sender - 1) & 1
            and (channel not in q.interfering_sends or q.sends[channel] >> (k - 1) & 1)
            for k in bits(p.receives[channel])
        )
        for channel in p.open_channels
    )


def by_closure(instance: Instance) -> bool:
    """Whether P's last receive on each channel reaches the first later send, in the graph of P;Q.

    The transitive closure of the whole program graph, and nothing that the signatures use.
    """
    p, q = instance.p, instance.q
    both = p.then(q)
    causal = causal_pairs(both)
    for j, share in enumerate(p.shares, 1):
        for i in {event.sender for event in share if not event.is_send}:
            send, receive = mt(i, j)
            last = Place(j, len(share) - share[::-1].index(receive))
            past_p = len(p.shares[i - 1])
            sent = [at for at, event in enumerate(both.shares[i - 1], 1) if at > past_p and event == send]
            ends = (
                [Place(i, sent[0])] if sent else [Place(i, at + 1) for at in range(len(both.shares[i - 1]))]
            )
            if not any((last, end) in causal for end in ends):
                return False
    return True


class PairOfPrograms:
    """Symbolic P and Q with their signatures and the criterion."""

    def __init__(self, n: int, p_messages: int, q_messages: int) -> None:
        self.p = SymbolicProgram("P", n, p_messages)
        self.q = SymbolicProgram("Q", n, q_messages)
        self.sig_p, self.sig_q = SymbolicSignature(self.p), SymbolicSignature(self.q)

    def constraints(self) -> list[FNode]:
        """What the signatures of P and Q are, and in which order processes are named."""
        return [
            self.sig_p.definition(),
            self.sig_q.definition(),
            processes_by_first_use([self.p, self.q]),
        ]

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

    def channel_splits(self) -> list[tuple[FNode, ...]]:
        """For each message of P, then of Q, on which channel it is."""
        return [*self.p.channel_splits(), *self.q.channel_splits()]

    def __str__(self) -> str:
        return f"n={self.p.n} m={self.p.m}+{self.q.m}"

    def instance(self, answer: Answer) -> Instance:
        """The pair that a model describes."""
        return Instance.of(self.p.decoded(answer), self.q.decoded(answer))


def met_but_not_sealed(
    pair: PairOfPrograms,
    without: Sequence[Axiom] = (),
    *,
    order: type[Interleaving] | type[Relation] = Interleaving,
    later_sends: int = 1,
) -> Query:
    """The criterion holds, and yet some run has communication of P cross the cut after P."""
    space = SpaceRun([pair.p, pair.q], order, later_sends=later_sends)
    criterion_holds = [Implies(pair.sig_p.has_receive_node(a), pair.met(a)) for a in pair.p.messages]
    formulas = [
        *pair.constraints(),
        *space.well_formed(),
        *axioms(space.run, without),
        *criterion_holds,
        interference.crosses_in_space(space, pair.p),
    ]
    return Query(f"{pair}: met, not sealed", formulas, pair.instance, splits=pair.channel_splits())


def not_met_but_sealed(pair: PairOfPrograms) -> Query:
    """The criterion fails for some message, and the run of the theorem's proof is not one."""
    space = SpaceRun([pair.p, pair.q])
    legal = And(*axioms(space.run), interference.crosses_in_space(space, pair.p))
    witness = StolenMessage(pair, space)
    formulas = [*pair.constraints(), *space.well_formed(), *witness.definition(), Not(legal)]
    name = f"{pair}: not met, sealed"
    return Query(name, formulas, pair.instance, by_proof=True, splits=pair.channel_splits())


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


def whole_space(n: int, m: int) -> Iterator[Query]:
    """Both directions, for every way to share m messages between P and Q; eps is sealed by anything."""
    for p_messages in range(1, m + 1):
        yield met_but_not_sealed(PairOfPrograms(n, p_messages, m - p_messages))
        yield not_met_but_sealed(PairOfPrograms(n, p_messages, m - p_messages))


def _story(instance: Instance) -> str:
    found = decide(instance.p, instance.q)
    if isinstance(found, Interferes):
        return f"the criterion holds, but a later message on {found.channel} can be received in P"
    return "the criterion fails, but no later message can be received in P"


def by_exploring(instance: Instance) -> bool:
    """Whether nothing after P interferes with it, by playing all executions."""
    return explorer.seals(instance.p, instance.q)


def by_definition(instance: Instance, solver: Solver) -> bool:
    """Whether Q seals P, as the solver sees it."""
    return interference.seals(instance.p, instance.q, solver)


def without_axiom(axiom: Axiom) -> Hypothesis:
    """The statement about runs that need not satisfy one of the axioms: the criterion is too weak."""

    def breaking(n: int, messages: int) -> Instance | None:
        return first_model(
            met_but_not_sealed(PairOfPrograms(n, of_p, messages - of_p), [axiom], order=Relation)
            for of_p in range(1, messages + 1)
        )

    return Hypothesis(axiom.value, breaking)


def outside(n: int, messages: int, *, p_balanced: bool) -> Instance | None:
    """A pair of which one program is not balanced, and the signatures mislead.

    An edge joins the k'th send and the k'th receive of a channel as far as both exist.
    """
    for of_p in range(messages + 1):
        space = [Instance.of(p) for p in indexed_space(n, of_p if p_balanced else messages - of_p).programs()]
        others = unbalanced(n, messages - of_p if p_balanced else of_p)
        firsts, seconds = (space, others) if p_balanced else (others, space)
        pairs = (Instance.of(p.p, q.p) for p in firsts for q in seconds)
        if found := first_difference(pairs, as_repaired, by_exploring):
            return found
    return None


def as_repaired(instance: Instance) -> bool:
    """The criterion on signatures that need not come from balanced programs."""
    return is_seal_repaired(instance.p, instance.q)


STATEMENT = Statement(
    id="decide-sealing",
    label="th:decide.sealing",
    claims=(
        Claim(
            Form.AS_PRINTED,
            "Q properly seals P iff the signatures of P and Q meet the criterion",
            predicts=criterion,
            whole_space=whole_space,
            story=_story,
        ),
    ),
    hypotheses=(
        Hypothesis("P balanced", partial(outside, p_balanced=False)),
        Hypothesis("Q balanced", partial(outside, p_balanced=True)),
        *map(without_axiom, Axiom),
    ),
    domain=Sequences(2, "pairs"),
    ways={"algorithm": by_closure, "explorer": by_exploring, "kernel": by_kernel.seals},
    smt=by_definition,
)
