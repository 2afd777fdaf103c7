"""Drawings of signatures of programs.

The signature of a program P has the first send and the last receive on each channel, and *dummy nodes*, which
stand for the beginning and the end of each process. It says which of these happen before which in every run.
The signature decides which programs Q seal P, that is, keep later messages out of P when they follow P.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from sealcheck.algorithms.as_printed.program_graph import First, Last, Occurrence, program_graph_repaired
from sealcheck.algorithms.as_printed.sig import sig
from sealcheck.drawing.other_tools import quoted
from sealcheck.drawing.scene import (
    DOT_RADIUS,
    LANE,
    MARGIN,
    SIZES,
    STEP,
    Anchor,
    Dot,
    Label,
    Lane,
    Line,
    Look,
    Mark,
    Point,
    Role,
    Scene,
    cut_short,
    text_width,
)
from sealcheck.errors import InputError
from sealcheck.language.names import NUMBERS, Names
from sealcheck.programs.straight_line import Event, StraightLine, require_balanced_straight_line

MOST_NODES = 150
BOW = 24.0
"""The distance by which a line may bend around nodes between its ends."""

Node = First | Last | Event


@dataclass(frozen=True)
class SignaturePicture:
    """The picture of the signature of a balanced program that does not deadlock (section `sec:rel`)."""

    program: StraightLine
    names: Names = NUMBERS

    def __post_init__(self) -> None:
        """Raise InputError if the program has no signature, or a signature too large to draw."""
        require_balanced_straight_line(self.program, "P")
        if self.program.n > MOST_NODES // 2 or len(self.nodes) > MOST_NODES:
            raise InputError(f"the signature has more than {MOST_NODES} nodes, which is too much to draw")

    @property
    def title(self) -> str:
        """The title of the drawing."""
        return f"sig({self.names.program(self.program)})"

    description = "The signature: thin lines are transitive causality."

    @cached_property
    def _graph(self) -> tuple[tuple[Node, ...], frozenset[tuple[Node, Node]]]:
        found = sig(self.program)
        return tuple(found.nodes), frozenset(found.edges)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The dummy nodes, and the events of the signature."""
        return self._graph[0]

    @property
    def edges(self) -> frozenset[tuple[Node, Node]]:
        """All pairs of nodes joined by causality."""
        return self._graph[1]

    @cached_property
    def direct(self) -> frozenset[tuple[Node, Node]]:
        """The edges of the signature that are also edges of the program graph."""
        graph = program_graph_repaired(self.program)
        kept = set(self.nodes)
        last = Counter(event for share in self.program.shares for event in share)

        def node(each: First | Last | Occurrence) -> Node | None:
            if not isinstance(each, Occurrence):
                return each
            stays = each.k == (1 if each.event.is_send else last[each.event])
            return each.event if stays and each.event in kept else None

        edges = ((node(a), node(b)) for a, b in graph.edges)
        return frozenset((a, b) for a, b in edges if a is not None and b is not None)

    @property
    def transitive(self) -> frozenset[tuple[Node, Node]]:
        """The other edges of the signature, which stand for longer paths in the program graph."""
        return self.edges - self.direct

    def said(self, node: Node) -> str:
        """The name of a node."""
        match node:
            case First(process):
                return f"first {self.names.process(process)}"
            case Last(process):
                return f"last {self.names.process(process)}"
            case Event():
                return self.names.event(node)


def arrange_signature(picture: SignaturePicture) -> Scene:
    """The scene of a signature.

    >>> from sealcheck.programs.straight_line import mt
    >>> scene = arrange_signature(SignaturePicture(StraightLine.of(2, mt(1, 2))))
    >>> len(scene.dots), [line.look.value for line in scene.lines].count("thin")
    (6, 5)
    """
    return _Layout(picture).scene()


class _Layout:
    """Places each event below all events that lead to it, so that every line goes down."""

    def __init__(self, picture: SignaturePicture) -> None:
        self.picture = picture
        program, names = picture.program, picture.names
        self.names = {process: cut_short(names.process(process)) for process in range(1, program.n + 1)}
        events = [node for node in picture.nodes if isinstance(node, Event)]
        widths = [text_width(cut_short(names.event(event)), SIZES[Role.NUMBER]) for event in events]
        title = max(text_width(name, SIZES[Role.NAME]) for name in self.names.values())
        pitch = max(LANE + 30, max(widths, default=0) + 4 * DOT_RADIUS + 24, title + 16)
        self.left = MARGIN + max(widths, default=0) - pitch / 2 + BOW + 4
        self.x = {process: self.left + pitch * (process - 0.5) for process in self.names}
        self.at: dict[Node, Point] = {}
        self._place(events)

    def _place(self, events: list[Event]) -> None:
        """Place each event in a row, by the longest path from the top."""
        edges = self.picture.edges
        before = {event: [other for other in events if (other, event) in edges] for event in events}
        row: dict[Event, int] = {}
        for event in sorted(events, key=lambda event: len(before[event])):
            row[event] = 1 + max((row[other] for other in before[event]), default=0)
        top = 3 * STEP
        for event, number in row.items():
            shift = 0.5 * STEP * (event.process % 2)
            self.at[event] = (self.x[event.process], top + 2.5 * STEP * number + shift)
        bottom = top + 2.5 * STEP * (max(row.values(), default=0) + 1) + STEP
        for process, x in self.x.items():
            self.at[First(process)], self.at[Last(process)] = (x, top), (x, bottom)

    def scene(self) -> Scene:
        """The whole picture."""
        labels = list(self._labels())
        events = (node for node in self.at if isinstance(node, Event))
        marks: dict[Node, Mark] = {each: Mark.SEND if each.is_send else Mark.RECEIVE for each in events}
        return Scene(
            width=round(max([*self.x.values(), *(label.box.right for label in labels)]) + MARGIN, 1),
            height=round(max(label.box.bottom for label in labels) + MARGIN, 1),
            title=self.picture.title,
            description=self.picture.description,
            bands=(),
            lanes=tuple(Lane(p, x, self.at[First(p)][1], self.at[First(p)][1]) for p, x in self.x.items()),
            lines=tuple(self._lines()),
            dots=tuple(Dot(at, marks.get(node, Mark.DUMMY)) for node, at in self.at.items()),
            labels=tuple(labels),
        )

    def _lines(self) -> Iterator[Line]:
        for edges, look in ((self.picture.transitive, Look.THIN), (self.picture.direct, Look.NORMAL)):
            for a, b in sorted(edges, key=lambda edge: (self.at[edge[0]], self.at[edge[1]])):
                yield Line(self._path(a, b), look, arrow=look is not Look.THIN)

    def _path(self, a: Node, b: Node) -> tuple[Point, ...]:
        """A straight line, or a curve around other nodes of the process."""
        (x, y), (u, v) = self.at[a], self.at[b]
        between = any(p == x and min(y, v) < q < max(y, v) for p, q in self.at.values())
        if x != u or not between:
            return (x, y), (u, v)
        out = -min(BOW, 8 + 0.06 * abs(v - y))
        ts = [k / 8 for k in range(9)]
        return tuple((x + 4 * t * (1 - t) * out, y + (v - y) * t) for t in ts)

    def _labels(self) -> Iterator[Label]:
        for process, name in self.names.items():
            yield Label(name, (self.x[process], 13), Role.NAME)
        for node, (x, y) in self.at.items():
            if isinstance(node, Event):
                text = cut_short(self.picture.names.event(node))
                if node.process == 1:
                    yield Label(text, (x - BOW - 4, y), Role.NUMBER, Anchor.END)
                else:
                    yield Label(text, (x + DOT_RADIUS + 5, y), Role.NUMBER, Anchor.START)
        bottom = max(y for _, y in self.at.values())
        for number, line in enumerate(("● first send · ○ last receive", "thin: transitive causality")):
            yield Label(line, (MARGIN, bottom + 30 + 18 * number), Role.CAPTION, Anchor.START)


def signature_text(picture: SignaturePicture) -> Iterator[str]:
    """The nodes, each with the nodes that it leads to, line by line."""
    said = {node: picture.said(node) for node in picture.nodes}
    width = max(map(len, said.values()))
    for node, name in said.items():
        after = [said[other] for other in picture.nodes if (node, other) in picture.edges]
        if after:
            yield f"{name:<{width}}  ->  {', '.join(after)}"


def signature_dot(picture: SignaturePicture) -> str:
    """The signature as a graph in Graphviz's language."""
    number = {node: f"n{k}" for k, node in enumerate(picture.nodes)}
    lines = ["digraph {"]
    for node, name in number.items():
        shape = "ellipse" if isinstance(node, Event) else "box"
        lines.append(f"  {name} [label={quoted(picture.said(node))}, shape={shape}];")
    for edges, look in ((picture.direct, ""), (picture.transitive, " [penwidth=0.4]")):
        lines += sorted(f"  {number[a]} -> {number[b]}{look};" for a, b in edges)
    return "\n".join([*lines, "}"]) + "\n"
