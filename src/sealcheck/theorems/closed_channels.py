"""Section 4, signatures: P leaves channel i->j open iff the receive j<-i is a node of sig(P).

Reading      P closes a channel if, after any occurrence of P in a run of Rel that starts with
             empty channels, the channel is empty: no event of P on it is matched outside P.
             (The "more formal" definition has a silent cut in place of empty channels; see the
             hypotheses.)  Compared is the set of open channels with the set of receive nodes.
Refutation   either a program without the node, and a run in which a receive of P on the channel
             takes a later message; or one with the node, where the run in the proof of
             `th:decide.sealing` (all that the later send needs happens first) is none.
Not claimed  nothing is said here of the send nodes of signatures.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from sys import maxsize

from pysmt.fnode import FNode
from pysmt.shortcuts import And, Implies, Not, Or

from sealcheck import explorer
from sealcheck.algorithms.as_printed.sig import sig
from sealcheck.algorithms.signature import signature
from sealcheck.encodings.given import GivenRun
from sealcheck.encodings.order import Interleaving, Relation
from sealcheck.encodings.program_space import SpaceRun, processes_by_first_use, same_channel
from sealcheck.encodings.runs import Axiom, axioms
from sealcheck.encodings.solving import Answer, Solver, satisfiable
from sealcheck.programs.events import Channel, Event, channels, snd
from sealcheck.programs.straight_line import StraightLine
from sealcheck.theorems import by_kernel
from sealcheck.theorems.ablation import deadlocking, first_difference, first_model, unbalanced
from sealcheck.theorems.decide_sealing import PairOfPrograms, not_met_but_sealed
from sealcheck.theorems.domains import Programs, indexed_space
from sealcheck.theorems.following import crossed
from sealcheck.theorems.matching_functions import matchings
from sealcheck.theorems.statement import Claim, Form, Hypothesis, Instance, Query, Statement

Channels = frozenset[Channel]


def receive_nodes(instance: Instance) -> Channels:
    """The channels whose last receive is a node of sig(P)."""
    return frozenset(signature(instance.p).open_channels)


def by_matching(instance: Instance) -> Channels:
    """The channels on which a message sent after P can be matched with a receive of P; all are tried."""
    return frozenset(c for c in channels(instance.n) if _takes_later(instance.p, c))


def _takes_later(p: StraightLine, channel: Channel) -> bool:
    """Whether some matching function gives a receive of P the one message sent after it."""
    both = p.then(StraightLine.of(p.n, [snd(*channel)]))
    later = channel.sender, len(both.shares[channel.sender - 1])
    return any(send == later for matching in matchings(both) for _, send in matching)


def by_exploring(instance: Instance) -> Channels:
    """The channels that some execution leaves non-empty, or receives a later message on."""
    return frozenset(c for c in channels(instance.n) if not explorer.closes(instance.p, c))


def by_solving(instance: Instance, solver: Solver) -> Channels:
    """The channels on which the solver lets a receive of P take a later message."""
    given = GivenRun([instance.p], solver.order)
    found = set()
    with solver.assuming(axioms(given.run)):
        for later, channel in given.later.items():
            if satisfiable(solver, [Or(given.run.takers(later))]):
                found.add(channel)
    return frozenset(found)


def no_node_but_open(
    n: int,
    m: int,
    without: Sequence[Axiom] = (),
    *,
    order: type[Interleaving] | type[Relation] = Interleaving,
    later_sends: int = 1,
) -> Query:
    """A receive takes a later message, and no receive on its channel is a node of sig(P)."""
    pair = PairOfPrograms(n, m, 0)
    p, space = pair.p, SpaceRun([pair.p], order, later_sends=later_sends)
    takes_later = [
        And(Or(space.run.matched(p.receives[a], later.name) for later in space.later), _no_node(pair, a))
        for a in p.messages
    ]
    formulas = [
        *space.well_formed(),
        processes_by_first_use([p]),
        pair.sig_p.definition(),
        *axioms(space.run, without),
        Or(takes_later),
    ]
    return Query(f"n={n} m={m}: no node, open", formulas, partial(_decoded, pair), splits=p.channel_splits())


def _no_node(pair: PairOfPrograms, a: int) -> FNode:
    """No receive on the channel of message a is a node of sig(P)."""
    p = pair.p
    return And(
        Not(pair.sig_p.has_receive_node(b))
        if a == b
        else Implies(same_channel(p, a, p, b), Not(pair.sig_p.has_receive_node(b)))
        for b in p.messages
    )


def node_but_closed(n: int, m: int) -> Query:
    """A receive node, but the last receive on its channel can't wait for a later message.

    That is the second half of `th:decide.sealing` for the empty program as Q: its criterion then
    says that the receive reaches the end of the sender, which is what sig(P) drops nodes for.
    """
    pair = PairOfPrograms(n, m, 0)
    query = not_met_but_sealed(pair)
    return replace(query, name=f"n={n} m={m}: node, closed", instance=partial(_decoded, pair))


def _decoded(pair: PairOfPrograms, answer: Answer) -> Instance:
    return Instance.of(pair.p.decoded(answer))


def whole_space(n: int, m: int) -> Iterator[Query]:
    """Both directions."""
    yield no_node_but_open(n, m)
    yield node_but_closed(n, m)


def without_axiom(axiom: Axiom) -> Hypothesis:
    """The statement about runs that need not satisfy one of the axioms: channels without node are open."""
    return Hypothesis(
        axiom.value, lambda n, messages: first_model([no_node_but_open(n, messages, [axiom], order=Relation)])
    )


def nodes_of_any_program(instance: Instance) -> Channels:
    """The receive nodes of the appendix's Sig, which needs no balance and may have cycles."""
    nodes = sig(instance.p).nodes
    return frozenset(e.channel for e in nodes if isinstance(e, Event) and not e.is_send)


def with_unbalanced(n: int, messages: int) -> Instance | None:
    """An unbalanced program with an open channel that has no node, or the other way round."""
    programs = sorted(unbalanced(n, messages), key=lambda instance: instance.size)
    return first_difference(programs, nodes_of_any_program, by_exploring)


def with_deadlocks(n: int, messages: int) -> Instance | None:
    """A program that deadlocks, so that it closes everything, with a receive node."""
    return first_difference(deadlocking(n, messages), nodes_of_any_program, by_exploring)


def with_self_channels(n: int, messages: int) -> Instance | None:
    """A program that may send to itself, on which nodes and open channels differ."""
    programs = map(Instance.of, indexed_space(n, messages, self_channels=True).programs())
    return first_difference(programs, receive_nodes, _open_with_self_channels)


def _open_with_self_channels(instance: Instance) -> Channels:
    every = channels(instance.n, self_channels=True)
    return frozenset(c for c in every if not explorer.closes(instance.p, c))


def after_silent_cut(n: int, messages: int) -> Instance | None:
    """A program that leaves a channel open without node, if something older may be there for good.

    The formal clause for the silent cut allows a message that was sent before and is never
    received; by the definition of a channel at a cut it is there after P, too, whatever P does.
    """
    programs = Programs().instances(n, messages, 0, maxsize)
    return first_difference(programs, receive_nodes, _open_with_older_messages)


def _open_with_older_messages(instance: Instance) -> Channels:
    """The channels on which a message sent before P can stay when no message crosses the start of P."""
    found = set()
    for channel in channels(instance.n):
        older = StraightLine.of(instance.n, [snd(*channel)])
        if any(not crossed(older, matching) for matching in matchings(older.then(instance.p))):
            found.add(channel)
    return frozenset(found)


def _story(instance: Instance) -> str:
    nodes, open_channels = receive_nodes(instance), by_exploring(instance)
    lines = [f"P leaves {c} open, but sig(P) has no receive node for it" for c in open_channels - nodes]
    lines += [f"sig(P) has the receive node for {c}, but P closes it" for c in nodes - open_channels]
    return "\n".join(sorted(lines))


STATEMENT = Statement(
    id="closed-channels",
    label="section 4, signatures",
    claims=(
        Claim(
            Form.AS_PRINTED,
            "a BSL P leaves channel i->j open iff the receive j<-i is a node of sig(P)",
            predicts=receive_nodes,
            whole_space=whole_space,
            story=_story,
        ),
    ),
    hypotheses=(
        Hypothesis(
            "channels are empty at the start, as the text says",
            after_silent_cut,
            remark="the formal clause for the silent cut allows a message there that is never received",
        ),
        Hypothesis("balanced", with_unbalanced),
        Hypothesis("deadlock-free", with_deadlocks),
        Hypothesis("no self-channels", with_self_channels),
        *map(without_axiom, Axiom),
    ),
    domain=Programs(),
    ways={"algorithm": by_matching, "explorer": by_exploring, "kernel": by_kernel.open_channels},
    smt=by_solving,
)
