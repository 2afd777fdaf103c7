"""Section 3, "Proper Seals": a program that loops for ever is TCC, a CCL, and seals any program.

Reading      Q = while true do (1.x := 5; 2.x := 17) od, which the paper's footnote makes an abbreviation
             of ([true]; 1.x := 5; 2.x := 17)*; [not true].  Its occurrence is looked for, and four notions
             are asked of it: TCC in RelFi, a CCL in Rel between P and itself, a seal of P in Rel.
             P is any small program.  "It necessarily diverges, that is, it occurs only over intervals
             with non-finite d" is read as saying that it does occur over such intervals.
Refutation   Q does not occur at all: a layering ends with its closing guard, and [not true] holds at no
             cut, finite or not.  So it is TCC, a CCL and a seal because there is nothing to refute.
Repaired     Q occurs over no interval, and therefore is TCC, a CCL, and seals every program.
Not claimed  that the same is true of what the authors had in mind, the infinite occurrences of
             (1.x := 5; 2.x := 17)*: these no bound reaches.  All iterations of it have an event of
             every process, so an infinite one has no finite end; the finite ones seal nothing.
"""

from collections.abc import Callable, Iterator

from sealcheck.encodings.solving import Solver
from sealcheck.language.parser import parse
from sealcheck.programs.global_runs import Model
from sealcheck.programs.notions import Refinement, ccl, seals, tcc
from sealcheck.programs.syntax import Choice, Guard, Layering, Not, Program, Truth
from sealcheck.theorems.domains import Listed
from sealcheck.theorems.paths import UNROLL, missing
from sealcheck.theorems.refining import (
    holds_when_played,
    holds_when_solved,
    occurs_when_played,
    occurs_when_solved,
    refines,
    syntax,
)
from sealcheck.theorems.single_programs import single_programs
from sealcheck.theorems.statement import Claim, Form, Hypothesis, Instance, Statement

LOOP = parse("while true do 1.x := 5; 2.x := 17 od")
UNGUARDED = parse("(1.x := 5; 2.x := 17)*")
"""The loop without its guards, which a finite interval is enough for."""

OCCURS = "occurs"
NOTIONS: dict[str, tuple[Model, Callable[[Program, Program], Refinement]]] = {
    "is TCC in RelFi": (Model.REL_FIFO, lambda p, q: tcc(q)),
    "is a CCL in Rel": (Model.REL, lambda p, q: ccl(p, q, p)),
    "seals P in Rel": (Model.REL, seals),
}
"""What the paper says of Q, and what is asked for that."""

Properties = frozenset[str]


def pairs(n: int, messages: int) -> Iterator[Instance]:
    """P and the loop, for every P of this size."""
    if n == 2 and messages <= 1:
        for instance in single_programs(n, messages):
            yield Instance(n, (*instance.programs, LOOP))


def never_occurs(program: Program) -> bool:
    """Whether every occurrence, finite or not, would have to pass the guard [not true].

    >>> [never_occurs(parse(text)) for text in ("while true do eps od", "[not true] + eps", "[1.x = 2]")]
    [True, False, False]
    """
    match program:
        case Guard(Not(Truth(True))):
            return True
        case Layering(parts):
            return any(map(never_occurs, parts))
        case Choice(alternatives):
            return all(map(never_occurs, alternatives))
        case _:
            return False


def by_structure(instance: Instance) -> Properties:
    """What is known of a program that never occurs: all refinements hold of which it is on the left."""
    _, q = syntax(instance)
    return frozenset(NOTIONS) if never_occurs(q) else frozenset({OCCURS})


def when_played(instance: Instance) -> Properties:
    """What the plays show of Q."""
    p, q = syntax(instance)
    outside = 1 + missing(p)
    found = {
        name
        for name, (model, sides) in NOTIONS.items()
        if holds_when_played(sides(p, q), 2, model=model, outside=outside, unroll=UNROLL)
    }
    return frozenset(found | ({OCCURS} if occurs_when_played(q, 2, outside=0, unroll=UNROLL) else set()))


def when_solved(instance: Instance, solver: Solver) -> Properties:
    """What the solver shows of Q."""
    p, q = syntax(instance)
    found = {
        name
        for name, (model, sides) in NOTIONS.items()
        if holds_when_solved(sides(p, q), 2, solver, model=model, unroll=UNROLL)
    }
    return frozenset(found | ({OCCURS} if occurs_when_solved(q, 2, solver, unroll=UNROLL) else set()))


def unguarded(n: int, messages: int) -> Instance | None:
    """A P that the loop without its closing guard does not seal: it may stop, even before it begins."""
    for instance in pairs(n, messages):
        p, _ = syntax(instance)
        if not refines(seals(p, UNGUARDED), n, unroll=UNROLL):
            return Instance(n, (p, UNGUARDED))
    return None


def _story(instance: Instance) -> str:
    found = ", ".join(sorted(when_played(instance) - {OCCURS}))
    return (
        "every occurrence of Q ends with the guard [not true], which holds at no cut, finite or not\n"
        f"so Q does not occur; that it {found} is true for want of a run that refutes it"
    )


STATEMENT = Statement(
    id="diverging-seals",
    label='section 3, "Proper Seals"',
    claims=(
        Claim(
            Form.AS_PRINTED,
            "while true do (x1 := 5; x2 := 17) od occurs, though only over infinite intervals; it is TCC in"
            " RelFi, a CCL in Rel, and seals every program in Rel",
            predicts=lambda _: frozenset({OCCURS, *NOTIONS}),
            story=_story,
        ),
        Claim(
            Form.REPAIRED,
            "while true do (x1 := 5; x2 := 17) od occurs over no interval, and for that reason it is TCC in"
            " RelFi, a CCL in Rel, and seals every program in Rel",
            predicts=lambda _: frozenset(NOTIONS),
            story=_story,
        ),
    ),
    hypotheses=(
        Hypothesis("the closing guard of the loop", unguarded),
        Hypothesis(
            "two processes",
            remark="what never occurs does not occur among more processes either; infinite occurrences would"
            " leave a third process free to interfere",
        ),
    ),
    domain=Listed("pairs of a P and the loop", pairs),
    ways={"structure": by_structure, "plays": when_played},
    smt=when_solved,
    limits=(
        "P is eps or a single atom: snd, rcv, mt, 1.x := 1, [1.x = 0] or cut; it is a CCL between P and P",
        f"plays and solvers go through loops {UNROLL} times: infinite intervals are left to the structure",
    ),
    per_shard=20,
)
