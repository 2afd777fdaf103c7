"""Runs around an interval, read off a solver's model."""

from collections.abc import Iterator
from dataclasses import dataclass

from sealcheck.encodings.occurrence import Interval, Match, Outside
from sealcheck.encodings.solving import Answer
from sealcheck.programs.events import Event
from sealcheck.programs.global_runs import Cut, GlobalRun, LocalEvent, LocalState
from sealcheck.programs.runs import Place


@dataclass(frozen=True)
class Occurrence:
    """An interval r[c,d]."""

    run: GlobalRun
    c: Cut
    d: Cut


def decoded(interval: Interval, answer: Answer) -> Occurrence:
    """The run that a model describes, with those events outside that are matched, or lost."""
    used = [match for match in interval.matches if answer.value(match.symbol)]
    content = _contents(interval, used, answer)
    lines = [_line(interval, process, content, answer) for process in interval.processes]
    place = {
        event: Place(process, position)
        for process, line in enumerate(lines, 1)
        for position, event in enumerate(line, 1)
    }
    events = tuple(tuple(LocalEvent(_event(interval, e), content.get(e, 0)) for e in line) for line in lines)
    c = tuple(sum(isinstance(e, Outside) and e.earlier for e in line) for line in lines)
    d = tuple(before + inside for before, inside in zip(c, interval.end, strict=True))
    states = tuple(
        tuple(_states(interval, process, c[process - 1], len(line), answer))
        for process, line in enumerate(lines, 1)
    )
    return Occurrence(GlobalRun(events, states, {place[m.receive]: place[m.send] for m in used}), c, d)


def _contents(interval: Interval, used: list[Match], answer: Answer) -> dict[Place | Outside, int]:
    """What the message of each send and receive holds; an event outside gets what its partner has."""
    content: dict[Place | Outside, int] = {
        place: int(answer.value(interval.content(place)))
        for place in interval.places
        if interval.event(place) is not None
    }
    lost = (c for c in interval.channels if answer.value(interval.lost(c)))
    content |= {interval.lost_send(channel): 0 for channel in lost}
    for match in used:
        known = content.get(match.receive, content.get(match.send, 0))
        content |= {match.receive: known, match.send: known}
    return content


def _line(
    interval: Interval, process: int, content: dict[Place | Outside, int], answer: Answer
) -> list[Place | Outside]:
    """The events of a process, in their order; all events outside that happen have a content."""
    inside = [place for place in interval.places if place.process == process]
    outside = (event for event in content if isinstance(event, Outside) and event.process == process)
    return sorted([*inside, *outside], key=lambda event: answer.value(interval.time(event)))


def _event(interval: Interval, event: Place | Outside) -> Event | None:
    return event.event if isinstance(event, Outside) else interval.event(event)


def _states(
    interval: Interval, process: int, before: int, events: int, answer: Answer
) -> Iterator[LocalState]:
    """The local states; nothing changes outside the interval."""
    for position in range(events + 1):
        at = min(max(0, position - before), interval.end[process - 1])
        names = interval.variables.get(process, ())
        yield {name: int(answer.value(interval.state(process, at, name))) for name in names}
