"""Section 2.1, "a set of processes": the number of processes, and messages to oneself, make no difference.

Words        In the model Rel, channels may reorder messages. A silent cut is a moment without messages in
             transit. TCC, CCL, "seals" and "closes" are notions of the paper: see docs/glossary.md.

Reading      theorems about Rel are about runs of infinitely many processes. The claim is that each notion
             holds in Rel iff it holds in the runs of n processes, for programs of n processes.

             A program of n processes communicates only among these processes, and its expressions read no
             messages of other processes. For straight-line programs, some notions are the same in Rel and in
             the runs of n processes, whatever the expressions read.

Not claimed  anything about refinement that does not begin with a silent cut, since messages of other
             processes may then be in transit.
"""

from sealcheck.theorems.checking.record import Theorem
from sealcheck.theorems.checking.statement import Claim, Hypothesis, Statement

STATEMENT = Statement.of(
    "n-processes",
    'section 2.1, "a set of processes"',
    Claim(
        "(ours) let programs have n processes, and let their expressions read no messages of other"
        " processes. Refinement after a silent cut, seals, TCC, CCLs, barriers, closed channels and balance"
        " of these programs are the same in the runs of n processes as in Rel. Runs may have self-channels,"
        " or none if the programs use none. For straight-line programs, seals, TCC, closed channels and"
        " layers that stay apart are the same in both, even if expressions read messages of other processes",
        hypotheses=(
            Hypothesis(
                "expressions read no messages of others",
                remark="in runs of processes 0 and 1 only, a guard that is true if 1 has sent to 2 never"
                " holds. In Rel, the guard can hold, as Coq has checked",
            ),
            Hypothesis(
                "a silent cut comes first",
                remark="without it, messages of other processes in transit can make a silent cut fail, as Coq"
                " has checked",
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
                "InfiniteNProcesses.v",
                "n_processes_channels_infinite",
                "closed channels and balance of all programs of n processes, in Rel and in RelFi, and of all"
                " programs without self-channels, in Rel; finite and infinite intervals",
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
