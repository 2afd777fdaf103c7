"""At what height events stand.

They are placed one after the other, as high as they can be: below what happens before them, and where no
message's line runs through an event of another process.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field

from sealcheck.drawing.measures import CLEAR, STEP, TOP
from sealcheck.drawing.picture import Folded, Picture, Shown
from sealcheck.programs.runs import Place

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
