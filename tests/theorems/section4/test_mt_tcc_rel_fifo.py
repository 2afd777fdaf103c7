"""`mt-tcc-rel-fifo`: the verdict on record, and mistakes that are caught."""

from functools import partial

import pytest
from tests.theorems.rows import claiming, explained

from sealcheck.programs.semantics import ChannelModel
from sealcheck.theorems.section4.mt_tcc_rel_fifo import STATEMENT, is_tcc_only_in


@pytest.mark.parametrize("others", [{ChannelModel.REL, ChannelModel.REL_FIFO}, set()])
def test_a_claim_about_another_model_is_refuted(others: set[ChannelModel]) -> None:
    """That mt is TCC in both models, or in none, is refuted."""
    tally = claiming(STATEMENT, partial(is_tcc_only_in, models=others), [(2, 1)])
    assert str(tally.refuting) == "mt 1->2"


def test_the_explanation_shows_the_run_in_rel() -> None:
    """A reader sees which later message the receive takes, and that there is no such run in RelFi."""
    assert STATEMENT.domain is not None
    lines = explained(STATEMENT, next(STATEMENT.domain.instances(2, 1, 0, 1))).splitlines()
    assert "inside: event 1 of 2, rcv 2<-1 takes event 2 of 1" in lines
    assert lines[-1] == "in rel-fifo it is TCC"
