"""What a command answers, and how that reaches the user: a document, a text, and an exit code."""

import errno
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import partial
from io import TextIOWrapper
from typing import Self, TextIO

from sealcheck.language.names import Names
from sealcheck.words import harmless

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


Told = Callable[[Code, str], None]
"""Who is told the exit code of each answer, and its text for people, beside whoever reads the output."""


class OutputLostError(Exception):
    """Standard output cannot be written any more; `reader_left` where nobody reads it."""

    def __init__(self, error: OSError) -> None:
        super().__init__(f"cannot write the answer: {error.strerror}")
        self.reader_left = error.errno == errno.EPIPE


class StandardOutput(TextIOWrapper):
    """Standard output, where whatever can't be written is a lost answer, whoever prints it."""

    _SETTINGS = ("encoding", "errors", "line_buffering", "write_through")

    @classmethod
    def instead_of(cls, stream: TextIOWrapper) -> Self:
        """The same stream, which is not to be used any more; what it cannot encode is shown as an escape."""
        settings = {name: getattr(stream, name) for name in cls._SETTINGS}
        if settings["errors"] in ("strict", "surrogateescape"):
            settings["errors"] = "backslashreplace"
        return cls(stream.detach(), **settings)

    def write(self, text: str) -> int:
        """Raises OutputLostError."""
        with _lost():
            return super().write(text)

    def flush(self) -> None:
        """Raises OutputLostError."""
        with _lost():
            super().flush()


@contextmanager
def _lost() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputLostError(error) from None


@dataclass(frozen=True)
class Answer:
    """The answer to one question; `explain` makes the text for people when that is wanted."""

    code: Code
    document: Document
    explain: Callable[[], str]

    def __reduce__(self) -> tuple[type["Answer"], tuple[Code, Document, Callable[[], str]]]:
        """Pickled, it has the text."""
        return Answer, (self.code, self.document, partial(str, self.explain()))


def with_names(answer: Answer, names: Names) -> Answer:
    """The answer whose document also says what the processes 1, 2 and so on are called, if they have names.

    >>> with_names(Answer(Code.YES, {"seals": True}, lambda: "yes"), Names(("client", "server"))).document
    {'processes': ('client', 'server'), 'seals': True}
    """
    legend: Document = {"processes": names.listed} if names.listed else {}
    return replace(answer, document=legend | answer.document)


def unknown(keys: Iterable[str], reason: str, **known: object) -> Answer:
    """The answer where a limit was hit: all keys are there, null where their value is not known.

    >>> unknown(["sealable", "seal"], "out of time", sealable=True).document
    {'sealable': True, 'seal': None, 'unknown': 'out of time'}
    """
    document: Document = dict.fromkeys(keys) | known | {"unknown": reason}
    return Answer(Code.UNKNOWN, document, lambda: f"unknown: {reason}")


def write(text: str) -> None:
    """Print a text at once, without what a terminal would obey.  Raises OutputLostError if that fails."""
    write_as_it_is(harmless(text))


def write_as_it_is(text: str) -> None:
    """Print a text of our own, which may have colours, at once.  Raises OutputLostError if that fails."""
    with _lost():
        print(text, flush=True)


def remark(text: str, also: str = "") -> None:
    """Say something besides the answer, on standard error, if it can be written: one line, unless `also`."""
    try:
        print(f"sealcheck: {harmless(text, also)}", file=sys.stderr, flush=True)
    except OSError:
        discard(sys.stderr)


def discard(stream: TextIO) -> None:
    """Send what is still buffered for a standard stream nowhere: Python would try again on exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
