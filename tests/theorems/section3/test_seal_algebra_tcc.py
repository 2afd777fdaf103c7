"""`seal-algebra-6-whole-language`: TCC programs are those that all programs seal."""

import pytest
from tests.theorems.rows import checked, claiming, explained

from sealcheck.language.parser import parse
from sealcheck.programs.semantics import ChannelModel, Semantics
from sealcheck.questions import whole_language
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.laws import SETTINGS
from sealcheck.theorems.checking.statement import Outcome
from sealcheck.theorems.section3.seal_algebra_tcc import STATEMENT, where_sealed_by_all, where_tcc

FIFO = (Semantics(model=ChannelModel.REL_FIFO),)


@pytest.mark.parametrize(
    ("text", "settings"), [("snd 1->2; cut", SETTINGS), ("mt 1->2", FIFO), ("snd 1->2", ())]
)
def test_all_kinds_of_programs_are_there(text: str, settings: tuple[Semantics, ...]) -> None:
    """Programs are TCC in all settings, in some, or in none."""
    instance = Instance(2, (parse(text),))
    with inline() as ask:
        assert where_tcc(instance, ask) == where_sealed_by_all(instance, ask) == settings


def test_a_claim_that_everything_is_tcc_is_refuted() -> None:
    """The smallest program that is not TCC refutes it."""
    tally = claiming(
        STATEMENT,
        lambda instance, ask: Outcome.of(where_tcc(instance, ask) == SETTINGS),
        [(2, 0), (2, 1)],
        ("z3",),
    )
    assert str(tally.refuting) == "rcv 1<-2"


def test_an_oracle_that_is_wrong_is_disputed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Executions that find a run against everything, so that nothing is TCC, are contradicted by eps."""
    monkeypatch.setattr(whole_language, "find_counterexample", lambda *args, **options: "some run")
    (tally,) = checked(STATEMENT, [(2, 0)], ("z3",))
    assert str(tally.disputed) == "eps"


def test_the_explanation_tells_both_sides() -> None:
    """A reader sees where P is TCC, and where it is sealed by all."""
    assert explained(STATEMENT, Instance(2, (parse("mt 1->2"),))) == (
        "TCC in: rel-fifo/matching\nsealed by all in: rel-fifo/matching"
    )
