"""`matching-functions`: the oracles agree, also about programs that deadlock, or send to themselves."""

import pytest
from hypothesis import given, settings
from tests.questions.asking import agreed, answers, who_knows
from tests.strategies import any_program, programs_up_to

from sealcheck.encodings.solvers import SOLVERS
from sealcheck.programs.runs import Place
from sealcheck.programs.semantics import ChannelModel, Semantics
from sealcheck.programs.straight_line import StraightLine, mt, rcv, snd
from sealcheck.questions.causality import MATCHING_FUNCTIONS
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.hypotheses import deadlocking, unbalanced

FIFO = Semantics(model=ChannelModel.REL_FIFO)


def test_two_messages_may_overtake_each_other() -> None:
    """In Rel, but not in RelFi."""
    twice = StraightLine.of(2, mt(1, 2) + mt(1, 2))
    straight, crossed = (
        frozenset({(Place(2, 1), Place(1, first)), (Place(2, 2), Place(1, second))})
        for first, second in ((1, 2), (2, 1))
    )
    assert agreed(MATCHING_FUNCTIONS, twice) == {straight, crossed}
    assert agreed(MATCHING_FUNCTIONS, twice, semantics=FIFO) == {straight}


@pytest.mark.parametrize("n", [1, 2, 3])
def test_all_oracles_agree(n: int) -> None:
    """Executions, scheduling and solvers say the same of all canonical programs of few messages."""
    instances = [Instance.of(p) for p in programs_up_to(n, 3, canonical=True)]
    for found in answers(MATCHING_FUNCTIONS, instances, solvers=SOLVERS if n < 3 else ("z3",)):
        assert {"executions", "scheduling"} < who_knows(found)
        assert isinstance(found.agreed, frozenset)


def test_the_scheduler_knows_nothing_of_fifo() -> None:
    """The others agree there, too."""
    instances = [Instance.of(p) for p in programs_up_to(2, 3, canonical=True)]
    for found in answers(MATCHING_FUNCTIONS, instances, FIFO):
        assert who_knows(found) == {"executions", "z3", "cvc5"}
        assert len(found.agreed) == 1


def test_programs_that_deadlock_have_none() -> None:
    """No oracle finds a matching function with which all events happen."""
    for found in answers(MATCHING_FUNCTIONS, deadlocking(3, 3)):
        assert who_knows(found) == {"executions", "scheduling", "z3", "cvc5"}
        assert found.agreed == frozenset()


def test_programs_that_are_not_balanced() -> None:
    """A receive that nothing is sent for has no match; a message that nobody receives does no harm."""
    assert agreed(MATCHING_FUNCTIONS, StraightLine.of(2, [rcv(2, 1)])) == frozenset()
    lost = StraightLine.of(2, [*mt(1, 2), snd(1, 2)])
    assert len(agreed(MATCHING_FUNCTIONS, lost)) == 2
    for found in answers(MATCHING_FUNCTIONS, unbalanced(2, 2)):
        assert isinstance(found.agreed, frozenset)


@settings(deadline=None, max_examples=30)
@given(any_program(max_n=3, max_events=6))
def test_any_program(program: StraightLine) -> None:
    """The oracles agree whatever the program is like, in both models."""
    for semantics in (Semantics(), FIFO):
        assert isinstance(agreed(MATCHING_FUNCTIONS, program, semantics=semantics), frozenset)
