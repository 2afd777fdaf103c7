"""Tables for people: as wide as the terminal, and never cut short where there is none."""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

WIDTH = 120
"""Of a table that goes to a file or a pipe."""


def console() -> "Console":
    """Where tables are printed."""
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else WIDTH)


def table(left: tuple[str, ...], right: tuple[str, ...]) -> "Table":
    """A table without lines; its columns in order, first those aligned left, then right."""
    from rich.table import Table

    made = Table(box=None, pad_edge=False, header_style="bold")
    for name in left:
        made.add_column(name, overflow="fold")
    for name in right:
        made.add_column(name, justify="right", overflow="fold")
    return made


def styled(line: "Text") -> str:
    """The line as it is written, with its colours where that is a terminal."""
    out = console()
    with out.capture() as captured:
        out.print(line, soft_wrap=True, end="")
    return captured.get().rstrip(" ")
