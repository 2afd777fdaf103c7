"""Section 2.3, "Refinement": a preorder, for which all programming constructs are monotone.

Reading      P refines Q if Q occurs over every interval, of every run, over which P occurs. There are two
             claims. First, refinement is reflexive and transitive. Second, a refinement still holds if both
             sides are layered before or after another program, offered as a choice with another program, or
             repeated.

Not claimed  by the checks: larger programs. The claims are evident from the definition, so the checks mostly
             test the encodings of refinement.
"""

from collections.abc import Iterator

from sealcheck.programs.syntax import Choice, Program, Refinement, Repetition, layered
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.laws import Law, over_all_intervals, row
from sealcheck.theorems.checking.small_programs import tuples


def in_all_constructs(p: Program, q: Program, r: Program) -> tuple[Refinement, ...]:
    """The refinements that should follow if P refines Q, for any R."""
    return (
        (layered(p, r), layered(q, r)),
        (layered(r, p), layered(r, q)),
        (Choice((p, r)), Choice((q, r))),
        (Repetition(p), Repetition(q)),
    )


def chains(n: int, size: int) -> Iterator[Instance]:
    """Triples P, Q, R with P != Q and Q != R. For all other triples the claim is trivial."""
    return (i for i in tuples(n, size, 3) if i.programs[0] != i.programs[1] != i.programs[2])


PREORDER = Law(
    premises=(lambda p, q, r: (p, q), lambda p, q, r: (q, r)), conclusions=lambda p, q, r: ((p, p), (p, r))
)

MONOTONE = Law(premises=(lambda p, q, r: (p, q),), conclusions=in_all_constructs)

STATEMENTS = (
    row(
        "refinement-preorder",
        "section 2.3",
        "every program refines itself, and if P refines Q and Q refines R, then P refines R",
        PREORDER,
        chains,
        noun="triples of programs",
        most={1: 3, 2: 2},
        premises=("P refines Q", "Q refines R"),
        theorems=over_all_intervals("Language.v", "refinement_preorder"),
    ),
    row(
        "constructs-monotone",
        "section 2.3",
        "if P refines Q, then P;R refines Q;R, R;P refines R;Q, P + R refines Q + R, and P* refines Q*",
        MONOTONE,
        lambda n, size: (i for i in tuples(n, size, 3) if i.programs[0] != i.programs[1]),
        noun="triples of programs",
        most={1: 2, 2: 3},
        premises=("P refines Q",),
        theorems=over_all_intervals("Language.v", "constructs_monotone"),
    ),
)
