"""`definitions-agree`: the literal definitions and the algorithms agree."""

from dataclasses import replace

import pytest
from tests.theorems.rows import holds

from sealcheck.theorems.checking.check import check_instances
from sealcheck.theorems.section3.definitions_agree import PAIRS, STATEMENTS

SEALS, CHANNELS, COUNTED = STATEMENTS


@pytest.mark.larger
def test_sealing_is_what_the_algorithm_says_up_to_four_messages() -> None:
    """All 1584 pairs of three processes with four messages; one solver is asked."""
    (tally,) = check_instances(replace(SEALS, domain=PAIRS.domain), 3, 4, solvers=["z3"])
    assert holds(tally)
    assert tally.checked == 1584
