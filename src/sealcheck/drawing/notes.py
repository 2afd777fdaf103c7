"""What is written beside a picture and below it."""

from collections.abc import Iterable, Iterator
from textwrap import wrap

from sealcheck.drawing.heights import Heights
from sealcheck.drawing.measures import MARGIN
from sealcheck.drawing.picture import Picture
from sealcheck.drawing.scene import SIZES, Anchor, Label, Role, text_width


def fold_notes(heights: Heights, x: float) -> Iterator[Label]:
    """How many events are left out, wherever some are."""
    for y, fold in heights.folds:
        yield Label(f"{fold.count} more events", (x, y), Role.NOTE, Anchor.START)


def captions(paragraphs: Iterable[str], width: float, top: float) -> Iterator[Label]:
    """Paragraphs, in lines that are no longer than `width`, one below the other."""
    letters = max(20, int((width - 2 * MARGIN) / text_width("n", SIZES[Role.CAPTION])))
    lines = [line for paragraph in paragraphs for line in wrap(paragraph, letters)]
    for number, line in enumerate(lines):
        yield Label(line, (MARGIN, top + 18 * number), Role.CAPTION, Anchor.START)


def paragraphs(picture: Picture) -> Iterator[str]:
    """What the picture shows, and what its signs mean."""
    yield f"{picture.title}. {picture.description}"
    signs = ["● send", "○ receive"]
    signs += [] if picture.called else ["numbered as sent"]
    signs += ["open: may take a later message"] if picture.open else []
    signs += ["thick: causal chain"] if picture.chains else []
    signs += ["dashed: the wrong message"] if picture.wrong else []
    yield " · ".join(signs)
