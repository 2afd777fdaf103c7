"""What seals a transmission, and what does not: the verdicts on record, and mistakes that are caught."""

import re
from dataclasses import replace

from tests.theorems.rows import checked, holds, up_to, without

from sealcheck.theorems.mt_seals import STATEMENTS

ACK, EXCHANGE, ALONE = STATEMENTS


def test_a_message_back_seals_a_message() -> None:
    """With every kind of data, among two and three processes."""
    tally = checked(ACK, up_to(3, 2))
    assert holds(tally)
    assert tally.checked == 2 * 16


def test_an_answered_message_seals_itself() -> None:
    """With every kind of data, among two processes."""
    tally = checked(EXCHANGE, up_to(2, 2))
    assert holds(tally)
    assert tally.checked == 16


def test_a_message_does_not_seal_itself() -> None:
    """With every kind of data, among two and three processes."""
    tally = checked(ALONE, up_to(3, 1))
    assert holds(tally)
    assert tally.checked == 2 * 4


def test_what_breaks_without_hypotheses() -> None:
    """The message has to go back; a message to oneself, or a FIFO channel, needs no seal."""
    assert without(ACK, messages=2) == {
        "the second message goes back": "P = mt 1->2   Q = mt 1->2",
        "no self-channels": "none",
        "the formal reading of the silent cut": "none",
    }
    assert without(EXCHANGE, messages=2) == {
        "the message is answered": "mt 1->2",
        "no self-channels": "none",
        "the formal reading of the silent cut": "none",
    }
    assert without(ALONE, messages=1) == {
        "runs of Rel": "mt 1->2",
        "no self-channels": "mt 1->1",
        "the formal reading of the silent cut": "none",
    }


def test_the_opposite_claim_is_refuted_with_a_run() -> None:
    """That mt seals itself is refuted by mt without data, and the story shows the message that is taken."""
    opposite = replace(ALONE, claims=(replace(ALONE.claims[0], predicts=lambda _: True),))
    found = checked(opposite, [(2, 1)]).refuting[0]
    assert str(found) == "mt 1->2"
    story = opposite.claims[0].story
    assert story is not None
    assert re.search(r"inside: event 1 of 2, rcv 2<-1 takes event [2-9] of 1", story(found))


def test_a_way_that_forgets_what_follows_is_disputed() -> None:
    """If plays had no events outside, the message would seem to be safe; the other ways contradict."""
    blind = replace(ALONE, ways={**ALONE.ways, "plays": lambda instance: True})
    assert str(checked(blind, [(2, 1)]).disputed) == "mt 1->2"
