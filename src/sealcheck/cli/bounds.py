"""Bounds on the program space as options: ``--n 3``, ``--n 2..4``, ``--messages 5``."""

import re
from math import comb
from typing import Annotated

import typer

from sealcheck.errors import InputError

MOST_STATES = 200_000
"""Contents of channels that counting a space may have to go through, about a minute's work."""

Master = Annotated[
    str | None,
    typer.Option("--master", metavar="URL", help="Spark's master. [default: all cores of this machine]"),
]

_RANGE = re.compile(r"(\d{1,4})(?:\.\.(\d{1,4}))?")


def process_range(text: str) -> range:
    """The numbers of processes that ``--n`` stands for.  Raises InputError.

    >>> process_range("2..4"), process_range("3")
    (range(2, 5), range(3, 4))
    """
    match = _RANGE.fullmatch(text.strip())
    if not match:
        raise InputError(f"--n takes a number or a range such as 2..4, not '{text[:20]}'")
    first = int(match[1])
    last = int(match[2] or first)
    if first < 1:
        raise InputError(f"--n must be at least 1, not {first}")
    if last < first:
        raise InputError(f"--n {text.strip()} is an empty range")
    return range(first, last + 1)


def spaces(processes: range, messages: int) -> list[tuple[int, int]]:
    """Every (n, m) with m = 0..`messages`, smallest first.

    Raises InputError where a bound is negative or a space is too large to be counted.

    >>> spaces(range(2, 3), 1)
    [(2, 0), (2, 1)]
    """
    if messages < 0:
        raise InputError(f"--messages must be at least 0, not {messages}")
    for n in processes:
        if messages > 1000 or n > 100 or comb(messages + n * (n - 1), messages) > MOST_STATES:
            raise InputError(f"the programs with n = {n} and {messages} messages are too many to be counted")
    return [(n, m) for n in processes for m in range(messages + 1)]
