"""`causal-pairs`: the oracles agree."""

import pytest
from tests.questions.asking import agreed, answers, who_knows
from tests.strategies import programs_up_to

from sealcheck.encodings.solvers import SOLVERS
from sealcheck.programs.runs import Place
from sealcheck.programs.straight_line import StraightLine, mt, rcv
from sealcheck.questions.causality import CAUSAL_PAIRS
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.hypotheses import deadlocking


def test_a_message_is_causal() -> None:
    """A send comes before its receive; of two messages on a channel the second send does not come first."""
    once, twice = (StraightLine.of(2, mt(1, 2) * count) for count in (1, 2))
    assert agreed(CAUSAL_PAIRS, once) == {(Place(1, 1), Place(2, 1))}
    assert (Place(1, 1), Place(2, 1)) in agreed(CAUSAL_PAIRS, twice)
    assert (Place(2, 1), Place(1, 2)) not in agreed(CAUSAL_PAIRS, twice)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_all_oracles_agree(n: int) -> None:
    """Matchings, explorer and solvers say the same of all canonical programs of few messages."""
    instances = [Instance.of(p) for p in programs_up_to(n, 3, canonical=True)]
    for found in answers(CAUSAL_PAIRS, instances, solvers=SOLVERS if n < 3 else ("z3",)):
        assert {"matchings", "explorer"} < who_knows(found)
        assert isinstance(found.agreed, frozenset)


def test_in_a_program_that_deadlocks_everything_is_causal() -> None:
    """It has no run."""
    (instance,) = deadlocking(2, 2)
    (found,) = answers(CAUSAL_PAIRS, [instance])
    assert who_knows(found) == {"explorer"}
    assert len(found.agreed) == 4 * 3


def test_a_receive_may_wait_for_later_programs() -> None:
    """The explorer knows of programs that are not balanced, too: what they lack is sent after them."""
    waiting = StraightLine.of(2, [*mt(1, 2), rcv(2, 1)])
    assert agreed(CAUSAL_PAIRS, waiting) >= {(Place(1, 1), Place(2, 1)), (Place(1, 1), Place(2, 2))}
