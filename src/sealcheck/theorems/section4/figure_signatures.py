"""`fig:Sigvt` and `fig:Sigvtack`: the signatures of mt i->j, and of mt i->j; mt j->i.

Reading      the first has the receive node j<-i, the second does not.  The two programs are one
             up to renaming for all i and j; other processes are idle.
Refutation   a signature with the other answer; or a channel i->j that is open where the node is
             missing, or closed where it is there.
Not claimed  the figures are lost: of the signatures only what the text says is checked.
"""

from collections.abc import Iterator

from sealcheck.programs.straight_line import Channel, StraightLine, mt
from sealcheck.questions.causality import SIGNATURE
from sealcheck.questions.closed_channels import CLOSED_CHANNELS
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.domains import Listed
from sealcheck.theorems.checking.record import Theorem
from sealcheck.theorems.checking.statement import Ask, Claim, Form, Outcome, Statement, holds_if

THERE, BACK = Channel(1, 2), Channel(2, 1)


def examples(n: int, messages: int) -> Iterator[Instance]:
    """mt 1->2, and mt 1->2; mt 2->1, which stand for all pairs i, j."""
    if n >= 2 and messages in (1, 2):
        yield Instance.of(StraightLine.of(n, mt(*THERE) + (mt(*BACK) if messages == 2 else ())))


def has_node_unless_answered(instance: Instance, ask: Ask) -> Outcome:
    """The check that the receive node is there, and the channel open, iff there is one message only."""
    _, receive = mt(*THERE)
    is_node = str(receive) in ask(SIGNATURE, instance).nodes
    is_open = THERE not in ask(CLOSED_CHANNELS, instance)
    return holds_if(is_node == is_open == (instance.messages == 1))


STATEMENT = Statement.of(
    "figure-signatures",
    "fig:Sigvt, fig:Sigvtack",
    Claim(
        Form.AS_PRINTED,
        "sig(mt i->j), for i != j, has the receive node j<-i, and sig(mt i->j; mt j->i) does not have it",
        check=has_node_unless_answered,
        theorems=(
            Theorem("Transmissions.v", "sigvt", "any two processes"),
            Theorem("Transmissions.v", "sigvtack", "any two processes"),
        ),
    ),
    domain=Listed("examples", examples),
    questions=(SIGNATURE, CLOSED_CHANNELS),
)
