"""Items 1, 3, 4 and 5 of the algebra of seals, for small programs of the whole language."""

import pytest
from tests.theorems.rows import checked, is_clean, up_to, without

from sealcheck.harness.answering import inline
from sealcheck.harness.laws import Law, row
from sealcheck.harness.small_programs import triples
from sealcheck.harness.statement import Statement
from sealcheck.language.parser import parse
from sealcheck.language.printer import show
from sealcheck.programs.notions import seals
from sealcheck.programs.syntax import layered
from sealcheck.questions import refines
from sealcheck.questions.instance import Instance
from sealcheck.theorems.section3.seal_algebra import (
    ITEM_1,
    ITEM_3,
    ITEM_4,
    ITEM_5,
    LAW_1,
    LAW_3,
    LAW_4,
    LAW_5,
    repeatable,
)
from sealcheck.theorems.section3.seal_algebra_choice import LAW_2

IN_ALL = ("rel/matching", "rel/empty", "rel-fifo/matching")


@pytest.mark.parametrize(
    ("about", "counts"),
    [
        (ITEM_1, (3 + 30 + 7 + 2, 3)),
        (ITEM_3, (1 + 9 + 81 + 1 + 21 + 3, 3)),
        (ITEM_4, (1 + 9 + 81 + 1 + 21 + 3, 6)),
        (ITEM_5, (1 + 3 + 15 + 1 + 5, 1)),
    ],
    ids=lambda x: getattr(x, "id", ""),
)
def test_the_items_hold(about: Statement, counts: tuple[int, int]) -> None:
    """Wherever the premises hold, the conclusions do, say executions and both solvers."""
    (tally,) = checked(about, [*up_to(1, 2), (2, 0), (2, 1), (2, 3)])
    assert is_clean(tally)
    assert (tally.checked, tally.vacuous) == counts


def test_what_breaks_without_premises() -> None:
    """The smallest programs for which the conclusion fails once a premise is dropped."""
    assert without(ITEM_1, 2, 2) == {
        "R seals P": "P = 1.x := 1; snd 1->2   Q = eps   R = eps",
        "R seals Q": "P = eps   Q = snd 1->2   R = eps",
    }
    assert without(ITEM_3, 2, 1) == {"Q seals P": "P = snd 1->2   Q = eps   R = eps"}
    assert without(ITEM_4, 2, 1) == {
        "Q seals P": "P = snd 1->2   Q = eps   R = eps",
        "R seals Q": "P = eps   Q = snd 1->2   R = eps",
    }
    assert without(ITEM_5, 2, 1) == {"P seals itself": "snd 1->2"}


@pytest.mark.parametrize(
    ("law", "texts", "settings"),
    [
        (LAW_1, ("mt 1->2", "mt 1->2; mt 1->2", "mt 2->1"), IN_ALL),
        (LAW_4, ("mt 1->2", "mt 2->1", "mt 1->2"), IN_ALL),
        (LAW_5, ("mt 1->2; mt 2->1",), IN_ALL),
        (LAW_5, ("mt 1->2",), ("rel-fifo/matching",)),
        (LAW_5, ("snd 1->2; cut",), IN_ALL),
        (LAW_4, ("snd 1->2", "cut", "1.x := 1"), IN_ALL),
    ],
)
def test_programs_that_meet_the_premises(law: Law, texts: tuple[str, ...], settings: tuple[str, ...]) -> None:
    """The premises hold of the paper's own examples, so the items are not verified for nothing."""
    instance = Instance(2, tuple(map(parse, texts)))
    with inline() as ask:
        met = law.met(instance, ask)
        assert tuple(map(str, met)) == settings
        assert law.kept(instance, met, ask) == met


@pytest.mark.parametrize(
    ("law", "left", "right"),
    [
        (LAW_1, "cut; (eps + snd 1->2); mt 2->1", "(eps + snd 1->2); cut; mt 2->1"),
        (LAW_2, "cut; eps; (snd 1->2 + mt 2->1)", "eps; cut; (snd 1->2 + mt 2->1)"),
        (LAW_3, "cut; eps; snd 1->2; mt 2->1", "eps; cut; snd 1->2; mt 2->1"),
        (LAW_4, "cut; eps; snd 1->2; mt 2->1", "eps; snd 1->2; cut; mt 2->1"),
    ],
)
def test_what_is_concluded(law: Law, left: str, right: str) -> None:
    """What the items promise of P = eps, Q = snd 1->2 and R = mt 2->1, as a refinement."""
    (sides,) = law.conclusions(*map(parse, ("eps", "snd 1->2", "mt 2->1")))
    assert tuple(map(show, sides)) == (left, right)


def test_repetitions_and_lone_receives_are_left_out_of_item_5() -> None:
    """What is left is neither a repetition, nor has it a receive without its send."""
    found = {i.texts[0] for i in repeatable(2, 2)}
    assert {"mt 1->2; mt 2->1", "snd 1->2; cut", "eps + mt 1->2"} <= found
    assert not {"(mt 1->2)*", "rcv 2<-1; cut", "mt 1->2; rcv 2<-1"} & found


def test_a_seal_that_is_moved_away_is_refuted() -> None:
    """It is false that R;Q seals P if Q does, R coming before Q."""
    moved = Law(LAW_4.premises[:1], lambda p, q, r: (seals(p, layered(r, q)),))
    wrong = row("wrong", "", "", moved, triples, noun="triples", most={2: 3})
    (tally,) = checked(wrong, [(2, 0), (2, 1), (2, 3)], ("z3",))
    assert str(tally.refuting) == "P = mt 1->2   Q = mt 2->1   R = mt 1->2"
    assert tally.disputed is None


def test_an_oracle_that_is_wrong_is_disputed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Executions in which nothing happens outside, so that nothing interferes, are contradicted."""
    monkeypatch.setattr(refines, "events_outside", lambda program, reading: 0)
    (tally,) = checked(ITEM_5, [(2, 0), (2, 1)], ("z3",))
    assert tally.disputed is not None
    assert "executions says True" in tally.dispute
