"""`l:seal.algebra`, item 2: if S and S' seal P, then S + S' (properly) seals P.

Reading      as printed without the word in brackets, and with it, in the conclusion only: S + S' properly
             seals P. A seal is proper if it never diverges after P, that is, has no occurrence that starts
             at a silent cut at the end of one of ≀P, and goes on for ever.  It does if it gets through
             three iterations, each with an event, of a repetition with which it ends.  For these programs
             that is enough: a repetition repeats a single atom, and a send, a receive or an assignment that
             can be done three times can be done for ever; or it is made of transmissions only.  And nothing
             can follow a repetition that goes on for ever: programs with more than a repetition in a
             layering are made of transmissions between two processes, both of which every iteration keeps
             busy.
Refutation   a program and two seals of which one diverges: their choice may, too.
Repaired     S + S' seals P, and properly exactly if both S and S' do.
Not claimed  by the checks: larger programs, for which three iterations would show nothing about infinitely
             many.  The theorems are about all programs, and infinite intervals.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product

from sealcheck.language.printer import show
from sealcheck.programs.semantics import Semantics
from sealcheck.programs.syntax import Choice, Program, seals
from sealcheck.questions.instance import Instance
from sealcheck.questions.whole_language import GOES_ON, ITERATIONS, REFINES, syntax
from sealcheck.theorems.checking.domains import Bounded, Listed
from sealcheck.theorems.checking.laws import FINITE, INFINITE, LIMITS, NOT_NEEDED, Law, sizes
from sealcheck.theorems.checking.record import Theorem, in_coq
from sealcheck.theorems.checking.small_programs import LARGER_TRIPLES, SIZE, triples
from sealcheck.theorems.checking.statement import Ask, Claim, Hypothesis, Outcome, Repaired, Statement

LAW_2 = Law(
    premises=(lambda p, q, r: seals(p, q), lambda p, q, r: seals(p, r)),
    conclusions=lambda p, q, r: (seals(p, Choice((q, r))),),
)


def diverging_as(instance: Instance, ask: Ask, claimed: Callable[[bool, bool, bool], bool]) -> Outcome:
    """Check that Q + R seals P if Q and R do, and that the three diverge after P as `claimed`."""
    met = LAW_2.met(instance, ask)
    if not met:
        return Outcome.VACUOUS
    if LAW_2.kept(instance, met, ask) != met:
        return Outcome.FAILS
    _, q, r = syntax(instance)
    return Outcome.of(all(claimed(*of) for of in diverging(instance, [Choice((q, r)), q, r], met, ask)))


choice_seals_properly = partial(diverging_as, claimed=lambda choice, q, r: not choice)
choice_is_as_proper_as_both = partial(diverging_as, claimed=lambda choice, q, r: choice == (q or r))


def diverging(
    instance: Instance, after: Sequence[Program], settings: Sequence[Semantics], ask: Ask
) -> list[tuple[bool, ...]]:
    """For each of the settings, which of these programs diverge after P."""
    p, *_ = syntax(instance)
    asked = [(Instance(instance.n, (p, seal)), setting) for setting, seal in product(settings, after)]
    found = iter(ask.all(GOES_ON, asked))
    return [tuple(next(found) for _ in after) for _ in settings]


def alternatives_last(n: int, size: int) -> Iterator[Instance]:
    """Triples whose last two programs, the alternatives, are different and in order."""
    return (i for i in triples(n, size) if i.texts[1] < i.texts[2])


def explain_divergence(instance: Instance, ask: Ask) -> str:
    """The seal that goes on for ever, or a run that shows that the choice of both is not a seal."""
    met = LAW_2.met(instance, ask)
    if LAW_2.kept(instance, met, ask) != met:
        return LAW_2.explain(instance, ask)
    _, *alternatives = syntax(instance)
    lines = ["Q seals P, R seals P, and so does Q + R"]
    for seal in alternatives:
        if any(diverges for (diverges,) in diverging(instance, [seal], met, ask)):
            lines.append(f"{show(seal)} can go on for ever after P, and so can Q + R: it is no proper seal")
    return "\n".join(lines)


MOST = {1: 2, 2: 4, 3: 2}

HYPOTHESES = (
    Hypothesis("Q seals P", LAW_2.dropping(0).broken(alternatives_last)),
    Hypothesis("R seals P", LAW_2.dropping(1).broken(alternatives_last)),
    *NOT_NEEDED,
)

STATEMENT = Statement.of(
    "seal-algebra-2",
    "l:seal.algebra, 2",
    Claim(
        "if Q and R seal P, then Q + R seals P",
        check=LAW_2.check,
        explain=LAW_2.explain,
        theorems=(
            Theorem("SealAlgebra.v", "seal_algebra_2", FINITE),
            Theorem("Diverging.v", "seal_algebra_2_properly", INFINITE),
        ),
    ),
    Claim(
        "if Q and R seal P, then Q + R properly seals P (the word in brackets)",
        check=choice_seals_properly,
        explain=explain_divergence,
        refutations=in_coq(
            "Diverging.v",
            "seal_algebra_2_properly_as_printed_fails",
            "eps and (2.x := 0)*; finite and infinite intervals",
        ),
        fails_at=(1, 2),
    ),
    Repaired(
        "if Q and R seal P, then Q + R seals P, and properly exactly if both Q and R do",
        check=choice_is_as_proper_as_both,
        explain=explain_divergence,
        theorems=in_coq("Diverging.v", "seal_algebra_2_properly", INFINITE),
    ),
    domain=Bounded(Listed("triples of programs", alternatives_last), MOST),
    questions=(REFINES, GOES_ON),
    measure=SIZE,
    limits=(
        sizes(MOST),
        LARGER_TRIPLES,
        f"that a seal goes on for ever is concluded from {ITERATIONS} iterations with an event, which is"
        " enough for these programs",
        *LIMITS,
    ),
    hypotheses=HYPOTHESES,
)
