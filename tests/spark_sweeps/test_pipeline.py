"""What is to be done next, and which rows are complete: nothing twice, nothing too early."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import pytest
from tests.spark_sweeps.alone import remembered

from sealcheck.errors import Disagreement
from sealcheck.questions.closed_channels import CLOSED_CHANNELS
from sealcheck.spark_sweeps import jobs
from sealcheck.spark_sweeps import pipeline as module
from sealcheck.spark_sweeps.crews import PER_TASK, Bundle
from sealcheck.spark_sweeps.findings import Setup
from sealcheck.spark_sweeps.jobs import (
    AnswerAll,
    Answered,
    CheckInstances,
    Contradiction,
    DropHypothesis,
    Job,
    Result,
    do,
)
from sealcheck.spark_sweeps.pipeline import Pipeline
from sealcheck.theorems.checking.check import Checked
from sealcheck.theorems.checking.statement import Statement, Verdict
from sealcheck.theorems.checking.verdicts import Finding
from sealcheck.theorems.registry import statement

LEVELS = [(2, 0), (2, 1), (2, 2)]
SETUP = Setup.of(LEVELS, "z3")
NAMES = ["tcc-impossibility", "closed-channels", "fifo-causality"]


def run(pipeline: Pipeline) -> list[Finding]:
    """All rows."""
    found = list(pipeline.rows())
    while not pipeline.is_done:
        for bundle in pipeline.take(1.0):
            pipeline.file(bundle, [remembered(job) for job in bundle.jobs])
        found += pipeline.rows()
    return found


def jobs_of(pipeline: Pipeline, wanted: float = 1e9) -> list[Job]:
    return [job for bundle in pipeline.take(wanted) for job in bundle.jobs]


def filed(pipeline: Pipeline, todo: Sequence[Job], found: Callable[[Job], Result] = remembered) -> None:
    for job in todo:
        pipeline.file(Bundle((job,), 0.0), [found(job)])


def test_every_question_is_asked_once_for_all_statements() -> None:
    """Two statements about the same channels of the same programs cost each answer once."""
    pipeline = Pipeline(NAMES, SETUP)
    asked: Counter[object] = Counter()
    while not pipeline.is_done:
        todo = jobs_of(pipeline)
        asked.update(each for job in todo if isinstance(job, AnswerAll) for each in job.asked)
        filed(pipeline, todo)
        list(pipeline.rows())
    assert set(asked.values()) == {1}
    about_channels = [each for each in asked if each.question is CLOSED_CHANNELS]  # type: ignore[attr-defined]
    assert len(about_channels) == 5


def test_rows_come_in_order_and_not_before_they_are_complete() -> None:
    """A statement that is done waits for the one before it; each row is there once."""
    pipeline = Pipeline(NAMES, SETUP)
    assert list(pipeline.rows()) == []
    first = jobs_of(pipeline)
    last = [job for job in first if getattr(job, "statement", "") == NAMES[-1]]
    while last:
        filed(pipeline, last)
        assert list(pipeline.rows()) == []
        last = jobs_of(pipeline)
    filed(pipeline, [job for job in first if getattr(job, "statement", "") != NAMES[-1]])
    rows = list(pipeline.rows()) + run(pipeline)
    assert [row.statement.id for row in rows] == [name for name in NAMES for _ in statement(name).claims]
    assert list(pipeline.rows()) == []


def test_a_row_waits_for_its_last_answer() -> None:
    """With everything done but one answer, there is no row, and nothing else is left to be done."""
    pipeline = Pipeline(["tcc-impossibility"], SETUP)
    filed(pipeline, jobs_of(pipeline))
    (answers,) = jobs_of(pipeline)
    assert isinstance(answers, AnswerAll)
    *others, last = answers.asked
    filed(pipeline, [replace(answers, asked=tuple(others))])
    filed(pipeline, jobs_of(pipeline))
    assert list(pipeline.rows()) == []
    assert jobs_of(pipeline) == []
    assert not pipeline.is_done
    filed(pipeline, [replace(answers, asked=(last,))])
    filed(pipeline, jobs_of(pipeline))
    (row,) = pipeline.rows()
    assert (row.bounded, row.instances) == (Verdict.VERIFIED, 5)


def test_a_row_from_an_unfinished_question_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """If what still waits for an answer got lost on the way, instances would be missing in the count."""

    def forgetful(job: CheckInstances) -> Checked:
        found = remembered(job)
        assert isinstance(found, Checked)
        return Checked(found.tallies)

    pipeline = Pipeline(["tcc-impossibility"], SETUP)
    for job in jobs_of(pipeline):
        result = forgetful(job) if isinstance(job, CheckInstances) else remembered(job)
        pipeline.file(Bundle((job,), 0.0), [result])
    with pytest.raises(
        Disagreement, match=r"^tcc-impossibility, n = 2, messages = 0: 0 instances, but counted 1"
    ):
        list(pipeline.rows())


def test_an_answer_about_something_else_stops_the_run() -> None:
    """What a task brings back is compared with what it was given."""
    pipeline = Pipeline(["tcc-impossibility"], SETUP)
    filed(pipeline, jobs_of(pipeline))
    (answers,) = jobs_of(pipeline)
    result = remembered(answers)
    assert isinstance(result, Answered)
    with pytest.raises(Disagreement, match="the answers are not about this question"):
        pipeline.file(Bundle((answers,), 0.0), [Answered(result.answers[::-1])])


def test_a_contradiction_without_a_hypothesis_stops_the_run() -> None:
    """It is told when the statement's turn comes, instead of a row."""
    pipeline = Pipeline(["tcc-impossibility"], SETUP)
    for job in jobs_of(pipeline):
        result = Contradiction("one says so") if isinstance(job, DropHypothesis) else remembered(job)
        pipeline.file(Bundle((job,), 0.0), [result])
    with pytest.raises(Disagreement, match=r"^tcc-impossibility: one says so$"):
        run(pipeline)


def pretended(monkeypatch: pytest.MonkeyPatch, version: Statement) -> Pipeline:
    for user in (module, jobs):
        monkeypatch.setattr(user, "statement", {version.id: version}.__getitem__)
    return Pipeline([version.id], SETUP)


def test_a_question_that_the_statement_does_not_name_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who was asked is read off the questions of a statement, so they must be all."""
    pipeline = pretended(monkeypatch, replace(statement("tcc-impossibility"), questions=()))
    with pytest.raises(RuntimeError, match="asks questions that it does not name: closed-channels"):
        filed(pipeline, jobs_of(pipeline), do)


def test_progress_ends_with_everything() -> None:
    """Its total is known from the beginning: all instances, and all other jobs."""
    pipeline = Pipeline(NAMES, SETUP)
    steps: list[tuple[int, int]] = []
    while not pipeline.is_done:
        steps.append(pipeline.progress[:2])
        filed(pipeline, jobs_of(pipeline, PER_TASK))
        list(pipeline.rows())
    done, total = pipeline.progress[:2]
    assert done == total == steps[0][1]
    assert steps[0][0] == 0
    assert steps == sorted(steps)


def test_tasks_get_about_a_second_of_work() -> None:
    """Small jobs go together, and what is expected to take longest comes first."""
    pipeline = Pipeline(["sealability", *NAMES], Setup.of([(3, m) for m in range(4)]))

    def bundles() -> Iterator[Bundle]:
        taken = pipeline.take(20.0)
        assert [bundle.seconds for bundle in taken] == sorted((b.seconds for b in taken), reverse=True)
        yield from taken

    first = list(bundles())
    assert sum(len(bundle.jobs) for bundle in first) > 2 * len(first)
    for bundle in first:
        assert bundle.seconds <= PER_TASK or len(bundle.jobs) == 1
