"""Program X: `l:non-sealed`, and figures `fig:unseal`, `fig:unsealP`, `fig:unsealS`.

X = snd 1->2; snd 2->1; rcv 1<-2; rcv 2<-1: two messages that cross.

Reading      with two processes nothing seals X; with a third, idle one something does, and every seal uses
             the third process: with only the channels 1->2 and 2->1 there is none ("transitive
             acknowledgments"). The figures are lost; their captions are checked.
Refutation   the opposite answer about one of these programs.  The printed proof has a message of the seal
             overtake one of X. A guard at the seal's end can tell from the values that this has happened;
             then the seal does not occur, and X followed by it refines what it should.  That seal uses no
             third process, either.
Repaired     seals are BSLs, without guards.  `GuardedSeal.v` in the proofs has it for all programs without
             guards and cuts that can be completed after X, whose values do not matter there.
Not claimed  anything of guards that never block.  The silent cut, which cannot be run, seals X, too: see
             `sealability-undecidable`.
"""

from collections.abc import Callable, Iterator
from typing import Any

from sealcheck.programs.straight_line import Channel, StraightLine, mt
from sealcheck.programs.syntax import Cut, seals
from sealcheck.questions.closed_channels import CLOSED_CHANNELS
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import Question
from sealcheck.questions.sealing import IS_SEAL, MINIMAL_SEAL, SEALABLE
from sealcheck.questions.whole_language import OCCURS, REFINES, as_program
from sealcheck.theorems.checking.domains import Listed
from sealcheck.theorems.checking.examples import crossing, explain_the_guard, sealed_by_a_guard
from sealcheck.theorems.checking.hypotheses import failing
from sealcheck.theorems.checking.record import Theorem, in_coq
from sealcheck.theorems.checking.statement import (
    Ask,
    Check,
    Claim,
    Form,
    Hypothesis,
    Outcome,
    Statement,
    predicts,
)


def only(processes: int) -> Callable[[int, int], Iterator[Instance]]:
    """Lists X with so many processes, at its level (n, 2)."""

    def listing(n: int, messages: int) -> Iterator[Instance]:
        if (n, messages) == (processes, 2):
            yield Instance.of(crossing(n))

    return listing


def third_process_takes_part(instance: Instance, ask: Ask) -> Outcome:
    """The check that no program between 1 and 2 alone seals P.

    If one did, of any length, it would seal X without the third process, which never does anything, as
    well.  Besides, all such programs are tried that have no more transmissions than a shortest seal.
    """
    most = ask(MINIMAL_SEAL, instance)
    without_third = ask(SEALABLE, Instance.of(crossing(2)))
    between = [Instance.of(instance.p, q) for q in between_1_and_2(instance.n, most or 0)]
    sealing = ask.all(IS_SEAL, between)
    return Outcome.of(most is not None and not without_third and not any(sealing))


def between_1_and_2(n: int, most: int) -> list[StraightLine]:
    """The programs of at most so many transmissions on the channels 1->2 and 2->1.

    >>> [str(q) for q in between_1_and_2(3, 1)]
    ['eps', 'mt 1->2', 'mt 2->1']
    """
    latest = [StraightLine.of(n)]
    found = list(latest)
    for _ in range(most):
        longer = [StraightLine.of(n, mt(*channel)) for channel in (Channel(1, 2), Channel(2, 1))]
        latest = [first.then(then) for first in latest for then in longer]
        found += latest
    return list(dict.fromkeys(found))


def sealed_by_a_cut(n: int, messages: int, ask: Ask) -> Instance | None:
    """X among two processes, and the silent cut, where ≀X≀ refines X≀≀."""
    if (n, messages) != (2, 2):
        return None
    sides = seals(as_program(crossing(2)), Cut())
    return Instance(2, (crossing(2), Cut())) if ask(REFINES, Instance(2, sides)) else None


def unsealed_by_guards(instance: Instance, ask: Ask) -> Outcome:
    """The check that GUARDED does not seal X, or never occurs after it: it has no use for a third process."""
    return Outcome.of(not sealed_by_a_guard(instance.n, ask))


NO_CUT = Hypothesis(
    "seals have no silent cut", sealed_by_a_cut, remark="Q seals P; so it would seal anything"
)


def explain(instance: Instance, ask: Ask) -> str:
    """Whether X can be sealed."""
    return "it can be sealed" if ask(SEALABLE, instance) else "nothing seals it"


def about_x(
    id: str,
    label: str,
    n: int,
    text: str,
    check: Check,
    *questions: Question[Any],
    theorem: str,
    hypotheses: tuple[Hypothesis, ...] = (),
) -> Statement:
    """A statement about X among n processes."""
    theorems = in_coq(
        "Figures.v", theorem, "X, whatever the values; seals are straight-line; finite intervals"
    )
    claim = Claim(
        Form.AS_PRINTED, text, check=check, hypotheses=hypotheses, explain=explain, theorems=theorems
    )
    return Statement.of(id, label, claim, domain=Listed("program", only(n)), questions=questions)


NON_SEALED = Statement.of(
    "non-sealed",
    "l:non-sealed",
    Claim(
        Form.AS_PRINTED,
        "with two processes, X can't be sealed properly",
        check=unsealed_by_guards,
        explain=explain_the_guard,
        refutations=(
            Theorem("GuardedSeal.v", "guards_seal_X", "X, whatever it sends; finite intervals"),
            Theorem("GuardedSeal.v", "guarded_seal_completes", "X, whatever it sends; finite intervals"),
        ),
        fails_at=(2, 2),
    ),
    Claim(
        Form.REPAIRED,
        "with two processes, no BSL seals X properly",
        check=predicts(SEALABLE, lambda instance: False),
        hypotheses=(
            Hypothesis(
                "there are two processes only", failing(only(3), predicts(SEALABLE, lambda instance: False))
            ),
            NO_CUT,
        ),
        explain=explain,
        theorems=in_coq("Figures.v", "non_sealed_bsl", "X, whatever the values; finite intervals"),
    ),
    domain=Listed("program", only(2)),
    questions=(SEALABLE, REFINES, OCCURS),
)

FIGURE_P_PRIME = Statement.of(
    "figure-P-prime",
    "fig:unsealP",
    Claim(
        Form.AS_PRINTED,
        "every program that properly seals P', which is X with a third process, uses transitive"
        " acknowledgments",
        check=unsealed_by_guards,
        explain=explain_the_guard,
        refutations=in_coq(
            "GuardedSeal.v", "figure_P_prime_as_printed_fails", "X, whatever it sends; finite intervals"
        ),
        fails_at=(3, 2),
    ),
    Claim(
        Form.REPAIRED,
        "every BSL that properly seals P', which is X with a third process, uses transitive"
        " acknowledgments: the third process sends or receives",
        check=third_process_takes_part,
        explain=explain,
        theorems=in_coq(
            "Figures.v", "figure_P_prime", "X, whatever the values; seals are BSLs; finite intervals"
        ),
    ),
    domain=Listed("program", only(3)),
    questions=(MINIMAL_SEAL, SEALABLE, IS_SEAL, REFINES, OCCURS),
)

STATEMENTS = (
    NON_SEALED,
    about_x(
        "non-sealed-third-process",
        "section 1",
        3,
        "X executed in the presence of a third process can be sealed properly, by a BSL",
        predicts(SEALABLE, lambda instance: True),
        SEALABLE,
        theorem="non_sealed_third_process",
        hypotheses=(
            Hypothesis(
                "there is a third process", failing(only(2), predicts(SEALABLE, lambda instance: True))
            ),
        ),
    ),
    about_x(
        "figure-X",
        "fig:unseal",
        2,
        "(ours) X leaves both of its channels open",
        predicts(CLOSED_CHANNELS, lambda instance: frozenset()),
        CLOSED_CHANNELS,
        theorem="figure_X",
    ),
    FIGURE_P_PRIME,
)
