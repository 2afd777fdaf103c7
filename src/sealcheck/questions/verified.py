"""The verified checker as an oracle of the questions that it answers, if it is installed."""

from collections.abc import Sequence
from typing import TypeVar

from sealcheck.errors import Disagreement
from sealcheck.programs.semantics import Semantics
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import LAYERS, AnswerType, CannotAnswer, Oracle
from sealcheck.questions.straight_lines import require_bsl
from sealcheck.questions.verified_checker import checker, is_installed

A = TypeVar("A")

ORACLE = "verified checker"

SHARES = "nothing: it is extracted from a proof about the paper's definitions"

MOST_PROCESSES, MOST_MESSAGES = 16, 100
"""It counts in units, and would take long beyond that."""


def verified(id: str, takes: Sequence[str], answer_type: AnswerType[A]) -> tuple[Oracle[A], ...]:
    """The oracle that asks the verified checker this question, or nothing if it is not installed.

    The checker checks the preconditions of the question itself.
    """

    def answer(instance: Instance, semantics: Semantics) -> A:
        """The checker's answer.  Raises CannotAnswer beyond its bounds, Disagreement if it has none."""
        require_bsl(instance, semantics)
        if instance.n > MOST_PROCESSES or instance.messages > MOST_MESSAGES:
            raise CannotAnswer(
                f"it is asked about {MOST_PROCESSES} processes and {MOST_MESSAGES} messages at most"
            )
        said = checker().ask({"question": id, "n": instance.n} | programs_document(takes, instance))
        if said.error or said.skipped:
            raise Disagreement(f"{id}, on {instance}: the verified checker: {said.error or said.skipped}")
        return answer_type.from_json(said.result)

    return (Oracle(ORACLE, answer, SHARES),) if is_installed() else ()


def programs_document(takes: Sequence[str], instance: Instance) -> dict[str, object]:
    """The programs of an instance, each under its name; or as layers, with their flags."""
    programs = [{"processes": processes_document(program)} for program in instance.straight]
    if takes == LAYERS:
        return {"layers": programs, "flags": instance.flags}
    return dict(zip(takes, programs, strict=True))


def processes_document(program: StraightLine) -> list[list[tuple[str, int]]]:
    """For each process its events, as they are written in questions to programs.

    >>> from sealcheck.programs.straight_line import mt
    >>> processes_document(StraightLine.of(2, mt(1, 2)))
    [[('snd', 2)], [('rcv', 1)]]
    """
    return [
        [("snd", event.receiver) if event.is_send else ("rcv", event.sender) for event in share]
        for share in program.shares
    ]
