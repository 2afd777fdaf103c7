"""The signatures of a message, and of a message and its answer: the verdict on record."""

from dataclasses import replace

from tests.theorems.rows import checked, holds, only_claim

from sealcheck.questions.closed_channels import CLOSED_CHANNELS
from sealcheck.theorems.checking.statement import predicts
from sealcheck.theorems.section4.figure_signatures import STATEMENT, THERE


def test_verified() -> None:
    """Both programs, among two processes and among three."""
    (tally,) = checked(STATEMENT, [(n, m) for n in (1, 2, 3) for m in range(4)])
    assert holds(tally)
    assert tally.checked == 4


def test_an_open_channel_that_is_answered_is_refuted() -> None:
    """If the channel were claimed to be open in both, the answer would refute it."""
    wrong = predicts(CLOSED_CHANNELS, lambda i: frozenset({(1, 2), (2, 1)}) - {THERE})
    claim = replace(only_claim(STATEMENT), check=wrong)
    (tally,) = checked(replace(STATEMENT, claims=(claim,)), [(2, 1), (2, 2)])
    assert str(tally.refuting) == "mt 1->2; mt 2->1"
