"""`closed-channels`: verdicts, and mistakes that are caught."""

import pytest
from pysmt.shortcuts import FALSE, TRUE
from tests.theorems.rows import asked, checked, holds

from sealcheck.encodings.program_space import SymbolicSignature
from sealcheck.encodings.sealing import PairOfTraces
from sealcheck.programs.straight_line import StraightLine, mt
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.check import check_level, inline
from sealcheck.theorems.checking.examples import crossing
from sealcheck.theorems.checking.hypotheses import first_model
from sealcheck.theorems.checking.statement import Outcome
from sealcheck.theorems.section4 import closed_channels
from sealcheck.theorems.section4.closed_channels import CLOSED, FORMALLY_CLOSED, no_node_but_open

ONCE = Instance.of(StraightLine.of(2, mt(1, 2)))
EXCHANGE = Instance.of(StraightLine.of(2, mt(1, 2) + mt(2, 1)))
BOTH_OPEN = Instance.of(crossing(2))


def test_by_the_formal_clause_every_channel_is_open() -> None:
    """One process has no channel. With two, eps leaves a channel open, though its signature has no node."""
    found = [checked(FORMALLY_CLOSED, [(n, 0)], ("z3",))[0] for n in (1, 2)]
    assert holds(found[0])
    assert str(found[1].refuting) == "eps"
    with inline(("z3",)) as ask:
        assert closed_channels.explain_older(Instance.of(StraightLine.of(2)), ask).startswith(
            "sig(P) has no receive node for 1->2, 2->1\n"
        )
        assert closed_channels.closed_by_the_formula(EXCHANGE, ask) is Outcome.FAILS
        assert closed_channels.closed_by_the_formula(BOTH_OPEN, ask) is Outcome.HOLDS


@pytest.mark.parametrize("later_sends", [1, 2, 3])
def test_more_later_sends_open_no_more_channels(later_sends: int) -> None:
    """One later send is enough."""
    assert first_model([no_node_but_open(3, 3, later_sends=later_sends)]) is None


def test_the_direct_query_is_not_vacuous(monkeypatch: pytest.MonkeyPatch) -> None:
    """If signatures had no receive nodes, an open channel without node would be found."""
    monkeypatch.setattr(SymbolicSignature, "has_receive_node", lambda self, message: FALSE())
    tally = asked(CLOSED, [(2, 1)], ("z3",))
    assert tally.disputed is not None
    assert "no node, open" in tally.dispute


def test_the_query_by_proof_is_not_vacuous(monkeypatch: pytest.MonkeyPatch) -> None:
    """If all receives were nodes, the proof's run would not exist for a closed channel."""
    monkeypatch.setattr(SymbolicSignature, "has_receive_node", lambda self, message: TRUE())
    monkeypatch.setattr(PairOfTraces, "met", lambda self, a: FALSE())
    assert check_level(CLOSED, 0, 2, 2, solver="z3").unknown == 1


def test_the_explanation_names_the_channels(monkeypatch: pytest.MonkeyPatch) -> None:
    with inline(("z3",)) as ask:
        assert closed_channels.explain(ONCE, ask) == ""
        monkeypatch.setattr(closed_channels, "receive_nodes", lambda _: frozenset())
        found = closed_channels.explain(ONCE, ask)
    assert found == "P leaves 1->2 open, but sig(P) has no receive node for it"
