"""What can be said to ``sealcheck diff``, and to commands that test implementations as it does."""

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from sealcheck.cli import completing

MOST_SECONDS = 86_400.0


def _seconds(given: object) -> float:
    """A number of seconds, as it was given.  Raises BadParameter."""
    text = str(given)  # a default is no text
    with suppress(ValueError):
        if 0 <= (seconds := float(text)) <= MOST_SECONDS:
            return seconds
    raise typer.BadParameter(f"it takes a number of seconds from 0 to {MOST_SECONDS:g}, not {text[:20]!r}")


def _whole(given: object) -> int:
    """A whole number, as it was given.  Raises BadParameter."""
    text = str(given)
    if text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    raise typer.BadParameter(f"it takes a whole number, not {text[:20]!r}")


_AGAINST = typer.Option(
    "--against",
    metavar="QUESTION",
    help="The question: is-seal, sealable, seal, ...",
    autocompletion=completing.questions,
)
Against = Annotated[str | None, _AGAINST]
Question = Annotated[str, _AGAINST]
Bound = Annotated[str, typer.Option("--n", metavar="N", help="How many processes, or a range: 2..4.")]
Most = Annotated[
    int,
    typer.Option("--messages", metavar="M", parser=_whole, help="0..M messages, in all programs together."),
]
Timeout = Annotated[
    float, typer.Option("--timeout", metavar="S", parser=_seconds, help="Seconds for an answer.")
]
StartTimeout = Annotated[
    float, typer.Option("--start-timeout", metavar="S", parser=_seconds, help="Seconds for the first answer.")
]
Memory = Annotated[
    int, typer.Option("--memory", metavar="MIB", parser=_whole, help="Memory that it may use (Linux only).")
]
Function = Annotated[
    str | None,
    typer.Option(
        "--function", metavar="MODULE:NAME", help="A Python function, of the current folder or installed."
    ),
]
Command = Annotated[
    str | None,
    typer.Option(
        "--command", metavar="CMD", help="A program that answers JSON lines (docs/diff.md); no shell."
    ),
]
Random = Annotated[
    float,
    typer.Option(
        "--random", metavar="S", parser=_seconds, help="Seconds for the search beyond the bound; 0 for none."
    ),
]
Seed = Annotated[
    int,
    typer.Option("--seed", metavar="K", parser=_whole, help="Random seed."),
]
Replay = Annotated[
    str | None, typer.Option("--replay", metavar="ID", help="Ask only about this earlier finding.")
]
Junit = Annotated[
    Path | None, typer.Option("--junit", metavar="FILE", help="Write the outcome as JUnit XML, too.")
]
Spread = Annotated[
    str | None, typer.Option("--master", metavar="URL", help="Have Spark go through large levels.")
]
