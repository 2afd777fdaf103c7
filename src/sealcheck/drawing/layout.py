"""Lay out a `Picture` as a `Scene`: lanes of processes, heights of events, bands of layers, and lines.

Time goes down, and each process has a lane. Each event is placed as high as possible, but below the events
that cause it, and not on the line of another message. A dotted line stands for several events that are left
out.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from itertools import accumulate, pairwise
from statistics import median

from sealcheck.drawing.labels import (
    Numbers,
    along,
    captions,
    least_length,
    paragraphs,
    reach,
    said,
    side,
)
from sealcheck.drawing.picture import Folded, Picture, Shown, folded, narrowed
from sealcheck.drawing.scene import (
    CLEAR,
    LANE,
    MARGIN,
    SIZES,
    STEP,
    TOP,
    Anchor,
    Band,
    Dot,
    Label,
    Lane,
    Line,
    Look,
    Mark,
    Outline,
    Point,
    Role,
    Scene,
    cut_short,
    text_width,
)
from sealcheck.programs.runs import Place


@dataclass(frozen=True)
class Lanes:
    """The names and positions of lanes. Bands reach from `left` to `right`."""

    names: Mapping[int, str]
    x: Mapping[int, float]
    left: float
    right: float


def lanes(picture: Picture) -> Lanes:
    """The lanes of a picture, with room for the wrong message's label."""
    names = {process: cut_short(picture.names.process(process)) for process in picture.processes}
    widths = (text_width(name, SIZES[Role.NAME]) for name in names.values())
    pitch = max(LANE, 2 * reach(picture) + 8, *(width + 16 for width in widths))
    used = {picture.owners[place] for place in picture.run.order}
    named = (name for k, name in enumerate(picture.layers) if k in used or picture.is_program)
    told = (text_width(cut_short(name), SIZES[Role.LAYER]) for name in named)
    left = 2 * MARGIN + max(told, default=0)
    xs = list(accumulate(_gaps(picture, pitch), initial=left + pitch / 2))
    return Lanes(names, dict(zip(names, xs, strict=True)), left, xs[-1] + pitch / 2)


def _gaps(picture: Picture, pitch: float) -> list[float]:
    """The distance from each lane to the next lane."""
    gaps = [pitch] * (len(picture.processes) - 1)
    if picture.wrong is not None:
        ends = picture.wrong.process, picture.run.matching[picture.wrong].process
        first, last = sorted(map(picture.processes.index, ends))
        for gap in range(first, last):
            gaps[gap] = max(pitch, least_length(picture) / (last - first))
    return gaps


MOST_TRIES = 400


@dataclass(frozen=True)
class Heights:
    """The vertical positions of everything in the picture."""

    y: Mapping[Place, float]
    folds: tuple[tuple[float, Folded], ...]
    end: float
    """The lower end of the lanes."""


def heights(picture: Picture, shown: Shown, x: Mapping[int, float]) -> Heights:
    """The heights of the events that are shown. `x` has the positions of the lanes.

    Each event takes a few steps, linear in the number of messages that cross a lane.
    """
    placing = _Placing(picture, x)
    placing.place_all(shown)
    end = max([*placing.y.values(), *(y for y, _ in placing.folds), TOP]) + 2 * STEP
    if picture.is_program and picture.owners:  # layers without events have bands after the last one
        end += 2 * STEP * (len(picture.layers) - 1 - max(picture.owners.values()))
    return Heights(placing.y, tuple(placing.folds), end)


@dataclass
class _Placing:
    """The heights of the events that have been placed so far."""

    picture: Picture
    x: Mapping[int, float]
    _: KW_ONLY
    y: dict[Place, float] = field(default_factory=dict)
    folds: list[tuple[float, Folded]] = field(default_factory=list)
    crossings: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    """For each process, the heights at which messages of other processes cross its lane."""
    heights: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    """For each process, the heights of its events."""

    def place_all(self, shown: Shown) -> None:
        floor, last, layer = TOP, TOP - 2 * STEP, 0
        owners = [self.picture.owners[place] for place in self.picture.run.order]
        in_sequence = owners == sorted(owners)
        for each in shown:
            if isinstance(each, Folded):
                last = max([last, *self.y.values()]) + 2 * STEP
                self.folds.append((last, each))
                floor = last + 2 * STEP
                continue
            if in_sequence and (owner := self.picture.owners[each]) > layer:
                last = max([last, *self.y.values()])
                floor, layer = max(floor, last + 3 * STEP * (owner - layer)), owner
            self._place(each, floor)

    def _place(self, place: Place, floor: float) -> None:
        """Place the event at the first free height at or below `floor`."""
        heights = self.heights[place.process]
        y = max([floor, *(height + 2 * STEP for height in heights[-1:])])
        source = self.picture.run.matching.get(place)
        drawn = source is not None and source in self.y
        if source is not None and drawn:
            y = max(y, self.y[source] + 2 * STEP)
        for _ in range(MOST_TRIES):
            crossed = self._crossed(source, place, y) if source is not None and drawn else {}
            if self._is_free(place, y, crossed):
                break
            y += STEP
        self.y[place] = y
        heights.append(y)
        for process, height in crossed.items():
            self.crossings[process].append(height)

    def _crossed(self, source: Place, place: Place, y: float) -> dict[int, float]:
        """The heights at which the message's line crosses lanes between its ends."""
        start, end = self.x[source.process], self.x[place.process]
        return {
            process: self.y[source] + (y - self.y[source]) * (x - start) / (end - start)
            for process, x in self.x.items()
            if min(start, end) < x < max(start, end)
        }

    def _is_free(self, place: Place, y: float, crossed: dict[int, float]) -> bool:
        if any(abs(height - y) < CLEAR for height in self.crossings[place.process]):
            return False
        return not any(
            abs(height - other) < CLEAR
            for process, height in crossed.items()
            for other in self.heights[process]
        )


Boundary = Mapping[int, float]
"""For each process, the height of the boundary on its lane."""


BANDS_TOP = TOP - 1.5 * STEP


@dataclass(frozen=True)
class Bands:
    """The bands of layers, drawn around events that have been placed."""

    picture: Picture
    lanes: Lanes
    heights: Heights

    @property
    def bottom(self) -> float:
        """The lower edge of the last layer."""
        return self.heights.end - STEP / 2

    @cached_property
    def layers(self) -> Sequence[int]:
        """The indices of the layers that are drawn, in order."""
        if self.picture.is_program:
            return range(len(self.picture.layers))
        return sorted({self.picture.owners[place] for place in self.heights.y}) or [0]

    @cached_property
    def boundaries(self) -> tuple[Boundary, ...]:
        """The edges of layers, from the top of the first layer to the bottom of the last."""
        first, last = (dict.fromkeys(self.lanes.x, y) for y in (BANDS_TOP, self.bottom))
        return first, *map(self._below, self.layers[:-1]), last

    def _below(self, layer: int) -> Boundary:
        """The boundary below a layer: level if the events above are all higher than the events below."""
        lanes = self.lanes.x
        above, below = dict.fromkeys(lanes, BANDS_TOP), dict.fromkeys(lanes, self.bottom)
        for place, y in self.heights.y.items():
            if self.picture.owners[place] <= layer:
                above[place.process] = max(above[place.process], y)
            else:
                below[place.process] = min(below[place.process], y)
        bottom = min(below.values())
        top = max([*above.values(), *(y for y, _ in self.heights.folds if y < bottom)])
        if top < bottom:
            return dict.fromkeys(lanes, (top + bottom) / 2)
        aim = median((above[process] + below[process]) / 2 for process in lanes)
        clear = {process: (above[process] + STEP, below[process] - STEP) for process in lanes}
        return {process: max(low, min(aim, high)) for process, (low, high) in clear.items()}

    @cached_property
    def _names_at(self) -> tuple[float, ...]:
        """The height of each layer's name: the middle of the layer, or lower to avoid the name above."""
        first = next(iter(self.lanes.x))
        found: list[float] = []
        for upper, lower in pairwise(self.boundaries):
            lowest = found[-1] + SIZES[Role.LAYER] + 8 if found else 0.0
            found.append(max((upper[first] + lower[first]) / 2, lowest))
        return tuple(found)

    @cached_property
    def _outlines(self) -> tuple[tuple[Point, ...], ...]:
        """The boundaries from left to right: level at lanes and between names, otherwise sloping."""
        first = next(iter(self.lanes.x))
        between = zip(pairwise(self._names_at), self.boundaries[1:-1], strict=True)
        halfway = [max(a + 10, min(bound[first], b - 10)) for (a, b), bound in between]
        starts = [BANDS_TOP, *halfway, max(self.bottom, self._names_at[-1] + 10)] if self.layers else []
        return tuple(map(self._outline, self.boundaries, starts))

    def _outline(self, boundary: Boundary, start: float) -> tuple[Point, ...]:
        lanes, left, right = self.lanes.x, self.lanes.left - 4, self.lanes.right - 4
        xs = list(lanes.values())
        room = [*(b - a for a, b in pairwise(xs)), 2 * (xs[0] - left)]
        level = 0.22 * min(room) if len(xs) > 1 else 8.0
        points: list[Point] = []
        for process, y in boundary.items():
            points += [(lanes[process] - level, y), (lanes[process] + level, y)]
        name_ends = min(left, points[0][0])
        return (MARGIN / 2, start), (name_ends, start), *points[:-1], (right, points[-1][1])

    def bands(self) -> Iterator[Band]:
        """The bands; every second band is shaded."""
        edges = zip(self.layers, pairwise(self._outlines), strict=True)
        for number, (layer, (upper, lower)) in enumerate(edges):
            yield Band(self._name(layer), (*upper, *reversed(lower)), number % 2 == 0)

    def cuts(self) -> Iterator[Line]:
        """The boundaries between two layers."""
        return (Line(outline, Look.DOTTED) for outline in self._outlines[1:-1])

    def labels(self) -> Iterator[Label]:
        """The names of the layers."""
        for y, layer in zip(self._names_at, self.layers, strict=True):
            yield Label(self._name(layer), (MARGIN, y), Role.LAYER, Anchor.START)

    def _name(self, layer: int) -> str:
        return cut_short(self.picture.layers[layer])


OUT = 0.3 * LANE
"""The length of a message to its own sender, and of a message with only one drawn end."""


@dataclass(frozen=True)
class Lines:
    """The lines between events that have been placed."""

    picture: Picture
    lanes: Lanes
    heights: Heights

    def messages(self) -> Iterator[Line]:
        """The messages of which at least one end is drawn."""
        for place in self.heights.y:
            event, partner = self.picture.event(place), self.picture.partner(place)
            if partner is None or partner not in self.heights.y:
                yield self._stub(place)
            elif event.is_send:
                yield self._message(place, partner)

    def chains(self) -> Iterator[Line]:
        """The parts of causal chains that stay in one process, and so lie on its line."""
        steps = self.picture.steps
        for first, second in sorted(self.picture.chain_steps):
            if first.process == second.process and {first, second} <= self.heights.y.keys():
                ends = steps[first], steps[second]
                yield Line((self._at(first), self._at(second)), Look.CHAIN, ends=ends)
        for place in {chain.places[-1]: None for chain in self.picture.chains if chain.to_end}:
            if place in self.heights.y:
                below = self.lanes.x[place.process], self.heights.end
                yield Line((self._at(place), below), Look.CHAIN, ends=(steps[place], None))

    def folds(self) -> Iterator[Line]:
        """A line across the lanes for each group of events left out."""
        for y, _ in self.heights.folds:
            yield Line(((self.lanes.left + 4, y), (self.lanes.right - 4, y)), Look.DOTTED)

    def _at(self, place: Place) -> Point:
        return self.lanes.x[place.process], self.heights.y[place]

    def _message(self, send: Place, receive: Place) -> Line:
        look = Look.NORMAL
        if receive == self.picture.wrong:
            look = Look.WRONG
        elif (send, receive) in self.picture.chain_steps:
            look = Look.CHAIN
        (x, y), (a, b) = self._at(send), self._at(receive)
        out = x + OUT
        bow: tuple[Point, ...] = ((out, y + STEP / 2), (out, b - STEP / 2)) if x == a else ()
        number, ends = self.picture.numbers[send], (self.picture.steps[send], self.picture.steps[receive])
        return Line(((x, y), *bow, (a, b)), look, arrow=True, message=number, ends=ends)

    def _stub(self, place: Place) -> Line:
        event = self.picture.event(place)
        x, y = self._at(place)
        step, number = self.picture.steps[place], self.picture.numbers[place]
        out = x - side(event) * OUT
        if event.is_send:
            return Line(((x, y), (out, y + STEP)), Look.DOTTED, message=number, ends=(step, None))
        return Line(((out, y - STEP), (x, y)), Look.DOTTED, arrow=True, message=number, ends=(None, step))


MOST_EVENTS = 40
"""The most events that are drawn by default."""


def arrange(picture: Picture, *, everything: bool = False) -> Scene:
    """The scene of a picture. With `everything`, no events are left out.

    Each event takes a few steps, linear in the number of drawn messages.

    >>> from sealcheck import program
    >>> scene = arrange(program("mt 1->2").draw().picture)
    >>> [(dot.mark.value, dot.step) for dot in scene.dots if dot.step]
    [('send', 1), ('receive', 2)]
    """
    shown = folded(picture, None if everything else MOST_EVENTS)
    picture = narrowed(picture, shown)
    across = lanes(picture)
    down = heights(picture, shown, across.x)
    lines, layers = Lines(picture, across, down), Bands(picture, across, down)
    messages, dots = list(lines.messages()), tuple(_dots(picture, across, down))
    at = {place: (across.x[place.process], y) for place, y in down.y.items()}
    layer_labels = list(layers.labels())
    labels = [
        *(Label(name, (across.x[process], 13), Role.NAME) for process, name in across.names.items()),
        *layer_labels,
        *Numbers(picture, at, messages).labels(),
        *(
            Label(f"{fold.count} more events", (across.right + MARGIN, y), Role.NOTE, Anchor.START)
            for y, fold in down.folds
        ),
    ]
    taken = [*(label.outline for label in labels), *(dot.outline for dot in dots)]
    labels += _wrong_label(picture, across, down, (*messages, *layers.cuts()), taken)
    width = max([across.right, *_rightmost(labels)]) + MARGIN
    below = max([down.end, *(label.box.bottom + 4 - STEP for label in layer_labels)]) + 2 * STEP
    labels += captions(paragraphs(picture), width, below)
    return Scene(
        width=round(max([across.right, *_rightmost(labels)]) + MARGIN, 1),
        height=round(max(label.box.bottom for label in labels) + MARGIN, 1),
        title=picture.title,
        description=picture.description,
        bands=tuple(layers.bands()),
        lanes=tuple(Lane(process, x, TOP - 2 * STEP, down.end) for process, x in across.x.items()),
        lines=(*layers.cuts(), *lines.folds(), *lines.chains(), *messages),
        dots=dots,
        labels=tuple(labels),
    )


def _rightmost(labels: Sequence[Label]) -> Iterator[float]:
    return (x for label in labels for x, _ in label.outline)


def _dots(picture: Picture, across: Lanes, down: Heights) -> Iterator[Dot]:
    if picture.is_program:
        for x in across.x.values():
            yield from (Dot((x, y), Mark.DUMMY) for y in (TOP - 2 * STEP, down.end))
    for place, y in down.y.items():
        mark = Mark.SEND if picture.event(place).is_send else Mark.RECEIVE
        look = Look.WRONG if place == picture.wrong else Look.NORMAL
        yield Dot((across.x[place.process], y), mark, place, picture.steps[place], look)


def _wrong_label(
    picture: Picture, across: Lanes, down: Heights, lines: Sequence[Line], taken: Sequence[Outline]
) -> Iterator[Label]:
    """The label along the line of the wrong message, or else in the margin next to its receive."""
    crossed = [*lines, *(Line(((x, TOP), (x, down.end)), Look.NORMAL) for x in across.x.values())]
    for line in lines:
        if line.look is Look.WRONG and picture.wrong is not None:
            beside = across.right + MARGIN, down.y[picture.wrong]
            found = along(picture, line, taken, crossed)
            yield found or Label(said(picture), beside, Role.NOTE, Anchor.START)
