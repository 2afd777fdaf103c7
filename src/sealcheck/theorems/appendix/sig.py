"""Sig(P) (`app:algo`): the part of P that matters for sealing and for being sealed.

Reading      the answer should be the signature of P that section 4 defines in words. The nodes are

             - the start Fd_i and the end Ld_i of each process i
             - the first send on each channel i->j, if no path leads to it from Fd_j
             - the last receive j<-i on each channel i->j, if no path leads from it to Ld_i

             An edge joins two of these nodes if a path of the program graph leads from the first to the
             second. For a BSL P, these are the pairs of nodes of which the first comes earlier in every run.

Not claimed  that a signature decides sealing: see `th:decide.sealing`.
"""

from sealcheck.algorithms.as_printed import printed_throughout
from sealcheck.algorithms.as_printed.sig import sig_of
from sealcheck.questions.causality import SIGNATURE, Named
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.hypotheses import SELF_CHANNELS, failing, unbalanced, with_self_channels
from sealcheck.theorems.checking.procedures import LIMIT, WRONG_RECEIVE, answers_rightly, explaining
from sealcheck.theorems.checking.record import Theorem, in_coq
from sealcheck.theorems.checking.statement import Claim, Hypothesis, Repaired, Statement, predicts
from sealcheck.theorems.checking.targets import target

ASKED = target("signature")


def on_mended(instance: Instance) -> Named:
    """The answer of the procedure on a mended Program-Graph."""
    return Named.of(sig_of(instance.p))


def as_printed_throughout(instance: Instance) -> Named:
    """The answer of the procedure on the printed Program-Graph."""
    return Named.of(printed_throughout.sig(instance.p))


HYPOTHESES = (
    Hypothesis("balanced", failing(unbalanced, predicts(SIGNATURE, on_mended))),
    Hypothesis(
        "deadlock-free", remark="a program that deadlocks has no run, so no run shows which nodes come first"
    ),
    Hypothesis(
        "no self-channels",
        failing(with_self_channels, predicts(SIGNATURE, on_mended, semantics=SELF_CHANNELS)),
    ),
)

THEOREM = Theorem("MendedProcedures.v", "sig_mended", "every BSL that does not deadlock")

STATEMENT = Statement.of(
    "sig",
    "app:algo, Sig",
    Claim(
        "if the slip of Program-Graph is mended, Sig(P) returns the signature of P",
        check=answers_rightly(ASKED, on_mended),
        theorems=(THEOREM,),
    ),
    Claim(
        "with Program-Graph as printed, Sig(P) returns the signature of P",
        check=answers_rightly(ASKED, as_printed_throughout),
        explain=explaining(WRONG_RECEIVE, as_printed_throughout, SIGNATURE),
        refutations=in_coq("PrintedProcedures.v", "sig_printed_graph", "mt 1->2"),
        fails_at=(2, 1),
        misprint=True,
    ),
    Repaired(
        "if the slip of Program-Graph is mended, Sig(P) returns the signature of P. The pseudocode of Sig"
        " needs no change",
        check=answers_rightly(ASKED, on_mended),
        theorems=(THEOREM,),
    ),
    domain=ASKED.domain.up_to_renaming,
    questions=(SIGNATURE,),
    limits=(LIMIT,),
    hypotheses=HYPOTHESES,
)
