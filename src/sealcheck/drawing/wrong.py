"""The label of the wrong message: of which layer it is, and in which it is taken, along its line."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import atan2, ceil, degrees, dist

from sealcheck.drawing.geometry import Box, Outline, Point, meet, turned
from sealcheck.drawing.measures import cut_short
from sealcheck.drawing.numbers import crossings
from sealcheck.drawing.picture import Picture
from sealcheck.drawing.scene import DOT_RADIUS, SIZES, Label, Line, Role, text_width

ENDS = DOT_RADIUS + 8
"""What stays free of the label at either end of the line."""
SPARE = 90.0
"""How much longer the line is, so that the label has a place beside the message that is overtaken."""
OFFSETS = (11.0, 15.0)
"""How far the middle of the letters is from the line: first as near as it can be read."""
SLIDE = 6.0
"""What the label goes along the line by, to find a free place."""


def said(picture: Picture) -> str:
    """What the label says."""
    receive = picture.wrong
    assert receive is not None
    taken, source = picture.layer(receive), picture.layer(picture.run.matching[receive])
    return f"of {cut_short(source)}, taken in {cut_short(taken)}"


def least_length(picture: Picture) -> float:
    """How long the line must be for its label."""
    return text_width(said(picture), SIZES[Role.NOTE]) + 2 * ENDS + SPARE


def along(picture: Picture, line: Line, taken: Sequence[Outline], lines: Sequence[Line]) -> Label | None:
    """The label on the first free place beside the line that few other `lines` cross.

    From the middle of the line outwards; None where every place lies on something that is `taken`.
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
    """The longest straight part of a line, from left to right, or from top to bottom."""
    first, second = max(pairwise(line.points), key=lambda part: dist(*part))
    return min(first, second), max(first, second)


def _corridor(line: Line) -> Outline:
    """All that the label can cover."""
    a, b = _longest(line)
    (x, y), length = a, dist(a, b)
    wide = max(OFFSETS) + SIZES[Role.NOTE]
    return turned(Box(x, y - wide, x + length, y + wide).outline, a, _angle(a, b))


def _angle(a: Point, b: Point) -> float:
    return degrees(atan2(b[1] - a[1], b[0] - a[0]))


def _places(text: str, line: Line) -> Iterator[Label]:
    """Where the label may stand, the better places first."""
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
