"""A picture as plain data: bands, lines, events and labels with their coordinates.

Coordinates are pixels from the upper left corner. Time goes down.
"""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import chain
from math import cos, radians, sin

from sealcheck.programs.runs import Place

Point = tuple[float, float]

Outline = tuple[Point, ...]
"""The corners of a convex shape, in order. Two corners are a line."""


@dataclass(frozen=True)
class Box:
    """A rectangle with horizontal and vertical sides."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def outline(self) -> Outline:
        """The corners of the rectangle."""
        return (
            (self.left, self.top),
            (self.right, self.top),
            (self.right, self.bottom),
            (self.left, self.bottom),
        )


def turned(outline: Outline, about: Point, angle: float) -> Outline:
    """The outline, turned clockwise about a point by `angle` degrees.

    >>> [(round(x), round(y)) for x, y in turned(((1, 0), (2, 0)), (0, 0), 90)]
    [(0, 1), (0, 2)]
    """
    if not angle:
        return outline
    (a, b), c, s = about, cos(radians(angle)), sin(radians(angle))
    return tuple((a + c * (x - a) - s * (y - b), b + s * (x - a) + c * (y - b)) for x, y in outline)


def meet(one: Outline, other: Outline) -> bool:
    """Whether two outlines have a common point inside both of them.

    At most one of the outlines is a line. Outlines that only touch do not meet. If two outlines do not meet,
    some line in the direction of a side, or of an axis, separates them.

    >>> box = Box(0, 0, 2, 2).outline
    >>> meet(box, ((-1, 1), (1, 3))), meet(box, ((-1, 0), (3, 2))), meet(box, ((2, 0), (2, 2)))
    (False, True, False)
    """
    for u, v in chain(_AXES, _sides(one), _sides(other)):
        seen, beside = [v * x - u * y for x, y in one], [v * x - u * y for x, y in other]
        if max(seen) <= min(beside) or max(beside) <= min(seen):
            return False
    return True


_AXES: tuple[Point, ...] = ((0, 1), (1, 0))


def _sides(outline: Outline) -> Iterator[Point]:
    for (a, b), (x, y) in zip(outline, (*outline[1:], outline[0]), strict=True):
        yield x - a, y - b


DOT_RADIUS = 6.0


class Look(StrEnum):
    """The style of a line. The styles differ even without colour."""

    NORMAL = "normal"
    THIN = "thin"
    """Secondary elements: dummies, transitive causality."""
    CHAIN = "chain"
    """Part of a causal chain: thick."""
    WRONG = "wrong"
    """The message that a receive should not take: thick and dashed."""
    DOTTED = "dotted"
    """A boundary between layers, or a mark for something that is not drawn."""


class Mark(StrEnum):
    """The mark at a point on the line of a process."""

    SEND = "send"
    RECEIVE = "receive"
    DUMMY = "dummy"


class Role(StrEnum):
    """The role of a label, which decides its style."""

    NAME = "name"
    NUMBER = "number"
    LAYER = "layer"
    NOTE = "note"
    BADGE = "badge"
    CAPTION = "caption"


SIZES = {
    Role.NAME: 14,
    Role.NUMBER: 12,
    Role.LAYER: 13,
    Role.NOTE: 12,
    Role.BADGE: 10,
    Role.CAPTION: 12,
}


class Anchor(StrEnum):
    """Which end of a label is at the label's point."""

    START = "start"
    MIDDLE = "middle"
    END = "end"


@dataclass(frozen=True)
class Label:
    """A line of text, centred vertically on its point."""

    text: str
    at: Point
    role: Role
    anchor: Anchor = Anchor.MIDDLE
    angle: float = 0.0
    """The angle in degrees by which the label is turned about its point, clockwise."""

    @cached_property
    def box(self) -> Box:
        """The area of the label before turning, for a wide font. A badge includes its frame."""
        frame = 4.0 if self.role is Role.BADGE else 0.0
        width = text_width(self.text, SIZES[self.role]) + 2 * frame
        height = SIZES[self.role] + (4.0 if self.role is Role.BADGE else 1.0)
        x, y = self.at
        left = {Anchor.START: x, Anchor.MIDDLE: x - width / 2, Anchor.END: x - width}[self.anchor]
        return Box(left, y - height / 2, left + width, y + height / 2)

    @cached_property
    def outline(self) -> Outline:
        """The area that the label covers."""
        return turned(self.box.outline, self.at, self.angle)


@dataclass(frozen=True)
class Lane:
    """The line of a process."""

    process: int
    x: float
    top: float
    bottom: float


@dataclass(frozen=True)
class Band:
    """The area of a layer."""

    layer: str
    outline: tuple[Point, ...]
    shaded: bool


@dataclass(frozen=True)
class Line:
    """Connected straight lines. If they show a message, `message` is its number."""

    points: tuple[Point, ...]
    look: Look
    arrow: bool = False
    message: int | None = None
    ends: tuple[int | None, int | None] = (None, None)
    """The numbers, from 1, of the events at the two ends; None for an end without a drawn event."""


@dataclass(frozen=True)
class Dot:
    """An event, or a dummy node at an end of the line of a process."""

    at: Point
    mark: Mark
    place: Place | None = None
    step: int | None = None
    """The number of the event in the run, from 1."""
    look: Look = Look.NORMAL

    @property
    def outline(self) -> Outline:
        """The area that it covers."""
        x, y = self.at
        return Box(x - DOT_RADIUS, y - DOT_RADIUS, x + DOT_RADIUS, y + DOT_RADIUS).outline


@dataclass(frozen=True, kw_only=True)
class Scene:
    """All elements; later elements cover earlier ones."""

    width: float
    height: float
    title: str
    description: str
    bands: tuple[Band, ...]
    lanes: tuple[Lane, ...]
    lines: tuple[Line, ...]
    dots: tuple[Dot, ...]
    labels: tuple[Label, ...]


def text_width(text: str, size: float) -> float:
    """An upper bound on the width of a text in a wide font.

    >>> text_width("ab", 10) < text_width("漢字", 10)
    True
    """
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    capital = sum(letter.isupper() or letter in "mw@%" for letter in text)
    return size * (0.62 * (len(text) - wide - capital) + 0.85 * capital + 1.05 * wide)


def printable(text: str) -> str:
    """The text with its control characters replaced.

    >>> printable("a\\x00b")
    'a�b'
    """
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


STEP = 17.0
"""The step by which an event moves down to make room. Events of a process are two steps or more apart."""
TOP = 64.0
"""The height of the first event. Names of processes are above it."""
LANE = 96.0
"""The least distance between two lanes."""
MARGIN = 14.0
CLEAR = DOT_RADIUS + 4
"""The least distance between a message's line and events of other processes."""
MOST_LETTERS, LAST_LETTERS = 28, 9
"""The first number is the most letters of a name. A longer name is cut, and keeps its last 9 letters."""


def cut_short(name: str) -> str:
    """The name. A long name is cut in the middle, because long names often differ at their ends.

    >>> cut_short("the_authentication_gateway_1"), cut_short("the_authentication_gateway_no_10")
    ('the_authentication_gateway_1', 'the_authentication…way_no_10')
    """
    if len(name) <= MOST_LETTERS:
        return name
    return f"{name[: MOST_LETTERS - LAST_LETTERS - 1]}…{name[-LAST_LETTERS:]}"
