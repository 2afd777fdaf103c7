"""Bounds on the program space as people write them: ``3`` or ``2..4`` processes, ``5`` messages."""

import re

from sealcheck.errors import InputError
from sealcheck.words import counted

MOST_MESSAGES = {1: 18, 2: 18, 3: 10, 4: 7, 5: 5, 6: 4, 7: 3, 8: 3}
"""The most messages of a space that can be enumerated, by number of processes.

Up to there it has at most 3·10^9 programs, minutes for compiled loops and weeks without them, and its
channels at most 60,000 contents, which counting goes through in seconds.  With more than 8 processes,
comparing each program with its n! renamings takes too long.
"""

_NUMBER = re.compile("-?[0-9]{1,4}")
_RANGE = re.compile(r"(-?[0-9]{1,4})(?:\.\.([0-9]{1,4}))?")


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
        raise InputError(f"--n takes the largest number of processes, not {text[:20]!r}")
    return range(1, process_range(text).stop)


def spaces(processes: range, messages: int) -> list[tuple[int, int]]:
    """Every (n, m) with m = 0..`messages`, smallest first.

    Raises InputError if a bound is negative or a space too large to be enumerated.

    >>> spaces(range(2, 3), 1)
    [(2, 0), (2, 1)]
    """
    if messages < 0:
        raise InputError(f"--messages must be at least 0, not {messages}")
    most = max(MOST_MESSAGES.values())
    if messages > most:
        raise InputError(f"--messages must be at most {most}, not {messages}")
    n = processes[-1]
    if n not in MOST_MESSAGES:
        raise InputError(f"--n must be at most {max(MOST_MESSAGES)}, not {n}")
    if messages > MOST_MESSAGES[n]:
        raise InputError(
            f"the programs with n = {n} and {counted(messages, 'message')} are too many:"
            f" --messages must be at most {MOST_MESSAGES[n]}"
        )
    return [(n, m) for n in processes for m in range(messages + 1)]
