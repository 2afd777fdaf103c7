"""What lies on what in a scene."""

from itertools import combinations, pairwise
from math import hypot

from sealcheck.drawing.scene import Box, Label, Line, Role, Scene


def overlaps(scene: Scene) -> list[tuple[object, object]]:
    """The labels that lie on each other or on events, and events that do."""
    covered: list[tuple[object, Box]] = [(each, each.box) for each in (*scene.labels, *scene.dots)]
    return [(a, b) for (a, one), (b, other) in combinations(covered, 2) if one.meets(other)]


def outside(scene: Scene) -> list[Label]:
    page = Box(0, 0, scene.width, scene.height)
    corners = [(each, each.box) for each in scene.labels]
    return [
        label
        for label, box in corners
        if box.left < page.left or box.top < page.top or box.right > page.right or box.bottom > page.bottom
    ]


def crossed(scene: Scene) -> list[Label]:
    """The numbers and badges of events that a message's line runs through."""
    lines = [points(line) for line in scene.lines if line.message is not None]
    beside = [label for label in scene.labels if label.role in (Role.NUMBER, Role.BADGE)]
    return [label for label in beside if any(inside(label.box, point) for line in lines for point in line)]


def points(line: Line) -> list[tuple[float, float]]:
    """Many points of a line, less than two pixels apart."""
    found = []
    for (a, b), (c, d) in pairwise(line.points):
        steps = int(hypot(c - a, d - b)) + 1
        found += [(a + (c - a) * k / steps, b + (d - b) * k / steps) for k in range(steps + 1)]
    return found


def inside(box: Box, point: tuple[float, float]) -> bool:
    return box.left < point[0] < box.right and box.top < point[1] < box.bottom
