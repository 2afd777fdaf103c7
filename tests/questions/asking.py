"""Ask all oracles of a question."""

from collections.abc import Sequence
from typing import TypeVar

from sealcheck.encodings.solvers import SMT_SOLVERS
from sealcheck.programs.semantics import PAPER, Semantics
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.asking import Answers, Asked, answer
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import Question
from sealcheck.theorems.checking.check import opened

A = TypeVar("A")


def answers(
    question: Question[A],
    instances: Sequence[Instance],
    semantics: Semantics = PAPER,
    solvers: Sequence[str] = SMT_SOLVERS,
) -> list[Answers[A]]:
    with opened(solvers) as ready:
        return [answer(Asked(question, instance, semantics), ready) for instance in instances]


def agreed(
    question: Question[A],
    *programs: StraightLine,
    semantics: Semantics = PAPER,
    solvers: Sequence[str] = SMT_SOLVERS,
) -> A:
    return answers(question, [Instance.of(*programs)], semantics, solvers)[0].agreed


def who_knows(found: Answers[A]) -> set[str]:
    return set(found.said)
