"""`worst-case-seal`: upper and lower bounds meet."""

import pytest
from tests.questions.asking import agreed, answers, who_knows

from sealcheck.algorithms.worst_cases import hardest_program
from sealcheck.errors import InputError
from sealcheck.programs.straight_line import StraightLine, mt
from sealcheck.questions.instance import Instance
from sealcheck.questions.sealing import WORST_CASE_SEAL


@pytest.mark.parametrize("n", [2, 3, 4])
def test_all_oracles_agree(n: int) -> None:
    """Two bounds from above and two from below are 3n - 5."""
    (found,) = answers(WORST_CASE_SEAL, [Instance.of(hardest_program(n))])
    assert len(who_knows(found)) == len(WORST_CASE_SEAL.oracles)
    assert found.agreed == 3 * n - 5


def test_it_is_asked_of_the_hardest_program_only() -> None:
    """Other programs say nothing about the worst case."""
    with pytest.raises(InputError, match=r"cannot be asked of 'mt 1->2', only of P: the hardest program of"):
        agreed(WORST_CASE_SEAL, StraightLine.of(2, mt(1, 2)))


def test_the_number_is_one_for_two_processes() -> None:
    """One message seals whatever two processes can seal."""
    assert agreed(WORST_CASE_SEAL, hardest_program(2)) == 1
