"""The distances that every picture keeps, in pixels."""

from sealcheck.drawing.scene import DOT_RADIUS

STEP = 17.0
"""What an event goes down by to make room; two events of a process are at least two steps apart."""
TOP = 64.0
"""Where the first event stands; process names are above it."""
LANE = 96.0
"""The least distance between two lanes."""
MARGIN = 14.0
CLEAR = DOT_RADIUS + 4
"""How far a message's line stays away from events of other processes."""
MOST_LETTERS = 28
"""Of a name; longer ones are cut."""


def cut_short(name: str) -> str:
    """A name, without the end of a long one."""
    return name if len(name) <= MOST_LETTERS else f"{name[: MOST_LETTERS - 1]}…"
