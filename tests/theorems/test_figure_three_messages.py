"""Three messages sealed by two: how many such programs there are, on record."""

from dataclasses import replace

import pytest

from sealcheck import explorer
from sealcheck.programs.events import channels
from sealcheck.theorems.checking import check_instances
from sealcheck.theorems.domains import Programs
from sealcheck.theorems.figure_three_messages import STATEMENT, programs
from sealcheck.theorems.statement import Claim, Form


@pytest.mark.parametrize(("n", "count"), [(2, 0), (3, 9), (4, 9)])
def test_number_of_programs(n: int, count: int) -> None:
    """Nine programs up to renaming, all of three processes: a fourth one adds none."""
    tally = check_instances(STATEMENT, n, 3)
    assert (tally.checked, tally.disputed, tally.unknown, tally.refuting) == (count, None, 0, {})


def test_the_explorer_lists_the_same_programs() -> None:
    """Listed without any graph or knowledge: three open channels, sealed by two transmissions, not by one."""
    domain = Programs()
    found = [
        instance
        for instance in domain.instances(3, 3, 0, domain.size(3, 3))
        if sum(not explorer.closes(instance.p, c) for c in channels(3)) == 3
        and explorer.find_seal(instance.p, 2) is not None
        and explorer.find_seal(instance.p, 1) is None
    ]
    assert found == list(programs(3, 3))


def test_a_claim_of_one_message_is_refuted() -> None:
    """If one message were claimed to do, every listed program would refute it."""
    claim = Claim(Form.AS_PRINTED, "one message seals", predicts=lambda instance: 1)
    tally = check_instances(replace(STATEMENT, claims=(claim,)), 3, 3)
    assert str(tally.refuting[0]) == "mt 1->2; mt 1->3; mt 3->2"
