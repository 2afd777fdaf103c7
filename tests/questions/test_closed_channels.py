"""`closed-channels`: the oracles agree, in both models."""

import pytest
from tests.questions.asking import agreed, answers, who_knows
from tests.strategies import programs_up_to

from sealcheck.encodings.solvers import SOLVERS
from sealcheck.programs.semantics import PAPER, ChannelModel, Semantics
from sealcheck.programs.straight_line import Channel, StraightLine, mt, rcv, snd
from sealcheck.questions.closed_channels import CLOSED_CHANNELS
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.hypotheses import deadlocking, unbalanced, with_self_channels

FIFO, ITSELF = Semantics(model=ChannelModel.REL_FIFO), Semantics(self_channels=True)
THERE, BACK = Channel(1, 2), Channel(2, 1)


def test_an_answer_closes_a_channel() -> None:
    """One message leaves its channel open in Rel, not in RelFi; an answer closes it, and opens its own."""
    once, answered = StraightLine.of(2, mt(1, 2)), StraightLine.of(2, mt(1, 2) + mt(2, 1))
    assert agreed(CLOSED_CHANNELS, once) == {BACK}
    assert agreed(CLOSED_CHANNELS, answered) == {THERE}
    assert agreed(CLOSED_CHANNELS, once, semantics=FIFO) == {THERE, BACK}


@pytest.mark.parametrize(
    ("semantics", "knowing"), [(PAPER, {"matchings", "explorer", "kernel"}), (FIFO, {"explorer", "counting"})]
)
@pytest.mark.parametrize("n", [1, 2, 3])
def test_all_oracles_agree(n: int, semantics: Semantics, knowing: set[str]) -> None:
    """Those that know the model say the same of all canonical programs of few messages."""
    instances = [Instance.of(p) for p in programs_up_to(n, 2 if n == 3 else 3, canonical=True)]
    for found in answers(CLOSED_CHANNELS, instances, semantics, SOLVERS):
        assert who_knows(found) == knowing | set(SOLVERS)
        assert isinstance(found.agreed, frozenset)


def test_programs_that_are_not_balanced() -> None:
    """A message that is left over, or a receive that waits, leaves its channel open in both models."""
    for event in (snd(1, 2), rcv(2, 1)):
        for semantics in (PAPER, FIFO):
            assert agreed(CLOSED_CHANNELS, StraightLine.of(2, [event]), semantics=semantics) == {BACK}
    for found in answers(CLOSED_CHANNELS, unbalanced(2, 2)):
        assert who_knows(found) == {"explorer"}
        open_channels = {THERE, BACK} - found.agreed
        assert set(found.asked.instance.p.imbalance) <= open_channels


def test_programs_that_deadlock_close_everything() -> None:
    """They have no run."""
    for found in answers(CLOSED_CHANNELS, deadlocking(2, 3)):
        assert found.agreed == {THERE, BACK}


def test_a_process_hears_itself() -> None:
    """Messages to oneself leave no channel open, and count as channels only where they are allowed."""
    to_itself = StraightLine.of(2, [*mt(1, 1), *mt(1, 2)])
    closed = agreed(CLOSED_CHANNELS, to_itself, semantics=ITSELF)
    assert closed == {Channel(1, 1), Channel(2, 2), BACK}
    for found in answers(CLOSED_CHANNELS, [*with_self_channels(2, 2)], ITSELF):
        assert who_knows(found) == {"explorer"}
        assert {Channel(1, 1), Channel(2, 2)} <= found.agreed
