"""`l:seal.algebra`, items 1, 3, 4 and 5, for the whole language: how seals are put together.

Reading      S seals P if ≀P;S refines P≀S. The items are taken word by word, for programs with guards,
             data, choice, repetition and silent cuts, and over intervals that may be infinite, as in the
             paper.  There "program variables ... are considered unspecified": where its process has gone on
             for ever, an expression has one value, whichever, in all runs, and a constant its own.
Refutation   programs that meet the premises, and a run that refutes a conclusion.  Item 5 fails for P = eps +
             (mt 2->1 + 1.x := k)*; 1.x := k; [1.x = k], where k is not the value of 1.x after infinitely many
             events.  P;P refines P, so P seals itself.  Let P* go on for ever: 2 sends a message, 1 receives
             one, and from then on 1 assigns.  The message that 1 received may be one that 2 sends later, so
             P* does not end silently.  Nor do the programs after it: the guard is false now, so that P can
             only be eps.  P and its compositions never deadlock, as all messages go from 2 to 1 and the guard
             comes right after its assignment.
Repaired     item 5 over finite intervals; over all intervals for finitely many iterations, and for P* if,
             wherever P begins, the same processes take part in all of its occurrences: the paper's use of
             it, mt i->j; mt j->i, is straight-line.
Not claimed  by the checks: larger programs; and infinite intervals, which are left to theorems.  Items 3
             and 4 are checked on larger straight-line programs in `seal_algebra_straight`.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from sealcheck.programs.syntax import Choice, Repetition, layered, seals
from sealcheck.questions.instance import Instance
from sealcheck.questions.whole_language import syntax
from sealcheck.theorems.checking.laws import FINITE, INFINITE, NO_BOUND, Law, over_all_intervals, row
from sealcheck.theorems.checking.record import Theorem, in_coq
from sealcheck.theorems.checking.small_programs import LARGER_TRIPLES, has_lone_receive, triples, tuples
from sealcheck.theorems.checking.statement import Claim, Form, Hypothesis, Repaired


def repeatable(n: int, size: int) -> Iterator[Instance]:
    """Programs that are no repetition, and have no receive but right after its send.

    A repetition P seals itself, since ≀P;P and P≀P differ only in a cut that may as well come first.
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
    noun="programs that are no repetition, with no receive but right after its send",
    most={1: 2, 2: 2, 3: 2},
    premises=("P seals itself",),
    theorems=in_coq("SealAlgebra.v", "seal_algebra_5", FINITE),
)

ITEM_5 = replace(
    _ITEM_5_FINITE,
    claims=(
        Claim(
            "if P seals itself, then P seals P*, over infinite intervals, too, for each choice of one value"
            " per process and expression where the process has gone on for ever, constants being worth what"
            " they are",
            hypotheses=(
                Hypothesis(
                    '"unspecified" values',
                    remark="where a process has gone on for ever, an expression is worth the same in all"
                    " runs: the claim fails for each choice of one value per process and expression,"
                    " constants being worth what they are; another reading is that its value depends on run"
                    " and cut",
                ),
                Hypothesis(
                    "deadlock-free",
                    remark="the counterexample is: nothing that P*;P may go through deadlocks, and the guard"
                    " comes right after its assignment",
                ),
            ),
            refutations=in_coq(
                "InfiniteRefutations.v",
                "seal_algebra_5_as_printed_fails",
                "for each choice of one value per process and expression, constants being worth what"
                " they are: P = eps + (mt 2->1 + 1.x := k)*; 1.x := k; [1.x = k], where process 1 may go"
                " on for ever, and k is not what 1.x is worth then; in Rel; finite and infinite"
                " intervals",
            ),
            not_boundable=NO_BOUND,
        ),
        *(replace(claim, form=Form.REPAIRED) for claim in _ITEM_5_FINITE.claims),
        Repaired(
            "over infinite intervals, too: if P seals itself, then P seals any finite number of iterations of"
            " P; and P*, if in all occurrences of P that begin at the same cut the same processes take part,"
            " as they do if P is straight-line; such a P needs to seal itself over finite intervals only, to"
            " seal P* over all intervals that begin at a finite cut",
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
