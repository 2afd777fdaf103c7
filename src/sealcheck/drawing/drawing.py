"""A picture that can be shown, written and saved in each format."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

from sealcheck.drawing.layout import arrange
from sealcheck.drawing.other_tools import dot, mermaid, tikz
from sealcheck.drawing.picture import Picture
from sealcheck.drawing.scene import Scene
from sealcheck.drawing.text import PLAIN_WIDTH, text
from sealcheck.errors import InputError

if TYPE_CHECKING:
    from sealcheck.drawing.signatures import SignaturePicture

MOST_EVENTS = 2_000
"""The most events that can be drawn."""


FORMATS = (".svg", ".png", ".tex", ".dot", ".mmd", ".txt")


def require_format(suffix: str) -> None:
    """Raise InputError if no picture format has this suffix.

    >>> require_format(".gif")
    Traceback (most recent call last):
    sealcheck.errors.InputError: a picture ends in .svg, .png, .tex, .dot, .mmd or .txt, not in '.gif'
    """
    if suffix not in FORMATS:
        *others, last = FORMATS
        raise InputError(f"a picture ends in {', '.join(others)} or {last}, not in {suffix!r}")


class Drawing:
    """A picture that notebooks show as SVG, and that `print` prints as text.

    >>> from sealcheck import program
    >>> program("mt 1->2").draw().svg()[:4]
    '<svg'
    """

    def __init__(self, picture: "Picture | SignaturePicture", *, everything: bool = False) -> None:
        """Make a drawing. If `everything` is true, no events are left out.

        Raises InputError if the drawing would be too large.
        """
        self.picture = picture
        self.everything = everything
        if everything and isinstance(picture, Picture) and len(picture.run.order) > MOST_EVENTS:
            raise InputError(f"more than {MOST_EVENTS} events are too many to draw all of them")

    def scene(self) -> Scene:
        """Everything that is drawn, with coordinates."""
        if isinstance(self.picture, Picture):
            return arrange(self.picture, everything=self.everything)
        from sealcheck.drawing.signatures import arrange_signature  # not in the small installation

        return arrange_signature(self.picture)

    def svg(self) -> str:
        """The picture as SVG, for a page or a file."""
        from sealcheck.drawing.svg import svg  # not in the small installation

        return svg(self.scene())

    def png(self) -> bytes:
        """The picture as PNG. Raises InputError if it is too large, or if there is no font."""
        from sealcheck.drawing.svg import png

        return png(self.scene())

    def tikz(self) -> str:
        """The picture as TikZ."""
        return tikz(self.scene())

    def dot(self) -> str:
        """The picture as a graph for Graphviz."""
        if isinstance(self.picture, Picture):
            return dot(self.picture)
        from sealcheck.drawing.signatures import signature_dot

        return signature_dot(self.picture)

    def mermaid(self) -> str:
        """The picture as a Mermaid sequence diagram. Raises InputError for a signature."""
        if not isinstance(self.picture, Picture):
            raise InputError(
                "a signature cannot be drawn as a sequence diagram: use .svg or .dot, for example"
            )
        return mermaid(self.picture)

    def text(self, width: int | None = None) -> str:
        """The picture in plain characters, by default in the terminal's width."""
        if isinstance(self.picture, Picture):
            width = width or get_terminal_size((PLAIN_WIDTH, 0)).columns
            return "\n".join(text(self.picture, width, everything=self.everything))
        from sealcheck.drawing.signatures import signature_text

        return "\n".join(signature_text(self.picture))

    def save(self, path: str | Path) -> None:
        """Write the picture to a file in the format of the file's suffix. Raises InputError, OSError."""
        Path(path).write_bytes(self.content(Path(path).suffix))

    def content(self, suffix: str) -> bytes:
        """The content of a file with this suffix. Raises InputError for an unknown suffix."""
        require_format(suffix)
        plain = partial(self.text, PLAIN_WIDTH)
        makers: tuple[Callable[[], str | bytes], ...]
        makers = (self.svg, self.png, self.tikz, self.dot, self.mermaid, plain)
        content = makers[FORMATS.index(suffix)]()
        if isinstance(content, bytes):
            return content
        return (content.rstrip("\n") + "\n").encode()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"image/svg+xml": self.svg(), "text/plain": self.text()}

    def __str__(self) -> str:
        return self.text()
