"""Section 2: neither the number of processes nor infinite intervals make a difference.

Section 2.1, "a set of processes": how many there are does not matter, nor whether one sends to itself.

Reading      theorems about Rel are about runs of infinitely many processes, and all but a few about runs in
             which no process sends to itself.  The claim says that programs of n processes do not tell these
             runs from those of n processes, so these notions do not depend on it.  A program of n processes
             sends and receives among them only, and its expressions read no messages of others; those of
             straight-line programs may read anything.
Refutation   a program of n processes that is TCC, for example, in the runs of n processes and not in Rel.
Not claimed  anything about refinement without a silent cut first: messages of others may be under way.

Section 2.2, "Cuts and Channels": intervals that may be infinite make no difference for BSLs.

Reading      a cut may have infinite components, so that P may begin where some processes have gone on for
             ever.  Most rows are about finite intervals.  The first claim says that rows about BSLs, as to
             seals, TCC, CCLs and layers that stay apart, hold over all intervals as well; the second one that
             programs that do not seal each other, or are not TCC and so on, over finite intervals are not so
             over all of them.
Refutation   a BSL that seals another one over finite intervals, for example, and not over all of them.
Not claimed  anything about closed channels, balance, or refinements of other forms over infinite intervals.
"""

from sealcheck.theorems.checking.laws import INFINITE, NO_BOUND
from sealcheck.theorems.checking.record import Theorem, in_coq
from sealcheck.theorems.checking.statement import Claim, Hypothesis, Statement

N_PROCESSES = Statement.of(
    "n-processes",
    'section 2.1, "a set of processes"',
    Claim(
        "(ours) programs of n processes, whose expressions read no messages of others, refine each other"
        " after a silent cut, seal, are TCC, CCLs or barriers for one another, close channels and are"
        " balanced in the runs of n processes exactly if they do so in Rel, with self-channels and, if they"
        " use none, without; straight-line programs of n processes and layers of them may read anything, as"
        " to seals, TCC, closed channels and staying apart",
        hypotheses=(
            Hypothesis(
                "expressions read no messages of others",
                remark="a guard that reads whether 1 has sent to 2 tells the runs of 0 and 1 from others, as"
                " Coq has checked",
            ),
            Hypothesis(
                "a silent cut comes first",
                remark="else a silent cut may fail for messages of others that are under way, as Coq has"
                " checked",
            ),
        ),
        theorems=(
            Theorem(
                "NProcesses.v",
                "n_processes",
                "all programs of n processes, in Rel and in RelFi; finite and infinite intervals",
            ),
            Theorem(
                "NProcesses.v",
                "no_self_channels",
                "all programs without self-channels, in Rel; finite and infinite intervals",
            ),
            Theorem(
                "NProcesses.v",
                "n_processes_straight_line",
                "all straight-line programs of n processes, in Rel; finite intervals",
            ),
            Theorem(
                "NProcesses.v",
                "n_processes_layers",
                "any number of straight-line layers of n processes, in Rel; finite intervals",
            ),
        ),
        not_boundable="no bound reaches runs of infinitely many processes",
    ),
)


ALL_INTERVALS = Statement.of(
    "all-intervals",
    'section 2.2, "Cuts and Channels"',
    Claim(
        "(ours) a BSL properly seals another one, is TCC, is a CCL between two others, or layers of BSLs stay"
        " apart over all intervals exactly if they do so over finite ones, in Rel with self-channels and, if"
        " they use none, without",
        hypotheses=(
            Hypothesis(
                "deadlock-free",
                remark="a program that deadlocks seals everything over finite intervals; if processes that"
                " have gone on for ever may act on, a deadlock between them halts nobody, as Coq has checked",
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
        ),
        not_boundable=NO_BOUND,
    ),
    Claim(
        "(ours) what refines, seals, or is TCC, a CCL or a barrier over all intervals is so over finite ones",
        theorems=in_coq("InfiniteSealAlgebra.v", "over_finite_intervals", INFINITE),
        not_boundable=NO_BOUND,
    ),
)
