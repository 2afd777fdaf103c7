"""Where everything in a picture of a run stands: from a `Picture` to a `Scene`.

Time goes down; each process has a lane.
"""

from collections.abc import Iterator, Sequence
from itertools import chain

from sealcheck.drawing.bands import Bands
from sealcheck.drawing.geometry import Outline
from sealcheck.drawing.heights import Heights, heights
from sealcheck.drawing.lanes import Lanes, lanes
from sealcheck.drawing.lines import Lines
from sealcheck.drawing.measures import MARGIN, STEP, TOP, cut_short
from sealcheck.drawing.notes import captions, fold_notes, paragraphs
from sealcheck.drawing.numbers import Numbers
from sealcheck.drawing.picture import Picture, folded
from sealcheck.drawing.scene import Anchor, Dot, Label, Lane, Line, Look, Mark, Role, Scene
from sealcheck.drawing.wrong import along, said

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
        *fold_notes(down, across.right + MARGIN),
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
    return (x for x, _ in chain.from_iterable(label.outline for label in labels))


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
    """Along the wrong message's line; in the margin, beside the receive, where there is no room."""
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
