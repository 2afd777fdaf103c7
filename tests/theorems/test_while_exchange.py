"""`while-exchange`: the verdicts on record, and mistakes that are caught."""

from dataclasses import replace

from tests.theorems.rows import checked, without

from sealcheck.language.parser import parse
from sealcheck.theorems.statement import Instance
from sealcheck.theorems.transmissions import transmissions
from sealcheck.theorems.while_exchange import IN_ORDER, OCCURS, STATEMENT, when_played


def test_the_loop_does_not_occur_but_the_repetition_transmits() -> None:
    """The printed claim is refuted by the loop without data, the repaired one by none."""
    tally = checked(STATEMENT, [(2, 2)])
    assert (tally.checked, tally.disputed, tally.vacuous, tally.unknown) == (16, None, 0, 0)
    assert {claim: str(found) for claim, found in tally.refuting.items()} == {0: "mt 1->2; mt 2->1"}


def test_what_breaks_without_hypotheses() -> None:
    """Without the answer the messages of different iterations are taken for each other."""
    assert without(STATEMENT, messages=2) == {
        "every message is answered": "mt 1->2",
        "the formal reading of the silent cut": "none",
    }


def test_unanswered_messages_are_seen_to_come_out_of_order() -> None:
    """The ways agree that mt alone transmits nothing in order: the repaired claim about it is refuted."""
    assert STATEMENT.domain is not None
    alone = replace(STATEMENT, domain=replace(STATEMENT.domain, listing=transmissions))
    tally = checked(alone, [(2, 1)])
    assert tally.disputed is None
    assert {claim: str(found) for claim, found in tally.refuting.items()} == {0: "mt 1->2", 1: "mt 1->2"}


def test_a_way_that_takes_the_loop_for_a_repetition_is_disputed() -> None:
    """If plays said that the loop occurs, the solvers would contradict."""
    lenient = replace(STATEMENT, ways={"plays": lambda instance: when_played(instance) | {OCCURS}})
    assert str(checked(lenient, [(2, 2)]).disputed) == "mt 1->2; mt 2->1"


def test_a_body_without_communication_transmits_in_order() -> None:
    """Nothing is sent, so nothing comes out of order; still the loop does not occur."""
    assert when_played(Instance(2, (parse("1.x := 1"),))) == {IN_ORDER}


def test_the_story_shows_the_guard() -> None:
    """A reader sees the loop written out, and which guard never holds."""
    story = STATEMENT.claims[0].story
    assert story is not None
    lines = story(Instance(2, (parse("mt 1->2; mt 2->1"),))).splitlines()
    assert lines[0] == "the loop is ([true]; mt 1->2; mt 2->1)*; [not true]"
