"""Tables that show themselves in a notebook."""

from collections.abc import Iterable, Sequence
from html import escape


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in HTML.

    >>> table(["n"], [[1], ["<2"]])
    '<table><thead><tr><th>n</th></tr></thead><tbody><tr><td>1</td></tr><tr><td>&lt;2</td></tr></tbody></table>'
    """
    names = "".join(f"<th>{escape(name)}</th>" for name in head)
    cells = ("".join(f"<td>{escape(str(cell))}</td>" for cell in row) for row in rows)
    body = "".join(f"<tr>{row}</tr>" for row in cells)
    return f"<table><thead><tr>{names}</tr></thead><tbody>{body}</tbody></table>"
