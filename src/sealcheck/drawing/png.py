"""A scene as PNG, from its SVG."""

from functools import cache

import resvg_py

from sealcheck.drawing.scene import Scene
from sealcheck.drawing.svg import FONT, svg
from sealcheck.errors import InputError

ZOOM = 2.0
"""Pixels for each pixel of the scene."""

MOST_PIXELS = 60_000_000


def png(scene: Scene) -> bytes:
    """The scene, in the light.  Raises InputError where no font is found, or it is too large."""
    if scene.width * scene.height * ZOOM**2 > MOST_PIXELS:
        raise InputError("the picture is too large for PNG: SVG has no such limit")
    if not _has_fonts():
        raise InputError("no font was found, and PNG needs one: DejaVu Sans, for example; SVG does not")
    return bytes(resvg_py.svg_to_bytes(svg_string=svg(scene), zoom=ZOOM, background="#ffffff"))


@cache
def _has_fonts() -> bool:
    """Whether a letter in the fonts of pictures leaves a trace: without them, it is left out in silence."""
    empty = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">{}</svg>'
    letter = f'<text x="2" y="16" font-size="16" font-family="{FONT}">M</text>'
    drawn = (resvg_py.svg_to_bytes(svg_string=empty.format(inside)) for inside in ("", letter))
    return len(set(map(bytes, drawn))) == 2
