"""Section 2.2, "Cuts and Channels": intervals that may be infinite make no difference for BSLs.

Words        A BSL is a balanced straight-line program. Q seals P if in every run of P;Q from empty channels,
             whatever follows, each receive of P takes a message of P. ≀ is the silent cut, a moment without
             messages in transit. A program is TCC (tail communication-closed) if each occurrence that starts
             at a silent cut also ends at one. L is a CCL (communication-closed layer) in P;L;Q if ≀P;L;Q≀
             refines P≀L≀Q. P closes a channel if no message sent after P can interfere with P there; P leaves
             all other channels open.

Reading      a cut may have infinite components: P may begin where some processes have run forever. Most rows
             are about finite intervals. Here are three claims about all intervals. First, the rows about
             seals, TCC, closed channels, CCLs and layers of BSLs also hold over all intervals. Second, the
             rows about balanced BSLs hold there, too, if a process that has run forever cannot act again.
             Third, programs that do not seal each other over finite intervals do not seal each other over all
             intervals; the same is true of TCC and the other notions. A channel may contain infinitely many
             events, so "as many sends as receives" is read as a one-to-one correspondence.

Refutation   for example, a BSL that seals another BSL over finite intervals, but not over all intervals.

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
                remark="over finite intervals, a program that deadlocks seals everything. If processes that"
                " have run forever can act again, a deadlock between them stops no process, as Coq has"
                " checked",
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
