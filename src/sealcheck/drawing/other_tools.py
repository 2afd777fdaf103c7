"""Pictures in the formats of other tools: Graphviz, Mermaid, ITF, ShiViz, LaTeX.

ITF is the Informal Trace Format of Apalache and Quint (ADR 15 of Apalache). Trace viewers show a trace in ITF
state by state. A state has three variables:

- `channels`: for each channel, the numbers of its messages
- `done`: for each process, the number of its events so far
- `event`: the event that led to the state
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any, NamedTuple

from sealcheck.drawing.picture import Picture
from sealcheck.drawing.scene import Anchor, Dot, Label, Line, Look, Mark, Point, Role, Scene, printable
from sealcheck.language.mermaid import PICTURE
from sealcheck.language.names import NUMBERS, Names
from sealcheck.programs.runs import Contents, Place, steps


def dot(picture: Picture) -> str:
    """The picture as a graph in Graphviz's language.

    >>> from sealcheck import program
    >>> "e1_1 -> e2_1" in dot(program("mt 1->2").draw().picture)
    True
    """
    return "\n".join(_dot_lines(picture)) + "\n"


def quoted(text: str) -> str:
    """A text as an identifier of Graphviz."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def node(place: Place) -> str:
    """The name of the node of an event."""
    return f"e{place.process}_{place.position}"


def _dot_lines(picture: Picture) -> Iterator[str]:
    yield "digraph {"
    yield "  newrank=true;"
    yield f"  label={quoted(picture.title)};"
    yield "  node [shape=circle, width=0.3, fixedsize=true, fontsize=11];"
    for process in picture.processes:
        yield from _cluster(picture, process)
    for send, receive in sorted(picture.receives.items()):
        look = ""
        if receive == picture.wrong:
            taken = f"of {picture.layer(send)}, taken in {picture.layer(receive)}"
            look = f", style=dashed, penwidth=3, label={quoted(taken)}"
        elif (send, receive) in picture.chain_steps:
            look = ", penwidth=3"
        yield f"  {node(send)} -> {node(receive)} [weight=1{look}];"
    yield "}"


def _cluster(picture: Picture, process: int) -> Iterator[str]:
    places = [place for place in picture.run.order if place.process == process]
    yield f"  subgraph cluster_{process} {{"
    yield f"    label={quoted(picture.names.process(process))};"
    yield "    style=rounded;"
    for place in places:
        filled = ", style=filled, fillcolor=black, fontcolor=white" if picture.event(place).is_send else ""
        tip = quoted(f"{picture.said(place)}, {picture.layer(place)}")
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


RESERVED = {"#": "#35;", ";": "#59;", ":": "#58;", "<": "#lt;", ">": "#gt;"}


def mermaid(picture: Picture) -> str:
    """The picture as a sequence diagram of Mermaid.

    >>> from sealcheck import program
    >>> print(mermaid(program("mt 1->2").draw().picture))
    sequenceDiagram
      participant p1 as 1
      participant p2 as 2
      Note over p1,p2: P
      p1->>p2: 1
    <BLANKLINE>
    """
    return "\n".join(_diagram(picture)) + "\n"


def _escaped(text: str) -> str:
    """The text with Mermaid's special characters escaped.

    >>> _escaped("a;b"), _escaped("the end")
    ('a#59;b', 'the #101;nd')
    """
    escaped = "".join(RESERVED.get(letter, letter) for letter in printable(text))
    return re.sub(r"\bend\b", "#101;nd", escaped)


def _diagram(picture: Picture) -> Iterator[str]:
    order, owners = _order(picture), picture.owners
    followed = [*zip(order, (*order[1:], None), strict=False)]
    yield "sequenceDiagram"
    if any(_is_noted(picture, *each) for each in followed):
        yield f"  {PICTURE}"
    for process in picture.processes:
        yield f"  participant p{process} as {_escaped(picture.names.process(process))}"
    in_sequence = all(owners[a] <= owners[b] for a, b in pairwise(order))
    layer = None
    for place, after in followed:
        if in_sequence and owners[place] != layer:
            layer = owners[place]
            ends = sorted({picture.processes[0], picture.processes[-1]})
            yield f"  Note over {','.join(f'p{end}' for end in ends)}: {_escaped(picture.layer(place))}"
        yield from _arrow(picture, place, after)


def _order(picture: Picture) -> Sequence[Place]:
    """The events in an order in which each message is received as soon as it is sent, if that is possible."""
    order, steps = picture.run.order, picture.steps
    message = {place: picture.run.matching.get(place, place) for place in order}
    sorter = TopologicalSorter[Place]()
    last: dict[int, Place] = {}
    for place in order:
        sorter.add(message[place])
        if place.process in last and last[place.process] != message[place]:
            sorter.add(message[place], last[place.process])
        last[place.process] = message[place]
    try:
        sorter.prepare()
    except CycleError:  # messages that wait for each other
        return order
    sends: list[Place] = []
    ready: list[tuple[int, Place]] = []
    while sorter.is_active():
        for send in sorter.get_ready():
            heappush(ready, (steps[send], send))
        sends.append(heappop(ready)[1])
        sorter.done(sends[-1])
    return [place for send in sends for place in (send, picture.receives.get(send)) if place]


def _is_noted(picture: Picture, place: Place, after: Place | None) -> bool:
    """Whether an event is a send, but the next event is not its receive."""
    return picture.event(place).is_send and (after is None or picture.receives.get(place) != after)


def _arrow(picture: Picture, place: Place, after: Place | None) -> Iterator[str]:
    event, number = picture.event(place), picture.numbers[place]
    if _is_noted(picture, place, after):
        to = _escaped(picture.names.process(event.receiver))
        yield f"  Note over p{place.process}: sends {number} to {to}"
    if event.is_send:
        return
    told, arrow = "", "->>"
    if place == picture.wrong:
        source = picture.run.matching[place]
        told = _escaped(f", of {picture.layer(source)}, taken in {picture.layer(place)}")
        arrow = "-->>"
    yield f"  p{event.sender}{arrow}p{event.receiver}: {number}{told}"


DESCRIPTION = "https://apalache-mc.org/docs/adr/015adr-trace.html"
VARIABLES = ("channels", "done", "event")
CERTIFICATE = "sealcheck"
"""The key of the answer of `decide` or `phases` in a trace. The ITF format defines all other keys."""


def itf(shown: Picture, certificate: Mapping[str, Any], port: str = "") -> dict[str, Any]:
    """The run as a trace in ITF, with its certificate, so that the kernel can check it.

    `port` names one of several root causes.

    >>> from sealcheck import program
    >>> states = itf(program("mt 1->2").draw().picture, {})["states"]
    >>> states[1]["event"], states[1]["channels"]
    ('snd 1->2 of P sends message 1', {'#map': [[{'#tup': [1, 2]}, {'#set': [1]}]]})
    """
    done = dict.fromkeys(range(1, shown.run.program.n + 1), 0)
    states = [_state(0, {}, done, "")]
    for number, step in enumerate(steps(shown.run), 1):
        done[step.place.process] += 1
        told = f"{shown.said(step.place)} of {shown.layer(step.place)} {step.verb} message {step.message}"
        states.append(_state(number, step.contents, done, told))
    meta = {
        "format": "ITF",
        "format-description": DESCRIPTION,
        "source": str(shown.run.program),
        CERTIFICATE: dict(certificate),
        **({"port": port} if port else {}),
    }
    return {"#meta": meta, "params": [], "vars": list(VARIABLES), "states": states}


def _state(index: int, contents: Contents, done: Mapping[int, int], event: str) -> dict[str, Any]:
    channels = [[{"#tup": list(channel)}, {"#set": list(held)}] for channel, held in contents.items()]
    return {
        "#meta": {"index": index},
        "channels": {"#map": channels},
        "done": {"#map": [[process, count] for process, count in done.items()]},
        "event": event,
    }


PATTERN = r"(?<event>.*)\n(?<host>\S*) (?<clock>{.*})"
"""The pattern by which ShiViz reads an event."""


def shiviz(shown: Picture) -> Iterator[str]:
    """The lines of a log for ShiViz.

    >>> from sealcheck import program
    >>> for line in list(shiviz(program("mt 1->2").draw().picture))[2:]:
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
        yield f"{shown.layer(step.place)}: {shown.said(step.place)} {step.verb} message {step.message}"
        yield f"{host} {json.dumps(clock)}"


def _hosts(names: Sequence[str]) -> list[str]:
    """The names of the processes in a log: all different, without blanks, and not numbers.

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


SPECIAL = {
    "->": r"$\to$",
    "<-": r"$\gets$",
    "<=": r"$\leq$",
    ">=": r"$\geq$",
    "≀": r"$\wr$",
    "…": r"\ldots{}",
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "\N{REPLACEMENT CHARACTER}": "?",
}
"""Replacements of texts that LaTeX would not print literally, longer texts first."""

_PATTERN = re.compile("|".join(map(re.escape, SPECIAL)))


def latex(text: str) -> str:
    r"""The text as LaTeX shows it.

    >>> print(latex("mt 1->2 & 100% of P_1"))
    mt 1$\to$2 \& 100\% of P\_1
    >>> print(latex('"It is"'))
    ``It is''
    """
    special = _PATTERN.sub(lambda found: SPECIAL[found[0]], printable(text))
    return re.sub('"([^"]*)"', r"``\1''", special)


STYLES: dict[Look, str] = {
    Look.NORMAL: "line width=0.5pt",
    Look.THIN: "line width=0.25pt",
    Look.CHAIN: "line width=1.6pt",
    Look.WRONG: "line width=1.6pt, dash pattern=on 5pt off 3pt",
    Look.DOTTED: "line width=0.4pt, dotted",
}

ANCHORS = {Anchor.START: "west", Anchor.MIDDLE: "center", Anchor.END: "east"}


def tikz(scene: Scene) -> str:
    """The scene as a `tikzpicture`, without its caption.

    >>> from sealcheck import program
    >>> tikz(program("mt 1->2").draw().scene()).splitlines()[1]
    '\\\\begin{tikzpicture}[x=0.75pt, y=-0.75pt, >=latex]'
    """
    return "\n".join(_lines(scene)) + "\n"


def _lines(scene: Scene) -> Iterator[str]:
    yield f"% {printable(scene.title)}: {printable(scene.description)}"
    yield r"\begin{tikzpicture}[x=0.75pt, y=-0.75pt, >=latex]"
    for band in scene.bands:
        if band.shaded:
            yield rf"  \fill[black!7] {_path(band.outline)} -- cycle;"
    for lane in scene.lanes:
        yield rf"  \draw[line width=0.4pt] {_path(((lane.x, lane.top), (lane.x, lane.bottom)))};"
    yield from map(_line, scene.lines)
    yield from map(_dot, scene.dots)
    yield from (_label(label) for label in scene.labels if label.role is not Role.CAPTION)
    yield r"\end{tikzpicture}"


def _path(points: tuple[Point, ...]) -> str:
    return " -- ".join(f"({x:.1f}, {y:.1f})" for x, y in points)


def _line(line: Line) -> str:
    arrow = "->, shorten >=4.5pt, " if line.arrow else ""
    return rf"  \draw[{arrow}{STYLES[line.look]}] {_path(line.points)};"


def _dot(dot: Dot) -> str:
    at = _path((dot.at,))
    if dot.mark is Mark.DUMMY:
        x, y = dot.at
        corners = _path(((x - 3.5, y - 3.5),)), _path(((x + 3.5, y + 3.5),))
        return rf"  \draw[fill=white, line width=0.3pt] {' rectangle '.join(corners)};"
    fill = "black" if dot.mark is Mark.SEND else "white"
    width = "1.4pt" if dot.look is Look.WRONG else "0.7pt"
    return rf"  \draw[fill={fill}, line width={width}] {at} circle[radius=4pt];"


def _label(label: Label) -> str:
    font = r"\small\bfseries" if label.role in (Role.NAME, Role.LAYER) else r"\footnotesize"
    options = ["inner sep=0pt"]
    if label.role is Role.BADGE:
        font, options = r"\tiny", ["draw", "rounded corners=1pt", "inner sep=1.5pt"]
    options += [f"rotate={-label.angle:.1f}"] if label.angle else []
    options += [f"anchor={ANCHORS[label.anchor]}", f"font={font}"]
    return rf"  \node[{', '.join(options)}] at {_path((label.at,))} {{{latex(label.text)}}};"


def run_table(shown: Picture) -> Iterator[str]:
    r"""The lines of a LaTeX table of a run. A star marks the receive that takes a message of another layer.

    >>> from sealcheck import program
    >>> print(list(run_table(program("mt 1->2").draw().picture))[4])
    1 & P & snd 1$\to$2 & sends 1 & 1$\to$2: 1 \\
    """
    yield r"\begin{tabular}{rllll}"
    yield r"\hline"
    yield r"step & layer & event & message & channels afterwards \\"
    yield r"\hline"
    for number, (place, step) in enumerate(zip(shown.run.order, told(shown), strict=True), 1):
        star = "$^*$" if place == shown.wrong else ""
        yield f"{number}{star} & {' & '.join(map(latex, step))} \\\\"
    yield r"\hline"
    yield r"\end{tabular}"


class Step(NamedTuple):
    """One event of a run."""

    layer: str
    event: str
    message: str
    """The number of the message, in the order of sending."""
    channels: str
    """The messages in the channels after it."""


def told(picture: Picture) -> Iterator[Step]:
    """The events of a picture's run, in an order in which they can happen."""
    for step in steps(picture.run):
        yield Step(
            picture.layer(step.place),
            picture.said(step.place),
            f"{step.verb} {step.message}",
            held(step.contents, picture.names),
        )


def held(contents: Contents, names: Names = NUMBERS) -> str:
    """The contents of the channels as text, with the numbers of messages.

    >>> from sealcheck.programs.straight_line import Channel
    >>> held({Channel(1, 2): (1, 3)}), held({Channel(1, 2): (1,)}, Names(("a", "b"))), held({})
    ('1->2: 1, 3', 'a->b: 1', 'empty')
    """
    each = (f"{names.channel(channel)}: {', '.join(map(str, held))}" for channel, held in contents.items())
    return "; ".join(each) or "empty"
