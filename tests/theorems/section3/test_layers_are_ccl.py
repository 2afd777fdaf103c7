"""`layers-are-ccl`: verdicts, and mistakes that are caught."""

from tests.theorems.rows import explained

from sealcheck.language.parser import parse
from sealcheck.language.printer import show
from sealcheck.programs.straight_line import StraightLine, mt
from sealcheck.questions.instance import Instance
from sealcheck.questions.whole_language import IS_CCL
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.statement import Outcome
from sealcheck.theorems.section3.layers_are_ccl import (
    STATEMENTS,
    WHOLE,
    around,
    as_ccl,
    layers_are_ccls,
    sequences,
    shortened,
)

STRAIGHT, WHOLE_LANGUAGE = STATEMENTS
THERE, BACK = (StraightLine.of(2, mt(*channel)) for channel in ((1, 2), (2, 1)))


def test_both_lengths_are_there() -> None:
    assert {len(i.programs) for i in sequences(2, 2)} == {2, 3}


def test_layers_that_meet_the_premises() -> None:
    """The layers are a message, its answer, and another message."""
    with inline() as ask:
        assert layers_are_ccls(Instance.of(THERE, BACK, THERE), ask) is Outcome.HOLDS
        assert layers_are_ccls(Instance.of(THERE, THERE), ask) is Outcome.VACUOUS
        instance = Instance(2, tuple(map(parse, ("mt 1->2", "mt 2->1", "mt 1->2; (mt 1->2)*"))))
        met = WHOLE.met(instance, ask)
        assert tuple(map(str, met)) == ("rel/matching", "rel/empty", "rel-fifo/matching")
        assert WHOLE.kept(instance, met, ask) == met


def test_which_layers_are_ccls() -> None:
    def ccls(*layers: StraightLine) -> list[int]:
        return [k + 1 for k in range(len(layers)) if ask(IS_CCL, around(layers, k))]

    with inline() as ask:
        assert ccls(THERE, BACK, BACK) == [1]
        assert ccls(THERE, THERE, BACK) == [3]
        assert ccls(THERE, BACK, THERE) == [1, 2, 3]


def test_the_cuts_that_are_dropped() -> None:
    sides = as_ccl(tuple(map(parse, ("mt 1->2", "mt 2->1", "eps"))), 1)
    assert show(sides[0]) == "cut; mt 1->2; mt 2->1; eps; cut"
    assert [show(side) for side in shortened(sides, leading=True)] == [
        "mt 1->2; mt 2->1; eps; cut",
        "mt 1->2; cut; mt 2->1; cut; eps",
    ]
    assert show(shortened(sides, leading=False)[0]) == "cut; mt 1->2; mt 2->1; eps"


def test_the_explanation_shows_a_run() -> None:
    lines = explained(STRAIGHT, Instance.of(THERE, THERE)).splitlines()
    assert lines[:2] == [
        "each layer but the last is sealed by the next one",
        "layer 1, mt 1->2, is no CCL, by this run:",
    ]
    assert sum("takes event" in line for line in lines) == 4
