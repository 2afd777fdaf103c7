"""Options that several commands share, and the words that a shell completes."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from sealcheck.errors import InputError

SECONDS = 60
PART_SECONDS = 600
"""For a part of larger work: of an audit, a proof, a sweep, a table."""
MIB = 2048

_ONE = "for an answer, or for a part of larger work; beyond it, the answer is unknown."
_WHOLE = re.compile("-?[0-9]{1,9}")


def whole_number(option: str) -> Callable[[object], int]:
    """The parser of a whole number, which names the option if the text, or the default, is not one.

    >>> whole_number("--seed")("7")
    7
    """

    def parsed(given: object) -> int:
        text = str(given)
        if not _WHOLE.fullmatch(text.strip()):
            raise InputError(f"{option} takes a whole number of up to 9 digits, not {text[:20]!r}")
        return int(text)

    return parsed


def _known_master(url: str) -> str:
    from sealcheck.spark_sweeps.session import require_master

    require_master(url)
    return url


def master_option(help: str) -> Any:
    """The option ``--master``, with its own help."""
    return typer.Option("--master", metavar="URL", parser=_known_master, help=help)


Seconds = Annotated[
    int, typer.Option("--seconds", metavar="S", min=1, max=1_000_000, help=f"Time limit in seconds {_ONE}")
]
Memory = Annotated[
    int, typer.Option("--memory", metavar="MIB", min=64, max=1_000_000, help=f"Memory limit in MiB {_ONE}")
]
Master = Annotated[str | None, master_option("Spark master. [default: all cores of this machine]")]
RANGE = typer.Option("--n", metavar="N", help="Number of processes, or a range: 2..4.")
Range = Annotated[str, RANGE]
Largest = Annotated[str, typer.Option("--n", metavar="N", help="Largest number of processes.")]
MESSAGES = typer.Option(
    "--messages", metavar="M", parser=whole_number("--messages"), help="Largest number of messages."
)
Messages = Annotated[int, MESSAGES]
Json = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]
JUnit = Annotated[
    Path | None, typer.Option("--junit", metavar="FILE", help="JUnit XML file for the answers.")
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
