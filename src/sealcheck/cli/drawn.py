"""Pictures among the text that a command prints."""

from collections.abc import Iterator
from shutil import get_terminal_size

from sealcheck.drawing.picture import Picture
from sealcheck.drawing.text import PLAIN_WIDTH, text


def drawn(picture: Picture) -> Iterator[str]:
    """The lines of a picture, as wide as the terminal."""
    return text(picture, get_terminal_size((PLAIN_WIDTH, 0)).columns)
