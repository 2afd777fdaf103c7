"""Items 1, 3, 4 and 5 of the algebra of seals, for small programs of the whole language."""

from dataclasses import replace

import pytest
from tests.theorems.rows import checked, up_to, without

from sealcheck.language.parser import parse
from sealcheck.language.printer import show
from sealcheck.programs.notions import seals
from sealcheck.programs.syntax import layered
from sealcheck.theorems.laws import Law, row
from sealcheck.theorems.seal_algebra import ITEM_1, ITEM_3, ITEM_4, ITEM_5, STATEMENTS, repeatable, triples
from sealcheck.theorems.seal_algebra_choice import ITEM_2
from sealcheck.theorems.statement import Instance, Statement

ITEMS = {about.id: about for about in STATEMENTS}
IN_ALL = ("rel/matching", "rel/empty", "rel-fifo/matching")


@pytest.mark.parametrize(
    ("id", "counts"),
    [
        ("seal-algebra-1", (3 + 30 + 7 + 2, 3)),
        ("seal-algebra-3-whole-language", (1 + 9 + 81 + 1 + 21 + 3, 3)),
        ("seal-algebra-4-whole-language", (1 + 9 + 81 + 1 + 21 + 3, 6)),
        ("seal-algebra-5", (1 + 3 + 15 + 1 + 5, 1)),
    ],
)
def test_the_items_hold(id: str, counts: tuple[int, int]) -> None:
    """Wherever the premises hold, the conclusions do, say plays and both solvers."""
    tally = checked(ITEMS[id], [*up_to(1, 2), (2, 0), (2, 1), (2, 3)])
    assert (tally.refuting, tally.disputed, tally.unknown) == ({}, None, 0)
    assert (tally.checked, tally.vacuous) == counts


def test_what_breaks_without_premises() -> None:
    """The smallest programs for which the conclusion fails once a premise is dropped."""
    assert without(ITEMS["seal-algebra-1"], 2, 2) == {
        "R seals P": "P = 1.x := 1; snd 1->2   Q = eps   R = eps",
        "R seals Q": "P = eps   Q = snd 1->2   R = eps",
    }
    assert without(ITEMS["seal-algebra-3-whole-language"], 2, 1) == {
        "Q seals P": "P = snd 1->2   Q = eps   R = eps"
    }
    assert without(ITEMS["seal-algebra-4-whole-language"], 2, 1) == {
        "Q seals P": "P = snd 1->2   Q = eps   R = eps",
        "R seals Q": "P = eps   Q = snd 1->2   R = eps",
    }
    assert without(ITEMS["seal-algebra-5"], 2, 1) == {"P seals itself": "snd 1->2"}


@pytest.mark.parametrize(
    ("law", "texts", "settings"),
    [
        (ITEM_1, ("mt 1->2", "mt 1->2; mt 1->2", "mt 2->1"), IN_ALL),
        (ITEM_4, ("mt 1->2", "mt 2->1", "mt 1->2"), IN_ALL),
        (ITEM_5, ("mt 1->2; mt 2->1",), IN_ALL),
        (ITEM_5, ("mt 1->2",), ("rel-fifo/matching",)),
        (ITEM_5, ("snd 1->2; cut",), IN_ALL),
        (ITEM_4, ("snd 1->2", "cut", "1.x := 1"), IN_ALL),
    ],
)
def test_programs_that_meet_the_premises(law: Law, texts: tuple[str, ...], settings: tuple[str, ...]) -> None:
    """The premises hold of the paper's own examples, so the items are not verified for nothing."""
    instance = Instance(2, tuple(map(parse, texts)))
    assert law.when_played(instance) == (settings, settings)


@pytest.mark.parametrize(
    ("law", "left", "right"),
    [
        (ITEM_1, "cut; (eps + snd 1->2); mt 2->1", "(eps + snd 1->2); cut; mt 2->1"),
        (ITEM_2, "cut; eps; (snd 1->2 + mt 2->1)", "eps; cut; (snd 1->2 + mt 2->1)"),
        (ITEM_3, "cut; eps; snd 1->2; mt 2->1", "eps; cut; snd 1->2; mt 2->1"),
        (ITEM_4, "cut; eps; snd 1->2; mt 2->1", "eps; snd 1->2; cut; mt 2->1"),
    ],
)
def test_what_is_concluded(law: Law, left: str, right: str) -> None:
    """What the items promise of P = eps, Q = snd 1->2 and R = mt 2->1, as a refinement."""
    (sides,) = law.conclusions(*map(parse, ("eps", "snd 1->2", "mt 2->1")))
    assert tuple(map(show, sides)) == (left, right)


def test_programs_that_seal_each_other_are_listed() -> None:
    """Of three transmissions or four, those triples are listed in which one goes back."""
    assert ("mt 1->2", "mt 2->1", "mt 1->2") in {i.texts for i in triples(2, 3)}
    assert ("mt 1->2", "mt 1->2; mt 1->2", "mt 2->1") in {i.texts for i in triples(2, 4)}
    assert all({"mt 1->2", "mt 2->1"} <= set(i.texts) for i in triples(2, 4))


def test_repetitions_and_lone_receives_are_left_out_of_item_5() -> None:
    """What is left is neither a repetition, nor has it a receive without its send."""
    found = {i.texts[0] for i in repeatable(2, 2)}
    assert {"mt 1->2; mt 2->1", "snd 1->2; cut", "eps + mt 1->2"} <= found
    assert not {"(mt 1->2)*", "rcv 2<-1; cut", "mt 1->2; rcv 2<-1"} & found


def wrong(law: Law) -> Statement:
    """A statement of the law about triples."""
    return row("wrong", "", "", law, triples, noun="triples", most={2: 3}, per_shard=1)


def test_a_seal_that_is_moved_away_is_refuted() -> None:
    """It is false that R;Q seals P if Q does, R coming before Q."""
    moved = Law(ITEM_4.premises[:1], lambda p, q, r: (seals(p, layered(r, q)),))
    tally = checked(wrong(moved), [(2, 0), (2, 1), (2, 3)], ("z3",))
    assert str(tally.refuting[0]) == "P = mt 1->2   Q = mt 2->1   R = mt 1->2"
    assert tally.disputed is None


def test_a_way_that_is_wrong_is_disputed() -> None:
    """A way that tries the conclusion whatever the premise is contradicted, by a transmission."""
    about = replace(ITEMS["seal-algebra-5"], ways={"plays": Law((), ITEM_5.conclusions).when_played})
    assert str(checked(about, [(2, 0), (2, 1)], ("z3",)).disputed) == "mt 1->2"
