"""Options that several commands share, and the words that a shell completes."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from sealcheck.errors import InputError

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


Master = Annotated[
    str | None,
    typer.Option("--master", metavar="URL", help="Spark master. [default: all cores of this machine]"),
]

_SIGNED = re.compile("-?[0-9]{1,9}")


def _message_bound(text: str) -> int:
    if not _SIGNED.fullmatch(text.strip()):
        raise InputError(f"--messages takes a number, not {text[:20]!r}")
    return int(text)


Messages = Annotated[
    int, typer.Option("--messages", metavar="M", parser=_message_bound, help="Largest number of messages.")
]

MessagesIfAny = Annotated[
    int | None,
    typer.Option("--messages", metavar="M", parser=_message_bound, help="Largest number of messages."),
]


def statements(incomplete: str) -> list[str]:
    """Ids of statements, labels of the paper, and files of statements that begin so.

    >>> statements("seal-algebra-2"), statements("GraphC")
    (['seal-algebra-2'], ['GraphCause'])
    """
    from sealcheck.theorems.registry import STATEMENTS, labels

    found = (label for about in STATEMENTS.values() for label in labels(about) if " " not in label)
    return _beginning(incomplete, [*STATEMENTS, *found, *(str(file) for file in Path().glob("*.py"))])


def questions(incomplete: str) -> list[str]:
    """Ids of the questions that implementations are asked.

    >>> questions("is-")
    ['is-seal']
    """
    from sealcheck.theorems.checking.targets import TARGETS

    return _beginning(incomplete, TARGETS)


def kinds(incomplete: str) -> list[str]:
    """Kinds of tables.

    >>> kinds("w")
    ['worst-cases']
    """
    from sealcheck.kernel.tables import KINDS

    return _beginning(incomplete, KINDS)


def _beginning(incomplete: str, words: Iterable[str]) -> list[str]:
    return [word for word in dict.fromkeys(words) if word.startswith(incomplete)]
