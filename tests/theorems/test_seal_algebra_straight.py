"""Items 3, 4 and 6 of the algebra of seals, for balanced straight-line programs."""

from dataclasses import replace

import pytest
from tests.theorems.rows import checked, holds, up_to, without

from sealcheck.programs.events import mt
from sealcheck.programs.straight_line import StraightLine
from sealcheck.theorems.seal_algebra_straight import ITEM_3, ITEM_4, STATEMENTS, StraightLaw, by_signatures
from sealcheck.theorems.statement import VACUOUS, Instance, Statement

THIRD, FOURTH, SIXTH = STATEMENTS
THERE, BACK = (StraightLine.of(2, mt(*channel)) for channel in ((1, 2), (2, 1)))


@pytest.mark.parametrize(
    ("about", "vacuous"), [(THIRD, 379), (FOURTH, 618)], ids=lambda x: getattr(x, "id", "")
)
def test_the_items_hold_of_all_triples(about: Statement, vacuous: int) -> None:
    """Up to (3, 3) and (2, 4), say algorithm, explorer and solvers; that is how many lack the premises."""
    tally = checked(about, [*up_to(3, 3), (1, 4), (2, 4)])
    assert (tally.refuting, tally.disputed, tally.unknown) == ({}, None, 0)
    assert (tally.checked, tally.vacuous) == (751, vacuous)


def test_tcc_programs_are_those_that_all_seal() -> None:
    """Item 6 holds up to (3, 3) and (2, 4)."""
    assert holds(checked(SIXTH, [*up_to(3, 3), (2, 4)]))


def test_the_claims_are_checked_up_to_the_default_bound() -> None:
    """The level (3, 4) is not cut off."""
    counts = [about.domain.expected(3, 4) for about in STATEMENTS if about.domain is not None]
    assert counts == [4311, 4311, 381]


def test_what_breaks_without_premises() -> None:
    """The smallest triples for which the conclusion fails once a premise is dropped."""
    assert without(THIRD, 2, 2) == {"Q seals P": "P = mt 1->2   Q = eps   R = eps"}
    assert without(FOURTH, 2, 2) == {
        "Q seals P": "P = mt 1->2   Q = eps   R = eps",
        "R seals Q": "P = eps   Q = mt 1->2   R = eps",
    }
    assert without(SIXTH, 2, 2) == {"all programs seal P, not only some": "P = mt 2->1   Q = mt 1->2"}


def test_the_papers_example() -> None:
    """mt back seals mt, and mt seals that, so the items apply; where mt follows mt, they do not."""
    for law in (ITEM_3, ITEM_4):
        assert law.truth(Instance.of(THERE, BACK, THERE), by_signatures) is True
        assert law.truth(Instance.of(THERE, THERE, BACK), by_signatures) == VACUOUS


def test_what_is_concluded() -> None:
    """Q;R is to seal P in item 3, and R to seal P;Q in item 4."""
    once, back, twice = THERE, BACK, THERE.then(THERE)
    assert ITEM_3.conclusion(once, back, twice) == (once, back.then(twice))
    assert ITEM_4.conclusion(once, back, twice) == (once.then(back), twice)


def test_a_claim_that_nothing_is_sealed_is_refuted() -> None:
    """The first triple that meets the premises refutes the negated claim."""
    claim = replace(FOURTH.claims[0], predicts=lambda instance: False)
    tally = checked(replace(FOURTH, claims=(claim,)), [(2, 0), (2, 1)], ("z3",))
    assert str(tally.refuting[0]) == "P = eps   Q = eps   R = eps"


def test_a_way_that_is_wrong_is_disputed() -> None:
    """A way for which everything seals everything is contradicted by the smallest triple."""
    ways = {**FOURTH.ways, "explorer": lambda instance: ITEM_4.truth(instance, lambda p, s: True)}
    assert (
        str(checked(replace(FOURTH, ways=ways), up_to(2, 1), ("z3",)).disputed)
        == "P = eps   Q = mt 1->2   R = eps"
    )


def test_the_story_can_be_followed() -> None:
    """The premises, and an execution in which a message crosses, for a law that is wrong."""
    wrong = StraightLaw((lambda p, q: (p, q),), lambda p, q: (p.then(q), q))
    assert wrong.story(Instance.of(THERE, BACK)).splitlines() == [
        "mt 2->1  seals  mt 1->2",
        "mt 2->1  does not seal  mt 1->2; mt 2->1:"
        " 'inside' is what is to be sealed, 'seal' what is to seal it",
        "inside: snd 1->2",
        "inside: rcv 2<-1 takes a message of: inside",
        "inside: snd 2->1",
        "seal: snd 2->1",
        "later: snd 2->1",
        "inside: rcv 1<-2 takes a message of: seal",
        "seal: rcv 1<-2 takes a message of: inside",
    ]


def test_the_story_of_the_sixth_item() -> None:
    """Both sides of the equivalence are told."""
    story = SIXTH.claims[0].story
    assert story is not None
    assert story(Instance.of(THERE)) == "P is TCC: False; all candidates seal P: False"
