"""Overlaps in a scene."""

from itertools import combinations, pairwise
from math import atan2, degrees, hypot

from sealcheck.drawing.scene import Box, Label, Line, Look, Role, Scene, meet


def overlaps(scene: Scene) -> list[tuple[object, object]]:
    covered = [(each, each.outline) for each in (*scene.labels, *scene.dots)]
    return [(a, b) for (a, one), (b, other) in combinations(covered, 2) if meet(one, other)]


def outside(scene: Scene) -> list[Label]:
    return [
        label
        for label in scene.labels
        if not all(0 <= x <= scene.width and 0 <= y <= scene.height for x, y in label.outline)
    ]


def crossed(scene: Scene) -> list[Label]:
    on_lines = [point for line in scene.lines if line.message is not None for point in points(line)]
    beside = [(label, label.box) for label in scene.labels if label.role in (Role.NUMBER, Role.BADGE)]
    return [label for label, box in beside if any(inside(box, point) for point in on_lines)]


def wrong_line(scene: Scene) -> Line:
    (found,) = (line for line in scene.lines if line.look is Look.WRONG)
    return found


def along(label: Label, line: Line) -> bool:
    (a, b), (c, d) = sorted((line.points[0], line.points[-1]))
    (x, y), length = label.at, hypot(c - a, d - b)
    sideways = ((y - b) * (c - a) - (x - a) * (d - b)) / length
    forwards = ((x - a) * (c - a) + (y - b) * (d - b)) / length
    half = (label.box.right - label.box.left) / 2
    turned = abs(label.angle - degrees(atan2(d - b, c - a))) < 0.01
    return turned and 9 < abs(sideways) < 18 and half < forwards < length - half


def points(line: Line) -> list[tuple[float, float]]:
    found = []
    for (a, b), (c, d) in pairwise(line.points):
        steps = int(hypot(c - a, d - b)) + 1
        found += [(a + (c - a) * k / steps, b + (d - b) * k / steps) for k in range(steps + 1)]
    return found


def inside(box: Box, point: tuple[float, float]) -> bool:
    return box.left < point[0] < box.right and box.top < point[1] < box.bottom
