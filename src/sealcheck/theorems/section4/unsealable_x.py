"""Program X: `l:non-sealed`, and figures `fig:unseal`, `fig:unsealP`, `fig:unsealS`.

X = snd 1->2; snd 2->1; rcv 1<-2; rcv 2<-1: two messages that cross.

Words        A BSL is a balanced straight-line program. Q seals P if P's receives take only messages of P, in
             every run of P;Q from empty channels, whatever follows. The silent cut is a moment without
             messages in transit.

Reading      "transitive acknowledgments" are read as follows: every seal of X uses the third, idle process.
             The figures are lost, so their captions are checked.

Refutation   in the printed proof, a message of the seal overtakes a message of X. But a guard at the seal's
             end can detect the overtaking from the values. The seal then does not occur, so this run is no
             evidence against the seal. The guarded seal needs no third process, either.

Repaired     seals are BSLs, which have no guards. `GuardedSeal.v` in the proofs has the claim for all
             programs without guards and silent cuts that can be completed after X.

Not claimed  anything about seals whose guards always hold. The silent cut also seals X, but no process can
             carry it out.
"""

from collections.abc import Iterator
from functools import partial

from sealcheck.programs.straight_line import Channel
from sealcheck.programs.syntax import Cut, as_program, seals
from sealcheck.questions.closed_channels import CLOSED_CHANNELS
from sealcheck.questions.instance import Instance
from sealcheck.questions.sealing import IS_SEAL, MINIMAL_SEAL, SEALABLE
from sealcheck.questions.whole_language import OCCURS, REFINES
from sealcheck.theorems.checking.domains import Listed
from sealcheck.theorems.checking.examples import (
    crossing,
    explain_the_guard,
    sealed_by_a_guard,
    transmitting_at_most,
)
from sealcheck.theorems.checking.hypotheses import failing
from sealcheck.theorems.checking.record import Theorem, in_coq
from sealcheck.theorems.checking.statement import (
    Ask,
    Claim,
    Hypothesis,
    Outcome,
    Repaired,
    Statement,
    predicts,
)


def among(processes: int, n: int, messages: int) -> Iterator[Instance]:
    """X among n processes, at its level (n, 2)."""
    if (n, messages) == (processes, 2):
        yield Instance.of(crossing(n))


AMONG_2, AMONG_3 = partial(among, 2), partial(among, 3)


def third_process_takes_part(instance: Instance, ask: Ask) -> Outcome:
    """The check that no program on the channels 1->2 and 2->1 alone seals P.

    Such a program, of any length, would also seal X among two processes, so the check asks whether anything
    does. All such programs up to the length of a shortest seal are tried, too.
    """
    most = ask(MINIMAL_SEAL, instance)
    without_third = ask(SEALABLE, Instance.of(crossing(2)))
    between = transmitting_at_most(instance.n, most or 0, [Channel(1, 2), Channel(2, 1)])
    sealing = ask.all(IS_SEAL, [Instance.of(instance.p, q) for q in between])
    return Outcome.of(most is not None and not without_third and not any(sealing))


def sealed_by_a_cut(n: int, messages: int, ask: Ask) -> Instance | None:
    """The pair of X and the silent cut, if the cut seals X."""
    if (n, messages) != (2, 2):
        return None
    sides = seals(as_program(crossing(2)), Cut())
    return Instance(2, (crossing(2), Cut())) if ask(REFINES, Instance(2, sides)) else None


def unsealed_by_guards(instance: Instance, ask: Ask) -> Outcome:
    """The check that GUARDED does not seal X, or cannot complete after X."""
    return Outcome.of(not sealed_by_a_guard(instance.n, ask))


NO_CUT = Hypothesis(
    "seals have no silent cut", sealed_by_a_cut, remark="Q seals P, as a silent cut seals anything"
)


def explain(instance: Instance, ask: Ask) -> str:
    """Say whether X can be sealed."""
    return "it can be sealed" if ask(SEALABLE, instance) else "nothing seals it"


OF_X = "X, whatever the values; finite intervals"

CAN_BE_SEALED = predicts(SEALABLE, lambda instance: True)
CANNOT_BE_SEALED = predicts(SEALABLE, lambda instance: False)

NON_SEALED = Statement.of(
    "non-sealed",
    "l:non-sealed",
    Claim(
        "with two processes, X can't be sealed properly",
        check=unsealed_by_guards,
        explain=explain_the_guard,
        refutations=(
            Theorem("GuardedSeal.v", "guards_seal_X", "X, whatever it sends; finite intervals"),
            Theorem(
                "InfiniteGuardedSeal.v",
                "guards_seal_X_infinite",
                "X, whatever it sends; finite and infinite intervals",
            ),
            Theorem("GuardedSeal.v", "guarded_seal_completes", "X, whatever it sends; finite intervals"),
        ),
        fails_at=(2, 2),
    ),
    Repaired(
        "with two processes, no BSL seals X properly",
        check=CANNOT_BE_SEALED,
        hypotheses=(Hypothesis("there are two processes only", failing(AMONG_3, CANNOT_BE_SEALED)), NO_CUT),
        explain=explain,
        theorems=in_coq(
            "Figures.v",
            "non_sealed_bsl",
            "X, whatever the values; seals are BSLs; no self-channels; finite intervals",
        ),
    ),
    domain=Listed("program", AMONG_2),
    questions=(SEALABLE, REFINES, OCCURS),
)

FIGURE_P_PRIME = Statement.of(
    "figure-P-prime",
    "fig:unsealP",
    Claim(
        "every program that properly seals P', which is X with a third process, uses transitive"
        " acknowledgments",
        check=unsealed_by_guards,
        explain=explain_the_guard,
        refutations=in_coq(
            "GuardedSeal.v", "figure_P_prime_as_printed_fails", "X, whatever it sends; finite intervals"
        ),
        fails_at=(3, 2),
    ),
    Repaired(
        "every BSL that properly seals P', which is X with a third process, uses transitive"
        " acknowledgments: the third process sends or receives",
        check=third_process_takes_part,
        explain=explain,
        theorems=in_coq(
            "Figures.v",
            "figure_P_prime",
            "X, whatever the values; seals are BSLs; no self-channels; finite intervals",
        ),
    ),
    domain=Listed("program", AMONG_3),
    questions=(MINIMAL_SEAL, SEALABLE, IS_SEAL, REFINES, OCCURS),
)

THIRD_PROCESS = Statement.of(
    "non-sealed-third-process",
    "section 1",
    Claim(
        "X executed in the presence of a third process can be sealed properly, by a BSL",
        check=CAN_BE_SEALED,
        hypotheses=(Hypothesis("there is a third process", failing(AMONG_2, CAN_BE_SEALED)),),
        explain=explain,
        theorems=in_coq("Figures.v", "non_sealed_third_process", OF_X),
    ),
    domain=Listed("program", AMONG_3),
    questions=(SEALABLE,),
)

FIGURE_X = Statement.of(
    "figure-X",
    "fig:unseal",
    Claim(
        "(ours) X leaves both of its channels open",
        check=predicts(CLOSED_CHANNELS, lambda instance: frozenset()),
        explain=explain,
        theorems=in_coq("Figures.v", "figure_X", OF_X),
    ),
    domain=Listed("program", AMONG_2),
    questions=(CLOSED_CHANNELS,),
)

STATEMENTS = (NON_SEALED, THIRD_PROCESS, FIGURE_X, FIGURE_P_PRIME)
