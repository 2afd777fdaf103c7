"""What is tested: something that is asked questions.  A process (`subject`), or a function in this one."""

import traceback
from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

from sealcheck.differential.answering import Function, NoJsonError, said
from sealcheck.differential.processes import Processes
from sealcheck.differential.protocol import Result, Skipped
from sealcheck.questions.instance import Instance


class Kind(StrEnum):
    """What may be wrong with an implementation."""

    WRONG = "wrong"
    HANG = "hang"
    CRASH = "crash"
    GARBAGE = "garbage"
    TYPE = "type"
    FLAKY = "flaky"


class MisbehaviourError(Exception):
    """It gave no answer; the message says what it did instead."""

    def __init__(self, kind: Kind, sentence: str, stderr: str = "") -> None:
        super().__init__(sentence)
        self.kind, self.stderr = kind, stderr


class Implementation(Protocol):
    """What a comparison asks."""

    def ask(self, question: str, takes: Sequence[str], instance: Instance) -> Result | Skipped:
        """Its answer.  Raises MisbehaviourError where there is none."""

    def finish(self) -> None:
        """Say that nothing more is asked.  Raises MisbehaviourError where it does not end well."""

    def stop(self) -> str:
        """End it; what it last wrote to standard error.  It is started again with the next question."""


class Called:
    """A function that is called in this process: it is trusted to return."""

    def __init__(self, function: Function) -> None:
        self._function = function

    def ask(self, question: str, takes: Sequence[str], instance: Instance) -> Result | Skipped:
        """What it returns."""
        try:
            answer = said(self._function, [Processes.of(program) for program in instance.straight])
        except NoJsonError as reason:
            raise MisbehaviourError(Kind.TYPE, str(reason)) from reason
        except Exception as reason:
            sentence = f"it raised {type(reason).__name__}: {reason}"
            raise MisbehaviourError(Kind.CRASH, sentence, traceback.format_exc()) from reason
        return Skipped(answer["skipped"]) if "skipped" in answer else Result(answer["result"])

    def finish(self) -> None:
        """There is nothing to end."""

    def stop(self) -> str:
        """There is nothing to end."""
        return ""
