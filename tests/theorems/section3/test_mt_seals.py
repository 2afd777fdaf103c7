"""What seals a transmission, and what does not: the verdicts on record, and mistakes that are caught."""

import re
from functools import partial

from tests.theorems.rows import claiming, explained

from sealcheck.questions.instance import Instance
from sealcheck.theorems.section3.mt_seals import STATEMENTS, says, without_data

ACK, EXCHANGE, ALONE = STATEMENTS


def test_the_opposite_claim_is_refuted_with_a_run() -> None:
    """That mt seals itself is refuted by mt without data, and the explanation shows what is taken."""
    tally = claiming(ALONE, partial(says, expected=True), [(2, 1)])
    assert str(tally.refuting) == "mt 1->2"
    told = explained(ALONE, tally.refuting)
    assert re.search(r"inside: event 1 of 2, rcv 2<-1 takes event [2-9] of 1", told)


def test_data_is_dropped_and_nothing_else() -> None:
    """What is asked about straight-line programs is about the same sends and receives."""
    assert ACK.domain is not None
    pairs = [without_data(instance) for instance in ACK.domain.instances(3, 2, 0, 16)]
    assert {str(pair) for pair in pairs} == {"P = mt 1->2   Q = mt 2->1"}
    assert all(isinstance(pair, Instance) and pair.n == 3 for pair in pairs)
