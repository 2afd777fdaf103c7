"""Bounded refinement: P refines Q if Q occurs over every interval of a run over which P occurs.

An interval lies between two cuts of a run. The *shape* of an interval says which events each process performs
in it, along one path of P with repetitions unrolled. The solver is asked once for each shape. Repetitions of
Q need no bound, because the shape limits the number of Q's events. ``≀`` is the silent cut: no message is in
transit.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby
from typing import assert_never
from weakref import WeakKeyDictionary

from pysmt.environment import Environment, get_env
from pysmt.fnode import FNode
from pysmt.shortcuts import LE, TRUE, And, Int, Not, Or

from sealcheck.encodings.occurrence import (
    End,
    Match,
    Outside,
    Shape,
    SymbolicInterval,
    Variables,
    lost_send,
    rank,
    shapes,
)
from sealcheck.encodings.solving import Answer, Solver, Status
from sealcheck.errors import Disagreement, LimitReached
from sealcheck.explorers.occurrence import occurs
from sealcheck.programs import syntax
from sealcheck.programs.runs import GlobalRun, Interval, LocalEvent, LocalState, Place
from sealcheck.programs.semantics import PAPER, CutReading, Semantics
from sealcheck.programs.straight_line import Channel
from sealcheck.programs.syntax import Program, layered, variables


def decoded(interval: SymbolicInterval, answer: Answer) -> Interval:
    """The run that a model describes, with the outside events that the model matches or loses."""
    used = [match for match in interval.matches if answer.value(match.symbol)]
    content = _contents(interval, used, answer)
    partner = {match.send: match.receive for match in used} | {match.receive: match.send for match in used}
    lines = [_line(interval, process, content, partner) for process in interval.processes]
    place = {
        event: Place(process, position)
        for process, line in enumerate(lines, 1)
        for position, event in enumerate(line, 1)
    }

    def local(end: End) -> LocalEvent:
        event = end.event if isinstance(end, Outside) else interval.event(end)
        return LocalEvent(event, content.get(end, 0))

    events = tuple(tuple(map(local, line)) for line in lines)
    c = tuple(sum(isinstance(e, Outside) and e.earlier for e in line) for line in lines)
    d = tuple(before + inside for before, inside in zip(c, interval.end, strict=True))
    each = zip(interval.processes, c, lines, strict=True)
    states = tuple(tuple(_states(interval, process, at, len(line), answer)) for process, at, line in each)
    return Interval(GlobalRun(events, states, {place[m.receive]: place[m.send] for m in used}), c, d)


def _contents(interval: SymbolicInterval, used: list[Match], answer: Answer) -> dict[End, int]:
    """The content of each event's message. An event outside the interval has the content of its partner."""
    content: dict[End, int] = {
        place: int(answer.value(interval.content(place)))
        for place in interval.places
        if interval.event(place) is not None
    }
    content |= {lost_send(c): 0 for c in interval.channels if answer.value(interval.lost(c))}
    for match in used:
        known = content.get(match.send, content.get(match.receive, 0))
        content |= {match.receive: known, match.send: known}
    return content


def _line(
    interval: SymbolicInterval, process: int, content: dict[End, int], partner: dict[End, End]
) -> list[End]:
    """The events of a process, in the order that the module `occurrence` explains."""
    inside = [place for place in interval.places if place.process == process]
    outside = (event for event in content if isinstance(event, Outside) and event.process == process)

    def key(event: End) -> tuple[tuple[int, int], bool, tuple[int, int]]:
        """Sort outside events of one kind by the order of their partners. Lost messages come last."""
        if isinstance(event, Place):
            return rank(event), False, (0, 0)
        return rank(event), not event.event.is_send, rank(partner[event]) if event in partner else (3, 0)

    return sorted([*inside, *outside], key=key)


def _states(
    interval: SymbolicInterval, process: int, before: int, events: int, answer: Answer
) -> Iterator[LocalState]:
    for position in range(events + 1):
        at = min(max(0, position - before), interval.end[process - 1])
        names = interval.variables.get(process, ())
        yield {name: int(answer.value(interval.state(process, at, name))) for name in names}


def with_event(program: Program) -> list[Program]:
    """Programs of which at least one occurs wherever `program` occurs with at least one event.

    >>> from sealcheck.language.parser import parse
    >>> from sealcheck.language.printer import show
    >>> [show(p) for p in with_event(parse("cut; (snd 1->2 + eps)"))]
    ['cut; snd 1->2']
    """
    match program:
        case syntax.Assignment() | syntax.Send() | syntax.Receive():
            return [program]
        case syntax.Layering(parts):
            found = [(k, part) for k, whole in enumerate(parts) for part in with_event(whole)]
            return [layered(*parts[:k], part, *parts[k + 1 :]) for k, part in found]
        case syntax.Choice(alternatives):
            return [each for alternative in alternatives for each in with_event(alternative)]
        case syntax.Repetition(body):
            return [layered(program, each, program) for each in with_event(body)]
        case syntax.Eps() | syntax.Guard() | syntax.Cut():
            return []
        case _:
            assert_never(program)


def iterated(program: Program, count: int) -> list[Program]:
    """For each repetition at the end of the program: the program before it, then `count` iterations.

    Each iteration has an event.

    >>> from sealcheck.language.parser import parse
    >>> from sealcheck.language.printer import show
    >>> [show(p) for p in iterated(parse("cut; (1.x := 1)* + (cut)*"), 2)]
    ['cut; 1.x := 1; 1.x := 1']
    """
    match program:
        case syntax.Layering(parts):
            return [layered(*parts[:-1], found) for found in iterated(parts[-1], count)]
        case syntax.Choice(alternatives):
            return [found for alternative in alternatives for found in iterated(alternative, count)]
        case syntax.Repetition(body):
            inner = [layered(program, found) for found in iterated(body, count)]
            return [layered(*([found] * count)) for found in with_event(body)] + inner
        case syntax.Assignment() | syntax.Send() | syntax.Receive():
            return []
        case syntax.Eps() | syntax.Guard() | syntax.Cut():
            return []
        case _:
            assert_never(program)


def _variables(*programs: syntax.Program) -> Variables:
    mentioned = groupby(variables(*programs), key=lambda variable: variable.process)
    return tuple((process, tuple(each.name for each in group)) for process, group in mentioned)


def refute(
    p: syntax.Program,
    q: syntax.Program,
    n: int,
    solver: Solver,
    semantics: Semantics = PAPER,
    *,
    outside: int | None = None,
) -> Interval | None:
    """An interval over which P occurs and Q does not, or None if there is none.

    `outside` bounds the number of events outside the interval. Without this bound, and
    if P `is_finite`, the result None covers all finite runs. Otherwise None covers only runs within the bound
    and the unrolled iterations. Raises LimitReached if the solver gives up on a shape, and no other shape
    yields a counterexample. Source: refinement (section 2).

    >>> from sealcheck.encodings.solving import open_solver
    >>> from sealcheck.language.parser import parse
    >>> from sealcheck.programs.syntax import seals, tcc
    >>> there, back = parse("mt 1->2"), parse("mt 2->1")
    >>> with open_solver("z3") as z3:
    ...     refute(*seals(there, back), 2, z3)
    ...     refute(*tcc(there), 2, z3).run.matching
    {Place(process=2, position=1): Place(process=1, position=2)}
    """

    def wrong(interval: SymbolicInterval) -> FNode:
        few = TRUE() if outside is None else LE(interval.outside, Int(outside))
        return And(interval.occurs(p), Not(interval.occurs(q)), few)

    starts_silent = syntax.starts_silent(p)
    found = _found(wrong, shapes(p, n, semantics.unroll), (p, q), semantics, solver, starts_silent)
    if found is not None:  # it counts only if it is a counterexample by the definition, on the run itself
        found.run.check(semantics.model)
        if [occurs(*found, program, semantics) for program in (p, q)] != [True, False]:
            raise Disagreement("a solver's run does not refute the refinement that it was asked about")
    return found


def occurs_somewhere(
    p: syntax.Program, n: int, solver: Solver, semantics: Semantics = PAPER
) -> Interval | None:
    """An interval over which P occurs, or None if there is none.

    If there is none, P refines every program. Source: the semantics of programs, in section 2.2.

    >>> from sealcheck.encodings.solving import open_solver
    >>> from sealcheck.language.parser import parse
    >>> with open_solver("z3") as z3:
    ...     occurs_somewhere(parse("1.x := 1; [1.x = 2]"), 1, z3)
    """
    return refute(p, syntax.Guard(syntax.Truth(False)), n, solver, semantics)


def unbalanced(p: syntax.Program, n: int, solver: Solver, semantics: Semantics = PAPER) -> Interval | None:
    """A run in which P starts with empty channels, and has unequally many sends and receives on a channel.

    This is the negation of "balanced" (section 4). The channels are empty at the start of the interval. So
    before the interval, each channel has as many sends as receives, and it is enough to count the events in
    the interval. The reading of `semantics` applies only to silent cuts in P itself. Source: "balanced", in
    section `sec:rel`.

    >>> from sealcheck.encodings.solving import open_solver
    >>> from sealcheck.language.parser import parse
    >>> with open_solver("z3") as z3:
    ...     [unbalanced(parse(text), 2, z3) is None for text in ("mt 1->2", "snd 1->2")]
    [True, False]
    """

    def from_empty_channels(interval: SymbolicInterval) -> FNode:
        return And(interval.is_silent(interval.start, reading=CutReading.EMPTY), interval.occurs(p))

    lopsided = {shape for shape in shapes(p, n, semantics.unroll) if not _is_balanced(shape)}
    return _found(from_empty_channels, lopsided, (p,), semantics, solver)


def _is_balanced(shape: Shape) -> bool:
    excess: Counter[Channel] = Counter()
    for event in (event for share in shape for event in share if event is not None):
        excess[event.channel] += 1 if event.is_send else -1
    return not any(excess.values())


def leaves_open(
    p: syntax.Program, channel: Channel, n: int, solver: Solver, semantics: Semantics = PAPER
) -> Interval | None:
    """A run of ≀P at whose end the channel is not empty: the negation of "closes" (section 4).

    The reading of `semantics` decides which channels are empty: MATCHING ignores messages that are never
    received. Source: "closes", in section `sec:rel`.

    >>> from sealcheck.encodings.solving import open_solver
    >>> from sealcheck.language.parser import parse
    >>> there_and_back = parse("mt 1->2; mt 2->1")
    >>> with open_solver("z3") as z3:
    ...     [leaves_open(there_and_back, Channel(*c), 2, z3) is None for c in ((1, 2), (2, 1))]
    [True, False]
    """
    after_cut = syntax.layered(syntax.Cut(), p)

    def not_empty(interval: SymbolicInterval) -> FNode:
        return And(interval.occurs(after_cut), Not(interval.is_silent(interval.end, channel)))

    return _found(not_empty, shapes(p, n, semantics.unroll), (p,), semantics, solver)


def begins_in_noise(
    p: syntax.Program, q: syntax.Program, n: int, solver: Solver, semantics: Semantics = PAPER
) -> Interval | None:
    """A run of ≀P;Q with a cut that is not silent, at which P may have ended and Q may have begun.

    Source: a stronger reading of the definition of seals, in section 3.

    >>> from sealcheck.encodings.solving import open_solver
    >>> from sealcheck.language.parser import parse
    >>> there, back = parse("mt 1->2"), parse("mt 2->1")
    >>> with open_solver("z3") as z3:
    ...     [begins_in_noise(there, q, 2, z3) is None for q in (back, there)]
    [True, False]
    """
    after_cut = syntax.layered(syntax.Cut(), p)

    def noisy(interval: SymbolicInterval) -> FNode:
        return Or(
            And(ended, interval.ends(q, between)[interval.end], Not(interval.is_silent(between)))
            for between, ended in interval.ends(after_cut, interval.start).items()
            if interval.end in interval.ends(q, between)
        )

    return _found(noisy, shapes(layered(after_cut, q), n, semantics.unroll), (p, q), semantics, solver)


_MADE: WeakKeyDictionary[Environment, Callable[..., SymbolicInterval]] = WeakKeyDictionary()
"""The symbolic intervals, by the pySMT environment of their formulas. All solvers share the intervals."""


def _found(
    condition: Callable[[SymbolicInterval], FNode],
    shapes: Iterable[Shape],
    programs: Sequence[Program],
    semantics: Semantics,
    solver: Solver,
    starts_silent: bool = True,
) -> Interval | None:
    """An interval that meets the condition, or None. Shapes of few events are tried first."""
    made = _MADE.setdefault(get_env(), cache(SymbolicInterval))
    named = _variables(*programs)
    gave_up = False
    for shape in sorted(shapes, key=lambda shape: (sum(map(len, shape)), repr(shape))):
        interval = made(shape, named, semantics, starts_silent=starts_silent)
        asked = condition(interval).simplify()
        if asked.is_false():
            continue  # a contradiction of its own, without the axioms: nothing to ask a solver
        answer = solver.ask([*interval.axioms, asked])
        if answer.status is Status.SAT:
            return decoded(interval, answer)
        gave_up |= answer.status is Status.UNKNOWN
    if gave_up:
        raise LimitReached(f"{solver.name} gave up")
    return None
