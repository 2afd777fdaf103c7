"""What goes on: whether a program gets through several iterations of a repetition with which it ends.

Like `occurrence`, this looks at a concrete, finite run, clause by clause.
"""

from typing import assert_never

from sealcheck.oracles.occurrence import ends
from sealcheck.programs.global_runs import Frontier, GlobalRun
from sealcheck.programs.semantics import PAPER, Semantics
from sealcheck.programs.syntax import (
    Assignment,
    Choice,
    Cut,
    Eps,
    Guard,
    Layering,
    Program,
    Receive,
    Repetition,
    Send,
    layered,
)


def cuts_after_iterations(
    run: GlobalRun, c: Frontier, program: Program, count: int, semantics: Semantics = PAPER
) -> set[Frontier]:
    """The cuts that the program, started at c, reaches right after `count` iterations, each with an event.

    They are the last iterations so far of a repetition with which the program ends.  Time as for `ends`.
    Source: the semantics of programs, in section 2.2.

    >>> from sealcheck.language.parser import parse
    >>> from sealcheck.programs.events import snd
    >>> from sealcheck.programs.global_runs import LocalEvent
    >>> run = GlobalRun(((LocalEvent(snd(1, 2)),) * 2, ()), (({},) * 3, ({},)), {})
    >>> program = parse("cut; (snd 1->2)*")
    >>> [sorted(cuts_after_iterations(run, (0, 0), program, count)) for count in (1, 2, 3)]
    [[(1, 0), (2, 0)], [(2, 0)], []]
    >>> sorted(cuts_after_iterations(run, (0, 0), parse("(snd 1->2 + eps)*"), 2))
    [(2, 0)]
    """
    match program:
        case Layering(parts):
            *first, last = parts
            starts = ends(run, c, layered(*first), semantics)
            return {d for b in starts for d in cuts_after_iterations(run, b, last, count, semantics)}
        case Choice(alternatives):
            return {d for each in alternatives for d in cuts_after_iterations(run, c, each, count, semantics)}
        case Repetition(body):
            starts = ends(run, c, program, semantics)
            inner = {d for b in starts for d in cuts_after_iterations(run, b, body, count, semantics)}
            return _iterated(run, starts, body, count, semantics) | inner
        case Eps() | Assignment() | Send() | Receive() | Guard() | Cut():
            return set()
        case _:
            assert_never(program)


def _iterated(
    run: GlobalRun, starts: set[Frontier], body: Program, count: int, semantics: Semantics
) -> set[Frontier]:
    """Where so many iterations end, in each of which something happens: the cuts around it differ."""
    reached = starts
    for _ in range(count):
        reached = {d for b in reached for d in ends(run, b, body, semantics) if d != b}
    return reached
