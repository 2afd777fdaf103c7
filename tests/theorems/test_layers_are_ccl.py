"""`layers-are-ccl`: verdicts on record, and mistakes that are caught."""

from dataclasses import replace

import pytest
from tests.theorems.rows import checked, up_to, without

from sealcheck.language.parser import parse
from sealcheck.language.printer import show
from sealcheck.programs.events import mt
from sealcheck.programs.straight_line import StraightLine
from sealcheck.theorems import layers_are_ccl
from sealcheck.theorems.layers_are_ccl import (
    STATEMENTS,
    WHOLE,
    as_ccl,
    by_matching,
    sequences,
    shortened,
    when_played,
)
from sealcheck.theorems.statement import VACUOUS, Instance

STRAIGHT, WHOLE_LANGUAGE = STATEMENTS
THERE, BACK = (StraightLine.of(2, mt(*channel)) for channel in ((1, 2), (2, 1)))


def test_layers_that_seal_each_other_are_ccls() -> None:
    """Of two and three BSLs up to (2, 3) and (3, 2), say matchings, explorer and solvers."""
    tally = checked(STRAIGHT, [*up_to(2, 3), *((3, m) for m in range(3))])
    assert (tally.refuting, tally.disputed, tally.unknown) == ({}, None, 0)
    assert (tally.checked, tally.vacuous) == (2 + 2 + 5 + 23 + 79 + 2 + 5 + 59, 3 + 15 + 56 + 3 + 43)


def test_layers_of_the_whole_language() -> None:
    """The same for three small programs of the whole language, of which one at most is eps."""
    tally = checked(WHOLE_LANGUAGE, [*up_to(1, 2), (2, 0), (2, 1), (2, 3)])
    assert (tally.refuting, tally.disputed, tally.unknown) == ({}, None, 0)
    assert (tally.checked, tally.vacuous) == (30, 0)


def test_what_breaks_without_hypotheses() -> None:
    """The smallest layers of which one is no CCL once a hypothesis is dropped."""
    assert without(STRAIGHT, 2, 2) == {
        "the second layer seals the first": "P = mt 1->2   Q = mt 1->2",
        "the third layer, if there is one, seals the second": "P = eps   Q = mt 1->2   R = mt 1->2",
        "what is before the layers is silent": "P = eps   Q = mt 1->2",
        "what is after the layers is silent": "P = eps   Q = mt 1->2",
    }
    assert without(WHOLE_LANGUAGE, 2, 2) == {
        "Q seals P": "P = snd 1->2   Q = eps   R = rcv 2<-1",
        "R seals Q": "P = eps   Q = snd 1->2   R = rcv 2<-1",
    }


def test_both_lengths_are_there() -> None:
    """Two layers and three."""
    assert {len(i.programs) for i in sequences(2, 2)} == {2, 3}


def test_layers_that_meet_the_premises() -> None:
    """A message, its answer, and another message: each is a CCL, and a message twice has no seal."""
    for way in (by_matching, when_played):
        assert way(Instance.of(THERE, BACK, THERE)) == (1, 2, 3)
        assert way(Instance.of(THERE, THERE)) == VACUOUS
    instance = Instance(2, tuple(map(parse, ("mt 1->2", "mt 2->1", "mt 1->2; (mt 1->2)*"))))
    settings = ("rel/matching", "rel/empty", "rel-fifo/matching")
    assert WHOLE.when_played(instance) == (settings, settings)


def test_a_ccl_has_a_silent_cut_before_it_and_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """If any layer counted as sealed, both ways would still find which layers are CCLs."""
    monkeypatch.setattr(layers_are_ccl, "is_seal", lambda first, second: True)
    monkeypatch.setattr(layers_are_ccl.explorer, "seals", lambda p, q: True)
    for way in (by_matching, when_played):
        assert way(Instance.of(THERE, BACK, BACK)) == (1,)
        assert way(Instance.of(THERE, THERE, BACK)) == (3,)


def test_the_cuts_that_are_dropped() -> None:
    """One at the start, one at the end; the right side stays."""
    sides = as_ccl(tuple(map(parse, ("mt 1->2", "mt 2->1", "eps"))), 1)
    assert show(sides[0]) == "cut; mt 1->2; mt 2->1; eps; cut"
    assert [show(side) for side in shortened(sides, leading=True)] == [
        "mt 1->2; mt 2->1; eps; cut",
        "mt 1->2; cut; mt 2->1; cut; eps",
    ]
    assert show(shortened(sides, leading=False)[0]) == "cut; mt 1->2; mt 2->1; eps"


def test_a_claim_about_the_first_layer_only_is_refuted() -> None:
    """That no layer but the first is a CCL is wrong about two empty ones."""
    claim = replace(STRAIGHT.claims[0], predicts=lambda instance: (1,))
    tally = checked(replace(STRAIGHT, claims=(claim,)), [(1, 0)])
    assert str(tally.refuting[0]) == "P = eps   Q = eps"


def test_a_way_that_is_wrong_is_disputed() -> None:
    """A way that finds no CCLs is contradicted."""
    ways = {**STRAIGHT.ways, "explorer": lambda instance: ()}
    assert str(checked(replace(STRAIGHT, ways=ways), [(1, 0)], ("z3",)).disputed) == "P = eps   Q = eps"


def test_the_story_shows_a_run() -> None:
    """A reader sees which layer is no CCL, and a run against it."""
    story = STRAIGHT.claims[0].story
    assert story is not None
    lines = story(Instance.of(THERE, THERE)).splitlines()
    assert lines[:2] == [
        "each layer but the last is sealed by the next one",
        "layer 1, mt 1->2, is no CCL; a run is against it:",
    ]
    assert sum("takes event" in line for line in lines) == 4
