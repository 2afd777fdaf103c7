"""``--seconds`` and ``--memory``: how far a command may go before its answer is unknown."""

from typing import Annotated

import typer

SECONDS = 60
PART_SECONDS = 600
"""For a part of larger work: of an audit, a proof, a sweep, a table."""
MIB = 2048

_ONE = "an answer, or a part of larger work, may take; else it is unknown."

Seconds = Annotated[
    int, typer.Option("--seconds", metavar="S", min=1, max=1_000_000, help=f"How many seconds {_ONE}")
]
Memory = Annotated[
    int, typer.Option("--memory", metavar="MIB", min=64, max=1_000_000, help=f"How much memory {_ONE}")
]
