"""No oracle answers where it does not know the channel model, the reading of the cut, or the program.

Whoever took something unknown for something known, or for nothing, would give an answer; and where all
oracles do the same, they agree on it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

import pytest

from sealcheck.encodings.solving import Solver
from sealcheck.language.parser import parse
from sealcheck.programs.semantics import PAPER, Semantics
from sealcheck.programs.straight_line import StraightLine, mt
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import CannotAnswer, Question
from sealcheck.questions.registry import QUESTIONS
from sealcheck.questions.whole_language import WHOLE_LANGUAGE
from sealcheck.theorems.checking.check import opened


class MadeUp(Enum):
    """A channel model, or a reading of the silent cut, that nobody knows."""

    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Broadcast:
    """A constructor of programs that nobody knows."""

    sender: int


ABOUT_ONE_MODEL = {"program-graph"}
"""The program graph is made of FIFO runs, whatever the model is."""

BY_CUTS = {"is-ccl"}
"""Straight-line programs have no silent cuts; what is asked about them here is said by cuts around them."""

STRAIGHT = (StraightLine.of(2, mt(1, 2)), StraightLine.of(2, mt(2, 1)), StraightLine.of(2, mt(1, 2)))
WITH_LOOPS = (parse("cut; snd 1->2; cut; (rcv 2<-1)*"), parse("mt 2->1; cut; (snd 1->2)*"))
"""Where these occur, and where all is silent, cannot be said without looking at runs."""


def answering(question: Question[Any], given: Sequence[Any], semantics: Semantics = PAPER) -> Iterator[str]:
    """The oracles that answer a question about the first of these programs, as many as it takes."""
    instance = Instance(2, tuple(given[: len(question.takes)]))
    with opened(["z3"]) as (solver,):
        for name, answer in oracles(question, solver):
            try:
                answer(instance, semantics)
            except (AssertionError, CannotAnswer):
                continue
            yield f"{question.id}: {name}"


def oracles(
    question: Question[Any], solver: Solver
) -> Iterator[tuple[str, Callable[[Instance, Semantics], object]]]:
    """All that answer a question, the solver among them."""
    for oracle in question.oracles:
        yield oracle.name, oracle.answer
    if (symbolic := question.symbolic) is not None:
        yield "solver", lambda instance, semantics: symbolic.answer(instance, semantics, solver)


def programs(question: Question[Any]) -> Sequence[Any]:
    """Programs that the question may be about."""
    return WITH_LOOPS if question.domain == WHOLE_LANGUAGE else STRAIGHT


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_an_unknown_channel_model_is_not_taken_for_another(question: Question[Any]) -> None:
    """Nobody answers but about what does not depend on the model."""
    semantics = replace(PAPER, model=MadeUp.UNKNOWN)
    found = list(answering(question, programs(question), semantics))
    assert bool(found) == (question.id in ABOUT_ONE_MODEL), found


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_an_unknown_reading_of_the_cut_is_not_taken_for_another(question: Question[Any]) -> None:
    """Nobody answers where the definition, or a program, has silent cuts."""
    if question.domain == WHOLE_LANGUAGE or question.id in BY_CUTS:
        assert not list(answering(question, programs(question), replace(PAPER, reading=MadeUp.UNKNOWN)))


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_an_unknown_constructor_is_not_taken_for_nothing(question: Question[Any]) -> None:
    """Nobody answers about a program that is one."""
    assert not list(answering(question, [Broadcast(1)] * 3))
