"""Implementations under test: a command, a Python function in another process, or a function in this one.

A command may hang, crash, print garbage or use all memory.  `Kind` lists the faults.
"""

import signal
import traceback
from collections.abc import Sequence
from enum import StrEnum
from typing import Self

from sealcheck.differential import host
from sealcheck.differential.host import Function, NoJsonError, said
from sealcheck.differential.protocol import Failed, GarbageError, Result, Skipped, arguments, reply, request
from sealcheck.errors import InputError
from sealcheck.questions.instance import Instance
from sealcheck.support.processes import Limits, LineTooLong, MemoryUp, ProcessDied, Speaker, TimeUp

GRACE = 2.0
"""Seconds to wait for more output, or for the process to end."""


class Kind(StrEnum):
    """Kinds of faults of an implementation."""

    WRONG = "wrong"
    HANG = "hang"
    CRASH = "crash"
    GARBAGE = "garbage"
    TYPE = "type"
    FLAKY = "flaky"


class MisbehaviourError(Exception):
    """The implementation gave no answer. The message says what it did instead."""

    def __init__(self, kind: Kind, sentence: str, stderr: str = "") -> None:
        super().__init__(sentence)
        self.kind, self.stderr = kind, stderr


class Called:
    """A function that is called in this process. Nothing limits its time."""

    def __init__(self, function: Function) -> None:
        self._function = function

    def ask(self, question: str, takes: Sequence[str], instance: Instance) -> Result | Skipped:
        """The answer to a question.  Raises MisbehaviourError if there is no answer."""
        try:
            answer = said(self._function, [*arguments(takes, instance).values()])
        except NoJsonError as reason:
            raise MisbehaviourError(Kind.TYPE, str(reason)) from reason
        except Exception as reason:
            sentence = f"it raised {type(reason).__name__}: {reason}"
            raise MisbehaviourError(Kind.CRASH, sentence, traceback.format_exc()) from reason
        return Skipped(answer["skipped"]) if "skipped" in answer else Result(answer["result"])

    def finish(self) -> None:
        """Do nothing: there is no process."""

    def stop(self) -> str:
        """Do nothing: the function writes to this process's own standard error."""
        return ""


class Subject:
    """A command that gets one question after another. It is a context manager.

    The first question starts the command. After a misbehaviour, the next question starts the command again.
    """

    def __init__(self, command: Sequence[str], limits: Limits, folder: str | None = None) -> None:
        """Prepare to run the command in `folder`, by default the current folder."""
        self.command, self.limits, self._folder = list(command), limits, folder
        self._speaker: Speaker | None = None
        self._asked = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def ask(self, question: str, takes: Sequence[str], instance: Instance) -> Result | Skipped:
        """Ask, and wait for the answer.

        If there is no answer, stops the command and raises MisbehaviourError.  Raises InputError if the
        command cannot be started.
        """
        seconds = self.limits.seconds
        if self._speaker is None:
            self._speaker, self._asked = Speaker(self.command, self.limits.mib, self._folder), 0
            seconds = self.limits.starting
        speaker = self._speaker
        self._asked += 1
        try:
            line = speaker.exchange(request(question, takes, instance, self._asked), seconds)
            said = reply(line, self._asked)
        except (GarbageError, LineTooLong) as reason:
            raise self._misbehaviour(Kind.GARBAGE, str(reason)) from None
        except MemoryUp as reason:
            raise self._misbehaviour(Kind.CRASH, str(reason)) from None
        except TimeUp:
            raise self._misbehaviour(Kind.HANG, _hanging(speaker, seconds)) from None
        except ProcessDied:
            raise self._misbehaviour(Kind.CRASH, f"{_how(speaker.ended(GRACE))} without an answer") from None
        if speaker.has_more:
            raise self._misbehaviour(Kind.GARBAGE, "it wrote more than one line in answer to one question")
        if isinstance(said, Failed):
            raise self._misbehaviour(Kind.CRASH, f"it reports an error: {said.why}")
        return said

    def finish(self) -> None:
        """Close the command's input, and wait until the command ends.

        Raises MisbehaviourError if the command writes another line, fails, or does not end.
        """
        if (speaker := self._speaker) is None:
            return
        try:
            more = speaker.remaining(self.limits.seconds)
        except TimeUp:
            more = b""
        except LineTooLong as reason:
            raise self._misbehaviour(Kind.GARBAGE, str(reason)) from None
        except MemoryUp as reason:
            raise self._misbehaviour(Kind.CRASH, str(reason)) from None
        if more:
            raise self._misbehaviour(Kind.GARBAGE, "it wrote another line although nothing else was asked")
        code = speaker.ended(self.limits.seconds)
        if code is None:
            raise self._misbehaviour(Kind.HANG, "it did not end when its input was closed")
        if code:
            raise self._misbehaviour(Kind.CRASH, f"when its input was closed, {_how(code)}")
        self.stop()

    def stop(self) -> str:
        """Kill the command and its children, and return the end of its standard error."""
        speaker, self._speaker = self._speaker, None
        return speaker.stop() if speaker else ""

    def _misbehaviour(self, kind: Kind, sentence: str) -> MisbehaviourError:
        return MisbehaviourError(kind, sentence, self.stop())


def _hanging(speaker: Speaker, seconds: float) -> str:
    sentence = f"it did not answer within {seconds:g} s"
    try:
        late = speaker.remaining(GRACE)
    except (TimeUp, LineTooLong, MemoryUp):
        late = b""
    if b"\n" in late:
        sentence += ", but did once its input was closed: it has to flush each line that it writes"
    return sentence


def _how(code: int | None) -> str:
    """A sentence about how a process ended, given its exit code.

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


def function_subject(spec: str, takes: Sequence[str], limits: Limits) -> Subject:
    """The function ``MODULE:NAME``, called in another process.

    The module is in the current folder, or installed.  Raises InputError if the function does
    not exist, or cannot be called with the arguments that `takes` names.
    """
    speaker = Speaker(host.command(spec, takes, host.CHECK), limits.mib)
    code = speaker.ended(limits.starting)
    lines = speaker.stop().splitlines()
    if code == host.NOT_LOADED:
        raise InputError(lines[-1] if lines else f"cannot import '{spec}'")
    return Subject(host.command(spec, takes), limits)
