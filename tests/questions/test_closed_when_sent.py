"""`closed-when-sent`: the oracles agree, and say yes and no."""

from itertools import product

import pytest
from tests.questions.asking import agreed, answers, who_knows
from tests.strategies import programs_up_to

from sealcheck.algorithms.sealability import transmitting
from sealcheck.errors import InputError
from sealcheck.programs.straight_line import StraightLine, channels, mt, rcv, snd
from sealcheck.questions.closed_channels import CLOSED_CHANNELS, CLOSED_WHEN_SENT
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.hypotheses import unbalanced

ONCE = StraightLine.of(2, mt(1, 2))


def test_what_is_sent_on_an_open_channel() -> None:
    """After one message the way back is closed, and the same way open, until there was an answer."""
    cases = {((2, 1),): True, ((1, 2),): False, ((2, 1), (1, 2)): True, ((1, 2), (2, 1)): False, (): True}
    for sent, expected in cases.items():
        q = StraightLine.of(2, [event for channel in sent for event in mt(*channel)])
        assert agreed(CLOSED_WHEN_SENT, ONCE, q) is expected, str(q)


@pytest.mark.parametrize(("n", "most"), [(2, 3), (3, 2)])
def test_the_oracles_agree(n: int, most: int) -> None:
    """Of all programs of two messages at most, and all sequences of so many transmissions."""
    firsts = list(programs_up_to(n, 2, canonical=True))
    sequences = [chosen for length in range(most + 1) for chosen in product(channels(n), repeat=length)]
    pairs = [Instance.of(p, transmitting(n, chosen)) for p in firsts for chosen in sequences]
    found = answers(CLOSED_WHEN_SENT, pairs)
    assert {each.agreed for each in found} == {True, False}
    assert all(who_knows(each) == {"program graph", "explorer"} for each in found)


def test_it_is_the_closed_channels_that_count() -> None:
    """One transmission is fine exactly if its channel is among those that P closes."""
    for p in programs_up_to(3, 2, canonical=True):
        if p.n == 3:
            closed = agreed(CLOSED_CHANNELS, p, solvers=())
            for channel in channels(3):
                assert agreed(CLOSED_WHEN_SENT, p, transmitting(3, [channel])) is (channel in closed)


def test_it_is_asked_of_bsls_and_transmissions_only() -> None:
    """Not of a program that is not balanced, nor where messages of Q cross."""
    crossing = StraightLine.of(2, [snd(1, 2), snd(2, 1), rcv(1, 2), rcv(2, 1)])
    for p, q in [(unbalanced(2, 1)[0].p, ONCE), (ONCE, crossing)]:
        with pytest.raises(InputError, match="'closed-when-sent' cannot be asked of"):
            agreed(CLOSED_WHEN_SENT, p, q)
