"""`sealcheck diff` on Spark: the same finding as without."""

from pathlib import Path

import pytest

from sealcheck.differential import host
from sealcheck.differential.implementation import Subject
from sealcheck.differential.on_spark import SMALL, spread
from sealcheck.differential.searching import Comparison, Plan, search
from sealcheck.support.processes import Limits
from sealcheck.theorems.checking.targets import TARGETS

FUNCTIONS = """
def wrong(p, q):
    return str(p) != "mt 3->1; mt 1->2"

def skips(p, q):
    if len(p) > 2:
        raise NotImplementedError
    return wrong(p, q)
"""
LEVELS = [(3, 3)]


@pytest.fixture
def asked(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(FUNCTIONS)

    def run(name, spark):
        command = host.command(f"mine:{name}", "pq")
        limits = Limits(10.0, 2048)
        with Subject(command, limits) as subject:
            through = None if spark is None else spread(spark, command, limits)
            return search(Comparison(TARGETS["is-seal"], subject), Plan([], LEVELS, spread=through))

    return run


def test_the_same_is_found(spark, asked):
    there, here = asked("wrong", spark), asked("wrong", None)
    assert here.finding is not None
    assert there.finding == here.finding


def test_what_is_skipped_is_counted(spark, asked):
    done = asked("skips", spark)
    assert done.finding is None
    assert done.tried == done.skipped == sum(1 for _ in TARGETS["is-seal"].domain.listing(*LEVELS[0]))
    assert done.tried > SMALL
