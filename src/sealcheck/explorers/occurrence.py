"""Decide whether a program occurs over an interval of a run, by the paper's definition, clause by clause.

A *cut* is a number of events for each process. An interval lies between two cuts, c and d, of a run r. A
program *occurs* over the interval (``r[c,d] ⊩ program``) if the events between c and d are an execution of
the program. The run is finite, so a program that repeats forever cannot be evaluated. Iterations
without events can be left out, because they only add conditions on a cut. Cuts need not be
consistent: a cut may contain a receive without the send of its message.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from math import prod
from typing import assert_never

from sealcheck.errors import InputError
from sealcheck.programs import syntax
from sealcheck.programs.runs import Frontier, GlobalRun, Interval, LocalEvent, LocalState, Place
from sealcheck.programs.semantics import PAPER, ChannelModel, CutReading, Semantics
from sealcheck.programs.straight_line import Channel, Kind
from sealcheck.programs.syntax import Expression, Formula, Program, layered

OneEvent = syntax.Assignment | syntax.Send | syntax.Receive
"""A program that is one event of one process."""


def occurs(run: GlobalRun, c: Frontier, d: Frontier, program: Program, semantics: Semantics = PAPER) -> bool:
    """Whether ``r[c,d] ⊩ program``. Source: the semantics in section 2 of the paper.

    Raises InputError if c or d is not a cut of the run, or if the program names a process that the run lacks.
    Takes as much time as `ends`.

    >>> from sealcheck.language.parser import parse
    >>> from sealcheck.programs.straight_line import snd
    >>> run = GlobalRun(((LocalEvent(snd(1, 2), 5),), ()), (({}, {}), ({},)), {})
    >>> [occurs(run, (0, 0), (1, 0), parse(text)) for text in ("snd 1->2 (5)", "snd 1->2 (6)", "eps")]
    [True, False, False]
    """
    _require_cut(run, c)
    _require_cut(run, d)
    return d in ends(run, c, program, semantics)


def _require_cut(run: GlobalRun, cut: Frontier) -> None:
    if len(cut) != run.n or not all(0 <= at <= len(share) for at, share in zip(cut, run.events, strict=True)):
        most = tuple(map(len, run.events))
        raise InputError(f"{cut} is not a cut of the run, whose processes have {most} events")


def ends(run: GlobalRun, c: Frontier, program: Program, semantics: Semantics = PAPER) -> set[Frontier]:
    """All cuts d with ``r[c,d] ⊩ program``, for a cut c of the run.

    If repetitions are nested k deep, the time is the number of cuts of the run to the power k + 1. Source:
    the semantics of programs (section 2).

    >>> from sealcheck.language.parser import parse
    >>> from sealcheck.programs.straight_line import snd
    >>> run = GlobalRun(((LocalEvent(snd(1, 2)),), ()), (({}, {}), ({},)), {})
    >>> sorted(ends(run, (0, 0), parse("(snd 1->2)*")))
    [(0, 0), (1, 0)]
    """
    match program:
        case syntax.Eps():
            return {c}
        case syntax.Assignment() | syntax.Send() | syntax.Receive():
            return _after_statement(run, c, program)
        case syntax.Guard(condition):
            return {c} if holds(condition, run, c) else set()
        case syntax.Cut():
            return {c} if is_silent(run, c, semantics) else set()
        case syntax.Layering(parts):
            reached = {c}
            for part in parts:
                if not reached:
                    break
                reached = {d for between in reached for d in ends(run, between, part, semantics)}
            return reached
        case syntax.Choice(alternatives):
            return {d for alternative in alternatives for d in ends(run, c, alternative, semantics)}
        case syntax.Repetition(body):
            return _after_repetitions(run, c, body, semantics)
        case _:
            assert_never(program)


def performer(statement: OneEvent) -> int:
    """The process that performs a statement.

    >>> performer(syntax.Send(1, 2)), performer(syntax.Receive(2, 1))
    (1, 2)
    """
    match statement:
        case syntax.Assignment(target):
            return target.process
        case syntax.Send(sender):
            return sender
        case syntax.Receive(receiver):
            return receiver
        case _:
            assert_never(statement)


def _after_statement(run: GlobalRun, c: Frontier, statement: OneEvent) -> set[Frontier]:
    process = performer(statement)
    _require_process(process, run)
    at, events, states = c[process - 1], run.events[process - 1], run.states[process - 1]
    if at == len(events) or not _performs(events[at], states[at], states[at + 1], statement):
        return set()
    return {(*c[: process - 1], at + 1, *c[process:])}


def _require_process(process: int, run: GlobalRun) -> None:
    if process > len(run.events):
        raise InputError(f"the program names process {process}, but the run has only {run.n}")


def _performs(local: LocalEvent, before: LocalState, after: LocalState, statement: OneEvent) -> bool:
    """Whether a transition from the state `before` to the state `after` performs the statement.

    If a send omits the content, any content is right. If a receive omits the variable, the state must stay
    the same.
    """
    match statement:
        case syntax.Assignment(target, expression):
            return local.event is None and _same(after, {**before, target.name: value(expression, before)})
        case syntax.Send(sender, receiver, content):
            if local.event != (Kind.SEND, sender, receiver):
                return False
            sent = content is None or value(content, before) == local.content
            return sent and _same(after, before)
        case syntax.Receive(receiver, sender, variable):
            if local.event != (Kind.RECEIVE, sender, receiver):
                return False
            return _same(after, before if variable is None else {**before, variable.name: local.content})
        case _:
            assert_never(statement)


def _same(first: LocalState, second: LocalState) -> bool:
    return first == second or all(first.get(x, 0) == second.get(x, 0) for x in {*first, *second})


def _after_repetitions(run: GlobalRun, c: Frontier, body: Program, semantics: Semantics) -> set[Frontier]:
    reached, new = {c}, {c}
    while new:
        new = {d for between in new for d in ends(run, between, body, semantics)} - reached
        reached |= new
    return reached


def is_silent(run: GlobalRun, c: Frontier, semantics: Semantics = PAPER, only: Channel | None = None) -> bool:
    """Whether the cut c of the run is silent: on all channels, or only on the channel `only`.

    If a cut is silent, each received message is sent and received on the same side of the cut. The two
    readings of the silent cut differ only on messages that are sent before the cut and never received: only
    the reading MATCHING allows such messages. The time is O(n² · events). Source: the silent cut, in section
    2.
    """
    asked = {r: s for r, s in run.matching.items() if only is None or _channel(run, s) == only}
    if any(inside(receive, c) != inside(send, c) for receive, send in asked.items()):
        return False
    match semantics.reading:
        case CutReading.MATCHING:
            return True
        case CutReading.EMPTY:
            return _all_received(run, c, only)
        case other:
            assert_never(other)


def inside(place: Place, cut: Frontier) -> bool:
    """Whether the event at a place is in the cut."""
    return place.position <= cut[place.process - 1]


def _channel(run: GlobalRun, place: Place) -> Channel | None:
    event = run.at(place).event
    return event and event.channel


def _all_received(run: GlobalRun, c: Frontier, only: Channel | None) -> bool:
    received = set(run.matching.values())
    sent = (
        Place(process, position)
        for process, at in enumerate(c, 1)
        for position, local in enumerate(run.events[process - 1][:at], 1)
        if local.event is not None and local.event.is_send and only in {None, local.event.channel}
    )
    return all(place in received for place in sent)


def holds(formula: Formula, run: GlobalRun, c: Frontier) -> bool:
    """Whether the formula holds at the cut c, ``(r,c) ⊨ formula``: variables have their values at c.

    Raises InputError if the formula's value depends on a variable of a process that the run lacks. Linear
    time. Source: the semantics of formulas, in section 2.2.
    """
    match formula:
        case syntax.Truth(truth):
            return truth
        case syntax.Equal(left, right):
            return _value_at(left, run, c) == _value_at(right, run, c)
        case syntax.Less(left, right):
            return _value_at(left, run, c) < _value_at(right, run, c)
        case syntax.Not(operand):
            return not holds(operand, run, c)
        case syntax.And(conjuncts):
            return all(holds(conjunct, run, c) for conjunct in conjuncts)
        case syntax.Or(disjuncts):
            return any(holds(disjunct, run, c) for disjunct in disjuncts)
        case _:
            assert_never(formula)


def value(expression: Expression, state: LocalState) -> int:
    """The value of an expression over the variables of one process, in a local state of this process.

    >>> from sealcheck.language.parser import parse
    >>> value(parse("1.x := 1.x + 1").value, {"x": 4})
    5
    """
    return _evaluated(expression, lambda variable: state.get(variable.name, 0))


def _value_at(expression: Expression, run: GlobalRun, c: Frontier) -> int:
    def of_variable(variable: syntax.Variable) -> int:
        _require_process(variable.process, run)
        return run.states[variable.process - 1][c[variable.process - 1]].get(variable.name, 0)

    return _evaluated(expression, of_variable)


def _evaluated(expression: Expression, of_variable: Callable[[syntax.Variable], int]) -> int:
    match expression:
        case syntax.Integer(number):
            return number
        case syntax.Variable():
            return of_variable(expression)
        case syntax.Negation(operand):
            return -_evaluated(operand, of_variable)
        case syntax.Sum(terms):
            return sum(_evaluated(term, of_variable) for term in terms)
        case syntax.Product(factors):
            return prod(_evaluated(factor, of_variable) for factor in factors)
        case _:
            assert_never(expression)


def cuts_after_iterations(
    run: GlobalRun, c: Frontier, program: Program, count: int, semantics: Semantics = PAPER
) -> set[Frontier]:
    """The cuts that the program, started at c, reaches right after `count` iterations that have events.

    Only iterations of a repetition at the end of the program are counted. Takes as much time as `ends`.
    Source: the semantics of programs, in section 2.2.

    >>> from sealcheck.language.parser import parse
    >>> from sealcheck.programs.straight_line import snd
    >>> run = GlobalRun(((LocalEvent(snd(1, 2)),) * 2, ()), (({},) * 3, ({},)), {})
    >>> program = parse("cut; (snd 1->2)*")
    >>> [sorted(cuts_after_iterations(run, (0, 0), program, count)) for count in (1, 2, 3)]
    [[(1, 0), (2, 0)], [(2, 0)], []]
    >>> sorted(cuts_after_iterations(run, (0, 0), parse("(snd 1->2 + eps)*"), 2))
    [(2, 0)]
    """
    match program:
        case syntax.Layering(parts):
            *first, last = parts
            starts = ends(run, c, layered(*first), semantics)
            return {d for b in starts for d in cuts_after_iterations(run, b, last, count, semantics)}
        case syntax.Choice(alternatives):
            return {d for each in alternatives for d in cuts_after_iterations(run, c, each, count, semantics)}
        case syntax.Repetition(body):
            starts = ends(run, c, program, semantics)
            inner = {d for b in starts for d in cuts_after_iterations(run, b, body, count, semantics)}
            return _iterated(run, starts, body, count, semantics) | inner
        case syntax.Assignment() | syntax.Send() | syntax.Receive():
            return set()
        case syntax.Eps() | syntax.Guard() | syntax.Cut():
            return set()
        case _:
            assert_never(program)


def _iterated(
    run: GlobalRun, starts: set[Frontier], body: Program, count: int, semantics: Semantics
) -> set[Frontier]:
    """The cuts after `count` iterations of the body that have an event."""
    reached = starts
    for _ in range(count):
        reached = {d for b in reached for d in ends(run, b, body, semantics) if d != b}
    return reached


MOST = 2_000
"""The most runs that `trimmed` tries before it returns the smallest run so far."""

PLAIN = (0, 1)
"""The values that `trimmed` prefers, in this order, because these values do not distract a reader."""

Matching = dict[Place, Place]


def outside_of(found: Interval) -> int:
    """The number of events of the run that are not in the interval."""
    return sum(found.c) + sum(len(share) for share in found.run.events) - sum(found.d)


def trimmed(
    found: Interval, keeps: Callable[[Interval], bool], model: ChannelModel = ChannelModel.REL
) -> Interval:
    """Leave out as many messages outside the interval of a run as possible, while `keeps` is true.

    A step does one of these:

    - It leaves out a message that is sent outside the interval and not received inside.
    - It leaves out the outside receive of a message that is sent inside.
    - It gives another message to a receive inside that takes a message from outside. The other message is
    sent inside, and is received outside or never.
    - It replaces a value by 0 or 1.

    Tries at most `MOST` runs, each in time O(n * events).
    """
    left = iter(range(MOST))
    smaller: Interval | None = found
    while smaller is not None:
        found = smaller
        tried = (each for _, each in zip(left, _smaller(found), strict=False))
        smaller = next((each for each in tried if is_run(each, model) and keeps(each)), None)
    return found


def is_run(interval: Interval, model: ChannelModel) -> bool:
    """Whether the interval's run is a run of the model."""
    try:
        interval.run.check(model)
    except InputError:
        return False
    return True


def _smaller(found: Interval) -> Iterator[Interval]:
    run = found.run
    taker = {send: receive for receive, send in run.matching.items()}
    outside = {place for place in _places(run) if inside(place, found.c) or not inside(place, found.d)}
    sends = [place for place in _places(run) if (event := run.at(place).event) and event.is_send]
    for send in sends:
        receive = taker.get(send)
        if send in outside and (receive is None or receive in outside):
            yield _without(found, {send} | ({receive} if receive else set()), {})
    alone = [send for send in sends if send not in outside and taker.get(send) in {None, *outside}]
    waiting = [r for r, send in run.matching.items() if r not in outside and send in outside]
    for receive, send in product(waiting, alone):
        if run.at(receive).event.channel == run.at(send).event.channel:  # type: ignore[union-attr]
            dropped = {run.matching[receive]} | ({taker[send]} if send in taker else set())
            yield _without(found, dropped, {receive: send})
    for send in alone:
        if send in taker:
            yield _without(found, {taker[send]}, {})
    held = {local.content for share in run.events for local in share}
    held |= {value for states in run.states for state in states for value in state.values()}
    for value in sorted(held - set(PLAIN)):
        yield from (_with_value(found, value, plain) for plain in PLAIN)


def _places(run: GlobalRun) -> Iterator[Place]:
    for process, events in enumerate(run.events, 1):
        yield from (Place(process, position) for position in range(1, len(events) + 1))


def _without(found: Interval, dropped: set[Place], matched: Matching) -> Interval:
    """The interval, without the events in `dropped`. The matches in `matched` replace old matches."""
    run = found.run
    kept = [place for place in _places(run) if place not in dropped]
    shares = [[place.position for place in kept if place.process == k] for k in range(1, run.n + 1)]
    new = {
        Place(k, at): Place(k, now) for k, share in enumerate(shares, 1) for now, at in enumerate(share, 1)
    }
    matching = {r: s for r, s in {**run.matching, **matched}.items() if r in new and s in new}

    def event(place: Place) -> LocalEvent:
        return run.at(place)._replace(content=run.at(matched.get(place, place)).content)

    smaller = GlobalRun(
        tuple(tuple(event(Place(k, at)) for at in share) for k, share in enumerate(shares, 1)),
        tuple((run.states[k][0], *(run.states[k][at] for at in share)) for k, share in enumerate(shares)),
        {new[receive]: new[send] for receive, send in matching.items()},
    )
    c, d = (
        tuple(sum(at <= cut[k] for at in share) for k, share in enumerate(shares))
        for cut in (found.c, found.d)
    )
    return Interval(smaller, c, d)


def _with_value(found: Interval, value: int, other: int) -> Interval:
    run = found.run

    def put(each: int) -> int:
        return other if each == value else each

    return found._replace(
        run=replace(
            run,
            events=tuple(tuple(at._replace(content=put(at.content)) for at in share) for share in run.events),
            states=tuple(
                tuple({name: put(held) for name, held in state.items()} for state in states)
                for states in run.states
            ),
        )
    )
