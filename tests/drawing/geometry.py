"""What lies on what in a scene."""

from itertools import combinations

from sealcheck.drawing.scene import Box, Label, Scene


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
