"""Instance by instance: the oracles agree, and the claims get the verdicts on record."""

import pytest

from sealcheck.encodings.solvers import SOLVERS
from sealcheck.programs.space import count_canonical_sequences
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.check import check_instances
from sealcheck.theorems.checking.statement import Tally
from sealcheck.theorems.registry import statement

CORE = ["tcc-impossibility", "graph-cause", "decide-sealing", "sealability"]


@pytest.mark.parametrize("name", CORE)
@pytest.mark.parametrize(("n", "messages"), [(1, 0), (2, 0), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (3, 3)])
def test_oracles_agree_and_nothing_is_refuted_below_four_messages(name: str, n: int, messages: int) -> None:
    """No oracle contradicts another, no answer is unknown, no claim is refuted, no instance missing."""
    pairs = name == "decide-sealing"
    expected = sum(
        count_canonical_sequences(n, [of_p, messages - of_p] if pairs else [of_p])
        for of_p in (range(messages + 1) if pairs else (messages,))
    )
    for tally in check_instances(statement(name), n, messages):
        assert tally == Tally(checked=expected)


@pytest.mark.parametrize("name", CORE)
def test_the_sat_solver_agrees_too(name: str) -> None:
    """CaDiCaL, which orders events by Booleans and not by clocks, sees the same."""
    for tally in check_instances(statement(name), 2, 3, solvers=SOLVERS):
        assert tally == Tally(checked=tally.checked)


def test_smaller_counterexamples_are_kept() -> None:
    """Of two counterexamples the one with fewer processes, then fewer messages, is kept."""
    tally = Tally()
    small, large = Instance.of(StraightLine.of(2)), Instance.of(StraightLine.of(3))
    for instance in (large, small, large):
        tally.refute(instance)
    assert tally.refuting == small
