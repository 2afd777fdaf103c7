"""`while-exchange`: verdicts, and mistakes that are caught."""

from dataclasses import replace

from tests.theorems.rows import checked

from sealcheck.language.parser import parse
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.small_programs import transmissions
from sealcheck.theorems.checking.statement import Outcome
from sealcheck.theorems.section5.while_exchange import STATEMENT, loop_occurs, printed, repaired


def test_a_body_without_communication_transmits_in_order() -> None:
    body = Instance(2, (parse("1.x := 1"),))
    with inline() as ask:
        assert not loop_occurs(body, ask)
        assert (printed(body, ask), repaired(body, ask)) == (Outcome.FAILS, Outcome.HOLDS)


def test_unanswered_messages_are_seen_to_come_out_of_order() -> None:
    assert STATEMENT.domain is not None
    alone = replace(STATEMENT, domain=replace(STATEMENT.domain, listing=transmissions))  # type: ignore[type-var]
    for tally in checked(alone, [(2, 1)]):
        assert tally.disputed is None
        assert str(tally.refuting) == "mt 1->2"
