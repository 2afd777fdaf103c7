"""`deadlock-free`: the oracles agree, about all straight-line programs."""

import pytest
from tests.questions.asking import agreed, answers, who_knows

from sealcheck.encodings.solvers import SOLVERS
from sealcheck.explorers import channel_contents
from sealcheck.explorers.channel_contents import never_stuck
from sealcheck.programs.semantics import Semantics
from sealcheck.programs.straight_line import StraightLine, rcv, snd
from sealcheck.questions.causality import DEADLOCK_FREE
from sealcheck.theorems.checking.hypotheses import balanced, deadlocking, unbalanced, with_self_channels

WAITS = StraightLine.of(2, [rcv(1, 2), snd(1, 2), rcv(2, 1), snd(2, 1)])


def test_a_channel_that_holds_nothing_is_noticed() -> None:
    """A program gets stuck where a receive comes before the send that it needs."""
    assert not never_stuck(WAITS)
    assert not channel_contents.can_complete(WAITS)
    assert not agreed(DEADLOCK_FREE, WAITS)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_all_oracles_agree(n: int) -> None:
    """Executions, the explorer and solvers say the same of all balanced programs of few messages."""
    instances = [i for m in range(4 if n < 3 else 3) for i in balanced(n, m)]
    found = answers(DEADLOCK_FREE, instances, solvers=SOLVERS if n < 3 else ("z3",))
    assert {each.agreed for each in found} == ({True, False} if n > 1 else {True})
    for each in found:
        assert {"executions", "one execution", "explorer", "z3"} <= who_knows(each)


@pytest.mark.parametrize(("n", "messages"), [(2, 1), (2, 2), (3, 1)])
def test_programs_that_are_not_balanced(n: int, messages: int) -> None:
    """Nobody sends what they lack; the explorer, which would, abstains there."""
    for found in answers(DEADLOCK_FREE, unbalanced(n, messages)):
        lacks = any(excess < 0 for excess in found.asked.instance.p.imbalance.values())
        assert found.agreed is not lacks
        assert ("explorer" in who_knows(found)) is not lacks


def test_programs_that_wait_for_ever_although_nothing_is_lacking() -> None:
    """Those that deadlock do, whether processes may send to themselves or not."""
    assert {found.agreed for found in answers(DEADLOCK_FREE, deadlocking(2, 3))} == {False}
    itself = Semantics(self_channels=True)
    assert all(found.agreed for found in answers(DEADLOCK_FREE, list(with_self_channels(2, 2)), itself))
