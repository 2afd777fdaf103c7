"""A scene as SVG and PNG.

The SVG is legible in light and dark mode, and without colour. Screen readers read its title. Most converters
to PNG or PDF read only plain attributes, and so show the light version.
"""

import hashlib
from functools import cache
from xml.sax.saxutils import escape

import drawsvg

from sealcheck.drawing.scene import (
    SIZES,
    Band,
    Dot,
    Label,
    Line,
    Look,
    Mark,
    Point,
    Role,
    Scene,
    printable,
)
from sealcheck.errors import InputError

INK, PAPER, WRONG = "#1f2328", "#ffffff", "#b3261e"

FONT = "system-ui, 'DejaVu Sans', 'Liberation Sans', Arial, sans-serif"

STYLE = """
@media screen and (prefers-color-scheme: dark) {
  .sealcheck-picture .paper { fill: #16191d }
  .sealcheck-picture .hollow { fill: #16191d; stroke: #e6e9ed }
  .sealcheck-picture .line { stroke: #e6e9ed }
  .sealcheck-picture .solid, .sealcheck-picture text { fill: #e6e9ed }
  .sealcheck-picture .wrong { stroke: #ff8a80 }
  .sealcheck-picture .wrong-solid { fill: #ff8a80 }
  .sealcheck-picture .halo { stroke: #16191d }
}
"""

LINES: dict[Look, dict[str, object]] = {
    Look.NORMAL: {"stroke_width": 1.3},
    Look.THIN: {"stroke_width": 0.6, "stroke_opacity": 0.75},
    Look.CHAIN: {"stroke_width": 3.2},
    Look.WRONG: {"stroke_width": 3.2, "stroke_dasharray": "9 5"},
    Look.DOTTED: {"stroke_width": 1, "stroke_dasharray": "1.5 4", "stroke_opacity": 0.8},
}


def svg(scene: Scene) -> str:
    """The scene as an SVG element, for a page or for a file of its own.

    For scripts, the k'th event of the run has the attribute `data-step` with the value k. The line of a
    message has `data-send` and `data-receive`, with the numbers of the message's two events.

    >>> from sealcheck import program
    >>> text = svg(program("mt 1->2").draw().scene())
    >>> text.startswith("<svg"), "<title" in text
    (True, True)
    """
    key = hashlib.sha256(repr(scene).encode()).hexdigest()[:10]
    drawing = drawsvg.Drawing(
        scene.width,
        scene.height,
        class_="sealcheck-picture",
        role="img",
        font_family=FONT,
        aria_labelledby=f"title-{key} text-{key}",
    )
    drawing.append(drawsvg.Raw(f'<title id="title-{key}">{escape(printable(scene.title))}</title>'))
    drawing.append(drawsvg.Raw(f'<desc id="text-{key}">{escape(printable(scene.description))}</desc>'))
    drawing.append(drawsvg.Raw(f"<style>{STYLE}</style>"))
    drawing.append(drawsvg.Rectangle(0, 0, scene.width, scene.height, rx=6, fill=PAPER, class_="paper"))
    drawing.extend(map(_band, scene.bands))
    for lane in scene.lanes:
        x = round(lane.x, 1)
        drawing.append(drawsvg.Line(x, lane.top, x, lane.bottom, stroke=INK, stroke_width=1, class_="line"))
    drawing.extend([*map(_line, scene.lines), *map(_dot, scene.dots), *map(_label, scene.labels)])
    return str(drawing.as_svg(header=""))


def _band(band: Band) -> object:
    points = [coordinate for point in band.outline for coordinate in _rounded(point)]
    opacity = 0.06 if band.shaded else 0
    return drawsvg.Lines(*points, close=True, fill=INK, fill_opacity=opacity, class_="solid")


def _line(line: Line) -> object:
    wrong = line.look is Look.WRONG
    colour, kind = (WRONG, "line wrong") if wrong else (INK, "line")
    known = {"data_message": line.message, "data_send": line.ends[0], "data_receive": line.ends[1]}
    group = drawsvg.Group(**{name: value for name, value in known.items() if value is not None})
    points = line.points
    if line.arrow:
        tip, base, head = arrow_head(points[-2], points[-1])
        points = (*points[:-1], base)
        corners = [coordinate for point in (tip, *head) for coordinate in _rounded(point)]
        solid = "solid wrong-solid" if wrong else "solid"
        group.append(drawsvg.Lines(*corners, close=True, fill=colour, class_=solid))
    coordinates = [coordinate for point in points for coordinate in _rounded(point)]
    group.append(drawsvg.Lines(*coordinates, fill="none", stroke=colour, class_=kind, **LINES[line.look]))
    return group


def arrow_head(before: Point, to: Point, radius: float = 6.5) -> tuple[Point, Point, tuple[Point, Point]]:
    """An arrow head at an event's circle: its tip, the end of its line, and its other corners."""
    (a, b), (x, y) = before, to
    length = ((x - a) ** 2 + (y - b) ** 2) ** 0.5 or 1.0
    u, v = (x - a) / length, (y - b) / length
    tip = (x - radius * u, y - radius * v)
    base = (tip[0] - 9 * u, tip[1] - 9 * v)
    return tip, base, ((base[0] - 4 * v, base[1] + 4 * u), (base[0] + 4 * v, base[1] - 4 * u))


def _dot(dot: Dot) -> object:
    x, y = _rounded(dot.at)
    if dot.mark is Mark.DUMMY:
        box = {"fill": PAPER, "stroke": INK, "stroke_width": 0.8}
        return drawsvg.Rectangle(x - 3.5, y - 3.5, 7, 7, class_="hollow", **box)
    if dot.mark is Mark.SEND:
        return drawsvg.Circle(x, y, 5.5, fill=INK, class_="solid", data_step=dot.step)
    wrong = dot.look is Look.WRONG
    look = {"stroke": WRONG if wrong else INK, "stroke_width": 3 if wrong else 1.6}
    kind = "hollow wrong" if wrong else "hollow"
    return drawsvg.Circle(x, y, 5.5, fill=PAPER, class_=kind, data_step=dot.step, **look)


def _label(label: Label) -> object:
    x, y = _rounded(label.at)
    size = SIZES[label.role]
    set_as: dict[str, object] = {"text_anchor": label.anchor.value, "fill": INK}
    if label.angle:
        set_as["transform"] = f"rotate({round(label.angle, 1)} {x} {y})"
    if label.role in (Role.NAME, Role.LAYER):
        set_as["font_weight"] = "bold"
    baseline = y + 0.35 * size
    if label.role is not Role.BADGE:
        halo = {"stroke": PAPER, "stroke_width": 3, "stroke_linejoin": "round", "paint_order": "stroke"}
        return drawsvg.Text(
            printable(label.text), size, x, round(baseline, 1), class_="halo", **set_as, **halo
        )
    group, box = drawsvg.Group(), label.box
    frame = {"rx": 3, "fill": PAPER, "stroke": INK, "stroke_width": 0.8, "class_": "hollow"}
    left, top, right, bottom = (round(edge, 1) for edge in (box.left, box.top, box.right, box.bottom))
    group.append(drawsvg.Rectangle(left, top, round(right - left, 1), round(bottom - top, 1), **frame))
    middle = round((left + right) / 2, 1)
    set_as["text_anchor"] = "middle"
    group.append(drawsvg.Text(printable(label.text), size, middle, round(baseline, 1), **set_as))
    return group


def _rounded(point: Point) -> Point:
    return round(point[0], 1), round(point[1], 1)


ZOOM = 2.0
"""Pixels for each pixel of the scene."""

MOST_PIXELS = 60_000_000


def png(scene: Scene) -> bytes:
    """The scene as PNG, in its light version. Raises InputError if it is too large, or without a font."""
    import resvg_py

    if scene.width * scene.height * ZOOM**2 > MOST_PIXELS:
        raise InputError("the picture is too large for PNG: SVG has no such limit")
    if not _has_fonts():
        raise InputError("no font was found, and PNG needs one: DejaVu Sans, for example; SVG does not")
    return bytes(resvg_py.svg_to_bytes(svg_string=svg(scene), zoom=ZOOM, background="#ffffff"))


@cache
def _has_fonts() -> bool:
    """Whether a font of pictures is installed."""
    import resvg_py

    empty = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">{}</svg>'
    letter = f'<text x="2" y="16" font-size="16" font-family="{FONT}">M</text>'
    drawn = (resvg_py.svg_to_bytes(svg_string=empty.format(inside)) for inside in ("", letter))
    return len(set(map(bytes, drawn))) == 2
