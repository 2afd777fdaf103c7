"""`balanced-necessary-whole-language`: the verdicts on record, and mistakes that are caught."""

from dataclasses import replace

import pytest
from tests.theorems.rows import checked

from sealcheck.encodings.solving import open_solver
from sealcheck.language.parser import parse
from sealcheck.programs.global_runs import CutReading
from sealcheck.theorems.balanced_necessary_whole_language import (
    CONDITIONS,
    EXAMPLES,
    STATEMENT,
    is_balanced,
    repaired,
    silent_wherever_ended,
    when_played,
    when_solved,
    without,
)
from sealcheck.theorems.domains import Listed
from sealcheck.theorems.statement import VACUOUS, Instance


def pair(p: str, q: str) -> Instance:
    """The pair of these two programs of two processes."""
    return Instance(2, (parse(p), parse(q)))


CHOICE, WITH_CUT = (pair(*texts) for texts in EXAMPLES)

FEW = [
    pair("mt 1->2", "mt 2->1"),
    pair("mt 1->2", "cut"),
    pair("mt 1->2", "eps"),
    pair("snd 1->2", "cut"),
    pair("snd 1->2; cut", "eps"),
    pair("rcv 1<-2", "rcv 2<-1"),
    CHOICE,
    WITH_CUT,
]
few = replace(
    STATEMENT, domain=Listed("pairs", lambda n, messages: iter(FEW if (n, messages) == (2, 0) else ()))
)


def test_the_printed_theorem_fails_and_the_repaired_one_holds() -> None:
    """No pair of size 0 or 1 is against it; of the few pairs the smallest one with a cut is."""
    assert not checked(STATEMENT, [(2, 0), (2, 1)]).refuting
    tally = checked(few, [(2, 0)])
    assert (tally.checked, tally.vacuous, tally.disputed, tally.unknown) == (8, 2, None, 0)
    assert {claim: str(found) for claim, found in tally.refuting.items()} == {0: "P = snd 1->2   Q = cut"}


@pytest.mark.parametrize("reading", CutReading)
def test_a_seal_that_does_what_p_left_undone_seals_what_is_not_balanced(reading: CutReading) -> None:
    """Without any silent cut, under both readings, P is sealed and not balanced."""
    assert "cut" not in str(CHOICE)
    assert when_played(CHOICE, reading) is False
    for name in ("z3", "cvc5"):
        with open_solver(name) as solver:
            assert when_solved(CHOICE, solver) is False


def test_that_seal_finds_no_silence_where_p_ended() -> None:
    """P may have ended before it received; then its message is under way when Q begins."""
    assert not silent_wherever_ended(*CHOICE.programs)  # type: ignore[arg-type]
    assert silent_wherever_ended(parse("mt 1->2"), parse("mt 2->1"))


@pytest.mark.parametrize(
    ("dropped", "breaking"),
    [
        ("no silent cut in P", "P = snd 1->2; cut   Q = eps"),
        ("no silent cut in Q", "P = snd 1->2   Q = cut"),
        ("Q can complete after P", "P = rcv 1<-2   Q = rcv 2<-1"),
    ],
)
def test_every_condition_of_the_repair_is_needed(dropped: str, breaking: str) -> None:
    """Without one of them a pair of two atoms breaks it."""
    assert str(without(dropped)(2, 2)) == breaking


def test_the_last_condition_is_needed_for_programs_with_choice() -> None:
    """That Q seals P is not enough for the example, which meets all the other conditions."""
    p, q = CHOICE.programs
    failing = [name for name, met in CONDITIONS.items() if not met(p, q)]  # type: ignore[arg-type]
    assert failing == ["silence wherever P may have ended"]
    assert not is_balanced(p)  # type: ignore[arg-type]
    assert not repaired(CHOICE)


def test_what_can_not_complete_is_counted_apart() -> None:
    """A seal that blocks seals anything, but the paper leaves it out."""
    assert when_played(pair("rcv 1<-2", "rcv 2<-1")) == VACUOUS


def test_a_repair_that_forgets_the_cuts_is_refuted() -> None:
    """If only silence where P ended were asked for, the pair with the cut would still refute."""
    careless = replace(STATEMENT.claims[1], predicts=lambda i: (i == CHOICE and repaired(i)) or i != CHOICE)
    refuting = checked(replace(few, claims=(careless,)), [(2, 0)]).refuting
    assert str(refuting[0]) == "P = snd 1->2   Q = cut"


def test_a_way_that_overlooks_imbalance_is_disputed() -> None:
    """If plays took everything for balanced, the solvers would contradict."""
    blind = {"plays": lambda instance: (when_played(instance) == VACUOUS and VACUOUS) or True}
    assert str(checked(replace(few, ways=blind), [(2, 0)]).disputed) == "P = snd 1->2   Q = cut"


@pytest.mark.parametrize(
    ("instance", "reason"),
    [(CHOICE, "the cut between P and Q is silent"), (WITH_CUT, "because of the silent cut")],
)
def test_the_story_gives_the_reason(instance: Instance, reason: str) -> None:
    """A reader sees how P ends out of balance, and why Q seals it nevertheless."""
    story = STATEMENT.claims[0].story
    assert story is not None
    assert "snd 1->2" in story(instance)
    assert reason in story(instance)
