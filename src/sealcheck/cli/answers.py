"""What a command answers, and how that reaches the user: a document, a text, and an exit code."""

import errno
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import Self, TextIO

from sealcheck.operations.result import Code
from sealcheck.words import harmless

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
