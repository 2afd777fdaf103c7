"""`fifo-causality`: verdicts on record, and mistakes that are caught."""

import pytest
from pysmt.shortcuts import TRUE
from tests.theorems.rows import checked, holds, up_to, without

from sealcheck.encodings import given as fifo
from sealcheck.explorers.matching_functions import executed_matchings
from sealcheck.programs.semantics import ChannelModel
from sealcheck.questions import causality as question
from sealcheck.theorems.section4 import fifo_causality
from sealcheck.theorems.section4.fifo_causality import STATEMENT


def test_verified_one_by_one() -> None:
    """The closure of the normal edges is causality in every FIFO run, up to (3, 3)."""
    assert holds(*checked(STATEMENT, [*up_to(3, 3), (2, 4)]))


def test_what_breaks_without_hypotheses() -> None:
    """Bags have overtaking."""
    assert without(STATEMENT) == {"FIFO channels": "mt 1->2; mt 1->2"}


def test_the_solvers_see_that_channels_are_fifo(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solvers that do not know about FIFO contradict the others on two messages on one channel."""
    monkeypatch.setattr(fifo, "oldest_first", lambda given: TRUE())
    (tally,) = checked(STATEMENT, up_to(2, 2))
    assert str(tally.disputed) == "mt 1->2; mt 1->2"


def test_executions_are_fifo(monkeypatch: pytest.MonkeyPatch) -> None:
    """Executions that take messages in any order contradict the solvers there, too."""
    monkeypatch.setattr(
        question, "executed_matchings", lambda program, model: executed_matchings(program, ChannelModel.REL)
    )
    (tally,) = checked(STATEMENT, up_to(2, 2), ("z3",))
    assert str(tally.disputed) == "mt 1->2; mt 1->2"


def test_a_set_that_is_too_small_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the closure were only of process order, a single message would refute the claim."""
    monkeypatch.setattr(fifo_causality, "causal_pairs", lambda p: frozenset())
    (tally,) = checked(STATEMENT, up_to(2, 2), ("z3",))
    assert str(tally.refuting) == "mt 1->2"


def test_a_program_without_runs_does_not_meet_the_claim(monkeypatch: pytest.MonkeyPatch) -> None:
    """The claim is not met by there being no run: if nobody saw one, it would be refuted."""
    for oracle in ("executed_matchings", "_injective"):
        monkeypatch.setattr(question, oracle, lambda *_: frozenset())
    (tally,) = checked(STATEMENT, [(2, 1)], ())
    assert str(tally.refuting) == "mt 1->2"
