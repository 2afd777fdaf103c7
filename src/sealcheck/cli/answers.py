"""What a command answers, and how that reaches the user: a document, a text, and an exit code."""

import errno
import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum

Document = dict[str, object]
"""What `json.dumps` understands; channels and places are tuples, and come out as arrays."""

MAX_CROSSED = 1_000
"""Processes among which all n^2 channels can be looked at; a text may name many more."""


class Code(IntEnum):
    """The exit codes that scripts rely on."""

    YES = 0
    """Yes, holds, or done."""
    NO = 1
    BAD_INPUT = 2
    UNKNOWN = 3
    """A limit was hit, or the program failed: there is no answer."""


class OutputLostError(Exception):
    """Standard output cannot be written any more; `reader_left` where nobody reads it."""

    def __init__(self, error: OSError) -> None:
        super().__init__(f"cannot write the answer: {error.strerror}")
        self.reader_left = error.errno == errno.EPIPE


@dataclass(frozen=True)
class Answer:
    """The answer to one question; `explain` makes the text for people when that is wanted."""

    code: Code
    document: Document
    explain: Callable[[], str]


def unknown(keys: Iterable[str], reason: str, **known: object) -> Answer:
    """The answer where a limit was hit: all keys are there, null where their value is not known.

    >>> unknown(["sealable", "seal"], "out of time", sealable=True).document
    {'sealable': True, 'seal': None, 'unknown': 'out of time'}
    """
    document: Document = dict.fromkeys(keys) | known | {"unknown": reason}
    return Answer(Code.UNKNOWN, document, lambda: f"unknown: {reason}")


def write(text: str) -> None:
    """Print a text at once, so that a reader need not wait.  Raises OutputLostError where that fails."""
    try:
        print(text, flush=True)
    except OSError as error:
        raise OutputLostError(error) from None


def discard_output() -> None:
    """Send what is still buffered for standard output nowhere: Python would try again on exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
