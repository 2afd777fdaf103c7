"""Section 2.2, "Cuts and Channels": infinite intervals make no difference for BSLs.

Words        A BSL is a balanced straight-line program. TCC, CCL, "seals" and "closes" are notions of the
             paper: see docs/glossary.md. A cut gives the number of events that each process has done. A cut
             may be infinite: some processes have then run forever. An interval lies between two cuts, of
             which one or both may be infinite.

Reading      most rows are about finite intervals. Here are three claims about all intervals.

             First, "seals", TCC, "closes" and CCL each hold for BSLs over all intervals exactly if they hold
             over finite intervals. Likewise, layers of BSLs stay apart over all intervals exactly if they do
             over finite ones.

             Second, BSLs are balanced over all intervals, if a process that has run forever cannot act again.
             Over an infinite interval, a channel may have infinitely many events. There, balanced means that
             the sends correspond one-to-one to the receives.

             Third, if a program refines or seals another one, or is TCC, a CCL or a barrier, over all
             intervals, then also over finite ones.

Not claimed  anything about refinements of other forms over infinite intervals.
"""

from sealcheck.theorems.checking.laws import INFINITE, NO_BOUND
from sealcheck.theorems.checking.record import Theorem, in_coq
from sealcheck.theorems.checking.statement import Claim, Hypothesis, Statement

STATEMENT = Statement.of(
    "all-intervals",
    'section 2.2, "Cuts and Channels"',
    Claim(
        "(ours) in Rel, over all intervals, a BSL properly seals another BSL, is TCC, closes a channel, or"
        " is a CCL between two BSLs exactly if this holds over finite intervals. Likewise, layers of BSLs"
        " stay apart over all intervals exactly if they do over finite ones. Runs may have self-channels, or"
        " none if the programs use none",
        hypotheses=(
            Hypothesis(
                "deadlock-free",
                remark="over finite intervals, a program that deadlocks occurs nowhere, so it seals"
                " everything. Over infinite intervals, processes may have run forever and may act again. A"
                " deadlock between them stops no process, as Coq has checked",
            ),
        ),
        theorems=tuple(
            Theorem("InfiniteStraightLine.v", name, of)
            for name, of in (
                ("bsl_seals_infinite", "all BSLs P and Q, with values; finite and infinite intervals"),
                ("bsl_tcc_infinite", "every BSL, with values; finite and infinite intervals"),
                ("bsl_ccl_infinite", "all BSLs P, L and Q, with values; finite and infinite intervals"),
                ("bsl_layers_infinite", "any number of BSLs, with values; finite and infinite intervals"),
            )
        )
        + in_coq(
            "InfiniteChannels.v",
            "bsl_closes_infinite",
            "every BSL, with values; finite and infinite intervals",
        ),
        not_boundable=NO_BOUND,
    ),
    Claim(
        "(ours) if a process that has run forever cannot act again, a BSL is balanced over all intervals",
        hypotheses=(
            Hypothesis(
                "processes that have run forever cannot act again",
                remark="without it, mt 1->2 is not balanced if process 2 has run forever, as Coq has checked"
                " (balanced-necessary-whole-language)",
            ),
        ),
        theorems=in_coq(
            "InfiniteBalance.v",
            "bsl_balanced_infinite",
            "every BSL, with values, in any set of runs; finite and infinite intervals",
        ),
        not_boundable=NO_BOUND,
    ),
    Claim(
        "(ours) if a program refines or seals another one, or is TCC, a CCL or a barrier, over all"
        " intervals, then also over finite ones",
        theorems=in_coq("InfiniteSealAlgebra.v", "over_finite_intervals", INFINITE),
        not_boundable=NO_BOUND,
    ),
)
