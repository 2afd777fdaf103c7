"""Item 2: a choice of seals seals, and properly exactly if both do."""

from dataclasses import replace

import pytest
from tests.theorems.rows import checked, up_to, without

from sealcheck.encodings.solving import open_solver
from sealcheck.language.parser import parse
from sealcheck.language.printer import show
from sealcheck.theorems.laws import IN_REL, played, solved_by
from sealcheck.theorems.seal_algebra_choice import (
    STATEMENT,
    alternatives_last,
    finishes,
    thrice,
    when_played,
    with_event,
)
from sealcheck.theorems.statement import Instance, Truth

LEVELS = [*up_to(1, 2), (2, 0), (2, 1), (2, 3)]


def test_refuted_as_printed_verified_as_repaired() -> None:
    """The smallest counterexample is a repetition beside eps; the repaired claim holds."""
    tally = checked(STATEMENT, LEVELS)
    assert {claim: str(found) for claim, found in tally.refuting.items()} == {
        1: "P = eps   Q = (1.x := 1)*   R = eps"
    }
    assert (tally.disputed, tally.unknown, tally.vacuous) == (None, 0, 0)
    assert tally.checked == 3 + 30 + 7 + sum(1 for _ in alternatives_last(2, 3))


def test_the_story_names_the_seal_that_diverges() -> None:
    """A reader sees which of the two seals goes on for ever."""
    story = STATEMENT.claims[1].story
    assert story is not None
    found = story(Instance(1, (parse("eps"), parse("(1.x := 1)*"), parse("eps"))))
    assert found.splitlines() == [
        "Q seals P, R seals P, and so does Q + R",
        "(1.x := 1)* can go on for ever after P, and so can Q + R: it is no proper seal",
    ]


def test_what_breaks_without_premises() -> None:
    """Both seals are needed."""
    assert without(STATEMENT, 2, 2) == {
        "Q seals P": "P = rcv 2<-1   Q = eps   R = rcv 1<-2 (x)",
        "R seals P": "P = snd 1->2   Q = cut   R = eps",
    }


@pytest.mark.parametrize(
    ("p", "s", "diverges"),
    [
        ("eps", "(1.x := 1)*", True),
        ("mt 1->2", "(mt 2->1)*", True),
        ("eps", "(rcv 2<-1)*", True),
        ("eps", "eps + (snd 1->2)*", True),
        ("eps", "(cut)*", False),
        ("eps", "([1.x = 0])*", False),
        ("eps", "mt 1->2; mt 2->1", False),
        ("eps", "([1.x = 0]; 1.x := 1)*", False),
        ("eps", "(mt 1->2)*; mt 1->2", False),
        ("[false]", "(1.x := 1)*", False),
    ],
)
def test_what_goes_on_for_ever(p: str, s: str, *, diverges: bool) -> None:
    """A seal diverges if it repeats something that happens, as often as one likes, after P."""
    refinements = finishes(parse(p), parse(s))
    with open_solver("z3") as solver:
        for holds in (played, solved_by(solver)):
            assert (not all(holds(sides, 2, IN_REL) for sides in refinements)) == diverges


def test_iterations_have_events() -> None:
    """An iteration in which nothing happens is none; in a repetition some iteration has an event."""
    assert [show(p) for p in with_event(parse("(snd 1->2 + cut)*"))] == [
        "(snd 1->2 + cut)*; snd 1->2; (snd 1->2 + cut)*"
    ]
    assert with_event(parse("cut; [true]")) == []
    assert [show(p) for p in thrice(parse("cut; (1.x := 1 + eps)*"))] == ["cut; 1.x := 1; 1.x := 1; 1.x := 1"]


def test_nothing_is_proper_is_refuted() -> None:
    """A claim that no choice is a proper seal is wrong about two alternatives that end."""
    claim = replace(STATEMENT.claims[1], predicts=lambda i: (*STATEMENT.claims[0].predicts(i)[:2], ()))
    tally = checked(replace(STATEMENT, claims=(claim,)), [(1, 1)])
    assert str(tally.refuting[0]) == "P = eps   Q = cut   R = eps"


def test_a_way_that_overlooks_divergence_is_disputed() -> None:
    """A way for which everything ends is contradicted by the solvers, who know of (1.x := 1)*."""

    def never_diverges(instance: Instance) -> Truth:
        met, sealed, _ = when_played(instance)
        return met, sealed, sealed

    about = replace(STATEMENT, ways={"plays": never_diverges})
    assert str(checked(about, [(1, 1), (1, 2)]).disputed) == "P = eps   Q = (1.x := 1)*   R = eps"
