"""Deadlock-Free(P) (`app:algo`): whether P completes when it is run in isolation.

Reading      P is balanced. The answer should be yes iff P, run alone from empty channels, completes. All
             executions of P get equally far, so P completes in all of them if it does in one.

Not claimed  anything about unbalanced programs. An unbalanced program can wait forever although its graph has
             no cycle.
"""

from collections.abc import Callable

from sealcheck.algorithms.as_printed import deadlock_free as procedure
from sealcheck.algorithms.as_printed import printed_throughout
from sealcheck.questions.causality import DEADLOCK_FREE
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.hypotheses import (
    DEADLOCKING_MESSAGES,
    SELF_CHANNELS,
    failing,
    unbalanced,
    with_self_channels,
)
from sealcheck.theorems.checking.procedures import LIMIT, WRONG_RECEIVE, answers_rightly
from sealcheck.theorems.checking.record import Theorem, in_coq
from sealcheck.theorems.checking.statement import Ask, Claim, Hypothesis, Repaired, Statement, predicts
from sealcheck.theorems.checking.targets import target

ASKED = target("deadlock-free")


def printed(instance: Instance) -> bool:
    """The answer of the printed procedure on a mended Program-Graph."""
    return procedure.deadlock_free(instance.p)


def as_printed_throughout(instance: Instance) -> bool:
    """The answer of the printed procedure on the printed Program-Graph."""
    return printed_throughout.deadlock_free(instance.p)


def repaired(instance: Instance) -> bool:
    """The answer of the mended procedure."""
    return procedure.deadlock_free_repaired(instance.p)


def explaining(answer: Callable[[Instance], bool]) -> Callable[[Instance, Ask], str]:
    """Says line by line how a printed procedure comes to its answer."""

    def explain(instance: Instance, ask: Ask) -> str:
        """The results of lines 1 and 2, and the right answer."""
        cyclic = answer(instance)
        lines = [WRONG_RECEIVE] if cyclic != printed(instance) else []
        lines += [
            f"Line 1: the graph that Program-Graph returns has {'a' if cyclic else 'no'} cycle.",
            f"Line 2 returns whether there is a cycle: {'yes' if cyclic else 'no'}."
            " It should return whether there is no cycle.",
            f"P {'is deadlock-free' if ask(DEADLOCK_FREE, instance) else 'deadlocks'}.",
        ]
        return "\n".join(lines)

    return explain


HYPOTHESES = (
    Hypothesis("balanced", failing(unbalanced, predicts(DEADLOCK_FREE, repaired))),
    Hypothesis(
        "no self-channels",
        failing(with_self_channels, predicts(DEADLOCK_FREE, repaired, semantics=SELF_CHANNELS)),
    ),
)

STATEMENT = Statement.of(
    "deadlock-free",
    "app:algo, Deadlock-Free",
    Claim(
        "if the slip of Program-Graph is mended, Deadlock-Free(P) answers whether P is deadlock-free",
        check=answers_rightly(ASKED, printed),
        explain=explaining(printed),
        refutations=in_coq("PrintedProcedures.v", "deadlock_free_as_printed", "eps"),
        fails_at=(1, 0),
        misprint=True,
    ),
    Claim(
        "with Program-Graph as printed, Deadlock-Free(P) answers whether P is deadlock-free",
        check=answers_rightly(ASKED, as_printed_throughout),
        explain=explaining(as_printed_throughout),
        refutations=in_coq("PrintedProcedures.v", "deadlock_free_printed_graph", "eps"),
        fails_at=(1, 0),
        misprint=True,
    ),
    Repaired(
        "let P be a BSL without self-channels. If the slip of Program-Graph is mended, and line 2 has 'no"
        " cycle' in place of 'cycle', Deadlock-Free(P) answers whether P is deadlock-free",
        check=answers_rightly(ASKED, repaired),
        theorems=(
            Theorem("MendedProcedures.v", "deadlock_free_mended", "the FIFO run of every BSL"),
            Theorem(
                "Unbalanced.v",
                "dead_free_iff_occurs",
                "all runs of BSLs without self-channels; finite intervals",
            ),
        ),
    ),
    domain=ASKED.domain.up_to_renaming,
    questions=(DEADLOCK_FREE,),
    limits=(f"programs that deadlock are checked up to {DEADLOCKING_MESSAGES} messages", LIMIT),
    hypotheses=HYPOTHESES,
)
