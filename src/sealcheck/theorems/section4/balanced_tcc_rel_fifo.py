"""Section 4: "Note that balanced programs are TCC in RelFi."

Words        In RelFi, channels keep the order: the k'th receive on a channel takes the k'th message. A silent
             cut is a moment without messages in transit. A program is TCC if each occurrence that starts at a
             silent cut also ends at one. A BSL is a balanced straight-line program. P closes a channel if P's
             receives on it can take no message sent after P.

Reading      there are two readings. In the first, P starts with empty channels. In the second, by the formula
             for TCC, P starts at a silent cut. At a silent cut, a channel may hold a message that is never
             received.

             A BSL is TCC in RelFi if it closes all channels.

             Over infinite intervals, a channel may have infinitely many events. There, "as many sends as
             receives" means that the sends correspond one-to-one to the receives.

Refutation   of the second reading: a program that begins with a guard. The guard holds only if 1 has sent to
             2 more often than 2 has received. At a silent cut, this means that a message is lost. The program
             occurs in no run from empty channels, so it is vacuously balanced. But after the guard it sends a
             message that it does not receive, and this message crosses its end.

Not claimed  anything about the second reading for balanced programs with choice and loops, if guards read
             only variables.
"""

from functools import partial

from sealcheck.programs.semantics import PAPER, ChannelModel, Semantics
from sealcheck.questions.closed_channels import CLOSED_CHANNELS
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.domains import Programs
from sealcheck.theorems.checking.hypotheses import (
    FIFO,
    crossing_in_order,
    failing,
    programs,
    unbalanced,
    with_self_channels,
)
from sealcheck.theorems.checking.laws import NO_BOUND, open_channels
from sealcheck.theorems.checking.record import in_coq
from sealcheck.theorems.checking.statement import Ask, Claim, Hypothesis, Outcome, Repaired, Statement


def closes_all(instance: Instance, ask: Ask, semantics: Semantics) -> Outcome:
    """Check that P closes all channels."""
    return Outcome.of(not open_channels(instance, ask, semantics))


def explain(instance: Instance, ask: Ask) -> str:
    """The channels on which messages cross."""
    named = ", ".join(map(str, open_channels(instance, ask, FIFO)))
    return f"in some FIFO run a message on {named} is received on the other side of the end of P"


IN_REL_FIFO = partial(closes_all, semantics=FIFO)

STATEMENT = Statement.of(
    "balanced-tcc-rel-fifo",
    'section 4, "balanced programs are TCC in RelFi"',
    Claim(
        "over finite intervals: if a program that is balanced in Rel starts with empty channels, in a run of"
        " RelFi, it ends at a silent cut",
        check=IN_REL_FIFO,
        explain=explain,
        theorems=in_coq(
            "FifoModels.v",
            "balanced_silent_rel_fifo",
            "all programs balanced in Rel, from empty channels; finite intervals",
        ),
    ),
    Claim(
        "over finite and infinite intervals: if a program that is balanced in Rel starts with empty channels,"
        " in a run of RelFi, it ends at a silent cut. Here balanced means: balanced over all intervals",
        theorems=in_coq(
            "InfiniteBalance.v",
            "balanced_silent_rel_fifo_infinite",
            "all programs balanced in Rel, from empty channels; finite and infinite intervals",
        ),
        not_boundable=NO_BOUND,
    ),
    Claim(
        "over finite intervals, every program that is balanced in Rel is TCC in RelFi, by the formula for"
        " TCC: whenever it starts at a silent cut, it ends at one. Reading: an expression can depend on all"
        " earlier events of its process",
        refutations=in_coq(
            "Refutations.v",
            "balanced_tcc_rel_fifo_as_formalized",
            "[1 has sent to 2 more often than 2 has received]; snd 2->1, which occurs only after a"
            " message is lost; finite intervals",
        ),
        not_boundable="the counterexample's guard reads histories; in the programs that are checked,"
        " guards read variables",
    ),
    Repaired(
        "over finite intervals, every BSL is TCC in RelFi, by the formula for TCC: whenever it starts at a"
        " silent cut, it ends at one",
        check=IN_REL_FIFO,
        hypotheses=(
            Hypothesis("FIFO channels", failing(programs, partial(closes_all, semantics=PAPER))),
            Hypothesis(
                "FIFO channels skip no message",
                queries=lambda n, messages: (crossing_in_order(str(p), p) for p in programs(n, messages)),
            ),
            Hypothesis("balanced", failing(unbalanced, IN_REL_FIFO)),
            Hypothesis(
                "no self-channels",
                failing(
                    with_self_channels,
                    partial(closes_all, semantics=Semantics(model=ChannelModel.REL_FIFO, self_channels=True)),
                ),
            ),
            Hypothesis(
                "deadlock-free",
                remark="after a silent cut, a program that deadlocks occurs over no interval, so it is TCC",
            ),
        ),
        explain=explain,
        theorems=in_coq(
            "FifoModels.v", "balanced_tcc_rel_fifo", "balanced straight-line programs; finite intervals"
        ),
    ),
    domain=Programs(),
    questions=(CLOSED_CHANNELS,),
    limits=("only BSLs are checked up to the bound; the theorem covers the other balanced programs",),
)
