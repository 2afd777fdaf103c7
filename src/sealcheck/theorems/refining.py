"""Refinements as statements ask for them: held or refuted, by playing and by solving.

A statement about the whole language is a question about refinements.  Two ways to the answer
share the syntax, and `occurrence` for looking at a finished run: `plays`, and SMT.
"""

from collections.abc import Iterator

from sealcheck.algorithms.signature import Signature, signature
from sealcheck.encodings.decoding import Occurrence
from sealcheck.encodings.refinement import UNROLL, refute
from sealcheck.encodings.solving import Solver, open_solver
from sealcheck.language.parser import parse_straight_line
from sealcheck.language.printer import show
from sealcheck.plays import refuted_by_playing
from sealcheck.programs.global_runs import CutReading, GlobalRun, Model
from sealcheck.programs.notions import Refinement
from sealcheck.programs.runs import Place
from sealcheck.programs.straight_line import StraightLine
from sealcheck.programs.syntax import Guard, Program, Receive, Send, Truth, layered
from sealcheck.theorems.ablation import SECONDS
from sealcheck.theorems.statement import Instance

NEVER = Guard(Truth(False))
"""The program [false], which occurs over no interval."""


def holds_when_played(
    sides: Refinement,
    n: int,
    *,
    model: Model = Model.REL,
    reading: CutReading = CutReading.MATCHING,
    outside: int = 2,
    unroll: int = 2,
) -> bool:
    """Whether no play refutes the refinement.

    >>> from sealcheck.programs.notions import tcc
    >>> [holds_when_played(tcc(mt(1, 2)), 2, model=model) for model in Model]
    [False, True]
    """
    left, right = sides
    found = refuted_by_playing(left, right, n, model=model, reading=reading, outside=outside, unroll=unroll)
    return found is None


def holds_when_solved(
    sides: Refinement,
    n: int,
    solver: Solver,
    *,
    model: Model = Model.REL,
    reading: CutReading = CutReading.MATCHING,
    unroll: int = UNROLL,
    self_channels: bool = False,
) -> bool:
    """Whether the solver finds no run that refutes the refinement.  Raises LimitReached."""
    left, right = sides
    found = refute(
        left, right, n, solver, model=model, reading=reading, unroll=unroll, self_channels=self_channels
    )
    return found is None


def refines(
    sides: Refinement,
    n: int,
    *,
    model: Model = Model.REL,
    reading: CutReading = CutReading.MATCHING,
    unroll: int = UNROLL,
    self_channels: bool = False,
) -> bool:
    """Whether z3 finds no run that refutes the refinement: for dropping hypotheses.  Raises LimitReached."""
    with open_solver("z3", seconds=SECONDS) as solver:
        return holds_when_solved(
            sides, n, solver, model=model, reading=reading, unroll=unroll, self_channels=self_channels
        )


def refutation(
    sides: Refinement, n: int, *, model: Model = Model.REL, reading: CutReading = CutReading.MATCHING
) -> Occurrence | None:
    """A run that refutes the refinement, found by z3: for stories.  Raises LimitReached."""
    left, right = sides
    with open_solver("z3", seconds=SECONDS) as solver:
        return refute(left, right, n, solver, model=model, reading=reading)


def occurs_when_played(
    program: Program,
    n: int,
    *,
    reading: CutReading = CutReading.MATCHING,
    outside: int = 2,
    unroll: int = 2,
) -> bool:
    """Whether the program occurs over some interval of a play."""
    return not holds_when_played((program, NEVER), n, reading=reading, outside=outside, unroll=unroll)


def occurs_when_solved(
    program: Program,
    n: int,
    solver: Solver,
    *,
    reading: CutReading = CutReading.MATCHING,
    unroll: int = UNROLL,
) -> bool:
    """Whether the solver finds an interval over which the program occurs.  Raises LimitReached."""
    return not holds_when_solved((program, NEVER), n, solver, reading=reading, unroll=unroll)


def mt(sender: int, receiver: int) -> Program:
    """The program mt^{sender->receiver}, without data."""
    return layered(Send(sender, receiver), Receive(receiver, sender))


def as_program(p: StraightLine) -> Program:
    """The straight-line program as a syntax tree, process by process: the order does not matter to it.

    >>> from sealcheck.programs.events import mt
    >>> show(as_program(StraightLine.of(2, mt(1, 2))))
    'mt 1->2'
    """
    events = (event for share in p.shares for event in share)
    return layered(*(Send(*e.channel) if e.is_send else Receive(e.receiver, e.sender) for e in events))


def signature_of(program: Program, n: int) -> Signature:
    """The signature of a straight-line program; its data is dropped."""
    return signature(parse_straight_line(show(program), n))


def syntax(instance: Instance) -> tuple[Program, ...]:
    """The programs of an instance, as syntax trees."""
    return tuple(as_program(p) if isinstance(p, StraightLine) else p for p in instance.programs)


def told(found: Occurrence) -> str:
    """The events of a run in an order in which they can happen, one to a line, for people.

    >>> from sealcheck.programs.notions import tcc
    >>> with open_solver("z3") as solver:
    ...     print(told(refute(*tcc(mt(1, 2)), 2, solver)))
    inside: event 1 of 1, snd 1->2
    after:  event 2 of 1, snd 1->2
    inside: event 1 of 2, rcv 2<-1 takes event 2 of 1
    """
    return "\n".join(_lines(found.run, found))


def _lines(run: GlobalRun, found: Occurrence) -> Iterator[str]:
    for place in run.interleaving():
        of, at = place.process, place.position
        when = "before:" if at <= found.c[of - 1] else "inside:" if at <= found.d[of - 1] else "after: "
        event = run.at(place).event
        state = run.states[of - 1][at]
        values = "".join(f", {of}.{name} = {value}" for name, value in sorted(state.items()))
        yield f"{when} event {at} of {of}, {event or 'internal'}{_taken(run, place)}{values}"


def _taken(run: GlobalRun, place: Place) -> str:
    if place not in run.matching:
        return ""
    source = run.matching[place]
    return f" takes event {source.position} of {source.process}"
