"""Where everything in a picture of a run stands: from a `Picture` to a `Scene`.

Time goes down; each process has a lane.  Events are placed one after the other, as high as they can be: below
what happens before them, and where no message's line runs through an event of another process.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from textwrap import wrap

from sealcheck.drawing.bands import Bands
from sealcheck.drawing.picture import Folded, Picture, folded
from sealcheck.drawing.scene import (
    DOT_RADIUS,
    SIZES,
    Anchor,
    Box,
    Dot,
    Label,
    Lane,
    Line,
    Look,
    Mark,
    Point,
    Role,
    Scene,
    text_width,
)
from sealcheck.programs.runs import Place

MOST_EVENTS = 40
"""So many events are drawn unless all are wanted; of more, those that matter."""
STEP = 17.0
"""What an event goes down by to make room; two events of a process are at least two steps apart."""
TOP = 64.0
"""Where the first event stands; process names are above it."""
LANE = 96.0
"""The least distance between two lanes."""
MARGIN = 14.0
CLEAR = DOT_RADIUS + 4
"""How far a message's line stays away from events of other processes."""
MOST_LETTERS = 28
"""Of a name; longer ones are cut."""
SHIFTS = (0.0, -9.0, 9.0)
"""How much above or below an event its number may stand; less than half of what events are apart."""
MOST_TRIES = 400


def arrange(picture: Picture, *, everything: bool = False) -> Scene:
    """Where everything stands.  With `everything`, nothing is folded.

    Few steps per event, each of them looking at the messages that are drawn.

    >>> from sealcheck.drawing.making import of_program
    >>> from sealcheck.programs.events import mt
    >>> from sealcheck.programs.straight_line import StraightLine
    >>> scene = arrange(of_program({"P": StraightLine.of(2, mt(1, 2))}))
    >>> [(dot.mark.value, dot.step) for dot in scene.dots if dot.step]
    [('send', 1), ('receive', 2)]
    """
    return _Layout(picture, None if everything else MOST_EVENTS).scene()


def cut_short(name: str) -> str:
    """A name, without the end of a long one."""
    return name if len(name) <= MOST_LETTERS else f"{name[: MOST_LETTERS - 1]}…"


@dataclass
class _Layout:
    """A picture while its events find their places."""

    picture: Picture
    most: int | None
    y: dict[Place, float] = field(default_factory=dict)
    folds: list[tuple[float, Folded]] = field(default_factory=list)
    crossings: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    """By process, where messages between other ones cross its lane."""
    heights: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    """By process, where its events stand."""

    def __post_init__(self) -> None:
        processes, names = self.picture.processes, self.picture.names
        self.names = {process: cut_short(names.process(process)) for process in processes}
        pitch = max(LANE, 2 * self._reach() + 8)
        widths = [text_width(name, SIZES[Role.NAME]) for name in self.names.values()]
        pitch = max(pitch, *(width + 16 for width in widths))
        told = [text_width(cut_short(name), SIZES[Role.LAYER]) for name in self._layer_names()]
        self.left = 2 * MARGIN + max(told, default=0)
        self.pitch = pitch
        self.x = {process: self.left + pitch * (k + 0.5) for k, process in enumerate(processes)}
        self.right = self.left + pitch * len(processes)
        self._place_all()
        self.end = max([*self.y.values(), *(y for y, _ in self.folds), TOP]) + 2 * STEP

    def _layer_names(self) -> list[str]:
        used = {self.picture.owners[place] for place in self.picture.run.order}
        return [
            name
            for number, name in enumerate(self.picture.layers)
            if number in used or (self.picture.is_program and number < len(self.picture.layers))
        ]

    def _reach(self) -> float:
        """How far the labels beside an event reach."""
        said = map(self.picture.beside, self.picture.run.order)
        digits = max((text_width(text, SIZES[Role.NUMBER]) for text in said), default=0)
        badge = Label("open", (0, 0), Role.BADGE).box.right * 2 + 4 if self.picture.open else 0.0
        return DOT_RADIUS + 4 + digits + badge

    # Where events stand

    def _place_all(self) -> None:
        floor, last = TOP, TOP - 2 * STEP
        in_sequence, layer = self._layers_follow(), 0
        for each in folded(self.picture, self.most):
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
        """Where the message's line crosses the lanes between those of its ends."""
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

    # What is drawn there

    def scene(self) -> Scene:
        """All of it."""
        notes = [*self._fold_notes(), *self._wrong_note()]
        width = max([self.right + MARGIN, *(note.box.right + MARGIN for note in notes)])
        layers = self._bands()
        layer_labels = list(layers.labels())
        end = max([self.end + STEP, *(label.box.bottom + 4 for label in layer_labels)])
        captions = list(self._captions(width, end + STEP))
        below = max((label.box.bottom for label in captions), default=end)
        labels = [*self._names(), *layer_labels, *self._numbers(), *notes, *captions]
        return Scene(
            width=round(max(width, *(label.box.right + MARGIN for label in labels)), 1),
            height=round(below + MARGIN, 1),
            title=self.picture.title,
            description=self.picture.description,
            bands=tuple(layers.bands()),
            lanes=tuple(Lane(process, x, TOP - 2 * STEP, self.end) for process, x in self.x.items()),
            lines=(*layers.cuts(), *self._fold_lines(), *self._chain_lines(), *self._messages()),
            dots=(*self._dummies(), *self._events()),
            labels=tuple(labels),
        )

    def _at(self, place: Place) -> Point:
        return self.x[place.process], self.y[place]

    def _names(self) -> Iterator[Label]:
        for process, name in self.names.items():
            yield Label(name, (self.x[process], 13), Role.NAME)

    def _events(self) -> Iterator[Dot]:
        wrong = self.picture.wrong
        for place in self.y:
            mark = Mark.SEND if self.picture.event(place).is_send else Mark.RECEIVE
            look = Look.WRONG if place == wrong else Look.NORMAL
            yield Dot(self._at(place), mark, place, self.picture.steps[place], look)

    def _dummies(self) -> Iterator[Dot]:
        if self.picture.is_program:
            for x in self.x.values():
                yield from (Dot((x, y), Mark.DUMMY) for y in (TOP - 2 * STEP, self.end))

    def _side(self, place: Place) -> int:
        """On which side of an event its message is not: -1 is left, 1 is right."""
        event = self.picture.event(place)
        if event.sender == event.receiver:
            return -1
        return -1 if event.is_send == (event.sender < event.receiver) else 1

    def _numbers(self) -> Iterator[Label]:
        """The number of each event's message, where no line runs through it, if possible."""
        lines = [(min(y for _, y in line.points), line) for line in self._messages()]
        for place, y in self.y.items():
            near = [line for top, line in lines if top <= y + STEP and line.points[-1][1] >= y - STEP]
            sides = (self._side(place), -self._side(place))
            told = [list(self._number(place, side, shift)) for shift in SHIFTS for side in sides]
            yield from min(
                told, key=lambda labels: sum(_crosses(line, each.box) for line in near for each in labels)
            )

    def _number(self, place: Place, side: int, shift: float) -> Iterator[Label]:
        x, y = self._at(place)
        y += shift
        anchor = Anchor.END if side < 0 else Anchor.START
        text, beside = self.picture.beside(place), x + side * (DOT_RADIUS + 4)
        number = Label(text, (beside, y), Role.NUMBER, anchor)
        yield number
        if place in self.picture.open:
            edge = number.box.left if side < 0 else number.box.right
            yield Label("open", (edge + side * 4, y), Role.BADGE, anchor)

    def _messages(self) -> Iterator[Line]:
        for place in self.y:
            event, partner = self.picture.event(place), self.picture.partner(place)
            if partner is None or partner not in self.y:
                yield self._stub(place)
            elif event.is_send:
                yield self._message(place, partner)

    def _message(self, send: Place, receive: Place) -> Line:
        look = Look.NORMAL
        if receive == self.picture.wrong:
            look = Look.WRONG
        elif (send, receive) in self.picture.chain_steps:
            look = Look.CHAIN
        (x, y), (a, b) = self._at(send), self._at(receive)
        out = x + 0.3 * LANE
        bow: tuple[Point, ...] = ((out, y + STEP / 2), (out, b - STEP / 2)) if x == a else ()
        steps = self.picture.steps
        number = self.picture.numbers[send]
        points = ((x, y), *bow, (a, b))
        return Line(points, look, arrow=True, message=number, ends=(steps[send], steps[receive]))

    def _stub(self, place: Place) -> Line:
        """A message of which one end is not drawn, because it is folded, or is never received."""
        event = self.picture.event(place)
        x, y = self._at(place)
        towards = -self._side(place)
        away = (x + towards * 0.3 * self.pitch, y + (STEP if event.is_send else -STEP))
        points = ((x, y), away) if event.is_send else (away, (x, y))
        step = self.picture.steps[place]
        ends = (step, None) if event.is_send else (None, step)
        number = self.picture.numbers[place]
        return Line(points, Look.DOTTED, arrow=not event.is_send, message=number, ends=ends)

    def _chain_lines(self) -> Iterator[Line]:
        """The parts of causal chains that lie on the lines of processes."""
        for first, second in sorted(self.picture.chain_steps):
            if first.process == second.process and {first, second} <= self.y.keys():
                yield Line((self._at(first), self._at(second)), Look.CHAIN)
        for place in {chain.places[-1]: None for chain in self.picture.chains if chain.to_end}:
            if place in self.y:
                yield Line((self._at(place), (self.x[place.process], self.end)), Look.CHAIN)

    # Folds, notes, captions

    def _fold_lines(self) -> Iterator[Line]:
        for y, _ in self.folds:
            yield Line(((self.left + 4, y), (self.right - 4, y)), Look.DOTTED)

    def _fold_notes(self) -> Iterator[Label]:
        for y, fold in self.folds:
            yield Label(f"{fold.count} more events", (self.right + MARGIN, y), Role.NOTE, Anchor.START)

    def _wrong_note(self) -> Iterator[Label]:
        """Of which layer the wrong message is, in the margin beside where it is received."""
        receive = self.picture.wrong
        if receive is None:
            return
        send = self.picture.run.matching[receive]
        number = self.picture.numbers[receive]
        text = f"message {number}: of {self.picture.layer(send)}, taken in {self.picture.layer(receive)}"
        y = self.y[receive]
        yield Label(text, (self.right + MARGIN, y), Role.NOTE, Anchor.START)

    def _captions(self, width: float, top: float) -> Iterator[Label]:
        picture = self.picture
        legend = "● send · ○ receive · numbered as sent"
        legend += " · open: may take a later message" if picture.open else ""
        legend += " · thick: causal chain" if picture.chains else ""
        legend += " · dashed: the wrong message" if picture.wrong else ""
        letters = max(20, int((width - 2 * MARGIN) / text_width("n", SIZES[Role.CAPTION])))
        lines = [*wrap(f"{picture.title}. {picture.description}", letters), *wrap(legend, letters)]
        for number, line in enumerate(lines):
            yield Label(line, (MARGIN, top + 18 * number), Role.CAPTION, Anchor.START)

    def _bands(self) -> Bands:
        used = sorted({self.picture.owners[place] for place in self.y})
        drawn = range(len(self.picture.layers)) if self.picture.is_program else used or [0]
        return Bands(
            layers=[(layer, cut_short(self.picture.layers[layer])) for layer in drawn],
            owners=self.picture.owners,
            lanes=self.x,
            heights=self.y,
            folds=[y for y, _ in self.folds],
            left=self.left - 4,
            right=self.right - 4,
            top=TOP - 1.5 * STEP,
            bottom=self.end - STEP / 2,
            margin=MARGIN,
            room=STEP,
        )


def _crosses(line: Line, box: Box) -> bool:
    """Whether a line runs through a box."""
    return any(_cuts_box(a, b, box) for a, b in pairwise(line.points))


def _cuts_box(a: Point, b: Point, box: Box) -> bool:
    """Whether the part of a straight line from a to b that is as high as the box meets it."""
    (x, y), (u, v) = sorted((a, b), key=lambda point: point[1])
    top, bottom = max(y, box.top), min(v, box.bottom)
    if top > bottom:
        return False
    ends = [x + (u - x) * (height - y) / (v - y) if v > y else x for height in (top, bottom)]
    return min(ends) < box.right and max(ends) > box.left
