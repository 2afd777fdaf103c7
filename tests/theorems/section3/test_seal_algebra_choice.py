"""Item 2: a choice of seals seals, and properly exactly if both do."""

import pytest
from tests.theorems.rows import checked, claiming, explained, up_to

from sealcheck.language.parser import parse
from sealcheck.programs.semantics import PAPER
from sealcheck.questions import whole_language
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.statement import Ask, Outcome
from sealcheck.theorems.section3.seal_algebra_choice import (
    STATEMENT,
    choice_seals_properly,
    diverging,
)

LEVELS = [*up_to(1, 2), (2, 0), (2, 1), (2, 3)]
DIVERGING = "P = eps   Q = (1.x := 1)*   R = eps"


def test_the_explanation_names_the_seal_that_diverges() -> None:
    """A reader sees which of the two seals goes on for ever."""
    found = explained(STATEMENT, Instance(1, (parse("eps"), parse("(1.x := 1)*"), parse("eps"))), claim=1)
    assert found.splitlines() == [
        "Q seals P, R seals P, and so does Q + R",
        "(1.x := 1)* can go on for ever after P, and so can Q + R: it is no proper seal",
    ]


def test_the_hypotheses_are_those_of_each_claim() -> None:
    """They are dropped once for all three."""
    assert [claim.hypotheses for claim in STATEMENT.claims] == [STATEMENT.hypotheses] * 3


def test_each_seal_is_looked_at() -> None:
    """Which diverge is answered in the order in which it is asked, for every setting."""
    instance = Instance(1, (parse("eps"), parse("(1.x := 1)*"), parse("eps")))
    programs = [parse("(1.x := 1)*"), parse("eps"), parse("eps + (1.x := 1)*")]
    with inline() as ask:
        assert diverging(instance, programs, [PAPER, PAPER], ask) == [(True, False, True)] * 2


def test_nothing_is_proper_is_refuted() -> None:
    """A claim that no choice is a proper seal is wrong about two alternatives that end."""

    def never_properly(instance: Instance, ask: Ask) -> Outcome:
        return Outcome.of(choice_seals_properly(instance, ask) is not Outcome.HOLDS)

    tally = claiming(STATEMENT, never_properly, [(1, 1)], claim=1)
    assert str(tally.refuting) == "P = eps   Q = cut   R = eps"


def test_an_oracle_that_overlooks_divergence_is_disputed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Executions in which everything ends are contradicted by the solvers, who know of (1.x := 1)*."""
    monkeypatch.setattr(whole_language, "ends_with_repetition", lambda program: False)
    first, *others = checked(STATEMENT, [(1, 1), (1, 2)])
    assert first.disputed is None
    for tally in others:
        assert str(tally.disputed) == DIVERGING
        assert "executions says False" in tally.dispute
