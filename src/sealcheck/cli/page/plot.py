"""A plot of counts by size, both axes logarithmic: growth like size^e is a straight line of slope e."""

from dataclasses import dataclass
from math import ceil, floor, log10

from sealcheck.theorems.checking.verdicts import Counts

WIDTH, HEIGHT = 460, 300
LEFT, RIGHT, TOP, BOTTOM = 70, 20, 20, 50
"""The margins, which hold the labels of the axes."""

RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Point:
    """A count, and where it is drawn."""

    size: int
    count: int
    x: float
    y: float


@dataclass(frozen=True, kw_only=True)
class Plot:
    """What is drawn, in the coordinates of the picture."""

    points: tuple[Point, ...]
    claimed: tuple[float, float, float, float]
    """From the first point, how the counts would grow if they grew as is claimed."""
    ticks: tuple[tuple[str, float], ...]
    """Powers of ten, as they are written, with their heights."""
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM


def plot(counts: Counts, exponent: int) -> Plot:
    """The picture of counts, at least two, beside growth by the claimed exponent.

    >>> found = plot(((1, 1), (10, 100)), 2)
    >>> [(point.x, point.y) for point in found.points] == [found.claimed[:2], found.claimed[2:]]
    True
    """
    sizes, values = zip(*counts, strict=True)
    expected = values[0] * (sizes[-1] / sizes[0]) ** exponent
    low, high = floor(log10(min(values))), ceil(log10(max(*values, expected)))
    across = log10(sizes[-1] / sizes[0])

    def x(size: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * log10(size / sizes[0]) / across, 1)

    def y(value: float) -> float:
        part = (log10(value) - low) / max(1, high - low)
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * part, 1)

    return Plot(
        points=tuple(Point(size, value, x(size), y(value)) for size, value in counts),
        claimed=(x(sizes[0]), y(values[0]), x(sizes[-1]), y(expected)),
        ticks=tuple((written(power), y(10**power)) for power in range(low, high + 1)),
    )


def written(power: int) -> str:
    """A power of ten, however large, in a little room.

    >>> [written(power) for power in (0, 1, 12)]
    ['1', '10', '10¹²']
    """
    return str(10**power) if power < 2 else "10" + str(power).translate(RAISED)
