"""Options that several commands share, and words for completion in a shell."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from sealcheck.errors import InputError

SECONDS = 60
PART_SECONDS = 600
MIB = 2048

_ONE = "for an answer, or for a part of larger work. Beyond this limit, the answer is unknown."
_WHOLE = re.compile("-?[0-9]{1,9}")


def option(name: str, metavar: str, help: str, **more: Any) -> Any:
    """An option that takes a value."""
    return typer.Option(name, metavar=metavar, help=help, **more)


def argument(metavar: str, help: str, **more: Any) -> Any:
    """An argument whose help does not show a default."""
    return typer.Argument(metavar=metavar, help=help, show_default=False, **more)


def whole(name: str, metavar: str, help: str) -> Any:
    """An option for a whole number.  Error messages about the number name the option."""

    def parsed(given: object) -> int:
        text = str(given)
        if not _WHOLE.fullmatch(text.strip()):
            raise InputError(f"{name} takes a whole number of up to 9 digits, not {text[:20]!r}")
        return int(text)

    return option(name, metavar, help, parser=parsed)


def master_option(help: str) -> Any:
    """The option ``--master``, with its own help."""

    def known(url: str) -> str:
        from sealcheck.spark_sweeps.session import require_master

        require_master(url)
        return url

    return option("--master", "URL", help, parser=known)


Seconds = Annotated[int, option("--seconds", "S", f"Time limit in seconds {_ONE}", min=1, max=1_000_000)]
Memory = Annotated[int, option("--memory", "MIB", f"Memory limit in MiB {_ONE}", min=64, max=1_000_000)]
Master = Annotated[str | None, master_option("Spark master. [default: all cores of this machine]")]
RANGE = option("--n", "N", "Number of processes, or a range: 2..4.")
Range = Annotated[str, RANGE]
Largest = Annotated[str, option("--n", "N", "Largest number of processes.")]
MESSAGES = whole("--messages", "M", "Largest number of messages.")
Messages = Annotated[int, MESSAGES]
Json = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]
JUnit = Annotated[Path | None, option("--junit", "FILE", "JUnit XML file for the answers.")]


Order = Annotated[
    str, option("--order", "ORDER", "Delivery by ports: bag (in any order) or fifo. [default: bag]")
]
OnePort = Annotated[
    list[str] | None,
    option("--port", "PORT=WORDS", "Guarantee of one port, such as '2<-*:job=fifo,lossy'. Repeatable."),
]
Transport = Annotated[str, option("--transport", "NAME", "Transport of all ports, such as tcp or mpi.")]
AnySource = Annotated[
    list[str] | None,
    option(
        "--any-source",
        "TAG",
        "Receives of a recording that take from any source: a tag, a port such as 'rank0<-*:7', or all."
        " Repeatable.",
    ),
]
SplitAt = Annotated[
    list[str] | None,
    option(
        "--split-at",
        "REGION",
        "Region of an OTF2 archive or a training job. A layer begins at each entry into it. Repeatable.",
    ),
]


def guarantees(texts: Iterable[str]) -> dict[str, list[str]]:
    """The words of each port's guarantee, from the texts of ``--port``.

    Raises InputError if a text is wrong, or if two texts are about the same port.

    >>> guarantees(["2<-*:job=fifo, lossy", "2<-1=bag"])
    {'2<-*:job': ['fifo', 'lossy'], '2<-1': ['bag']}
    """
    found: dict[str, list[str]] = {}
    for text in texts:
        port, equals, words = text.rpartition("=")  # the name of a process may have a "="
        if not equals:
            raise InputError(f"--port takes a port and its guarantee, such as '2<-1=fifo', not '{text[:40]}'")
        port = port.strip()
        if port in found:
            raise InputError(f"--port: {port} comes twice: write '{port}=fifo,lossy' for a port that is both")
        found[port] = [word.strip() for word in words.split(",")]
    return found


def statements(incomplete: str) -> list[str]:
    """Completions: ids of statements, labels of the paper, and Python files in the current folder.

    >>> statements("seal-algebra-2"), statements("GraphC")
    (['seal-algebra-2'], ['GraphCause'])
    """
    from sealcheck.theorems.registry import STATEMENTS, labels

    found = (label for about in STATEMENTS.values() for label in labels(about) if " " not in label)
    return _beginning(incomplete, [*STATEMENTS, *found, *(str(file) for file in Path().glob("*.py"))])


def questions(incomplete: str) -> list[str]:
    """Completions: ids of the questions for tests of implementations.

    >>> questions("is-")
    ['is-seal']
    """
    from sealcheck.theorems.checking.targets import TARGETS

    return _beginning(incomplete, TARGETS)


def kinds(incomplete: str) -> list[str]:
    """Completions: kinds of tables.

    >>> kinds("w")
    ['worst-cases']
    """
    from sealcheck.kernel.tables import KINDS

    return _beginning(incomplete, KINDS)


def _beginning(incomplete: str, words: Iterable[str]) -> list[str]:
    return [word for word in dict.fromkeys(words) if word.startswith(incomplete)]
