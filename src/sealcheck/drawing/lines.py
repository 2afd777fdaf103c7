"""The lines of a picture: messages, causal chains, and where events are left out."""

from collections.abc import Iterator
from dataclasses import dataclass

from sealcheck.drawing.geometry import Point
from sealcheck.drawing.heights import Heights
from sealcheck.drawing.lanes import Lanes
from sealcheck.drawing.measures import LANE, STEP
from sealcheck.drawing.numbers import side
from sealcheck.drawing.picture import Picture
from sealcheck.drawing.scene import Line, Look
from sealcheck.programs.runs import Place

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
