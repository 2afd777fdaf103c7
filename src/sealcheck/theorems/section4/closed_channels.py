"""Section 4, signatures: P leaves channel i->j open iff the receive j<-i is a node of sig(P).

Words        In the model Rel, channels may reorder messages. sig(P), the signature of P, is a graph. Its
             nodes are first sends and last receives on channels, and the start Fd_i and the end Ld_i of each
             process i. An edge leads to a node that comes later in every run.

Reading      P closes a channel if, in Rel, the channel is empty after every occurrence of P that starts with
             empty channels.

             The paper's "more formal" clause has a silent cut (a moment without messages in transit) instead
             of empty channels. The second statement is about this clause.

Refutation   of the first statement: a program whose signature lacks the node j<-i, and a run where a receive
             of P on i->j takes a later message. Or a program whose signature has the node, but for which the
             proof of `th:decide.sealing` constructs no such run.

             Of the second statement: a program whose signature lacks the node, and a run in which a message
             that was sent on i->j before the program is never received. It may be on the channel at a silent
             cut, and stays there.

Not claimed  anything about the send nodes of signatures.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from sealcheck.algorithms.as_printed.sig import sig
from sealcheck.algorithms.signature import signature
from sealcheck.encodings.formulas import Formula
from sealcheck.encodings.program_space import SymbolicProgram, SymbolicSignature
from sealcheck.encodings.runs import Axiom
from sealcheck.encodings.sealing import PairOfTraces, not_met_but_no_run
from sealcheck.encodings.sealing import no_node_but_open as formulas_of_no_node
from sealcheck.encodings.solving import Interleaving, Relation
from sealcheck.programs.semantics import PAPER, Semantics
from sealcheck.programs.straight_line import Channel, Event, channels
from sealcheck.programs.syntax import Cut, Send, as_program, layered
from sealcheck.questions.closed_channels import CLOSED_CHANNELS
from sealcheck.questions.instance import Instance
from sealcheck.questions.whole_language import OCCURS
from sealcheck.theorems.checking.domains import Programs
from sealcheck.theorems.checking.hypotheses import SELF_CHANNELS, about_programs, without_axioms
from sealcheck.theorems.checking.laws import open_channels
from sealcheck.theorems.checking.record import in_coq
from sealcheck.theorems.checking.statement import Ask, Claim, Outcome, Query, Statement

Channels = frozenset[Channel]
Nodes = Callable[[Instance], Channels]


def receive_nodes(instance: Instance) -> Channels:
    """The channels whose last receive is a node of sig(P)."""
    return frozenset(signature(instance.p).open_channels)


def nodes_of_any_program(instance: Instance) -> Channels:
    """The receive nodes of the appendix's Sig, which needs no balance and may have cycles."""
    nodes = sig(instance.p).nodes
    return frozenset(e.channel for e in nodes if isinstance(e, Event) and not e.is_send)


def opens_nodes(
    instance: Instance, ask: Ask, nodes: Nodes = receive_nodes, semantics: Semantics = PAPER
) -> Outcome:
    """Check that P leaves open the channels that have nodes, and no others."""
    return Outcome.of(set(open_channels(instance, ask, semantics)) == nodes(instance))


def closed_by_the_formula(instance: Instance, ask: Ask) -> Outcome:
    """Check that P, from every silent cut, closes the channels without receive nodes.

    For each of these channels c, the check asks whether ``snd c; cut; P`` can occur. If so, the message is
    still on c after P: P cannot receive it across the silent cut.
    """
    p, nodes = as_program(instance.p), receive_nodes(instance)
    older = (layered(Send(*c), Cut(), p) for c in channels(instance.n) if c not in nodes)
    return Outcome.of(not any(ask(OCCURS, Instance(instance.n, (program,))) for program in older))


def no_node_but_open(
    n: int,
    m: int,
    without: Sequence[Axiom] = (),
    *,
    order: type[Interleaving] | type[Relation] = Interleaving,
    later_sends: int = 1,
) -> Query:
    """The query for a receive that takes a later message, on a channel without receive node in sig(P)."""
    p = SymbolicProgram("P", n, m)

    def formulas() -> list[Formula]:
        return formulas_of_no_node(SymbolicSignature(p), without, order=order, later_sends=later_sends)

    return Query.about(f"n={n} m={m}: no node, open", formulas, p)


def node_but_closed(n: int, m: int) -> Query:
    """The query for a channel with a receive node, where the last receive cannot wait for a later message.

    This is the second half of `th:decide.sealing`, for Q = eps. Its criterion then says that the last receive
    comes before the end of the sender's process, in every run. If it does, sig(P) does not have the receive
    node.
    """
    pair = PairOfTraces(n, m, 0)
    return Query.about(f"n={n} m={m}: node, closed", lambda: not_met_but_no_run(pair), pair.p, by_proof=True)


def whole_space(n: int, m: int) -> Iterator[Query]:
    """The queries for both directions."""
    yield no_node_but_open(n, m)
    yield node_but_closed(n, m)


def explain(instance: Instance, ask: Ask) -> str:
    """The channels on which the two sides differ."""
    nodes, opened = receive_nodes(instance), set(open_channels(instance, ask))
    lines = [f"P leaves {c} open, but sig(P) has no receive node for it" for c in opened - nodes]
    lines += [f"sig(P) has the receive node for {c}, but P closes it" for c in nodes - opened]
    return "\n".join(sorted(lines))


def explain_older(instance: Instance, ask: Ask) -> str:
    """The messages that may be on channels before P."""
    without = ", ".join(str(c) for c in channels(instance.n) if c not in receive_nodes(instance))
    return (
        f"sig(P) has no receive node for {without}\n"
        "a message that is sent on such a channel before P, and never received, does not cross the silent cut"
        " before P\n"
        "the message is on its channel at that cut, and also after P, so P does not close the channel"
    )


CLOSED = Statement.of(
    "closed-channels",
    "section 4, signatures",
    Claim(
        "a BSL P leaves channel i->j open iff the receive j<-i is a node of sig(P). Open means: P, started"
        " with empty channels, can end with i->j not empty",
        check=opens_nodes,
        hypotheses=(
            *about_programs(
                partial(opens_nodes, nodes=nodes_of_any_program),
                partial(opens_nodes, semantics=SELF_CHANNELS),
            ),
            *without_axioms(lambda n, m, axiom: [no_node_but_open(n, m, [axiom], order=Relation)]),
        ),
        whole_space=whole_space,
        explain=explain,
        theorems=in_coq(
            "ClosedChannels.v", "closed_channels_self", "every BSL, with self-channels too; finite intervals"
        ),
    ),
    domain=Programs(),
    questions=(CLOSED_CHANNELS,),
)

FORMALLY_CLOSED = Statement.of(
    "closed-channels-formally",
    'section 4, "more formally"',
    Claim(
        'a BSL P leaves channel i->j open, in the sense of the clause "more formally", iff the receive j<-i'
        " is a node of sig(P). In this sense, open means: P, started at a silent cut, can end with i->j not"
        " empty",
        check=closed_by_the_formula,
        explain=explain_older,
        refutations=in_coq(
            "Refutations.v",
            "closed_channels_as_formalized",
            "eps, after a message that is lost; finite intervals",
        ),
        fails_at=(2, 0),
    ),
    domain=Programs(),
    questions=(OCCURS,),
)

STATEMENTS = (CLOSED, FORMALLY_CLOSED)
