"""Bounds on the program space as options: ``--n 3``, ``--n 2..4``, ``--messages 5``."""

import re
from math import comb
from typing import Annotated

import typer

from sealcheck.errors import InputError
from sealcheck.programs.counting import count_programs

MOST_PROCESSES = 8
"""Each program is compared with its n! renamings."""
MOST_PROGRAMS = 10**9
"""Of one space: weeks of work for one core."""
MOST_MESSAGES = 17
"""With one more, two processes have more than `MOST_PROGRAMS` programs."""
MOST_STATES = 60_000
"""Contents of channels that counting a space may have to go through, half a minute's work."""

Master = Annotated[
    str | None,
    typer.Option("--master", metavar="URL", help="Spark's master. [default: all cores of this machine]"),
]

_NUMBER = re.compile("[0-9]{1,4}")
_RANGE = re.compile(r"([0-9]{1,4})(?:\.\.([0-9]{1,4}))?")


def process_range(text: str) -> range:
    """The numbers of processes that ``--n`` stands for.  Raises InputError.

    >>> process_range("2..4"), process_range("3")
    (range(2, 5), range(3, 4))
    """
    match = _RANGE.fullmatch(text.strip())
    if not match:
        raise InputError(f"--n takes a number or a range such as 2..4, not {text[:20]!r}")
    first = int(match[1])
    last = int(match[2] or first)
    if first < 1:
        raise InputError(f"--n must be at least 1, not {first}")
    if last < first:
        raise InputError(f"--n {text.strip()} is an empty range")
    return range(first, last + 1)


def up_to(text: str) -> range:
    """The numbers of processes 1..N, where ``--n N`` is the largest.  Raises InputError.

    >>> up_to("3")
    range(1, 4)
    """
    if not _NUMBER.fullmatch(text.strip()):
        raise InputError(f"--n takes a number, the largest n, not {text[:20]!r}")
    return range(1, process_range(text).stop)


def spaces(processes: range, messages: int) -> list[tuple[int, int]]:
    """Every (n, m) with m = 0..`messages`, smallest first.

    Raises InputError where a bound is negative or a space too large to be counted or gone through.

    >>> spaces(range(2, 3), 1)
    [(2, 0), (2, 1)]
    """
    if messages < 0:
        raise InputError(f"--messages must be at least 0, not {messages}")
    if messages > MOST_MESSAGES:
        raise InputError(f"--messages must be at most {MOST_MESSAGES}, not {messages}")
    most = processes[-1]
    if most > MOST_PROCESSES:
        raise InputError(f"--n must be at most {MOST_PROCESSES}, not {most}")
    if comb(messages + most * (most - 1), messages) > MOST_STATES or _too_many(most, messages):
        raise InputError(f"the programs with n = {most} and {messages} messages are too many")
    return [(n, m) for n in processes for m in range(messages + 1)]


def _too_many(n: int, messages: int) -> bool:
    """Whether a space is too large.

    Counting what is far too much takes long.  But from one number of messages to the next the programs
    multiply, by a factor that never fell below three quarters of an earlier one: so it is known early.
    """
    before, now = 0, 1
    for m in range(1, messages + 1):
        before, now = now, count_programs(n, m)
        if before and now * (3 * now / (4 * before)) ** (messages - m) > MOST_PROGRAMS:
            return True
    return False
