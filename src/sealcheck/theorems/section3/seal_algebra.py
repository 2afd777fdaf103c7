"""`l:seal.algebra`, items 1, 3, 4 and 5, for the whole language: how seals are put together.

Reading      S seals P if ≀P;S refines P≀S.  The items are taken word by word, for programs with guards,
             data, choice, repetition and silent cuts.
Refutation   programs of which the premises hold, and a run that is against a conclusion.
Not claimed  larger programs; and of a repetition only finitely many iterations.  Items 3 and 4 are
             checked on larger straight-line programs in `seal_algebra_straight`.
"""

from collections.abc import Iterator

from sealcheck.every_n.theorem import Theorem
from sealcheck.harness.laws import Law, row
from sealcheck.harness.small_programs import LARGER_TRIPLES, has_lone_receive, triples, tuples
from sealcheck.programs.notions import seals
from sealcheck.programs.syntax import Choice, Repetition, layered
from sealcheck.questions.instance import Instance
from sealcheck.questions.refines import syntax


def alternatives_first(n: int, size: int) -> Iterator[Instance]:
    """Triples of which the first two, which are to be alternatives, are different and in order."""
    return (i for i in triples(n, size) if i.texts[0] < i.texts[1])


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

LAW_3 = Law(
    premises=(lambda p, q, r: seals(p, q),),
    conclusions=lambda p, q, r: (seals(p, layered(q, r)),),
)

LAW_4 = Law(
    premises=(lambda p, q, r: seals(p, q), lambda p, q, r: seals(q, r)),
    conclusions=lambda p, q, r: (seals(layered(p, q), r),),
)

LAW_5 = Law(
    premises=(lambda p: seals(p, p),),
    conclusions=lambda p: (seals(Repetition(p), p),),
)

ITEM_1 = row(
    "seal-algebra-1",
    "l:seal.algebra, 1",
    "if R seals P and R seals Q, then R seals P + Q",
    LAW_1,
    alternatives_first,
    noun="triples of programs",
    most={1: 2, 2: 4, 3: 2},
    limits=(LARGER_TRIPLES,),
    premises=("R seals P", "R seals Q"),
    theorems=(Theorem("SealAlgebra.v", "seal_algebra_1", "all programs, in any set of runs"),),
)

ITEM_3 = row(
    "seal-algebra-3-whole-language",
    "l:seal.algebra, 3",
    "if Q seals P, then Q;R seals P",
    LAW_3,
    triples,
    noun="triples of programs",
    most={1: 2, 2: 4, 3: 2},
    limits=(LARGER_TRIPLES,),
    premises=("Q seals P",),
    theorems=(Theorem("SealAlgebra.v", "seal_algebra_3", "all programs, in any set of runs"),),
)

ITEM_4 = row(
    "seal-algebra-4-whole-language",
    "l:seal.algebra, 4",
    "if Q seals P and R seals Q, then R seals P;Q",
    LAW_4,
    triples,
    noun="triples of programs",
    most={1: 2, 2: 4, 3: 2},
    limits=(LARGER_TRIPLES,),
    premises=("Q seals P", "R seals Q"),
    theorems=(Theorem("SealAlgebra.v", "seal_algebra_4", "all programs, in any set of runs"),),
)

ITEM_5 = row(
    "seal-algebra-5",
    "l:seal.algebra, 5",
    "if P seals itself, then P seals P*",
    LAW_5,
    repeatable,
    noun="programs that are no repetition, with no receive but right after its send",
    most={1: 2, 2: 2, 3: 2},
    premises=("P seals itself",),
    theorems=(Theorem("SealAlgebra.v", "seal_algebra_5", "all programs, in any set of runs"),),
)
