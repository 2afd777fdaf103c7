"""Layers as bands: where one ends and the next begins, which may be at another height for each process."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import median

from sealcheck.drawing.geometry import Point
from sealcheck.drawing.scene import SIZES, Anchor, Band, Label, Line, Look, Role
from sealcheck.programs.runs import Place

Boundary = Mapping[int, float]
"""At what height it crosses the lane of each process."""


@dataclass(frozen=True, kw_only=True)
class Bands:
    """The bands of layers around events that have their places."""

    layers: Sequence[tuple[int, str]]
    """Those that are drawn: their indices, in order, and their names."""
    owners: Mapping[Place, int]
    lanes: Mapping[int, float]
    heights: Mapping[Place, float]
    folds: Sequence[float]
    """Where events are left out."""
    left: float
    right: float
    top: float
    bottom: float
    margin: float
    """Where names start."""
    room: float
    """Between an event and a boundary."""

    @cached_property
    def boundaries(self) -> tuple[Boundary, ...]:
        """The upper edge of the first layer, those between two, and the lower edge of the last one."""
        between = (self._below(layer) for layer, _ in self.layers[:-1])
        edges = (dict.fromkeys(self.lanes, y) for y in (self.top, self.bottom))
        first, last = edges
        return first, *between, last

    def _below(self, layer: int) -> Boundary:
        """The boundary below a layer: level, where all before it stands above all after it."""
        above, below = dict.fromkeys(self.lanes, self.top), dict.fromkeys(self.lanes, self.bottom)
        for place, y in self.heights.items():
            if self.owners[place] <= layer:
                above[place.process] = max(above[place.process], y)
            else:
                below[place.process] = min(below[place.process], y)
        bottom = min(below.values())
        top = max([*above.values(), *(y for y in self.folds if y < bottom)])
        if top < bottom:
            return dict.fromkeys(self.lanes, (top + bottom) / 2)
        aim = median((above[process] + below[process]) / 2 for process in self.lanes)
        clear = {process: (above[process] + self.room, below[process] - self.room) for process in self.lanes}
        return {process: max(low, min(aim, high)) for process, (low, high) in clear.items()}

    @cached_property
    def _names_at(self) -> tuple[float, ...]:
        """The height of each layer's name: beside its part of the first lane, and below the name before."""
        first = next(iter(self.lanes))
        found: list[float] = []
        for upper, lower in pairwise(self.boundaries):
            lowest = found[-1] + SIZES[Role.LAYER] + 8 if found else 0.0
            found.append(max((upper[first] + lower[first]) / 2, lowest))
        return tuple(found)

    @cached_property
    def _outlines(self) -> tuple[tuple[Point, ...], ...]:
        """The boundaries from left to right: between two names, level at each lane, sloping between lanes."""
        first = next(iter(self.lanes))
        between = zip(pairwise(self._names_at), self.boundaries[1:-1], strict=True)
        halfway = [max(a + 10, min(bound[first], b - 10)) for (a, b), bound in between]
        starts = [self.top, *halfway, max(self.bottom, self._names_at[-1] + 10)] if self.layers else []
        return tuple(map(self._outline, self.boundaries, starts))

    def _outline(self, boundary: Boundary, start: float) -> tuple[Point, ...]:
        xs = list(self.lanes.values())
        room = [*(b - a for a, b in pairwise(xs)), 2 * (xs[0] - self.left)]
        level = 0.22 * min(room) if len(xs) > 1 else 8.0
        points: list[Point] = []
        for process, y in boundary.items():
            points += [(self.lanes[process] - level, y), (self.lanes[process] + level, y)]
        name_ends = min(self.left, points[0][0])
        return (self.margin / 2, start), (name_ends, start), *points[:-1], (self.right, points[-1][1])

    def bands(self) -> Iterator[Band]:
        """The bands, every other one shaded."""
        edges = zip(pairwise(self._outlines), self.layers, strict=True)
        for number, ((upper, lower), (_, name)) in enumerate(edges):
            yield Band(name, (*upper, *reversed(lower)), number % 2 == 0)

    def cuts(self) -> Iterator[Line]:
        """The boundaries between two layers."""
        for outline in self._outlines[1:-1]:
            yield Line(outline, Look.DOTTED)

    def labels(self) -> Iterator[Label]:
        """The names of the layers."""
        for y, (_, name) in zip(self._names_at, self.layers, strict=True):
            yield Label(name, (self.margin, y), Role.LAYER, Anchor.START)
