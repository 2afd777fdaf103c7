"""`mt-tcc-rel-fifo`: the verdict on record, and mistakes that are caught."""

from dataclasses import replace
from functools import partial

import pytest
from tests.theorems.rows import checked, holds, only_claim, up_to, without

from sealcheck.programs.semantics import ChannelModel
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.section4.mt_tcc_rel_fifo import STATEMENT, is_tcc_only_in


def test_verified_one_by_one() -> None:
    """With every kind of data, mt is TCC in RelFi and in no other model."""
    (tally,) = checked(STATEMENT, up_to(3, 1))
    assert holds(tally)
    assert tally.checked == 2 * 4


def test_what_breaks_without_hypotheses() -> None:
    """A message that may be lost, or that goes to oneself, breaks the claim."""
    assert without(STATEMENT, messages=1) == {
        "FIFO channels skip no message": "mt 1->2",
        "no self-channels": "mt 1->1",
        "the formal reading of the silent cut": "none",
    }


@pytest.mark.parametrize("others", [{ChannelModel.REL, ChannelModel.REL_FIFO}, set()])
def test_a_claim_about_another_model_is_refuted(others: set[ChannelModel]) -> None:
    """That mt is TCC in both models, or in none, is refuted."""
    claim = replace(only_claim(STATEMENT), check=partial(is_tcc_only_in, models=others))
    (tally,) = checked(replace(STATEMENT, claims=(claim,)), [(2, 1)])
    assert str(tally.refuting) == "mt 1->2"


def test_the_explanation_shows_the_run_in_rel() -> None:
    """A reader sees which later message the receive takes, and that there is no such run in RelFi."""
    explain = STATEMENT.claims[0].explain
    assert explain is not None
    assert STATEMENT.domain is not None
    with inline() as ask:
        lines = explain(next(STATEMENT.domain.instances(2, 1, 0, 1)), ask).splitlines()
    assert "inside: event 1 of 2, rcv 2<-1 takes event 2 of 1" in lines
    assert lines[-1] == "in rel-fifo it is TCC"
