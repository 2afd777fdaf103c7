"""``--seconds`` and ``--memory``: the limits beyond which an answer is unknown."""

from typing import Annotated

import typer

SECONDS = 60
PART_SECONDS = 600
"""For a part of larger work: of an audit, a proof, a sweep, a table."""
MIB = 2048

_ONE = "for an answer, or for a part of larger work; beyond it, the answer is unknown."

Seconds = Annotated[
    int, typer.Option("--seconds", metavar="S", min=1, max=1_000_000, help=f"Time limit in seconds {_ONE}")
]
Memory = Annotated[
    int, typer.Option("--memory", metavar="MIB", min=64, max=1_000_000, help=f"Memory limit in MiB {_ONE}")
]
