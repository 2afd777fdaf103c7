"""`no-barrier`: the verdict on record, and mistakes that are caught."""

from dataclasses import replace
from functools import partial

import pytest
from tests.theorems.rows import checked, claiming, holds

from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.phases import KEEPS_APART
from sealcheck.questions.question import Oracle
from sealcheck.theorems.section4 import no_barrier
from sealcheck.theorems.section4.no_barrier import STATEMENT, is_no_barrier


def test_the_printed_proof_does_not_reach_eps() -> None:
    """That a barrier is TCC, which is all that P = eps shows, does not rule out eps; any other P does."""
    only_eps = partial(is_no_barrier, layers=lambda n: iter([StraightLine.of(n)]))
    assert str(claiming(STATEMENT, only_eps, [(2, 0), (2, 1), (2, 2)]).refuting) == "eps"
    assert holds(claiming(STATEMENT, only_eps, [(2, 1), (2, 2)]))


def test_an_oracle_that_only_asks_about_the_end_of_b_is_disputed(monkeypatch: pytest.MonkeyPatch) -> None:
    """If P were always eps, the program eps would seem to be a barrier; the other oracles contradict."""
    careless = Oracle("explorer", lambda instance, semantics: not instance.q.messages)
    others = tuple(oracle for oracle in KEEPS_APART.oracles if oracle.name != "explorer")
    monkeypatch.setattr(no_barrier, "KEEPS_APART", replace(KEEPS_APART, oracles=(careless, *others)))
    (tally,) = checked(STATEMENT, [(2, 0)])
    assert str(tally.disputed) == "eps"
    assert "explorer says True" in tally.dispute
