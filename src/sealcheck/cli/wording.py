"""Small pieces of the texts for people."""

from collections.abc import Iterable
from itertools import islice
from textwrap import wrap

WIDTH = 100


def counted(count: int, noun: str, plural: str = "") -> str:
    """The count with its noun.

    >>> counted(1, "message"), counted(0, "process", "processes")
    ('1 message', '0 processes')
    """
    return f"{count} {noun if count == 1 else plural or noun + 's'}"


def listed(items: Iterable[object], most: int = 60) -> str:
    """The items with commas between them, cut short where there are more than `most`.

    >>> listed([1, 2, 3]), listed([]), listed(range(5), most=2)
    ('1, 2, 3', 'none', '0, 1, ... (5 in all)')
    """
    items = list(items)
    if len(items) <= most:
        return ", ".join(map(str, items)) or "none"
    return f"{', '.join(map(str, islice(items, most)))}, ... ({len(items)} in all)"


def entry(label: str, text: str, column: int) -> list[str]:
    """The text, wrapped in lines that start at `column`, the first one behind its label.

    >>> entry("open", "1->2, 2->1", 8)
    ['open    1->2, 2->1']
    """
    return wrap(
        text,
        WIDTH,
        initial_indent=label.ljust(column),
        subsequent_indent=" " * column,
        break_on_hyphens=False,
    )
