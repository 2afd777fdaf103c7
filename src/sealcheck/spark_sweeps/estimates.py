"""How long jobs may take: guesses from measurements; all that depends on them is how work is spread."""

from collections.abc import Iterable
from typing import Any, assert_never

from sealcheck.questions.asking import Asked
from sealcheck.spark_sweeps.jobs import (
    AnswerAll,
    AskLevel,
    CheckInstances,
    CheckObligations,
    CountGrowth,
    DropHypothesis,
    EveryLength,
    Job,
)

INSTANCE_SECONDS = 0.0005
"""For comparing the claims of a statement with what is known of one instance."""
RANGE = 400
"""How many instances are checked in one job."""


def answer_seconds(asked: Iterable[Asked[Any]]) -> float:
    """How long the oracles may take for these answers, all together."""
    return sum(1 / each.question.per_second for each in asked)


def seconds(job: Job) -> float:
    """How long a job may take."""
    match job:
        case CheckInstances(start=start, stop=stop, only=only):
            return INSTANCE_SECONDS * (stop - start if only is None else len(only))
        case AnswerAll(asked=asked):
            return answer_seconds(asked)
        case AskLevel(n=n, messages=messages):
            return 0.003 * float(n) ** max(0, messages - 1)
        case DropHypothesis():
            return 2.0
        case EveryLength(n=n):
            return 0.1 * 4.0 ** (n - 1)
        case CountGrowth() | CheckObligations():
            return 2.0
        case _:
            assert_never(job)
