"""`l:seal.algebra` for the whole language: how seals are put together.

Items 1, 3, 4 and 5:

Words        ≀ is the silent cut, a moment without messages in transit. P refines Q if Q occurs over every
             interval over which P occurs. S seals P if ≀P;S refines P≀S. A setting of the checks is a set of
             runs, with a reading of the silent cut.

Reading      the items are about all programs, also over infinite intervals. Over infinite intervals, the
             paper says, "program variables ... are considered unspecified". We read this as follows. Once a
             process has run forever, each of its expressions has some value, the same in all runs. A constant
             keeps its value.

Refutation   item 5 says: if P seals itself, then P seals P*. It fails for P = eps + (mt 2->1 + 1.x := k)*;
             1.x := k; [1.x = k], where k is not the value of 1.x after infinitely many events. P seals
             itself: P;P refines P, and ≀P refines P≀P, because the first P there may be eps.

             Let P* run forever: process 1 receives one message, and then does 1.x := k again and again. The
             message may be one that process 2 sends after P*, so P* need not end silently. The P that follows
             P* changes nothing: after infinitely many events its guard is false, so this P can only be eps.

Repaired     the paper uses item 5 for mt i->j; mt j->i, to which both repaired claims apply.

Not claimed  by the checks: larger programs and infinite intervals. Theorems cover both. For items 3 and 4,
             `seal_algebra_straight` checks larger straight-line programs.

Item 2: if S and S' seal P, then S + S' (properly) seals P.

Reading      there are two readings: the item without the word in brackets, and the item with this word in the
             conclusion only. A seal is proper if it never diverges after P. A seal diverges after P if it can
             run forever from a silent cut at which an occurrence of ≀P ends.

             The check takes a seal to diverge if it ends with a repetition and gets through three iterations
             of this repetition, each with an event. This is enough for these programs, for two reasons.

             First, a repetition is made of transmissions only, or it repeats a single atom. A transmission, a
             send, a receive or an assignment that can be done three times can be done forever.

             Second, only a repetition at the end of a seal can run forever. If a program layers a repetition
             with something else, the program is made of transmissions between two processes. A repetition
             that runs forever keeps both processes busy, so nothing can follow it.

Not claimed  by the checks: larger programs, for which three iterations would show nothing about infinitely
             many.

Item 6: P is TCC iff all programs seal P.

Words        P is TCC if ≀P refines P≀.

Reading      in the checks, "all programs" are eps and the programs of a single atom without data. If all of
             these seal P, then P is TCC, because "eps seals P" means the same as "P is TCC". If P is TCC, the
             checks try whether all of these seal P.

Not claimed  by the checks: that larger programs also seal a TCC program. This follows from
             `constructs-monotone`: if ≀P refines P≀, then ≀P;Q refines P≀Q, for every Q.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import product

from sealcheck.language.printer import show
from sealcheck.programs.semantics import Semantics
from sealcheck.programs.syntax import Choice, Eps, Program, Repetition, layered, seals, tcc
from sealcheck.questions.instance import Instance
from sealcheck.questions.whole_language import GOES_ON, ITERATIONS, REFINES, syntax
from sealcheck.theorems.checking.domains import Bounded, Listed
from sealcheck.theorems.checking.laws import (
    FINITE,
    INFINITE,
    LIMITS,
    NO_BOUND,
    NOT_NEEDED,
    SETTINGS,
    Law,
    holding,
    over_all_intervals,
    row,
    sizes,
)
from sealcheck.theorems.checking.record import Theorem, in_coq
from sealcheck.theorems.checking.small_programs import (
    LARGER_TRIPLES,
    SIZE,
    atoms,
    has_data,
    has_lone_receive,
    triples,
    tuples,
)
from sealcheck.theorems.checking.statement import Ask, Claim, Form, Hypothesis, Outcome, Repaired, Statement


def repeatable(n: int, size: int) -> Iterator[Instance]:
    """Programs other than repetitions, in which each receive directly follows its send.

    Repetitions are left out, since they always seal themselves: in P≀P, the first P may have no iterations.
    """
    for instance in tuples(n, size, 1):
        (program,) = syntax(instance)
        if not isinstance(program, Repetition) and not has_lone_receive(program):
            yield instance


LAW_1 = Law(
    premises=(lambda p, q, r: seals(p, r), lambda p, q, r: seals(q, r)),
    conclusions=lambda p, q, r: (seals(Choice((p, q)), r),),
)

LAW_3 = Law(premises=(lambda p, q, r: seals(p, q),), conclusions=lambda p, q, r: (seals(p, layered(q, r)),))

LAW_4 = Law(
    premises=(lambda p, q, r: seals(p, q), lambda p, q, r: seals(q, r)),
    conclusions=lambda p, q, r: (seals(layered(p, q), r),),
)

LAW_5 = Law(premises=(lambda p: seals(p, p),), conclusions=lambda p: (seals(Repetition(p), p),))

row_of_triples = partial(row, noun="triples of programs", most={1: 2, 2: 4, 3: 2}, limits=(LARGER_TRIPLES,))

ITEM_1 = row_of_triples(
    "seal-algebra-1",
    "l:seal.algebra, 1",
    "if R seals P and R seals Q, then R seals P + Q",
    LAW_1,
    lambda n, size: (i for i in triples(n, size) if i.texts[0] < i.texts[1]),
    premises=("R seals P", "R seals Q"),
    theorems=over_all_intervals("SealAlgebra.v", "seal_algebra_1"),
)

ITEM_3 = row_of_triples(
    "seal-algebra-3-whole-language",
    "l:seal.algebra, 3",
    "if Q seals P, then Q;R seals P",
    LAW_3,
    triples,
    premises=("Q seals P",),
    theorems=over_all_intervals("SealAlgebra.v", "seal_algebra_3"),
)

ITEM_4 = row_of_triples(
    "seal-algebra-4-whole-language",
    "l:seal.algebra, 4",
    "if Q seals P and R seals Q, then R seals P;Q",
    LAW_4,
    triples,
    premises=("Q seals P", "R seals Q"),
    theorems=over_all_intervals("SealAlgebra.v", "seal_algebra_4"),
)

_ITEM_5_FINITE = row(
    "seal-algebra-5",
    "l:seal.algebra, 5",
    "over finite intervals: if P seals itself, then P seals P*",
    LAW_5,
    repeatable,
    noun="programs other than repetitions, in which each receive directly follows its send",
    most={1: 2, 2: 2, 3: 2},
    premises=("P seals itself",),
    theorems=in_coq("SealAlgebra.v", "seal_algebra_5", FINITE),
)

ITEM_5 = replace(
    _ITEM_5_FINITE,
    claims=(
        Claim(
            "if P seals itself, then P seals P*, also over infinite intervals. Reading: once a process has"
            " run forever, each of its expressions has one value, the same in all runs. Constants keep their"
            " values; the claim fails for every choice of the other values",
            hypotheses=(
                Hypothesis(
                    '"unspecified" values',
                    remark="reading: once a process has run forever, each of its expressions has one value,"
                    " the same in all runs. The claim fails for every choice of these values in which"
                    " constants keep theirs. In another reading, the value depends on run and cut",
                ),
                Hypothesis(
                    "deadlock-free",
                    remark="the counterexample is deadlock-free: no path of P*;P deadlocks, and the guard"
                    " comes right after the assignment that makes it true",
                ),
            ),
            refutations=in_coq(
                "InfiniteRefutations.v",
                "seal_algebra_5_as_printed_fails",
                "for each choice of one value per process and expression, if constants keep theirs: P = eps"
                " + (mt 2->1 + 1.x := k)*; 1.x := k; [1.x = k], where k is not the value of 1.x once process"
                " 1 has run forever; in Rel; finite and infinite intervals",
            ),
            not_boundable=NO_BOUND,
        ),
        *(replace(claim, form=Form.REPAIRED) for claim in _ITEM_5_FINITE.claims),
        Repaired(
            "over finite and infinite intervals, let P seal itself. Then P seals any finite number of"
            " iterations of P. P also seals P* if all occurrences of P that begin at the same cut involve"
            " the same processes, as they do for a straight-line P. If a straight-line P seals itself over"
            " finite intervals, P seals P* over all intervals that begin at a finite cut",
            theorems=(
                Theorem("InfiniteSealAlgebra.v", "seal_algebra_5_infinite", INFINITE),
                Theorem(
                    "InfiniteSealAlgebra.v",
                    "straight_line_same_processes",
                    "straight-line programs; finite and infinite intervals",
                ),
                Theorem(
                    "InfiniteSealAlgebra.v",
                    "straight_line_repetition",
                    "straight-line programs, in any set of runs; intervals that begin at a finite cut",
                ),
            ),
            not_boundable=NO_BOUND,
        ),
    ),
)


LAW_2 = Law(
    premises=(lambda p, q, r: seals(p, q), lambda p, q, r: seals(p, r)),
    conclusions=lambda p, q, r: (seals(p, Choice((q, r))),),
)


def diverging_as(instance: Instance, ask: Ask, claimed: Callable[[bool, bool, bool], bool]) -> Outcome:
    """Check that Q + R seals P if Q and R do, and that the three programs diverge as `claimed`."""
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
    """For each setting, which programs of `after` diverge after P."""
    p, *_ = syntax(instance)
    asked = [(Instance(instance.n, (p, seal)), setting) for setting, seal in product(settings, after)]
    found = iter(ask.all(GOES_ON, asked))
    return [tuple(next(found) for _ in after) for _ in settings]


def alternatives_last(n: int, size: int) -> Iterator[Instance]:
    """Triples with different alternatives (the last two programs), in order."""
    return (i for i in triples(n, size) if i.texts[1] < i.texts[2])


def explain_divergence(instance: Instance, ask: Ask) -> str:
    """The seal that runs forever, or a run that shows that the choice is not a seal."""
    met = LAW_2.met(instance, ask)
    if LAW_2.kept(instance, met, ask) != met:
        return LAW_2.explain(instance, ask)
    _, *alternatives = syntax(instance)
    lines = ["Q seals P, R seals P, and so does Q + R"]
    for seal in alternatives:
        if any(diverges for (diverges,) in diverging(instance, [seal], met, ask)):
            lines.append(f"{show(seal)} can run forever after P, and so can Q + R, so Q + R is not proper")
    return "\n".join(lines)


MOST_2 = {1: 2, 2: 4, 3: 2}

HYPOTHESES_2 = (
    Hypothesis("Q seals P", LAW_2.dropping(0).broken(alternatives_last)),
    Hypothesis("R seals P", LAW_2.dropping(1).broken(alternatives_last)),
    *NOT_NEEDED,
)

ITEM_2 = Statement.of(
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
        'if Q and R seal P, then Q + R properly seals P (the paper has "properly" in brackets)',
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
        "if Q and R seal P, then Q + R seals P. It seals P properly exactly if both Q and R do",
        check=choice_is_as_proper_as_both,
        explain=explain_divergence,
        theorems=in_coq("Diverging.v", "seal_algebra_2_properly", INFINITE),
    ),
    domain=Bounded(Listed("triples of programs", alternatives_last), MOST_2),
    questions=(REFINES, GOES_ON),
    measure=SIZE,
    limits=(
        sizes(MOST_2),
        LARGER_TRIPLES,
        f"a seal is taken to run forever if it has {ITERATIONS} iterations with an event, which is enough"
        " for these programs",
        *LIMITS,
    ),
    hypotheses=HYPOTHESES_2,
)


Settings = tuple[Semantics, ...]


def candidates(n: int) -> tuple[Program, ...]:
    """The programs that are tried as seals of P."""
    return (Eps(), *(atom for atom in atoms(n) if not has_data(atom)))


def where_tcc(instance: Instance, ask: Ask) -> Settings:
    """The settings in which P is TCC."""
    (p,) = syntax(instance)
    return holding([tcc(p)], instance.n, SETTINGS, ask)


def where_sealed_by_all(instance: Instance, ask: Ask) -> Settings:
    """The settings in which all candidates seal P."""
    (p,) = syntax(instance)
    by_eps = holding([seals(p, Eps())], instance.n, SETTINGS, ask)
    return holding([seals(p, q) for q in candidates(instance.n)], instance.n, by_eps, ask)


def sealed_by_some(n: int, size: int, ask: Ask) -> Instance | None:
    """A program that is not TCC, and a candidate that seals it."""
    for instance in tuples(n, size, 1):
        (p,) = syntax(instance)
        if not ask(REFINES, Instance(n, tcc(p))):
            for q in candidates(n):
                if ask(REFINES, Instance(n, seals(p, q))):
                    return Instance(n, (p, q))
    return None


def explain_settings(instance: Instance, ask: Ask) -> str:
    """The settings in which each side holds."""
    found = where_tcc(instance, ask), where_sealed_by_all(instance, ask)
    closed, sealed = (", ".join(map(str, settings)) or "none" for settings in found)
    return f"TCC in: {closed}\nsealed by all in: {sealed}"


MOST_6 = {1: 2, 2: 2}

ITEM_6 = Statement.of(
    "seal-algebra-6-whole-language",
    "l:seal.algebra, 6",
    Claim(
        "P is TCC iff all programs seal P",
        check=lambda p, ask: Outcome.of(where_tcc(p, ask) == where_sealed_by_all(p, ask)),
        hypotheses=(
            Hypothesis(
                "all programs seal P, not only some", sealed_by_some, remark="Q seals P, which is not TCC"
            ),
            *NOT_NEEDED,
        ),
        explain=explain_settings,
        theorems=over_all_intervals("SealAlgebra.v", "seal_algebra_6"),
    ),
    domain=Bounded(Listed("programs", partial(tuples, length=1)), MOST_6),
    questions=(REFINES,),
    measure=SIZE,
    limits=(
        sizes(MOST_6),
        "eps and programs of one atom without data are tried as seals of P",
        *LIMITS,
    ),
)
