"""The labels beside events: the number of the message, and whether its channel stays open."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

from sealcheck.drawing.geometry import Outline, Point, meet
from sealcheck.drawing.measures import STEP
from sealcheck.drawing.picture import Picture
from sealcheck.drawing.scene import DOT_RADIUS, SIZES, Anchor, Label, Line, Role, text_width
from sealcheck.programs.runs import Place
from sealcheck.programs.straight_line import Event

BESIDE = DOT_RADIUS + 4
"""How far from an event its labels start."""
SHIFTS = (0.0, -9.0, 9.0)
"""How much above or below an event its number may stand; less than half of what events are apart."""


def reach(picture: Picture) -> float:
    """How far the labels beside an event reach."""
    said = map(picture.beside, picture.run.order)
    digits = max((text_width(text, SIZES[Role.NUMBER]) for text in said), default=0)
    badge = Label("open", (0, 0), Role.BADGE).box.right * 2 + 4 if picture.open else 0.0
    return BESIDE + digits + badge


def side(event: Event) -> int:
    """On which side of an event its message is not: -1 is left, 1 is right."""
    if event.sender == event.receiver:
        return -1
    return -1 if event.is_send == (event.sender < event.receiver) else 1


def crossings(lines: Sequence[Line], outlines: Sequence[Outline]) -> int:
    """How often lines run through outlines."""
    return sum(
        any(meet(part, outline) for part in pairwise(line.points)) for line in lines for outline in outlines
    )


@dataclass(frozen=True)
class Numbers:
    """Labels events, where no line runs through the label, if possible."""

    picture: Picture
    at: Mapping[Place, Point]
    messages: Sequence[Line]

    def labels(self) -> Iterator[Label]:
        """Those of all events."""
        spans = [(line.points[0][1] - STEP, line.points[-1][1] + STEP, line) for line in self.messages]
        for place, (_, y) in self.at.items():
            near = [line for top, bottom, line in spans if top <= y <= bottom]
            yield from self._clearest(place, near)

    def _clearest(self, place: Place, lines: Sequence[Line]) -> list[Label]:
        """The labels of an event in the first position that no line crosses, or that few do."""
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
