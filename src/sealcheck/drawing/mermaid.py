"""A picture as a sequence diagram of Mermaid.

Its arrows are level, so a message that something happens during is an arrow where it is received, and a note
where it is sent.
"""

import re
from collections.abc import Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

from sealcheck.drawing.picture import Picture
from sealcheck.drawing.scene import printable
from sealcheck.programs.runs import Place

RESERVED = {"#": "#35;", ";": "#59;", ":": "#58;", "<": "#lt;", ">": "#gt;"}


def mermaid(picture: Picture) -> str:
    """The sequence diagram; nothing is folded.

    >>> from sealcheck.drawing.making import of_program
    >>> from sealcheck.programs.straight_line import mt
    >>> from sealcheck.programs.straight_line import StraightLine
    >>> print(mermaid(of_program({"P": StraightLine.of(2, mt(1, 2))})))
    sequenceDiagram
      participant p1 as 1
      participant p2 as 2
      Note over p1,p2: P
      p1->>p2: 1
    <BLANKLINE>
    """
    return "\n".join(_lines(picture)) + "\n"


def _escaped(text: str) -> str:
    """The text without what Mermaid would obey.

    >>> _escaped("a;b"), _escaped("the end")
    ('a#59;b', 'the #101;nd')
    """
    escaped = "".join(RESERVED.get(letter, letter) for letter in printable(text))
    return re.sub(r"\bend\b", "#101;nd", escaped)


def _lines(picture: Picture) -> Iterator[str]:
    order, owners = _order(picture), picture.owners
    yield "sequenceDiagram"
    for process in picture.processes:
        yield f"  participant p{process} as {_escaped(picture.names.process(process))}"
    in_sequence = all(owners[a] <= owners[b] for a, b in pairwise(order))
    layer = None
    for place, after in zip(order, (*order[1:], None), strict=False):
        if in_sequence and owners[place] != layer:
            layer = owners[place]
            ends = sorted({picture.processes[0], picture.processes[-1]})
            yield f"  Note over {','.join(f'p{end}' for end in ends)}: {_escaped(picture.layer(place))}"
        yield from _event(picture, place, after)


def _order(picture: Picture) -> Sequence[Place]:
    """The events in an order in which each message is received as soon as it is sent, if there is one."""
    order, steps = picture.run.order, picture.steps
    message = {place: picture.run.matching.get(place, place) for place in order}
    sorter = TopologicalSorter[Place]({message[place]: () for place in order})
    last: dict[int, Place] = {}
    for place in order:
        if place.process in last and last[place.process] != message[place]:
            sorter.add(message[place], last[place.process])
        last[place.process] = message[place]
    try:
        sorter.prepare()
    except CycleError:
        return order
    found: list[Place] = []
    ready = list(sorter.get_ready())
    while ready:
        send = min(ready, key=steps.__getitem__)
        ready.remove(send)
        found += [send, *filter(None, [picture.receives.get(send)])]
        sorter.done(send)
        ready += sorter.get_ready()
    return found


def _event(picture: Picture, place: Place, after: Place | None) -> Iterator[str]:
    event, number = picture.event(place), picture.numbers[place]
    if event.is_send:
        if after is None or picture.receives.get(place) != after:
            to = _escaped(picture.names.process(event.receiver))
            yield f"  Note over p{place.process}: sends {number} to {to}"
        return
    told, arrow = "", "->>"
    if place == picture.wrong:
        source = picture.run.matching[place]
        told = _escaped(f", of {picture.layer(source)}, taken in {picture.layer(place)}")
        arrow = "-->>"
    yield f"  p{event.sender}{arrow}p{event.receiver}: {number}{told}"
