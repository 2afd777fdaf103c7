"""`while-exchange`: the verdicts on record, and mistakes that are caught."""

from sealcheck.language.parser import parse
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.statement import Outcome
from sealcheck.theorems.section5.while_exchange import loop_occurs, printed, repaired


def test_a_body_without_communication_transmits_in_order() -> None:
    """Nothing is sent, so nothing comes out of order; still the loop does not occur."""
    body = Instance(2, (parse("1.x := 1"),))
    with inline() as ask:
        assert not loop_occurs(body, ask)
        assert (printed(body, ask), repaired(body, ask)) == (Outcome.FAILS, Outcome.HOLDS)
