"""`tcc-impossibility-whole-language`: the verdicts on record, and mistakes that are caught."""

from dataclasses import replace

import pytest
from tests.theorems.rows import checked, without

from sealcheck.language.parser import parse
from sealcheck.theorems.statement import VACUOUS, Instance
from sealcheck.theorems.tcc_impossibility_whole_language import STATEMENT, printed, repaired, when_played


def test_the_printed_theorem_fails_and_the_repaired_one_holds() -> None:
    """On all programs of up to two atoms and repetitions over one and two processes."""
    tally = checked(STATEMENT, [(1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)])
    assert (tally.checked, tally.disputed, tally.unknown) == (1 + 3 + 18 + 1 + 7 + 125, None, 0)
    assert {claim: str(found) for claim, found in tally.refuting.items()} == {0: "mt 1->2; cut"}


def test_programs_that_never_occur_are_counted_apart() -> None:
    """A guard that can't hold, and a receive before the only send."""
    for text in ("1.x := 1; [1.x = 0]", "rcv 1<-2; rcv 2<-1; cut"):
        assert when_played(Instance(2, (parse(text),))) == VACUOUS


def test_what_breaks_without_hypotheses() -> None:
    """In RelFi, and to oneself, mt is TCC; the other reading of the cut makes no difference."""
    assert without(STATEMENT, n=2, messages=1) == {
        "runs of Rel": "mt 1->2",
        "no self-channels": "mt 1->1",
        "the formal reading of the silent cut (repaired claim)": "none",
    }


@pytest.mark.parametrize(
    ("text", "by_theorem", "by_repair"),
    [
        ("mt 1->2", False, False),
        ("mt 1->2; cut", False, True),
        ("mt 1->2; cut; mt 2->1", False, False),
        ("(mt 1->2; cut)*", False, True),
        ("(cut; mt 1->2)*", False, False),
        ("mt 1->2 + eps", False, False),
        ("1.x := 1; [1.x = 0]; mt 1->2 + eps", True, True),
        ("snd 1->2; cut", False, True),
    ],
)
def test_predictions_follow_the_paths_that_occur(text: str, by_theorem: bool, by_repair: bool) -> None:
    """Only communication on a path that occurs counts, and for the repair only what no cut follows."""
    instance = Instance(2, (parse(text),))
    assert (printed(instance), repaired(instance)) == (by_theorem, by_repair)
    assert when_played(instance) == by_repair


def test_a_repair_that_asks_for_any_cut_is_refuted() -> None:
    """A cut before the communication does not help: cut; mt would refute that."""
    careless = replace(STATEMENT.claims[1], predicts=lambda i: printed(i) or "cut" in str(i))
    assert "cut" in str(checked(replace(STATEMENT, claims=(careless,)), [(2, 2)]).refuting[0])


def test_a_way_that_forgets_what_follows_is_disputed() -> None:
    """If plays said that everything is TCC, the solvers would contradict on the smallest programs."""
    blind = replace(STATEMENT, ways={"plays": lambda instance: True})
    assert str(checked(blind, [(2, 1)]).disputed) == "rcv 1<-2"


def test_stories_tell_both_kinds_of_programs_apart() -> None:
    """Of the counterexample a reader sees the path with its cut; of another program a run."""
    story = STATEMENT.claims[0].story
    assert story is not None
    assert (
        story(Instance(2, (parse("mt 1->2; cut"),))).splitlines()[0]
        == "≀P occurs along the path: mt 1->2; cut"
    )
    assert "takes event 2 of 1" in story(Instance(2, (parse("mt 1->2"),)))
