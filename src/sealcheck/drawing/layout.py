"""From a `Picture` to a `Scene`: lanes, heights, bands of layers, and lines.

Time goes down; each process has a lane. Events are placed one after the other, as high as possible: below
their causes, and clear of the lines of other messages.
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
from sealcheck.drawing.picture import Folded, Picture, Shown, folded
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
    """The positions of the lanes; bands reach from `left` to `right`."""

    names: Mapping[int, str]
    x: Mapping[int, float]
    left: float
    right: float


def lanes(picture: Picture) -> Lanes:
    """The lanes of a picture; a little wider apart around the label of the wrong message."""
    names = {process: cut_short(picture.names.process(process)) for process in picture.processes}
    widths = (text_width(name, SIZES[Role.NAME]) for name in names.values())
    pitch = max(LANE, 2 * reach(picture) + 8, *(width + 16 for width in widths))
    told = (text_width(cut_short(name), SIZES[Role.LAYER]) for name in _layer_names(picture))
    left = 2 * MARGIN + max(told, default=0)
    xs = list(accumulate(_gaps(picture, pitch), initial=left + pitch / 2))
    return Lanes(names, dict(zip(names, xs, strict=True)), left, xs[-1] + pitch / 2)


def _gaps(picture: Picture, pitch: float) -> list[float]:
    """From each lane to the next."""
    gaps = [pitch] * (len(picture.processes) - 1)
    if picture.wrong is not None:
        ends = picture.wrong.process, picture.run.matching[picture.wrong].process
        first, last = sorted(map(picture.processes.index, ends))
        for gap in range(first, last):
            gaps[gap] = max(pitch, least_length(picture) / (last - first))
    return gaps


def _layer_names(picture: Picture) -> Iterator[str]:
    used = {picture.owners[place] for place in picture.run.order}
    for number, name in enumerate(picture.layers):
        if number in used or picture.is_program:
            yield name


MOST_TRIES = 400


@dataclass(frozen=True)
class Heights:
    """Where everything stands from top to bottom."""

    y: Mapping[Place, float]
    folds: tuple[tuple[float, Folded], ...]
    end: float
    """The lower end of the lanes."""


def heights(picture: Picture, shown: Shown, x: Mapping[int, float]) -> Heights:
    """Those of the events that are shown, whose lanes stand at `x`.

    Few steps per event, each of them looking at the messages that cross a lane.
    """
    placing = _Placing(picture, x)
    placing.place_all(shown)
    end = max([*placing.y.values(), *(y for y, _ in placing.folds), TOP]) + 2 * STEP
    end += 2 * STEP * _empty_at_the_end(picture)
    return Heights(placing.y, tuple(placing.folds), end)


def _empty_at_the_end(picture: Picture) -> int:
    """How many layers have a band after the last event."""
    if not picture.is_program or not picture.owners:
        return 0
    return len(picture.layers) - 1 - max(picture.owners.values())


@dataclass
class _Placing:
    """Events while they find their places."""

    picture: Picture
    x: Mapping[int, float]
    _: KW_ONLY
    y: dict[Place, float] = field(default_factory=dict)
    folds: list[tuple[float, Folded]] = field(default_factory=list)
    crossings: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    """By process, where messages between other ones cross its lane."""
    heights: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    """By process, where its events stand."""

    def place_all(self, shown: Shown) -> None:
        floor, last = TOP, TOP - 2 * STEP
        in_sequence, layer = self._layers_follow(), 0
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

    def _layers_follow(self) -> bool:
        """Whether in this order no layer begins before the one before it is over."""
        owners = [self.picture.owners[place] for place in self.picture.run.order]
        return owners == sorted(owners)

    def _place(self, place: Place, floor: float) -> None:
        """The first height from the floor down at which nothing is in the way."""
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
        """The heights at which the message's line crosses the lanes between its ends."""
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


OUT = 0.3 * LANE
"""How far a message goes out that comes back to its process, or of which one end is not drawn."""


@dataclass(frozen=True)
class Lines:
    """Draws lines between events that have their places."""

    picture: Picture
    lanes: Lanes
    heights: Heights

    def messages(self) -> Iterator[Line]:
        """Each message of which an end is drawn."""
        for place in self.heights.y:
            event, partner = self.picture.event(place), self.picture.partner(place)
            if partner is None or partner not in self.heights.y:
                yield self._stub(place)
            elif event.is_send:
                yield self._message(place, partner)

    def chains(self) -> Iterator[Line]:
        """The parts of causal chains that lie on the lines of processes."""
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
        """A line across the lanes, wherever events are left out."""
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
        steps = self.picture.steps
        number = self.picture.numbers[send]
        points = ((x, y), *bow, (a, b))
        return Line(points, look, arrow=True, message=number, ends=(steps[send], steps[receive]))

    def _stub(self, place: Place) -> Line:
        """A message of which one end is not drawn, because it is folded, or is never received."""
        event = self.picture.event(place)
        x, y = self._at(place)
        towards = -side(event)
        away = (x + towards * OUT, y + (STEP if event.is_send else -STEP))
        points = ((x, y), away) if event.is_send else (away, (x, y))
        step = self.picture.steps[place]
        ends = (step, None) if event.is_send else (None, step)
        number = self.picture.numbers[place]
        return Line(points, Look.DOTTED, arrow=not event.is_send, message=number, ends=ends)


MOST_EVENTS = 40
"""So many events are drawn unless all are wanted; of more, those that matter."""


def arrange(picture: Picture, *, everything: bool = False) -> Scene:
    """Where everything stands.  With `everything`, nothing is folded.

    Few steps per event, each of them looking at the messages that are drawn.

    >>> from sealcheck.drawing.making import of_program
    >>> from sealcheck.programs.straight_line import mt
    >>> from sealcheck.programs.straight_line import StraightLine
    >>> scene = arrange(of_program({"P": StraightLine.of(2, mt(1, 2))}))
    >>> [(dot.mark.value, dot.step) for dot in scene.dots if dot.step]
    [('send', 1), ('receive', 2)]
    """
    across = lanes(picture)
    shown = folded(picture, None if everything else MOST_EVENTS)
    return _scene(picture, across, heights(picture, shown, across.x))


def _scene(picture: Picture, across: Lanes, down: Heights) -> Scene:
    lines, layers = Lines(picture, across, down), _bands(picture, across, down)
    messages, dots = (
        list(lines.messages()),
        (*_dummies(picture, across, down), *_events(picture, across, down)),
    )
    at = {place: (across.x[place.process], y) for place, y in down.y.items()}
    layer_labels = list(layers.labels())
    labels = [
        *(Label(name, (across.x[process], 13), Role.NAME) for process, name in across.names.items()),
        *layer_labels,
        *Numbers(picture, at, messages).labels(),
        *_fold_notes(down, across.right + MARGIN),
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


def _fold_notes(heights: Heights, x: float) -> Iterator[Label]:
    """The number of events left out at each fold."""
    for y, fold in heights.folds:
        yield Label(f"{fold.count} more events", (x, y), Role.NOTE, Anchor.START)


def _rightmost(labels: Sequence[Label]) -> Iterator[float]:
    return (x for label in labels for x, _ in label.outline)


def _events(picture: Picture, across: Lanes, down: Heights) -> Iterator[Dot]:
    for place, y in down.y.items():
        mark = Mark.SEND if picture.event(place).is_send else Mark.RECEIVE
        look = Look.WRONG if place == picture.wrong else Look.NORMAL
        yield Dot((across.x[place.process], y), mark, place, picture.steps[place], look)


def _dummies(picture: Picture, across: Lanes, down: Heights) -> Iterator[Dot]:
    if picture.is_program:
        for x in across.x.values():
            yield from (Dot((x, y), Mark.DUMMY) for y in (TOP - 2 * STEP, down.end))


def _wrong_label(
    picture: Picture, across: Lanes, down: Heights, lines: Sequence[Line], taken: Sequence[Outline]
) -> Iterator[Label]:
    """Along the wrong message's line; in the margin, next to the receive, if there is no room."""
    crossed = [*lines, *(Line(((x, TOP), (x, down.end)), Look.NORMAL) for x in across.x.values())]
    for line in lines:
        if line.look is Look.WRONG and picture.wrong is not None:
            beside = across.right + MARGIN, down.y[picture.wrong]
            found = along(picture, line, taken, crossed)
            yield found or Label(said(picture), beside, Role.NOTE, Anchor.START)


def _bands(picture: Picture, across: Lanes, down: Heights) -> Bands:
    used = sorted({picture.owners[place] for place in down.y})
    drawn = range(len(picture.layers)) if picture.is_program else used or [0]
    return Bands(
        layers=[(layer, cut_short(picture.layers[layer])) for layer in drawn],
        owners=picture.owners,
        lanes=across.x,
        heights=down.y,
        folds=[y for y, _ in down.folds],
        left=across.left - 4,
        right=across.right - 4,
        top=TOP - 1.5 * STEP,
        bottom=down.end - STEP / 2,
        margin=MARGIN,
        room=STEP,
    )
