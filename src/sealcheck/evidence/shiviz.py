"""A run as a log that ShiViz, a viewer of space-time diagrams, reads: a vector clock for each event."""

import json
from collections.abc import Iterator, Sequence

from sealcheck.drawing.picture import Picture
from sealcheck.programs.runs import Place, steps

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
    hosts = _hosts(list(map(shown.names.process, range(1, shown.run.program.n + 1))))
    clocks: dict[Place, dict[str, int]] = {}
    for step in steps(shown.run):
        host, before = hosts[step.place.process - 1], step.place._replace(position=step.place.position - 1)
        clock = {host: step.place.position} | _without(host, clocks.get(before, {}))
        if not step.event.is_send:
            for other, seen in _without(host, clocks[shown.run.matching[step.place]]).items():
                clock[other] = max(seen, clock.get(other, 0))
        clocks[step.place] = clock
        verb = "sends" if step.event.is_send else "takes"
        yield f"{shown.layer(step.place)}: {shown.names.event(step.event)} {verb} message {step.message}"
        yield f"{host} {json.dumps(clock)}"


def _hosts(names: Sequence[str]) -> list[str]:
    """What the viewer calls processes, each otherwise: names have no blanks and are no numbers.

    >>> _hosts(["a b", "a_b", "a  b"]), _hosts(["1", "2"])
    (['a_b_', 'a_b', 'a_b__'], ['p1', 'p2'])
    """
    plain = [f"p{name}" if name.isdigit() else "_".join(name.split()) for name in names]
    hosts = {name: name for name in names if name in plain}
    for name, host in zip(names, plain, strict=True):
        if name not in hosts:
            while host in hosts.values():
                host += "_"
            hosts[name] = host
    return [hosts[name] for name in names]


def _without(host: str, clock: dict[str, int]) -> dict[str, int]:
    return {other: seen for other, seen in clock.items() if other != host}
