"""`refinement-preorder` and `constructs-monotone`: verdicts on record."""

import pytest
from tests.theorems.rows import checked

from sealcheck.language.parser import parse
from sealcheck.language.printer import show
from sealcheck.questions import whole_language
from sealcheck.theorems.section2.refinement_order import STATEMENTS, in_all_constructs

PREORDER, MONOTONE = STATEMENTS


def test_every_construct_is_asked_about() -> None:
    """Layered before and after, chosen, and repeated."""
    p, q, r = map(parse, ("snd 1->2", "mt 1->2", "cut"))
    assert [tuple(map(show, sides)) for sides in in_all_constructs(p, q, r)] == [
        ("snd 1->2; cut", "mt 1->2; cut"),
        ("cut; snd 1->2", "cut; mt 1->2"),
        ("snd 1->2 + cut", "mt 1->2 + cut"),
        ("(snd 1->2)*", "(mt 1->2)*"),
    ]


def test_an_oracle_that_is_wrong_is_disputed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Executions with no event before or after the interval do not tell a cut from eps; the solvers do."""
    monkeypatch.setattr(whole_language, "events_outside", lambda program, reading: 0)
    (tally,) = checked(PREORDER, [(2, 1), (2, 2)], ("z3",))
    assert tally.disputed is not None
    assert "executions says" in tally.dispute
