"""Somebody's implementation: a process that answers one line of JSON for each line that it reads.

It may do anything: hang, end, print garbage, or without end, never read, use all memory.  Each is told
apart, and whatever it started ends with it.
"""

import signal
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from sealcheck.differential.child import Child, EndedError, TimeUpError, TooLongError, TooMuchError
from sealcheck.differential.implementation import Kind, MisbehaviourError
from sealcheck.differential.protocol import Failed, GarbageError, Result, Skipped, reply, request
from sealcheck.questions.instance import Instance

GRACE = 2.0
"""Seconds that it has to answer after its input was closed, or to end after its output was."""


@dataclass(frozen=True)
class Limits:
    """How much an implementation may use."""

    seconds: float = 10.0
    """For one answer."""
    starting: float = 30.0
    """For the first one."""
    mib: int = 2048
    """Of memory, of all its processes together; looked at on Linux only."""


class Subject:
    """An implementation that is asked one question after another; a context manager.

    It is started with the first question, and again with the first one after it misbehaved.
    """

    def __init__(self, command: Sequence[str], limits: Limits, folder: str | None = None) -> None:
        """It runs in that folder, by default in the current one."""
        self.command, self.limits, self._folder = list(command), limits, folder
        self._child: Child | None = None
        self._asked = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def ask(self, question: str, takes: Sequence[str], instance: Instance) -> Result | Skipped:
        """Ask, and wait for the answer.

        Raises MisbehaviourError where there is none, after which it has been stopped; and InputError where
        it cannot be started.
        """
        limits = self.limits
        seconds = limits.seconds
        if self._child is None:
            self._child, self._asked, seconds = (
                Child(self.command, limits.mib, self._folder),
                0,
                limits.starting,
            )
        child = self._child
        self._asked += 1
        try:
            line = child.exchange(request(question, takes, instance, self._asked), seconds)
            said = reply(line, self._asked)
        except (GarbageError, TooLongError) as reason:
            raise self._misbehaviour(Kind.GARBAGE, str(reason)) from None
        except TooMuchError as reason:
            raise self._misbehaviour(Kind.CRASH, str(reason)) from None
        except TimeUpError:
            raise self._misbehaviour(Kind.HANG, _hanging(child, seconds)) from None
        except EndedError:
            raise self._misbehaviour(Kind.CRASH, f"{_how(child.ended(GRACE))} without an answer") from None
        if child.has_more:
            raise self._misbehaviour(Kind.GARBAGE, "it wrote more than one line in answer to one question")
        if isinstance(said, Failed):
            raise self._misbehaviour(Kind.CRASH, f"it reports an error: {said.why}")
        return said

    def finish(self) -> None:
        """Close its input, and wait for its end.

        Raises MisbehaviourError where it still has something to say, or ends with an error, or not at all.
        """
        if (child := self._child) is None:
            return
        try:
            more = child.remaining(self.limits.seconds)
        except TimeUpError:
            more = b""
        except TooLongError as reason:
            raise self._misbehaviour(Kind.GARBAGE, str(reason)) from None
        except TooMuchError as reason:
            raise self._misbehaviour(Kind.CRASH, str(reason)) from None
        if more:
            raise self._misbehaviour(Kind.GARBAGE, "it wrote another line although nothing else was asked")
        code = child.ended(self.limits.seconds)
        if code is None:
            raise self._misbehaviour(Kind.HANG, "it did not end when its input was closed")
        if code:
            raise self._misbehaviour(Kind.CRASH, f"when its input was closed, {_how(code)}")
        self.stop()

    def stop(self) -> str:
        """End it, and whatever it started; what it last wrote to standard error."""
        child, self._child = self._child, None
        return child.stop() if child else ""

    def _misbehaviour(self, kind: Kind, sentence: str) -> MisbehaviourError:
        return MisbehaviourError(kind, sentence, self.stop())


def _hanging(child: Child, seconds: float) -> str:
    sentence = f"it did not answer within {seconds:g} s"
    try:
        late = child.remaining(GRACE)
    except (TimeUpError, TooLongError, TooMuchError):
        late = b""
    if b"\n" in late:
        sentence += ", but did once its input was closed: it has to flush each line that it writes"
    return sentence


def _how(code: int | None) -> str:
    """How a process ended, by its exit code.

    >>> _how(3), _how(-9)
    ('it ended with exit code 3', 'it was ended by the signal SIGKILL')
    """
    if code is None:
        return "it closed its output"
    if code >= 0:
        return f"it ended with exit code {code}"
    try:
        return f"it was ended by the signal {signal.Signals(-code).name}"
    except ValueError:
        return f"it was ended by the signal {-code}"
