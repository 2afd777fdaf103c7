"""Section 3, "Proper Seals": a program that loops forever is TCC, a CCL, and seals any program.

Words        In the model Rel, channels may reorder messages. In RelFi, channels keep the order. TCC, CCL and
             "seals" are notions of the paper: see docs/glossary.md.

Reading      Q is the loop `while true do (1.x := 5; 2.x := 17) od`. By the paper's footnote, Q is short for
             `([true]; 1.x := 5; 2.x := 17)*; [not true]`. P is any small program. The checks ask whether Q
             occurs, and whether Q is TCC, a CCL and a seal of P.

             The paper says: "It necessarily diverges, that is, it occurs only over intervals with non-finite
             d". Here d is the end of the interval. We take the sentence to imply that Q does occur over such
             intervals.

Refutation   Q does not occur at all, because its closing guard [not true] holds at no cut. Q is TCC, a CCL
             and a seal only vacuously.

Not claimed  anything about infinite occurrences of the loop without its guards. The authors may have had
             these occurrences in mind, but no bound reaches them.
"""

from collections.abc import Callable, Iterator

from sealcheck.language.parser import parse
from sealcheck.programs.semantics import PAPER, Semantics
from sealcheck.programs.syntax import Program, Refinement, ccl, never_occurs, seals, tcc
from sealcheck.questions.instance import Instance
from sealcheck.questions.whole_language import OCCURS, REFINES, syntax
from sealcheck.theorems.checking.domains import Listed
from sealcheck.theorems.checking.hypotheses import FIFO, failing
from sealcheck.theorems.checking.record import in_coq
from sealcheck.theorems.checking.small_programs import single_programs
from sealcheck.theorems.checking.statement import Ask, Claim, Hypothesis, Outcome, Repaired, Statement

LOOP = parse("while true do 1.x := 5; 2.x := 17 od")
UNGUARDED = parse("(1.x := 5; 2.x := 17)*")
"""The loop without its guards, which occurs over finite intervals, too."""

NOTIONS: dict[str, tuple[Semantics, Callable[[Program, Program], Refinement]]] = {
    "is TCC in RelFi": (FIFO, lambda p, q: tcc(q)),
    "is a CCL in Rel": (PAPER, lambda p, q: ccl(p, q, p)),
    "seals P in Rel": (PAPER, seals),
}
"""The paper's claims about Q: the semantics and the refinement of each claim."""


def pairs(n: int, messages: int) -> Iterator[Instance]:
    """P and the loop, for every P of this size."""
    if n == 2 and messages <= 1:
        for instance in single_programs(n, messages):
            yield Instance(n, (*instance.programs, LOOP))


def notions(instance: Instance, ask: Ask) -> frozenset[str]:
    """Which of the three notions Q meets."""
    p, q = syntax(instance)
    asked = [(Instance(instance.n, sides(p, q)), semantics) for semantics, sides in NOTIONS.values()]
    return frozenset(name for name, met in zip(NOTIONS, ask.all(REFINES, asked), strict=True) if met)


def occurs(instance: Instance, ask: Ask) -> bool:
    """Whether Q occurs over a finite interval, or may occur over an infinite interval."""
    _, q = syntax(instance)
    return ask(OCCURS, Instance(instance.n, (q,))) or not never_occurs(q)


def printed(instance: Instance, ask: Ask) -> Outcome:
    """Check that Q occurs, and meets all three notions."""
    found = notions(instance, ask)
    return Outcome.of(occurs(instance, ask) and found == frozenset(NOTIONS))


def repaired(instance: Instance, ask: Ask) -> Outcome:
    """Check that Q does not occur, and meets all three notions."""
    found = notions(instance, ask)
    return Outcome.of(not occurs(instance, ask) and found == frozenset(NOTIONS))


def _explain(instance: Instance, ask: Ask) -> str:
    found = ", ".join(sorted(notions(instance, ask)))
    return (
        "every occurrence of Q ends with the guard [not true], which holds at no cut, finite or infinite\n"
        f"so Q does not occur; vacuously, Q {found}"
    )


HYPOTHESES = (
    Hypothesis(
        "the closing guard of the loop",
        failing(
            lambda n, m: (Instance(n, (i.programs[0], UNGUARDED)) for i in pairs(n, m)),
            lambda pair, ask: Outcome.of("seals P in Rel" in notions(pair, ask)),
        ),
    ),
    Hypothesis(
        "two processes",
        remark="a program that never occurs does not occur among more processes, either",
    ),
)

STATEMENT = Statement.of(
    "diverging-seals",
    'section 3, "Proper Seals"',
    Claim(
        "while true do (x1 := 5; x2 := 17) od occurs only over infinite intervals, and is TCC in RelFi, a"
        " CCL in Rel, and a seal of every program in Rel. Reading: the loop occurs over some infinite"
        " interval",
        check=printed,
        explain=_explain,
        refutations=in_coq(
            "Diverging.v", "diverging_seals_as_printed_fails", "finite and infinite intervals"
        ),
        fails_at=(2, 0),
    ),
    Repaired(
        "while true do (x1 := 5; x2 := 17) od occurs over no interval. Therefore it is TCC in RelFi, a CCL"
        " in Rel, and a seal of every program in Rel",
        check=repaired,
        explain=_explain,
        theorems=in_coq("Diverging.v", "diverging_seals", "finite and infinite intervals"),
    ),
    domain=Listed("pairs of a P and the loop", pairs),
    questions=(OCCURS, REFINES),
    limits=(
        "P is eps or a single atom: snd, rcv, mt, 1.x := 1, [1.x = 0] or cut. The loop is checked as a CCL"
        " between P and P",
        f"loops are unrolled {PAPER.unroll} times. More iterations, even infinitely many, make no difference,"
        " because of the closing guard",
    ),
    hypotheses=HYPOTHESES,
)
