"""Limits of an audit: what goes too far is unknown, and all else is found as without them."""

import os
import pickle
import signal
import time
from typing import Any

import pytest
from sealcheck.spark_sweeps.crews import Bundle, Helpers, do_all, do_packed
from sealcheck.spark_sweeps.jobs import AskLevel, DropHypothesis, Job, Result
from tests.spark_sweeps.alone import Alone

from sealcheck.questions.asking import Asked
from sealcheck.spark_sweeps import jobs
from sealcheck.spark_sweeps.audit import audit
from sealcheck.spark_sweeps.shards import ShardFailed
from sealcheck.support.processes import Limits
from sealcheck.theorems.checking.statement import Form, Verdict

LEVELS = [(n, m) for n in (1, 2) for m in range(3)]
ENOUGH = Limits(600, 2048)
LITTLE = Limits(1, 2048)


def do_within(bundle: Bundle) -> list[Result]:
    """What another process makes of a bundle."""
    results: list[Result] = pickle.loads(do_packed(bundle.packed()))
    return results


def never(*_: object, **__: object) -> Any:
    while True:
        time.sleep(60)


class Within(Alone):
    """This process, but for jobs, which have another one each."""

    def done(self) -> list[Any]:
        """Do the next one."""
        if not self._given:
            return []
        bundle = self._given.popleft()
        return [(bundle, do_within(bundle))]


def test_with_enough_of_both_nothing_changes() -> None:
    """The findings are those of an audit without limits, from helpers, too."""
    names = ["sealability", "is-seal", "signature-size"]
    without = list(audit(lambda _: Alone(), names, LEVELS))
    assert list(audit(lambda _: Within(), names, LEVELS, limits=ENOUGH)) == without
    assert list(audit(lambda _: Helpers(2), names, LEVELS, limits=ENOUGH)) == without


def test_a_question_that_takes_too_long_leaves_others_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """One instance is unknown, and so is its claim; what is refuted stays refuted."""
    found = jobs.answer

    def hangs(asked: Asked[Any], solvers: Any) -> Any:
        return never() if asked.instance.texts == ("mt 1->2; mt 2->1",) else found(asked, solvers)

    monkeypatch.setattr(jobs, "answer", hangs)
    rows = list(
        audit(lambda _: Within(), ["closed-channels-algorithm", "graph-cause"], LEVELS, limits=LITTLE)
    )
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
    """Never anything else; and the job beside it is done."""
    other = AskLevel("graph-cause", 0, "z3", 2, 1)
    (expected,) = do_all(Bundle((other,), 1.0))
    unpatched = getattr(jobs, inside)
    monkeypatch.setattr(
        jobs,
        inside,
        lambda about, *rest, **more: (never if about.id == "sealability" else unpatched)(
            about, *rest, **more
        ),
    )
    result, beside = do_within(Bundle((job, other), 2.0, LITTLE))
    assert result.unknown  # type: ignore[union-attr]
    assert beside == expected


def test_what_has_no_unknown_ends_the_audit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts that take too long are none, in a sentence that names the limit."""
    monkeypatch.setattr(jobs, "count", never)
    with pytest.raises(ShardFailed, match=r"growth: it takes more than 1 s \(--seconds\)"):
        do_within(Bundle((jobs.CountGrowth("signature-size", 0),), 1.0, LITTLE))


def test_a_process_that_dies_is_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody may have found that there is too little memory."""
    monkeypatch.setattr(jobs, "check_level", lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL))
    (result,) = do_within(Bundle((AskLevel("sealability", 0, "z3", 2, 1),), 1.0, ENOUGH))
    assert result.unknown  # type: ignore[union-attr]
