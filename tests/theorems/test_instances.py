"""Instance by instance: the ways to the truth agree, and the claims get the verdicts on record."""

from dataclasses import replace

import pytest

from sealcheck.encodings.solving import SOLVERS
from sealcheck.programs.counting import count_canonical_sequences
from sealcheck.programs.straight_line import StraightLine
from sealcheck.theorems.checking import Tally, check_programs
from sealcheck.theorems.registry import STATEMENTS, statement
from sealcheck.theorems.statement import Form, Instance, Statement


def checked(about: Statement, n: int, messages: int, solvers: tuple[str, ...] = ("z3", "cvc5")) -> Tally:
    """The level (n, messages), all of it."""
    tally = Tally()
    for of_p in range(messages + 1) if about.about_pairs else (messages,):
        tally.add(check_programs(about, n, of_p, messages - of_p, solvers=solvers))
    return tally


@pytest.mark.parametrize("name", STATEMENTS)
@pytest.mark.parametrize(("n", "messages"), [(1, 0), (2, 0), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (3, 3)])
def test_ways_agree_and_nothing_is_refuted_below_four_messages(name: str, n: int, messages: int) -> None:
    """No way contradicts another, no answer is unknown, no claim is refuted, no instance missing."""
    tally = checked(statement(name), n, messages)
    assert tally.disputed is None
    assert tally.unknown == 0
    assert not tally.refuting
    splits = range(messages + 1) if statement(name).about_pairs else (messages,)
    assert tally.checked == sum(
        count_canonical_sequences(n, [of_p, messages - of_p] if len(splits) > 1 else [of_p])
        for of_p in splits
    )


@pytest.mark.parametrize("name", STATEMENTS)
def test_the_sat_solver_agrees_too(name: str) -> None:
    """CaDiCaL, which orders events by Booleans and not by clocks, sees the same."""
    assert checked(statement(name), 2, 3, SOLVERS).disputed is None


def test_sealability_as_printed_is_refuted_at_four_messages() -> None:
    """The printed criterion fails on one canonical program of (3, 4); the repaired one does not."""
    tally = checked(statement("sealability"), 3, 4)
    assert tally.disputed is None
    assert set(tally.refuting) == {Form.AS_PRINTED}
    smallest = tally.refuting[Form.AS_PRINTED]
    assert str(smallest) == "snd 1->2; mt 2->1; rcv 2<-1; snd 2->3; mt 3->2; rcv 3<-2"


def test_a_wrong_way_is_disputed() -> None:
    """If one way lied, the smallest instance on which it does would be reported."""
    liar = replace(statement("tcc-impossibility"), explorer=lambda instance: instance.messages == 2)
    tally = checked(liar, 2, 2)
    assert tally.disputed is not None
    assert tally.disputed.messages == 2
    assert "explorer says True" in tally.answers
    assert tally.refuting == {}


def test_smaller_counterexamples_are_kept() -> None:
    """Of two counterexamples the one with fewer processes, then fewer messages, is kept."""
    tally = Tally()
    small, large = Instance(StraightLine.of(2)), Instance(StraightLine.of(3))
    for instance in (large, small, large):
        tally.refute(Form.AS_PRINTED, instance)
    assert tally.refuting[Form.AS_PRINTED] == small
