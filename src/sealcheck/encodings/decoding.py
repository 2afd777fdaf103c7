"""Runs around an interval, read off a solver's model."""

from collections.abc import Iterator

from sealcheck.encodings.occurrence import SymbolicInterval
from sealcheck.encodings.solving import Answer
from sealcheck.encodings.surroundings import End, Match, Outside, lost_send, rank
from sealcheck.programs.events import Event
from sealcheck.programs.global_runs import GlobalRun, Interval, LocalEvent, LocalState
from sealcheck.programs.runs import Place


def decoded(interval: SymbolicInterval, answer: Answer) -> Interval:
    """The run that a model describes, with those events outside that are matched, or lost."""
    used = [match for match in interval.matches if answer.value(match.symbol)]
    content = _contents(interval, used, answer)
    partner = {match.send: match.receive for match in used} | {match.receive: match.send for match in used}
    lines = [_line(interval, process, content, partner) for process in interval.processes]
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
    return Interval(GlobalRun(events, states, {place[m.receive]: place[m.send] for m in used}), c, d)


def _contents(interval: SymbolicInterval, used: list[Match], answer: Answer) -> dict[End, int]:
    """What the message of each send and receive holds; an event outside gets what its partner has."""
    content: dict[End, int] = {
        place: int(answer.value(interval.content(place)))
        for place in interval.places
        if interval.event(place) is not None
    }
    lost = (c for c in interval.channels if answer.value(interval.lost(c)))
    content |= {lost_send(channel): 0 for channel in lost}
    for match in used:
        known = content.get(match.send, content.get(match.receive, 0))
        content |= {match.receive: known, match.send: known}
    return content


def _line(
    interval: SymbolicInterval, process: int, content: dict[End, int], partner: dict[End, End]
) -> list[End]:
    """The events of a process, in an order as in `surroundings`; all outside that happen have a content."""
    inside = [place for place in interval.places if place.process == process]
    outside = (event for event in content if isinstance(event, Outside) and event.process == process)

    def key(event: End) -> tuple[tuple[int, int], bool, tuple[int, int]]:
        """Of events of one kind outside, that comes first whose partner does; what is lost comes last."""
        if isinstance(event, Place):
            return rank(event), False, (0, 0)
        return rank(event), not event.event.is_send, rank(partner[event]) if event in partner else (3, 0)

    return sorted([*inside, *outside], key=key)


def _event(interval: SymbolicInterval, event: End) -> Event | None:
    return event.event if isinstance(event, Outside) else interval.event(event)


def _states(
    interval: SymbolicInterval, process: int, before: int, events: int, answer: Answer
) -> Iterator[LocalState]:
    """The local states; nothing changes outside the interval."""
    for position in range(events + 1):
        at = min(max(0, position - before), interval.end[process - 1])
        names = interval.variables.get(process, ())
        yield {name: int(answer.value(interval.state(process, at, name))) for name in names}
