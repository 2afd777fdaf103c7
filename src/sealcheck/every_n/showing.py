"""Finite counter-models for people: as a program and a run where they are such, else relation by relation."""

from collections.abc import Iterator
from functools import cmp_to_key
from typing import NamedTuple

from pysmt.fnode import FNode
from pysmt.shortcuts import Equals

from sealcheck.errors import InputError
from sealcheck.every_n.events import (
    before,
    earlier,
    event,
    is_receive,
    oldest,
    program,
    same_channel,
    same_process,
    strict_total_order,
    taken,
)
from sealcheck.every_n.finite import FiniteModel
from sealcheck.every_n.interference import sooner, takes
from sealcheck.every_n.obligation import Term
from sealcheck.programs.runs import Place, Run
from sealcheck.programs.straight_line import Event, Kind, StraightLine

IS_PROGRAM = ("order", "processes", "channels", "kinds", "sender", "receiver", "pairs")
"""What of the theory makes events those of a program."""


class _Shown(NamedTuple):
    """Events as those of a program, in the order in which receives take the oldest message."""

    events: dict[int, Event]
    places: dict[int, Place]
    program: StraightLine


def shown(model: FiniteModel) -> tuple[str, ...]:
    """The model in a few lines.  It is about the symbols of the environment in which this is called."""
    as_program = _program(model) if "earlier" in model.meaning else None
    return tuple(_relations(model) if as_program is None else _as_run(model, as_program))


def _relations(model: FiniteModel) -> Iterator[str]:
    for name, values in sorted(model.meaning.items()):
        true = [_things(things) for things, value in sorted(values.items()) if value is True]
        to = [f"{_things(things)}:{value + 1}" for things, value in sorted(values.items())]
        is_relation = all(isinstance(value, bool) for value in values.values())
        yield f"{name}: {', '.join(true if is_relation else to).lstrip(':') or 'none'}"


def _things(numbers: tuple[int, ...]) -> str:
    return " ".join(str(number + 1) for number in numbers)


def _program(model: FiniteModel) -> _Shown | None:
    """The events as those of a program, if they are."""
    facts = program()
    if not all(_holds(model, facts[name].formula) for name in IS_PROGRAM):
        return None
    order = _sorted(model, earlier)
    process: dict[int, int] = {}
    places: dict[int, Place] = {}
    for e in order:
        alike = (process[f] for f in process if _is(model, same_process, e, f))
        process[e] = next(alike, len(set(process.values())) + 1)
        places[e] = Place(process[e], list(process.values()).count(process[e]))
    events, n = _events(model, order, process)
    return _Shown(events, places, StraightLine.of(n, events.values()))


def _events(model: FiniteModel, order: list[int], process: dict[int, int]) -> tuple[dict[int, Event], int]:
    """What each event is, and how many processes there are with those that do nothing.

    Who is at the other end of a channel that is only sent on, or received on, is one of the latter.
    """
    n = len(set(process.values()))
    others: dict[int, int] = {}
    events = {}
    for e in order:
        receives = _is(model, is_receive, e)
        on_channel = [f for f in order if _is(model, same_channel, e, f)]
        ends = [process[f] for f in on_channel if _is(model, is_receive, f) != receives]
        other = ends[0] if ends else n + 1 + others.setdefault(min(on_channel), len(others))
        ends_of_e = (other, process[e]) if receives else (process[e], other)
        events[e] = Event(Kind.RECEIVE if receives else Kind.SEND, *ends_of_e)
    return events, n + len(others)


def _as_run(model: FiniteModel, found: _Shown) -> Iterator[str]:
    in_p = model.meaning.get("in_p", {})
    number = {e: position for position, e in enumerate(found.events, 1)}
    for label, wanted in (("P", True), ("later", False)):
        part = [f"{each} [{number[e]}]" for e, each in found.events.items() if in_p.get((e,)) is wanted]
        yield f"{label}: {'; '.join(part) or 'nothing'}"
    run = _run(model, found)
    if run is None:
        yield from (line for line in _relations(model) if line.startswith(("before", "taken")))
        return
    of_place = {place: number[e] for e, place in found.places.items()}
    order = " ".join(f"[{of_place[place]}]" for place in run.order)
    took = ", ".join(f"[{of_place[e]}] takes [{of_place[f]}]" for e, f in sorted(run.matching.items()))
    happening = f"in the order {order}, {took or 'nothing is received'}"
    try:
        run.check()
    except InputError as error:
        yield f"no run: {happening}: {error}"
    else:
        yield f"run: {happening}"


def _run(model: FiniteModel, found: _Shown) -> Run | None:
    """Order and matching of the model, if it has such."""
    if "before" in model.meaning:
        less, source = before, taken
    elif "early" in model.meaning:
        less, source = sooner, takes if {"r", "s"} <= model.meaning.keys() else oldest
    else:
        return None
    if not model.holds(strict_total_order(less)):
        return None
    matching = {}
    for e, happening in found.events.items():
        if not happening.is_send:
            to = [f for f in found.events if _is(model, lambda a, b: Equals(source(a), b), e, f)]
            matching[found.places[e]] = found.places[to[0]]
    return Run(found.program, tuple(found.places[e] for e in _sorted(model, less)), matching)


def _sorted(model: FiniteModel, less: Term) -> list[int]:
    """The things by a relation; in some order where it is none."""

    def compare(e: int, f: int) -> int:
        return _is(model, less, f, e) - _is(model, less, e, f)

    return sorted(range(model.size), key=cmp_to_key(compare))


def _is(model: FiniteModel, relation: Term, *things: int) -> bool:
    letters = [event(f"thing {position}") for position in range(len(things))]
    return model.holds(relation(*letters), dict(zip(letters, things, strict=True)))


def _holds(model: FiniteModel, formula: FNode) -> bool:
    try:
        return model.holds(formula)
    except KeyError:  # nothing is said about one of its symbols
        return False
