"""Errors that the user can act on, and the exit code for each."""

from collections.abc import Iterator
from contextlib import contextmanager


class InputError(Exception):
    """The input does not fit the question (exit code 2).

    The message is one sentence that names the fault and the place. A note may show the place.
    """

    def about(self, name: str) -> "InputError":
        """The error with this name in front."""
        error = InputError(f"{name}: {self}")
        for note in getattr(self, "__notes__", ()):
            error.add_note(note)
        return error


@contextmanager
def blaming(name: str) -> Iterator[None]:
    """Put this name in front of any InputError."""
    try:
        yield
    except InputError as error:
        raise error.about(name) from None


class Disagreement(Exception):
    """Two oracles contradict each other (exit code 1).

    A disagreement is a fault of the harness or of a solver, never a verdict.
    """


class Unfinished(Exception):
    """Part of the work could not be done, so there is no answer (exit code 3)."""


class LimitReached(Exception):
    """A limit was hit before the answer was known, so the answer is `unknown` (exit code 3)."""
