"""`fig:Sigvt` and `fig:Sigvtack`: the signatures of mt i->j, and of mt i->j; mt j->i.

Reading      the first has the receive node j<-i, the second does not.  The two programs are one
             up to renaming for all i and j; other processes are idle.
Refutation   a signature with the other answer, by the appendix's procedure; or a channel i->j that
             is open where the node is missing, or closed where it is there.
Not claimed  the figures are lost: of the signatures only what the text says is checked.
"""

from collections.abc import Iterator

from sealcheck.programs.events import Channel, mt
from sealcheck.programs.straight_line import StraightLine
from sealcheck.theorems.closed_channels import by_exploring, by_solving, nodes_of_any_program
from sealcheck.theorems.domains import Listed
from sealcheck.theorems.statement import Claim, Form, Instance, Statement

THERE, BACK = Channel(1, 2), Channel(2, 1)


def examples(n: int, messages: int) -> Iterator[Instance]:
    """mt 1->2, and mt 1->2; mt 2->1, which stand for all pairs i, j."""
    if n >= 2 and messages in (1, 2):
        yield Instance.of(StraightLine.of(n, mt(*THERE) + (mt(*BACK) if messages == 2 else ())))


def by_definition(instance: Instance) -> bool:
    """Whether sig(P), as the appendix computes it, has the receive node."""
    return THERE in nodes_of_any_program(instance)


STATEMENT = Statement(
    id="figure-signatures",
    label="fig:Sigvt, fig:Sigvtack",
    claims=(
        Claim(
            Form.AS_PRINTED,
            "sig(mt i->j) has the receive node j<-i, and sig(mt i->j; mt j->i) does not have it",
            predicts=lambda instance: instance.messages == 1,
        ),
    ),
    domain=Listed("examples", examples),
    ways={
        "algorithm": by_definition,
        "explorer": lambda instance: THERE in by_exploring(instance),
    },
    smt=lambda instance, solver: THERE in by_solving(instance, solver),
    limits=(
        "the explorer and the solvers see whether the channel is open, which is the same by closed-channels",
    ),
)
