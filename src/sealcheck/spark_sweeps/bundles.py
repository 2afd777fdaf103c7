"""Jobs done together: as much work for each task as is worth a task's own cost.

A bundle goes from process to process packed, and so do its results: whoever only hands them on does not
unpack them.
"""

import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, assert_never, cast

from sealcheck.bounded import Limits, ProcessDied, call_within
from sealcheck.errors import InputError, LimitReached
from sealcheck.every_n.checking import CheckedStep
from sealcheck.harness.dropping import Ablation
from sealcheck.harness.tally import Tally
from sealcheck.questions.asking import Answers, Asked
from sealcheck.spark_sweeps.estimates import answer_seconds, seconds
from sealcheck.spark_sweeps.jobs import (
    AnswerAll,
    Answered,
    AskLevel,
    CheckInstances,
    CheckObligations,
    CountGrowth,
    DropHypothesis,
    EveryLength,
    Job,
    Obliged,
    Refused,
    Result,
    do,
)
from sealcheck.spark_sweeps.shards import ShardFailed
from sealcheck.theorems import own

PER_TASK = 1.0
"""How many seconds of work one task gets, as far as that is known beforehand."""


@dataclass(frozen=True, eq=False)
class Bundle:
    """Jobs for one task."""

    jobs: tuple[Job, ...]
    seconds: float
    """How long they will probably take."""
    limits: Limits | None = None
    """How far each of them may go."""

    def __str__(self) -> str:
        return "; ".join(map(str, self.jobs))

    def packed(self) -> "Packed":
        """To be done by another process."""
        apart = any(map(_is_own, self.jobs))
        return Packed(pickle.dumps(self), self.limits, weight=round(1000 * self.seconds), apart=apart)


@dataclass(frozen=True, eq=False)
class Packed:
    """A bundle, pickled."""

    bundle: bytes
    limits: Limits | None
    weight: int
    """Its share of the progress: milliseconds."""
    apart: bool = False
    """Whether a file of the user's runs: what it does to its process must not reach other answers."""

    def __str__(self) -> str:
        return str(pickle.loads(self.bundle))


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
    """Bundles of PER_TASK seconds, or of one job that takes longer; those first that take longest.

    Jobs about files of the user's are in bundles of their own.
    """
    bundles: list[Bundle] = []
    for job in sorted(jobs, key=lambda job: (_is_own(job), -seconds(job))):
        takes = seconds(job)
        fits = bundles and bundles[-1].seconds + takes <= PER_TASK
        if fits and _is_own(bundles[-1].jobs[0]) == _is_own(job):
            last = bundles.pop()
            bundles.append(Bundle((*last.jobs, job), last.seconds + takes, limits))
        else:
            bundles.append(Bundle((job,), takes, limits))
    return bundles


def _is_own(job: Job) -> bool:
    return not isinstance(job, AnswerAll) and own.is_own(job.statement)


def do_all(bundle: Bundle) -> list[Result]:
    """Do the jobs of a bundle.  Raises ShardFailed, naming the job that fails."""
    results: list[Result] = []
    for job in bundle.jobs:
        try:
            if _is_own(job):
                with own.blaming("cannot check it"):
                    results.append(do(job))
            else:
                results.append(do(job))
        except InputError as refusal:
            results.append(Refused(f"{job}: {refusal}"))
        except Exception as error:
            raise ShardFailed(f"{job}: {type(error).__name__}: {error}") from error
    return results


def do_packed(packed: Packed) -> bytes:
    """As `do_all`, in a process of its own, if there are limits: the results, pickled.

    Where one is hit, each job is done by itself; and of several questions each one.  What then hits it is
    unknown.  Raises ShardFailed also where that is no result.
    """
    if packed.limits is None:
        return _do_pickled(packed.bundle)
    try:
        return call_within(packed.limits, _do_pickled, packed.bundle, apart=packed.apart)
    except LimitReached:
        bundle: Bundle = pickle.loads(packed.bundle)
        return pickle.dumps(_one_by_one(bundle.jobs, packed.limits))


def _do_pickled(bundle: bytes) -> bytes:
    """The results, pickled, in a process that was made for this."""
    own.run_here()
    return pickle.dumps(do_all(pickle.loads(bundle)))


def _one_by_one(jobs: Sequence[Job], limits: Limits) -> list[Result]:
    """Each job by itself; but a statement that was refused once is not tried again."""
    refused: dict[str, Refused] = {}
    results: list[Result] = []
    for job in jobs:
        about = "" if isinstance(job, AnswerAll) else job.statement
        result = refused.get(about) or _by_itself(job, limits)
        if isinstance(result, Refused):
            refused[about] = result
        results.append(result)
    return results


def _by_itself(job: Job, limits: Limits) -> Result:
    if isinstance(job, AnswerAll) and len(job.asked) > 1:
        parts = [_by_itself(AnswerAll((each,), job.solvers), limits) for each in job.asked]
        return Answered(
            tuple(found for part in parts if isinstance(part, Answered) for found in part.answers)
        )
    try:
        bundle = pickle.dumps(Bundle((job,), 0.0))
        (result,) = pickle.loads(call_within(limits, _do_pickled, bundle, apart=_is_own(job)))
    except ProcessDied as death:
        if _is_own(job):
            return Refused(f"{job}: it ends the process that checks it, or takes too much memory")
        return _unknown(job, str(death))
    except LimitReached as limit:
        return _unknown(job, str(limit))
    return cast(Result, result)


def _unknown(job: Job, limit: str) -> Result:
    """The result of a job that has hit a limit."""
    match job:
        case AnswerAll((asked,), solvers):
            return Answered(
                (Answers(asked, {}, {}, dict.fromkeys(asked.question.oracle_names(solvers), limit)),)
            )
        case AskLevel() | EveryLength():
            return Tally(checked=1, unknown=1)
        case DropHypothesis(_, _, n, messages):
            return Ablation(None, n, messages, unknown=True)
        case CheckObligations():
            return Obliged((CheckedStep("all steps", (limit,)),))
        case CheckInstances():
            return Refused(f"{job}: {limit}", limit=True)
        case AnswerAll() | CountGrowth():
            raise ShardFailed(f"{job}: {limit}")
        case _:
            assert_never(job)
