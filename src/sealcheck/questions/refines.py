"""Does P refine Q?  Every interval of every run over which P occurs is one over which Q does (section 2)."""

from collections import Counter
from typing import assert_never

from sealcheck.encodings.refinement import refute
from sealcheck.encodings.solving import Solver
from sealcheck.oracles.executions import find_counterexample
from sealcheck.programs.profile import Profile
from sealcheck.programs.semantics import CutReading, Semantics
from sealcheck.programs.straight_line import StraightLine
from sealcheck.programs.syntax import (
    And,
    Assignment,
    Choice,
    Cut,
    Eps,
    Equal,
    Formula,
    Guard,
    Layering,
    Less,
    Not,
    Or,
    Program,
    Receive,
    Repetition,
    Send,
    Truth,
    layered,
    starts_silent,
)
from sealcheck.questions.answer_types import BOOLEAN
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import DefinedFor, Oracle, Question, Symbolic

NEVER = Guard(Truth(False))
"""The program [false], which occurs over no interval."""

WHOLE_LANGUAGE = DefinedFor(
    "programs of the whole language",
    lambda instance: not instance.flags and not any(isinstance(p, Profile) for p in instance.programs),
)
SHARES = (
    "looking at a finished run, by the definition (`oracles.occurrence`), where there is a counterexample"
)


def as_program(p: StraightLine) -> Program:
    """The straight-line program as a syntax tree, in an order in which its events can happen, if any.

    >>> from sealcheck.programs.events import mt
    >>> from sealcheck.language.printer import show
    >>> show(as_program(StraightLine.of(2, mt(1, 2) + mt(2, 1))))
    'mt 1->2; mt 2->1'
    """
    events = p.linearization if p.is_deadlock_free else [e for share in p.shares for e in share]
    return layered(*(Send(*e.channel) if e.is_send else Receive(e.receiver, e.sender) for e in events))


def syntax(instance: Instance) -> tuple[Program, ...]:
    """The programs of an instance, as syntax trees."""
    return tuple(map(_syntax, instance.programs))


def _syntax(program: StraightLine | Program | Profile) -> Program:
    assert not isinstance(program, Profile)
    return as_program(program) if isinstance(program, StraightLine) else program


def events_outside(program: Program, reading: CutReading) -> int:
    """How many events an execution of the program has before and after it.

    What its own messages may need from there; and one that interferes, or both ends of a message that
    crosses the whole interval, which none does that starts at a silent cut.

    >>> from sealcheck.language.parser import parse
    >>> texts = "cut; mt 1->2", "mt 1->2", "cut; rcv 2<-1; mt 1->2"
    >>> [events_outside(parse(text), CutReading.MATCHING) for text in texts]
    [1, 2, 2]
    """
    return (1 if starts_silent(program) else 2) + partners_outside(program, reading)


def partners_outside(program: Program, reading: CutReading) -> int:
    """How many sends and receives of the program, at most, may have to be matched with events outside.

    Along a path of a program without guards these are the receives for which nothing was sent since the last
    silent cut, and, where that has to find all channels empty, the sends before it for which there
    is no receive; where a guard looks at values, all receives that store one, too.  Parts that
    are a choice or a repetition are counted by themselves, and repetitions done once.

    >>> from sealcheck.language.parser import parse
    >>> texts = "snd 1->2; mt 2->1; rcv 2<-1", "snd 1->2; cut; rcv 2<-1", "mt 1->2 (1 -> x); [2.x = 0]"
    >>> [[partners_outside(parse(text), reading) for text in texts] for reading in CutReading]
    [[0, 1, 1], [0, 2, 1]]
    """
    return _partners_outside(program, reading, looks_at_values(program))


def _partners_outside(program: Program, reading: CutReading, values_matter: bool) -> int:
    waiting: Counter[tuple[int, int]] = Counter()
    found = 0
    for part in program.parts if isinstance(program, Layering) else (program,):
        match part:
            case Send(sender, receiver):
                waiting[sender, receiver] += 1
            case Receive(receiver, sender, variable):
                if waiting[sender, receiver] and not (values_matter and variable):
                    waiting[sender, receiver] -= 1
                else:
                    found += 1
            case Cut():
                found += _missed(waiting, reading)
                waiting.clear()
            case Choice(alternatives):
                found += max(_partners_outside(each, reading, values_matter) for each in alternatives)
            case Repetition(body):
                found += _partners_outside(body, reading, values_matter)
            case Layering():
                found += _partners_outside(part, reading, values_matter)
            case Eps() | Assignment() | Guard():
                pass
            case _:
                assert_never(part)
    return found


def _missed(waiting: Counter[tuple[int, int]], reading: CutReading) -> int:
    """How many of the messages that are under way a silent cut wants to be received before it."""
    match reading:
        case CutReading.MATCHING:
            return 0
        case CutReading.EMPTY:
            return waiting.total()
        case _:
            assert_never(reading)


def looks_at_values(program: Program) -> bool:
    """Whether a guard of the program compares values.

    >>> from sealcheck.language.parser import parse
    >>> [looks_at_values(parse(text)) for text in ("([true]; mt 1->2)*", "mt 1->2 (5 -> x) + [not 2.x = 5]")]
    [False, True]
    """
    match program:
        case Layering(parts) | Choice(parts):
            return any(map(looks_at_values, parts))
        case Repetition(body):
            return looks_at_values(body)
        case Guard(condition):
            return _compares(condition)
        case Eps() | Assignment() | Send() | Receive() | Cut():
            return False
        case _:
            assert_never(program)


def _compares(formula: Formula) -> bool:
    match formula:
        case Equal() | Less():
            return True
        case Not(operand):
            return _compares(operand)
        case And(parts) | Or(parts):
            return any(map(_compares, parts))
        case Truth():
            return False
        case _:
            assert_never(formula)


def by_executing(instance: Instance, semantics: Semantics) -> bool:
    """Whether no execution refutes it, with as many events outside as `events_outside` says."""
    left, right = syntax(instance)
    outside = events_outside(left, semantics.reading)
    return find_counterexample(left, right, instance.n, semantics, outside=outside) is None


def by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> bool:
    """Whether the solver finds no run that refutes it."""
    left, right = syntax(instance)
    return refute(left, right, instance.n, solver, semantics) is None


REFINES = Question(
    id="refines",
    text="Does P refine Q?",
    takes=("p", "q"),
    domain=WHOLE_LANGUAGE,
    answer=BOOLEAN,
    oracles=(Oracle("executions", by_executing, shares=SHARES),),
    symbolic=Symbolic(by_solving, shares=SHARES),
    per_second=60,
)


def occurs_by_executing(instance: Instance, semantics: Semantics) -> bool:
    """Whether P occurs over an interval of some execution."""
    (p,) = syntax(instance)
    outside = partners_outside(p, semantics.reading)
    return find_counterexample(p, NEVER, instance.n, semantics, outside=outside) is not None


def occurs_by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> bool:
    """Whether the solver finds an interval over which P occurs."""
    (p,) = syntax(instance)
    return not by_solving(Instance(instance.n, (p, NEVER)), semantics, solver)


OCCURS = Question(
    id="occurs",
    text="Does P occur over any interval?",
    takes=("p",),
    domain=WHOLE_LANGUAGE,
    answer=BOOLEAN,
    oracles=(Oracle("executions", occurs_by_executing, shares=SHARES),),
    symbolic=Symbolic(occurs_by_solving, shares=SHARES),
    per_second=100,
)
