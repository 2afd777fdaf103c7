"""`fig:Sigvt`, `fig:Sigvtack`: signatures of a message, and its answer; `fig:3seal`: a seal of two messages.

The figures are lost; the text describes them.

Reading      of the signatures: the first has the receive node j<-i, the second does not.  The two programs
             are one up to renaming for all i and j; other processes are idle.  Of the seal: a program of
             three messages on three channels leaves all three open, or there would be less to seal, and two
             messages seal it.  Two messages answer two channels at most, so at least one is acknowledged
             transitively.  The check shows that such programs exist: all other programs of three messages
             count as instances that do not meet the hypotheses.
Refutation   a signature with the opposite answer; or a channel i->j that is open without the node, or closed
             with it.  No bound can refute the claim about seals: if there is no such program up to it, the
             claim is unknown.
Not claimed  which of the programs the figures show, or anything else about the signatures.
"""

from collections.abc import Iterator

from sealcheck.programs.straight_line import Channel, StraightLine, mt
from sealcheck.questions.causality import SIGNATURE
from sealcheck.questions.closed_channels import CLOSED_CHANNELS
from sealcheck.questions.instance import Instance
from sealcheck.questions.sealing import MINIMAL_SEAL
from sealcheck.theorems.checking.domains import Listed
from sealcheck.theorems.checking.hypotheses import programs
from sealcheck.theorems.checking.record import Theorem, in_coq
from sealcheck.theorems.checking.statement import Ask, Claim, Outcome, Statement

THERE, BACK = Channel(1, 2), Channel(2, 1)


def exchanges(n: int, messages: int) -> Iterator[Instance]:
    """mt 1->2, and mt 1->2; mt 2->1, which stand for all pairs i, j."""
    if n >= 2 and messages in (1, 2):
        yield Instance.of(StraightLine.of(n, mt(*THERE) + (mt(*BACK) if messages == 2 else ())))


def has_node_unless_answered(instance: Instance, ask: Ask) -> Outcome:
    """The check that the receive node is there, and the channel open, iff there is one message only."""
    _, receive = mt(*THERE)
    is_node = str(receive) in ask(SIGNATURE, instance).nodes
    is_open = THERE not in ask(CLOSED_CHANNELS, instance)
    return Outcome.of(is_node == is_open == (instance.messages == 1))


SIGNATURES = Statement.of(
    "figure-signatures",
    "fig:Sigvt, fig:Sigvtack",
    Claim(
        "sig(mt i->j), for i != j, has the receive node j<-i, and sig(mt i->j; mt j->i) does not have it",
        check=has_node_unless_answered,
        theorems=(
            Theorem("Transmissions.v", "sigvt", "any two processes"),
            Theorem("Transmissions.v", "sigvtack", "any two processes"),
        ),
    ),
    domain=Listed("examples", exchanges),
    questions=(SIGNATURE, CLOSED_CHANNELS),
)


MESSAGES, SEAL_MESSAGES = 3, 2


def on_three_channels(n: int, messages: int) -> Iterator[Instance]:
    """The programs of three messages that are on different channels."""
    if messages == MESSAGES:
        for instance in programs(n, messages):
            if len(instance.p.used) == MESSAGES:
                yield instance


def is_an_example(instance: Instance, ask: Ask) -> Outcome:
    """The check that all three channels are left open, and that a shortest seal has two messages."""
    closed = ask(CLOSED_CHANNELS, instance)
    found = not instance.p.used & closed and ask(MINIMAL_SEAL, instance) == SEAL_MESSAGES
    return Outcome.HOLDS if found else Outcome.VACUOUS


THREE_MESSAGES = Statement.of(
    "figure-3",
    "fig:3sealP, fig:3sealS",
    Claim(
        "there are programs of three messages on three different channels, all left open, that a BSL of"
        " two messages seals properly, and no shorter BSL",
        check=is_an_example,
        theorems=in_coq(
            "Figures.v",
            "figure_3",
            "a program of three processes; seals are BSLs; no self-channels; finite intervals",
        ),
    ),
    domain=Listed("programs", on_three_channels),
    questions=(CLOSED_CHANNELS, MINIMAL_SEAL),
    limits=("a seal is looked for among sequences of transmissions",),
)
