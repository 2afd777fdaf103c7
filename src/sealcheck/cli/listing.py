"""A run of the whole language around an interval, as a document and line by line."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from sealcheck.cli.answers import Document
from sealcheck.cli.wording import abridged
from sealcheck.language.names import NUMBERS, Names
from sealcheck.programs.runs import Frontier, GlobalRun, LocalState, Place


def run_document(run: GlobalRun, c: Frontier, d: Frontier) -> Document:
    """The run as a JSON object; positions count from 1, and events without a channel are internal."""
    return {
        "c": c,
        "d": d,
        "events": [
            [
                {"event": local.event and str(local.event), "content": local.event and local.content}
                for local in events
            ]
            for events in run.events
        ],
        "states": run.states,
        "matching": sorted(run.matching.items()),
        "order": run.interleaving(),
    }


def run_lines(run: GlobalRun, c: Frontier, d: Frontier, names: Names = NUMBERS) -> Iterator[str]:
    """The events in an order in which they can happen, with what surrounds the interval marked.

    >>> from sealcheck.programs.straight_line import rcv, snd
    >>> from sealcheck.language.names import NUMBERS, Names
    >>> from sealcheck.programs.runs import LocalEvent
    >>> events = ((LocalEvent(snd(1, 2), 5),), (LocalEvent(rcv(2, 1), 5),))
    >>> run = GlobalRun(events, (({}, {}), ({"x": 0}, {"x": 5})), {Place(2, 1): Place(1, 1)})
    >>> for line in run_lines(run, (0, 0), (1, 0)):
    ...     print(line)
             2.x = 0 at first
    inside   snd 1->2  sends message 1 (5)
    after    rcv 2<-1  takes message 1 (5)   2.x = 5
    """
    for process, states in enumerate(run.states, 1):
        if states[0]:
            yield f"         {_values(names.process(process), states[0], {})} at first"
    order = run.interleaving()
    sends = [place for place in order if _is_send(run, place)]
    number = {place: k for k, place in enumerate(sends, 1)}

    def line(at: int) -> str:
        place = order[at]
        old, new = run.states[place.process - 1][place.position - 1 : place.position + 1]
        changed = _values(names.process(place.process), new, old)
        what = _what(run, place, number, names)
        return f"{_where(place, c, d):9}{what}{'   ' if changed else ''}{changed}".rstrip()

    yield from abridged(len(order), line, _that_matter(run, order, c, d))


def _where(place: Place, c: Frontier, d: Frontier) -> str:
    process, position = place
    return "before" if position <= c[process - 1] else "inside" if position <= d[process - 1] else "after"


def _that_matter(run: GlobalRun, order: Sequence[Place], c: Frontier, d: Frontier) -> Iterator[int]:
    """What is outside or has a partner there; and receives that do not take the oldest message."""
    partner = dict(run.matching) | {send: receive for receive, send in run.matching.items()}
    waiting: defaultdict[object, list[Place]] = defaultdict(list)
    for at, place in enumerate(order):
        event = run.at(place).event
        overtakes = False
        if event is not None and event.is_send:
            waiting[event.channel].append(place)
        elif event is not None:
            overtakes = waiting[event.channel][0] != run.matching[place]
            waiting[event.channel].remove(run.matching[place])
        if (
            overtakes
            or _where(place, c, d) != "inside"
            or _where(partner.get(place, place), c, d) != "inside"
        ):
            yield at


def _is_send(run: GlobalRun, place: Place) -> bool:
    event = run.at(place).event
    return event is not None and event.is_send


def _what(run: GlobalRun, place: Place, number: dict[Place, int], names: Names) -> str:
    local = run.at(place)
    if local.event is None:
        return f"internal event of process {names.process(place.process)}"
    event = names.event(local.event)
    if local.event.is_send:
        return f"{event}  sends message {number[place]} ({local.content})"
    return f"{event}  takes message {number[run.matching[place]]} ({local.content})"


def _values(process: str, state: LocalState, old: LocalState) -> str:
    """The variables that have another value than before."""
    return ", ".join(f"{process}.{name} = {x}" for name, x in state.items() if old.get(name) != x)
