"""Jobs put together for tasks: as much work for each as is worth a task's own cost."""

from collections.abc import Iterator, Sequence
from typing import Any

from sealcheck.bounded import Limits
from sealcheck.questions.question import Asked
from sealcheck.spark_sweeps.estimates import answer_seconds, seconds
from sealcheck.spark_sweeps.jobs import Bundle, Job

PER_TASK = 1.0
"""How many seconds of work one task gets, as far as that is known beforehand."""


def in_parts(asked: Sequence[Asked[Any]]) -> Iterator[list[Asked[Any]]]:
    """What is asked, in parts of PER_TASK seconds."""
    part: list[Asked[Any]] = []
    takes = 0.0
    for each in asked:
        part.append(each)
        takes += answer_seconds([each])
        if takes >= PER_TASK:
            yield part
            part, takes = [], 0.0
    if part:
        yield part


def bundled(jobs: Sequence[Job], limits: Limits | None) -> list[Bundle]:
    """Bundles of PER_TASK seconds, or of one job that takes longer; those first that take longest."""
    bundles: list[Bundle] = []
    for job in sorted(jobs, key=seconds, reverse=True):
        takes = seconds(job)
        if bundles and bundles[-1].seconds + takes <= PER_TASK:
            last = bundles.pop()
            bundles.append(Bundle((*last.jobs, job), last.seconds + takes, limits))
        else:
            bundles.append(Bundle((job,), takes, limits))
    return bundles
