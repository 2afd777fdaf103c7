"""A run as a log that ShiViz, a viewer of space-time diagrams, reads: a vector clock for each event."""

import json
from collections.abc import Iterator

from sealcheck.drawing.picture import Picture
from sealcheck.programs.runs import Place
from sealcheck.programs.steps import steps

PATTERN = r"(?<event>.*)\n(?<host>\S*) (?<clock>{.*})"
"""How the viewer is to read an event: what happens, and on the next line where and when."""


def shiviz(shown: Picture) -> Iterator[str]:
    """The lines of the log: the pattern, an empty line (there is one run only), and two for each event.

    >>> from sealcheck.programs.events import mt
    >>> from sealcheck.drawing.making import of_program
    >>> from sealcheck.programs.straight_line import StraightLine
    >>> once = StraightLine.of(2, mt(1, 2))
    >>> for line in list(shiviz(of_program({"P": once})))[2:]:
    ...     print(line)
    P: snd 1->2 sends message 1
    p1 {"p1": 1}
    P: rcv 2<-1 takes message 1
    p2 {"p2": 1, "p1": 1}
    """
    yield PATTERN
    yield ""
    clocks: dict[Place, dict[str, int]] = {}
    for step in steps(shown.run):
        host, before = _host(shown, step.place), step.place._replace(position=step.place.position - 1)
        clock = {host: step.place.position} | _without(host, clocks.get(before, {}))
        if not step.event.is_send:
            for other, seen in _without(host, clocks[shown.run.matching[step.place]]).items():
                clock[other] = max(seen, clock.get(other, 0))
        clocks[step.place] = clock
        verb = "sends" if step.event.is_send else "takes"
        yield f"{shown.layer(step.place)}: {shown.names.event(step.event)} {verb} message {step.message}"
        yield f"{host} {json.dumps(clock)}"


def _host(shown: Picture, place: Place) -> str:
    """The name of a process; a number is no name to the viewer, nor is what has blanks."""
    name = shown.names.process(place.process)
    return f"p{name}" if name.isdigit() else "_".join(name.split())


def _without(host: str, clock: dict[str, int]) -> dict[str, int]:
    return {other: seen for other, seen in clock.items() if other != host}
