"""Program X, two messages that cross, and a program with a guard that seals it."""

from sealcheck.harness.statement import Ask
from sealcheck.language.parser import parse
from sealcheck.language.printer import show
from sealcheck.programs.events import mt
from sealcheck.programs.notions import seals
from sealcheck.programs.straight_line import StraightLine
from sealcheck.programs.syntax import Cut, layered
from sealcheck.questions.instance import Instance
from sealcheck.questions.refines import OCCURS, REFINES


def crossing(n: int) -> StraightLine:
    """X among n processes.

    >>> print(crossing(2))
    snd 1->2; mt 2->1; rcv 2<-1
    """
    sends, receives = zip(mt(1, 2), mt(2, 1), strict=True)
    return StraightLine.of(n, [*sends, *receives])


WITH_VALUES = parse("snd 1->2 (x+1); snd 2->1 (y+1); rcv 1<-2 (x); rcv 2<-1 (y)")
"""X as printed."""

GUARDED = parse("snd 1->2 (7); rcv 2<-1; mt 2->1; [not 2.y = 7]")
"""A message, its answer, and a guard: what process 2 has stored first is not that message."""


def sealed_by_a_guard(n: int, ask: Ask) -> bool:
    """Whether GUARDED seals X among n processes, and can complete after it."""
    whole = layered(Cut(), WITH_VALUES, GUARDED, Cut())
    sealed = ask(REFINES, Instance(n, seals(WITH_VALUES, GUARDED)))
    return sealed and ask(OCCURS, Instance(n, (whole,)))


def explain_the_guard(instance: Instance, ask: Ask) -> str:
    """How a guard does it."""
    return (
        f"with the printed values it is: {show(WITH_VALUES)}\nthis seals it: {show(GUARDED)}\n"
        "process 1 takes a message before process 2 can send a second one\n"
        "if process 2 takes the 7 first, the guard is false, and the seal does not occur\n"
        "what follows comes after both receives"
    )
