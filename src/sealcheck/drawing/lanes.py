"""Where the lanes of processes stand: as far from each other as what is written between them needs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate

from sealcheck.drawing.measures import LANE, MARGIN, cut_short
from sealcheck.drawing.numbers import reach
from sealcheck.drawing.picture import Picture
from sealcheck.drawing.scene import SIZES, Role, text_width
from sealcheck.drawing.wrong import least_length


@dataclass(frozen=True)
class Lanes:
    """Where the lanes stand; what covers all of them reaches from `left` to `right`."""

    names: Mapping[int, str]
    x: Mapping[int, float]
    left: float
    right: float


def lanes(picture: Picture) -> Lanes:
    """The lanes of a picture; a little wider apart where the label of the wrong message is between them."""
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
