"""A picture as a graph for Graphviz: a cluster for each process, an edge for each message."""

from collections.abc import Iterator
from itertools import pairwise

from sealcheck.drawing.picture import Picture
from sealcheck.programs.runs import Place


def dot(picture: Picture) -> str:
    """The graph in Graphviz's language; nothing is folded.

    >>> from sealcheck.drawing.making import of_program
    >>> from sealcheck.programs.straight_line import mt
    >>> from sealcheck.programs.straight_line import StraightLine
    >>> "e1_1 -> e2_1" in dot(of_program({"P": StraightLine.of(2, mt(1, 2))}))
    True
    """
    return "\n".join(_lines(picture)) + "\n"


def quoted(text: str) -> str:
    """A text as an identifier of Graphviz."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def node(place: Place) -> str:
    """What the node of an event is called."""
    return f"e{place.process}_{place.position}"


def _lines(picture: Picture) -> Iterator[str]:
    yield "digraph {"
    yield "  newrank=true;"
    yield f"  label={quoted(picture.title)};"
    yield "  node [shape=circle, width=0.3, fixedsize=true, fontsize=11];"
    for process in picture.processes:
        yield from _process(picture, process)
    for send, receive in sorted(picture.receives.items()):
        look = ""
        if receive == picture.wrong:
            taken = f"of {picture.layer(send)}, taken in {picture.layer(receive)}"
            look = f", style=dashed, penwidth=3, label={quoted(taken)}"
        elif (send, receive) in picture.chain_steps:
            look = ", penwidth=3"
        yield f"  {node(send)} -> {node(receive)} [weight=1{look}];"
    yield "}"


def _process(picture: Picture, process: int) -> Iterator[str]:
    places = [place for place in picture.run.order if place.process == process]
    yield f"  subgraph cluster_{process} {{"
    yield f"    label={quoted(picture.names.process(process))};"
    yield "    style=rounded;"
    for place in places:
        filled = ", style=filled, fillcolor=black, fontcolor=white" if picture.event(place).is_send else ""
        tip = quoted(f"{picture.names.event(picture.event(place))}, {picture.layer(place)}")
        yield f'    {node(place)} [label="{picture.numbers[place]}", tooltip={tip}{filled}];'
    first, last = f"first_{process}", f"last_{process}"
    for dummy in (first, last):
        yield f'    {dummy} [label="", shape=square, width=0.12];'
    names = [first, *map(node, places), last]
    thick = {(node(a), node(b)) for a, b in picture.chain_steps if a.process == b.process}
    for pair in pairwise(names):
        look = ", penwidth=3" if pair in thick else ""
        yield f"    {pair[0]} -> {pair[1]} [arrowhead=none, weight=10{look}];"
    yield "  }"
