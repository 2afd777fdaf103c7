"""Boxes and outlines: what covers what."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import cos, radians, sin

Point = tuple[float, float]

Outline = tuple[Point, ...]
"""The corners of something convex, one after the other; two of them are a line."""


@dataclass(frozen=True)
class Box:
    """A rectangle that is not turned."""

    left: float
    top: float
    right: float
    bottom: float

    def widened(self, by: float) -> "Box":
        """With so much more at each side."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    @property
    def outline(self) -> Outline:
        """Its corners."""
        return (
            (self.left, self.top),
            (self.right, self.top),
            (self.right, self.bottom),
            (self.left, self.bottom),
        )


def turned(outline: Outline, about: Point, angle: float) -> Outline:
    """The outline, turned clockwise about a point by so many degrees.

    >>> [(round(x), round(y)) for x, y in turned(((1, 0), (2, 0)), (0, 0), 90)]
    [(0, 1), (0, 2)]
    """
    if not angle:
        return outline
    (a, b), c, s = about, cos(radians(angle)), sin(radians(angle))
    return tuple((a + c * (x - a) - s * (y - b), b + s * (x - a) + c * (y - b)) for x, y in outline)


def meet(one: Outline, other: Outline) -> bool:
    """Whether two outlines, of which at most one is a line, have a point in common that is inside.

    They do unless, seen along the side of one of them, they are beside each other.

    >>> box = Box(0, 0, 2, 2).outline
    >>> meet(box, ((-1, 1), (1, 3))), meet(box, ((-1, 0), (3, 2))), meet(box, ((2, 0), (2, 2)))
    (False, True, False)
    """
    return not any(
        max(seen) <= min(beside) or max(beside) <= min(seen)
        for u, v in (*_sides(one), *_sides(other))
        for seen, beside in [([v * x - u * y for x, y in one], [v * x - u * y for x, y in other])]
    )


def _sides(outline: Outline) -> Iterator[Point]:
    """The directions of its sides."""
    for (a, b), (x, y) in zip(outline, (*outline[1:], outline[0]), strict=True):
        yield x - a, y - b
