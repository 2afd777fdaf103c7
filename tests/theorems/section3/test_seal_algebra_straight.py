"""Items 3, 4 and 6 of the algebra of seals, for balanced straight-line programs."""

from sealcheck.programs.straight_line import StraightLine, mt
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.statement import Outcome
from sealcheck.theorems.section3.seal_algebra_straight import (
    ITEM_3,
    ITEM_4,
    ITEM_6,
    LAW_3,
    LAW_4,
    StraightLaw,
    is_sealed_by_all,
)

THERE, BACK = (StraightLine.of(2, mt(*channel)) for channel in ((1, 2), (2, 1)))


def test_the_claims_are_checked_up_to_the_default_bound() -> None:
    """The level is (3, 4)."""
    domains = [about.domain for about in (ITEM_3, ITEM_4, ITEM_6)]
    assert [domain.expected(3, 4) for domain in domains if domain is not None] == [4311, 4311, 381]


def test_the_papers_example() -> None:
    with inline() as ask:
        for law in (LAW_3, LAW_4):
            assert law.check(Instance.of(THERE, BACK, THERE), ask) is Outcome.HOLDS
            assert law.check(Instance.of(THERE, THERE, BACK), ask) is Outcome.VACUOUS


def test_what_is_concluded() -> None:
    once, back, twice = THERE, BACK, THERE.then(THERE)
    assert LAW_3.conclusion(once, back, twice) == (once, back.then(twice))
    assert LAW_4.conclusion(once, back, twice) == (once.then(back), twice)


def test_eps_is_sealed_by_all_and_a_message_is_not() -> None:
    with inline(("z3",)) as ask:
        assert is_sealed_by_all(StraightLine.of(2), ask)
        assert not is_sealed_by_all(THERE, ask)


def test_the_explanation_can_be_followed() -> None:
    wrong = StraightLaw((lambda p, q: (p, q),), lambda p, q: (p.then(q), q))
    with inline(("z3",)) as ask:
        lines = wrong.explain(Instance.of(THERE, BACK), ask).splitlines()
    assert lines == [
        "mt 2->1  seals  mt 1->2",
        "mt 2->1  does not seal  mt 1->2; mt 2->1: 'inside' marks the program, 'seal' its candidate seal",
        "inside: snd 1->2",
        "inside: rcv 2<-1 takes a message of: inside",
        "inside: snd 2->1",
        "seal: snd 2->1",
        "inside: rcv 1<-2 takes a message of: seal",
        "seal: rcv 1<-2 takes a message of: inside",
    ]
