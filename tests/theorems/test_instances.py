"""Instance by instance: the ways to the truth agree, and the claims get the verdicts on record."""

from dataclasses import replace

import pytest

from sealcheck.encodings.solving import SOLVERS
from sealcheck.programs.counting import count_canonical_sequences
from sealcheck.programs.straight_line import StraightLine
from sealcheck.theorems.checking import Tally, check_instances
from sealcheck.theorems.registry import statement
from sealcheck.theorems.statement import Instance

CORE = ["tcc-impossibility", "graph-cause", "decide-sealing", "sealability"]


@pytest.mark.parametrize("name", CORE)
@pytest.mark.parametrize(("n", "messages"), [(1, 0), (2, 0), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (3, 3)])
def test_ways_agree_and_nothing_is_refuted_below_four_messages(name: str, n: int, messages: int) -> None:
    """No way contradicts another, no answer is unknown, no claim is refuted, no instance missing."""
    tally = check_instances(statement(name), n, messages)
    assert tally.disputed is None
    assert tally.unknown == 0
    assert not tally.refuting
    pairs = name == "decide-sealing"
    assert tally.checked == sum(
        count_canonical_sequences(n, [of_p, messages - of_p] if pairs else [of_p])
        for of_p in (range(messages + 1) if pairs else (messages,))
    )


@pytest.mark.parametrize("name", CORE)
def test_the_sat_solver_agrees_too(name: str) -> None:
    """CaDiCaL, which orders events by Booleans and not by clocks, sees the same."""
    assert check_instances(statement(name), 2, 3, solvers=SOLVERS).disputed is None


def test_sealability_as_printed_is_refuted_at_four_messages() -> None:
    """The printed criterion fails on one canonical program of (3, 4); the repaired one does not."""
    tally = check_instances(statement("sealability"), 3, 4)
    assert tally.disputed is None
    assert set(tally.refuting) == {0}
    smallest = tally.refuting[0]
    assert str(smallest) == "snd 1->2; mt 2->1; rcv 2<-1; snd 2->3; mt 3->2; rcv 3<-2"


def test_a_wrong_way_is_disputed() -> None:
    """If one way lied, the smallest instance on which it does would be reported."""
    honest = statement("tcc-impossibility")
    liar = replace(honest, ways={**honest.ways, "explorer": lambda instance: instance.messages == 2})
    tally = check_instances(liar, 2, 2)
    assert tally.disputed is not None
    assert tally.disputed.messages == 2
    assert "explorer says True" in tally.answers
    assert tally.refuting == {}


def test_smaller_counterexamples_are_kept() -> None:
    """Of two counterexamples the one with fewer processes, then fewer messages, is kept."""
    tally = Tally()
    small, large = Instance.of(StraightLine.of(2)), Instance.of(StraightLine.of(3))
    for instance in (large, small, large):
        tally.refute(0, instance)
    assert tally.refuting[0] == small
