"""Section 3, "TCC": programs that are TCC in any set of runs, and compositions of TCC programs.

Words        ≀ is the silent cut, a moment without messages in transit. P refines Q if Q occurs over every
             interval over which P occurs. P is TCC if ≀P refines P≀. B is a barrier if ≀P;B;Q refines P≀B≀Q
             for all P and Q.

Not claimed  by the checks: larger programs. The claim about barriers is checked in a stronger form: B is TCC
             if the refinement holds for P = Q = eps.
"""

from collections.abc import Iterator
from functools import partial
from itertools import product

from sealcheck.language.parser import parse
from sealcheck.programs.syntax import Choice, Cut, Eps, Program, Repetition, barrier, layered, tcc
from sealcheck.questions.instance import Instance
from sealcheck.questions.whole_language import REFINES, syntax
from sealcheck.theorems.checking.laws import Law, over_all_intervals, row
from sealcheck.theorems.checking.small_programs import tuples
from sealcheck.theorems.checking.statement import Ask, Hypothesis


def basic(n: int, size: int) -> Iterator[Instance]:
    """P;cut for every P of the size. At size 0, also eps, guards and assignments."""
    if size == 0:
        texts = ("eps", "[true]", "[false]", f"[1.x < {n}.y]", "1.x := 1", "1.x := 1.x + 1")
        yield from (Instance(n, (parse(text),)) for text in texts)
    for instance in tuples(n, size, 1):
        (program,) = syntax(instance)
        yield Instance(n, (layered(program, Cut()),))


COMMUNICATING = tuple(map(parse, ("snd 1->2", "rcv 2<-1", "mt 1->2", "snd 2->1", "rcv 1<-2", "mt 2->1")))
"""The programs of size 1 that communicate."""

BASIC = Law(premises=(), conclusions=lambda p: (tcc(p),))

CLOSED = Law(
    premises=(lambda p, q: tcc(p), lambda p, q: tcc(q)),
    conclusions=lambda p, q: (tcc(Choice((p, q))), tcc(layered(p, q)), tcc(Repetition(p))),
)

BARRIER = Law(premises=(lambda b: barrier(Eps(), b, Eps()),), conclusions=lambda b: (tcc(b),))


def keeps_communicating_apart(b: Program, n: int, ask: Ask) -> bool:
    """Whether B keeps apart any two of the programs `COMMUNICATING`."""
    pairs = product(COMMUNICATING, repeat=2)
    return all(ask(REFINES, Instance(n, barrier(p, b, q))) for p, q in pairs)  # one refuted is enough


def without_eps(n: int, size: int, ask: Ask) -> Instance | None:
    """A program that is not TCC, but keeps apart the programs `COMMUNICATING`."""
    for instance in tuples(n, size, 1) if n > 1 else ():
        (b,) = syntax(instance)
        if not ask(REFINES, Instance(n, tcc(b))) and keeps_communicating_apart(b, n, ask):
            return instance
    return None


STATEMENTS = (
    row(
        "tcc-basic",
        'section 3, "TCC"',
        "eps, every guard, every assignment, and P;cut for every P are TCC, in any set of runs",
        BASIC,
        basic,
        noun="programs of these forms",
        most={1: 3, 2: 3, 3: 2},
        theorems=over_all_intervals("Language.v", "tcc_basic"),
        limits=("eps, three guards and two assignments are tried. The size of P;cut does not count the cut",),
        hypotheses=(Hypothesis("of these forms", BASIC.broken(partial(tuples, length=1))),),
    ),
    row(
        "tcc-closed",
        'section 3, "TCC"',
        "if P and Q are TCC, then so are P + Q, P;Q and P*",
        CLOSED,
        partial(tuples, length=2),
        noun="pairs of programs",
        most={1: 2, 2: 2, 3: 2},
        premises=("P is TCC", "Q is TCC"),
        theorems=over_all_intervals("Language.v", "tcc_closed"),
    ),
    row(
        "barrier-is-tcc",
        'section 3, "TCC"',
        "every barrier is TCC",
        BARRIER,
        partial(tuples, length=1),
        noun="programs",
        most={1: 3, 2: 3, 3: 2},
        premises=("the program keeps eps and eps apart",),
        theorems=over_all_intervals("NoBarrier.v", "barrier_is_tcc"),
        hypotheses=(
            Hypothesis(
                "P = Q = eps is among the programs that a barrier keeps apart",
                without_eps,
                remark="the search is for a program that keeps apart sends, receives and transmissions, but"
                " is not TCC",
            ),
        ),
    ),
)
