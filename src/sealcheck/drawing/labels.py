"""The labels of a picture: next to events, along the wrong message, and below the picture.

The *wrong message* is a message of one layer that a receive of another layer takes.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from math import atan2, ceil, degrees, dist
from textwrap import wrap

from sealcheck.drawing.picture import Picture
from sealcheck.drawing.scene import (
    DOT_RADIUS,
    MARGIN,
    SIZES,
    STEP,
    Anchor,
    Box,
    Label,
    Line,
    Outline,
    Point,
    Role,
    cut_short,
    meet,
    text_width,
    turned,
)
from sealcheck.programs.runs import Place
from sealcheck.programs.straight_line import Event
from sealcheck.words import counted

BESIDE = DOT_RADIUS + 4
"""The distance between an event and its labels."""
SHIFTS = (0.0, -9.0, 9.0)
"""The distances by which an event's number may move up or down."""


def reach(picture: Picture) -> float:
    """The largest distance between an event and the far end of its labels."""
    said = map(picture.beside, picture.run.order)
    digits = max((text_width(text, SIZES[Role.NUMBER]) for text in said), default=0)
    badge = Label("open", (0, 0), Role.BADGE).box.right * 2 + 4 if picture.open else 0.0
    return BESIDE + digits + badge


def side(event: Event) -> int:
    """The side of an event that its message does not use: -1 is left, 1 is right."""
    if event.sender == event.receiver:
        return -1
    return -1 if event.is_send == (event.sender < event.receiver) else 1


def crossings(lines: Sequence[Line], outlines: Sequence[Outline]) -> int:
    """The number of pairs (line, outline) in which the line runs through the outline."""
    return sum(
        any(meet(part, outline) for part in pairwise(line.points)) for line in lines for outline in outlines
    )


@dataclass(frozen=True)
class Numbers:
    """The labels of events, which avoid places that lines cross."""

    picture: Picture
    at: Mapping[Place, Point]
    messages: Sequence[Line]

    def labels(self) -> Iterator[Label]:
        """The labels of all events."""
        spans = [(line.points[0][1] - STEP, line.points[-1][1] + STEP, line) for line in self.messages]
        for place, (_, y) in self.at.items():
            near = [line for top, bottom, line in spans if top <= y <= bottom]
            yield from self._clearest(place, near)

    def _clearest(self, place: Place, lines: Sequence[Line]) -> list[Label]:
        """The labels of an event, at the place where the fewest lines cross them."""
        fewest, best = len(lines) * 2 + 1, list[Label]()
        usual = side(self.picture.event(place))
        for shift, chosen in product(SHIFTS, (usual, -usual)):
            labels = list(self._beside(place, chosen, shift))
            count = crossings(lines, [label.outline for label in labels])
            if count < fewest:
                fewest, best = count, labels
            if not count:
                break
        return best

    def _beside(self, place: Place, side: int, shift: float) -> Iterator[Label]:
        x, y = self.at[place]
        y += shift
        anchor = Anchor.END if side < 0 else Anchor.START
        number = Label(self.picture.beside(place), (x + side * BESIDE, y), Role.NUMBER, anchor)
        yield number
        if place in self.picture.open:
            edge = number.box.left if side < 0 else number.box.right
            yield Label("open", (edge + side * 4, y), Role.BADGE, anchor)


ENDS = DOT_RADIUS + 8
"""The distance that the label keeps from either end of the line."""
SPARE = 90.0
"""The length that a line needs in addition to its label, to leave room beside the overtaken message."""
OFFSETS = (11.0, 15.0)
"""Possible distances between the line and the middle of the letters, smallest first."""
SLIDE = 6.0
"""The distance along the line from one possible place of the label to the next."""


def said(picture: Picture) -> str:
    """The text of the label."""
    receive = picture.wrong
    assert receive is not None
    taken, source = picture.layer(receive), picture.layer(picture.run.matching[receive])
    return f"of {cut_short(source)}, taken in {cut_short(taken)}"


def least_length(picture: Picture) -> float:
    """The least length of a line that has room for its label."""
    return text_width(said(picture), SIZES[Role.NOTE]) + 2 * ENDS + SPARE


def along(picture: Picture, line: Line, taken: Sequence[Outline], lines: Sequence[Line]) -> Label | None:
    """The label in a free place next to the line; None if each place overlaps an outline in `taken`.

    The label is put at the free place that the fewest of the `lines` cross; among equal places, near the
    middle of the line.
    """
    near = _corridor(line)
    others = [each for each in lines if each is not line and crossings([each], [near])]
    obstacles = [outline for outline in taken if meet(outline, near)]
    free = (
        label
        for label in _places(said(picture), line)
        if not any(meet(label.outline, outline) for outline in obstacles)
    )
    return min(free, key=lambda label: crossings(others, [label.outline]), default=None)


def _longest(line: Line) -> tuple[Point, Point]:
    """The ends of the longest straight part of a line: left before right, upper before lower."""
    first, second = max(pairwise(line.points), key=lambda part: dist(*part))
    return min(first, second), max(first, second)


def _corridor(line: Line) -> Outline:
    """The area that the label can cover."""
    a, b = _longest(line)
    (x, y), length = a, dist(a, b)
    wide = max(OFFSETS) + SIZES[Role.NOTE]
    return turned(Box(x, y - wide, x + length, y + wide).outline, a, _angle(a, b))


def _angle(a: Point, b: Point) -> float:
    return degrees(atan2(b[1] - a[1], b[0] - a[0]))


def _places(text: str, line: Line) -> Iterator[Label]:
    """The possible places of the label, better places first."""
    a, b = _longest(line)
    length, angle = dist(a, b), _angle(a, b)
    (x, y), middle = a, length / 2
    room = middle - ENDS - text_width(text, SIZES[Role.NOTE]) / 2
    slides = [k * SLIDE for k in range(ceil(max(0.0, room) / SLIDE) + 1) if k * SLIDE <= room + 0.01]
    for slide in slides:
        for at in dict.fromkeys((middle - slide, middle + slide)):
            for offset in OFFSETS:
                for above in (-offset, offset):
                    ((u, v),) = turned(((x + at, y + above),), a, angle)
                    yield Label(text, (u, v), Role.NOTE, angle=angle)


def captions(paragraphs: Iterable[str], width: float, top: float) -> Iterator[Label]:
    """The paragraphs, one below the other, in lines no longer than `width`."""
    letters = max(20, int((width - 2 * MARGIN) / text_width("n", SIZES[Role.CAPTION])))
    lines = [line for paragraph in paragraphs for line in wrap(paragraph, letters)]
    for number, line in enumerate(lines):
        yield Label(line, (MARGIN, top + 18 * number), Role.CAPTION, Anchor.START)


def without(picture: Picture) -> str:
    """The sentence about processes that are not drawn."""
    count = len(picture.left_out)
    return f"{counted(count, 'process is', 'processes are')} left out, since none of their events is drawn"


def paragraphs(picture: Picture) -> Iterator[str]:
    """The caption: the subject of the picture, and the meanings of symbols."""
    yield f"{picture.title}. {picture.description}"
    if picture.left_out:
        yield f"{without(picture)}."
    signs = ["● send", "○ receive"]
    signs += [] if picture.called else ["numbered as sent"]
    signs += ["open: may take a later message"] if picture.open else []
    signs += ["thick: causal chain"] if picture.chains else []
    signs += ["dashed: the wrong message"] if picture.wrong else []
    yield " · ".join(signs)
