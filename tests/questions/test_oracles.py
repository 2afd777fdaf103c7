"""Oracles say which code they share, and none answers a question that contains something unknown to it.

If all oracles took something unknown for something known in the same way, they would agree on a wrong answer.
"""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from itertools import combinations
from typing import Any

import pytest
from tests.calls import Calls

from sealcheck.algorithms.minimum_seal import hardest_program
from sealcheck.encodings.solving import Solver
from sealcheck.errors import LimitReached
from sealcheck.language.parser import parse, parse_straight_line
from sealcheck.programs.semantics import PAPER, Semantics
from sealcheck.programs.straight_line import StraightLine, mt
from sealcheck.questions.asking import QUESTIONS, Asked
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import CannotAnswer, Question
from sealcheck.questions.whole_language import REFINES, WHOLE_LANGUAGE
from sealcheck.theorems.checking.check import opened

P, Q = (parse_straight_line(text, 2) for text in ("snd 1->2; mt 2->1; rcv 2<-1", "mt 2->1"))
BY_NUMBER = {k: [Instance.of(*[P, Q, P][:k]), Instance.of(*[Q, P, Q][:k])] for k in (1, 2, 3)}
OF_THEIR_OWN = {"worst-case-seal": [Instance.of(hardest_program(2))]}
"""Questions that are not about arbitrary programs."""


def called(question: Question[object]) -> dict[str, set[str]]:
    number = 2 if question.takes == ("layers",) else len(question.takes)
    instances = OF_THEIR_OWN.get(question.id, BY_NUMBER[number])
    found: dict[str, set[str]] = {}
    for oracle in question.oracles:
        if not oracle.is_checked:
            calls = Calls()
            for instance in instances:
                with calls.watching(), suppress(CannotAnswer, LimitReached):
                    oracle.answer(instance, PAPER)
            found[oracle.name] = calls.seen
    return found


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=list(QUESTIONS))
def test_what_oracles_share_is_said(question: Question[object]) -> None:
    says = {oracle.name for oracle in question.oracles if oracle.shares}
    pairs = combinations(called(question).items(), 2)
    sharing = {name for (first, a), (second, b) in pairs if a & b for name in (first, second)}
    assert sharing <= says


def test_oracles_that_share_something_are_noticed() -> None:
    found = called(QUESTIONS["minimal-seal"])
    assert found["search over knowledge"] & found["explorer"]


class MadeUp(Enum):
    """A channel model, or a reading of the silent cut, that is unknown to all oracles."""

    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Broadcast:
    """A constructor of programs that is unknown to all oracles."""

    sender: int


ABOUT_ONE_MODEL = {"program-graph"}
"""The program graph is made of FIFO runs, whatever the model is."""

BY_CUTS = {"is-ccl"}
"""Questions that put silent cuts around straight-line programs, which have none."""

STRAIGHT = (StraightLine.of(2, mt(1, 2)), StraightLine.of(2, mt(2, 1)), StraightLine.of(2, mt(1, 2)))
WITH_LOOPS = (parse("cut; snd 1->2; cut; (rcv 2<-1)*"), parse("mt 2->1; cut; (snd 1->2)*"))
"""Questions that only runs can answer for these programs."""


def answering(question: Question[Any], given: Sequence[Any], semantics: Semantics = PAPER) -> Iterator[str]:
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
    for oracle in question.oracles:
        yield oracle.name, oracle.answer
    if (symbolic := question.symbolic) is not None:
        yield "solver", lambda instance, semantics: symbolic.answer(instance, semantics, solver)


def programs(question: Question[Any]) -> Sequence[Any]:
    return WITH_LOOPS if question.domain == WHOLE_LANGUAGE else STRAIGHT


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_an_unknown_channel_model_is_not_taken_for_another(question: Question[Any]) -> None:
    semantics = replace(PAPER, model=MadeUp.UNKNOWN)
    found = list(answering(question, programs(question), semantics))
    assert bool(found) == (question.id in ABOUT_ONE_MODEL), found


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_an_unknown_reading_of_the_cut_is_not_taken_for_another(question: Question[Any]) -> None:
    if question.domain == WHOLE_LANGUAGE or question.id in BY_CUTS:
        assert not list(answering(question, programs(question), replace(PAPER, reading=MadeUp.UNKNOWN)))


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_an_unknown_constructor_is_not_taken_for_nothing(question: Question[Any]) -> None:
    assert not list(answering(question, [Broadcast(1)] * 3))


ELSEWHERE = """
import pickle, sys
from sealcheck.language.parser import parse
from sealcheck.questions.instance import Instance
from sealcheck.questions.asking import Asked
from sealcheck.questions.whole_language import REFINES
asked = Asked(REFINES, Instance(2, (parse("1.x := 1"), parse("cut"))))
hash(asked)
sys.stdout.buffer.write(pickle.dumps(asked))
"""


def test_what_another_process_has_asked_is_known_here() -> None:
    here = Asked(REFINES, Instance(2, (parse("1.x := 1"), parse("cut"))))
    for seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        found = subprocess.run(
            [sys.executable, "-c", ELSEWHERE], env=environment, stdout=subprocess.PIPE, check=True
        )
        assert {here: "known"}[pickle.loads(found.stdout)] == "known"
