"""`no-barrier` and `no-barrier-whole-language`: the verdicts on record, and mistakes that are caught."""

from dataclasses import replace

import pytest
from tests.theorems.rows import checked, holds, up_to, without

from sealcheck.language.parser import parse
from sealcheck.theorems import no_barrier, no_barrier_whole_language
from sealcheck.theorems.no_barrier_whole_language import repaired, when_played
from sealcheck.theorems.statement import VACUOUS, Instance

BSL, WHOLE = no_barrier.STATEMENT, no_barrier_whole_language.STATEMENT


def test_no_bsl_is_a_barrier() -> None:
    """Of two and three processes with few messages; a single process counts apart."""
    assert holds(checked(BSL, [(2, 0), (2, 1), (2, 2), (2, 3), (3, 0), (3, 1), (3, 2)]))
    alone = checked(BSL, up_to(1, 1))
    assert (alone.checked, alone.vacuous) == (1, 1)


def test_what_breaks_without_hypotheses() -> None:
    """With one process everything is a barrier; nothing else matters, since P may leave messages behind."""
    assert without(BSL, n=2, messages=2) == {
        "two processes or more": "eps",
        "deadlock-free": "none",
        "balanced": "none",
        "runs of Rel": "none",
        "the formal reading of the silent cut": "none",
    }


def test_the_claim_that_eps_is_a_barrier_is_refuted() -> None:
    """The printed proof says nothing about it: that a barrier is TCC does not rule it out."""
    careless = replace(BSL.claims[0], predicts=lambda instance: bool(instance.messages))
    assert str(checked(replace(BSL, claims=(careless,)), [(2, 0)]).refuting[0]) == "eps"


def test_a_way_that_only_asks_about_the_end_of_b_is_disputed() -> None:
    """If P were always eps, the program eps would seem to be a barrier; the other ways contradict."""
    careless = {**BSL.ways, "explorer": lambda instance: bool(instance.messages)}
    assert str(checked(replace(BSL, ways=careless), [(2, 0)]).disputed) == "eps"


def test_in_the_whole_language_the_silent_cut_is_a_barrier() -> None:
    """It is the smallest counterexample to the printed claim, and the repaired one has none."""
    tally = checked(WHOLE, [(1, 0), (2, 0), (2, 1), (2, 2)])
    assert (tally.checked, tally.vacuous, tally.disputed, tally.unknown) == (1 + 1 + 7 + 125, 2, None, 0)
    assert {claim: str(found) for claim, found in tally.refuting.items()} == {0: "cut"}


def test_what_breaks_without_hypotheses_in_the_whole_language() -> None:
    """What never occurs is a barrier; the other reading of the cut makes no difference."""
    assert without(WHOLE, n=2, messages=1) == {
        "the program occurs": "none",
        "the formal reading of the silent cut (repaired claim)": "none",
    }
    assert str(no_barrier_whole_language.never_occurring(2, 2)) == "1.x := 1; [1.x = 0]"


@pytest.mark.parametrize(
    ("text", "is_none"),
    [
        ("eps", True),
        ("cut", False),
        ("cut; mt 1->2", True),
        ("mt 1->2; cut", True),
        ("cut; mt 1->2; cut", False),
        ("cut; snd 1->2; cut", False),
        ("1.x := 1; cut; [1.x = 1]", False),
        ("cut + eps", True),
        ("1.x := 1; [1.x = 0]; mt 1->2 + cut", False),
    ],
)
def test_the_repaired_criterion_on_examples(text: str, is_none: bool) -> None:
    """A barrier keeps its messages between two silent cuts, on every path that occurs."""
    instance = Instance(2, (parse(text),))
    assert repaired(instance) == is_none
    assert when_played(instance) == is_none


def test_a_criterion_that_asks_for_one_cut_is_refuted() -> None:
    """Messages before the only cut can be swapped with those of P."""
    careless = replace(WHOLE.claims[1], predicts=lambda instance: "cut" not in str(instance))
    refuting = checked(replace(WHOLE, claims=(careless,)), [(2, 2)]).refuting
    assert str(refuting[0]) == "(cut)*"


def test_programs_that_never_occur_are_counted_apart() -> None:
    """They would be barriers for want of a run."""
    assert when_played(Instance(2, (parse("1.x := 1; [1.x = 0]"),))) == VACUOUS
