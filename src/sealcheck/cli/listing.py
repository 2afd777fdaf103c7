"""A run of the whole language around an interval, as a document and line by line."""

from collections.abc import Iterator

from sealcheck.cli.answers import Document
from sealcheck.programs.global_runs import Frontier, GlobalRun, LocalState
from sealcheck.programs.runs import Place


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


def run_lines(run: GlobalRun, c: Frontier, d: Frontier) -> Iterator[str]:
    """The events in an order in which they can happen, with what surrounds the interval marked.

    >>> from sealcheck.programs.events import rcv, snd
    >>> from sealcheck.programs.global_runs import LocalEvent
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
            yield f"         {_values(process, states[0], {})} at first"
    order = run.interleaving()
    sends = [place for place in order if (event := run.at(place).event) is not None and event.is_send]
    number = {place: k for k, place in enumerate(sends, 1)}
    for place in order:
        process, position = place
        where = (
            "before" if position <= c[process - 1] else "inside" if position <= d[process - 1] else "after"
        )
        old, new = run.states[process - 1][position - 1 : position + 1]
        changed = _values(process, new, old)
        yield f"{where:9}{_what(run, place, number)}{'   ' if changed else ''}{changed}".rstrip()


def _what(run: GlobalRun, place: Place, number: dict[Place, int]) -> str:
    local = run.at(place)
    if local.event is None:
        return f"internal event of process {place.process}"
    if local.event.is_send:
        return f"{local.event}  sends message {number[place]} ({local.content})"
    return f"{local.event}  takes message {number[run.matching[place]]} ({local.content})"


def _values(process: int, state: LocalState, old: LocalState) -> str:
    """The variables that have another value than before."""
    return ", ".join(f"{process}.{name} = {x}" for name, x in state.items() if old.get(name) != x)
