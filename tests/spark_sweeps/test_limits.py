"""Limits of an audit: jobs that exceed them are unknown, others are unaffected."""

import os
import signal
import time
from typing import Any

import pytest
from tests.spark_sweeps.loops import audited

from sealcheck.questions.asking import Asked
from sealcheck.spark_sweeps import audit_tasks
from sealcheck.spark_sweeps.audit_tasks import Do, done
from sealcheck.spark_sweeps.jobs import (
    AskLevel,
    CountGrowth,
    DropHypothesis,
    Job,
    Result,
    job_text,
    read_result,
)
from sealcheck.spark_sweeps.shards import ShardFailed
from sealcheck.support.processes import Limits
from sealcheck.theorems.checking.statement import Form, Verdict

LEVELS = [(n, m) for n in (1, 2) for m in range(3)]
ENOUGH = Limits(600, 2048)
LITTLE = Limits(1, 2048)


def results(*jobs: Job, limits: Limits | None = None) -> list[Result]:
    rows = done(Do(), [{"job": job_text(job)} for job in jobs], limits)
    return [read_result(row["result"]) for row in rows]


def never(*_: object, **__: object) -> Any:
    while True:
        time.sleep(60)


def test_with_enough_of_both_nothing_changes() -> None:
    names = ["sealability", "is-seal", "signature-size"]
    assert audited(names, LEVELS, limits=ENOUGH) == audited(names, LEVELS)


def test_a_question_that_takes_too_long_leaves_others_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    found = audit_tasks.answer

    def hangs(asked: Asked[Any], solvers: Any) -> Any:
        return never() if asked.instance.texts == ("mt 1->2; mt 2->1",) else found(asked, solvers)

    monkeypatch.setattr(audit_tasks, "answer", hangs)
    rows = audited(["closed-channels-algorithm", "graph-cause"], LEVELS, limits=LITTLE)
    assert [(row.statement.id, row.claim.form, row.bounded, row.unknown) for row in rows] == [
        ("closed-channels-algorithm", Form.AS_PRINTED, Verdict.UNKNOWN, 1),
        ("closed-channels-algorithm", Form.AS_PRINTED, Verdict.UNKNOWN, 1),
        ("closed-channels-algorithm", Form.REPAIRED, Verdict.UNKNOWN, 1),
        ("graph-cause", Form.AS_PRINTED, Verdict.UNKNOWN, 1),
    ]


@pytest.mark.parametrize(
    ("job", "inside"),
    [
        (AskLevel("sealability", 0, "z3", 2, 1), "check_level"),
        (DropHypothesis("sealability", 0, 2, 1), "ablate"),
    ],
    ids=str,
)
def test_other_jobs_are_unknown(job: Job, inside: str, monkeypatch: pytest.MonkeyPatch) -> None:
    other = AskLevel("graph-cause", 0, "z3", 2, 1)
    expected = results(other)
    unpatched = getattr(audit_tasks, inside)
    monkeypatch.setattr(
        audit_tasks,
        inside,
        lambda about, *rest, **more: (never if about.id == "sealability" else unpatched)(
            about, *rest, **more
        ),
    )
    result, *beside = results(job, other, limits=LITTLE)
    assert result.unknown  # type: ignore[union-attr]
    assert beside == expected


def test_what_has_no_unknown_ends_the_audit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_tasks, "count", never)
    with pytest.raises(ShardFailed, match=r"growth: it takes more than 1 s \(--seconds\)"):
        results(CountGrowth("signature-size", 0), limits=LITTLE)


def test_a_process_that_dies_is_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_tasks, "check_level", lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL))
    (result,) = results(AskLevel("sealability", 0, "z3", 2, 1), limits=ENOUGH)
    assert result.unknown  # type: ignore[union-attr]
