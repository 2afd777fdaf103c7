"""`seal-algebra-6-whole-language`: TCC programs are those that all programs seal."""

from dataclasses import replace

from tests.theorems.rows import checked, holds, up_to, without

from sealcheck.language.parser import parse
from sealcheck.theorems.seal_algebra_tcc import STATEMENT, when_played
from sealcheck.theorems.statement import Instance

IN_ALL = ("rel/matching", "rel/empty", "rel-fifo/matching")


def test_verified() -> None:
    """Where a program is TCC all candidates seal it, and nowhere else, say plays and solvers."""
    tally = checked(STATEMENT, [*up_to(1, 2), (2, 0), (2, 1)])
    assert holds(tally)
    assert tally.checked == 1 + 3 + 18 + 1 + 7


def test_all_kinds_of_programs_are_there() -> None:
    """Programs are TCC in all settings, in some, or in none."""
    found = {
        text: when_played(Instance(2, (parse(text),))) for text in ("snd 1->2; cut", "mt 1->2", "snd 1->2")
    }
    assert found["snd 1->2; cut"] == (IN_ALL, IN_ALL)
    assert found["mt 1->2"] == (("rel-fifo/matching",), ("rel-fifo/matching",))
    assert found["snd 1->2"] == ((), ())


def test_one_seal_is_not_enough() -> None:
    """A lone send is sealed by a cut, and is not TCC."""
    assert without(STATEMENT, 2, 1) == {"all programs seal P, not only some": "P = snd 1->2   Q = cut"}


def test_a_claim_that_everything_is_tcc_is_refuted() -> None:
    """The smallest program that is not TCC refutes it."""
    claim = replace(STATEMENT.claims[0], predicts=lambda instance: (IN_ALL, IN_ALL))
    tally = checked(replace(STATEMENT, claims=(claim,)), [(2, 0), (2, 1)], ("z3",))
    assert str(tally.refuting[0]) == "rcv 1<-2"


def test_a_way_that_is_wrong_is_disputed() -> None:
    """A way that finds nothing TCC is contradicted by eps."""
    about = replace(STATEMENT, ways={"plays": lambda instance: ((), ())})
    assert str(checked(about, [(2, 0)], ("z3",)).disputed) == "eps"


def test_the_story_tells_both_sides() -> None:
    """A reader sees where P is TCC, and where it is sealed by all."""
    story = STATEMENT.claims[0].story
    assert story is not None
    assert story(Instance(2, (parse("mt 1->2"),))) == (
        "TCC in: rel-fifo/matching\nsealed by all in: rel-fifo/matching"
    )
