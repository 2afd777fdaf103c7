"""`definitions-agree`: the literal definitions and the algorithms say the same, and mistakes are caught."""

from dataclasses import replace

import pytest
from tests.theorems.rows import checked, explained, holds, up_to

from sealcheck.programs.straight_line import Channel
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.check import check_instances
from sealcheck.theorems.section3 import definitions_agree
from sealcheck.theorems.section3.definitions_agree import PAIRS, STATEMENTS, closed, is_sealed

SEALS, CHANNELS, COUNTED = STATEMENTS


@pytest.mark.larger
def test_sealing_is_what_the_algorithm_says_up_to_four_messages() -> None:
    """On all 1584 pairs of three processes with four messages, too; of the solvers, one is asked."""
    (tally,) = check_instances(replace(SEALS, domain=PAIRS.domain), 3, 4, solvers=["z3"])
    assert holds(tally)
    assert tally.checked == 1584


def test_an_algorithm_that_misses_an_interference_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    """If eps were said to seal everything, the smallest pair against that would be found."""
    monkeypatch.setattr(definitions_agree, "is_sealed", lambda i: is_sealed(i) or not i.q.messages)
    (tally,) = checked(SEALS, up_to(2, 2))
    assert str(tally.refuting) == "P = mt 1->2   Q = eps"


def test_an_algorithm_that_leaves_a_channel_open_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    """If answered messages were said to leave their channel open, mt; mt back would refute that."""

    def careless(instance: Instance) -> frozenset[Channel]:
        used = {event.channel for share in instance.p.shares for event in share}
        return closed(instance) - used

    monkeypatch.setattr(definitions_agree, "closed", careless)
    (tally,) = checked(CHANNELS, [(2, 1), (2, 2)])
    assert str(tally.refuting) == "mt 1->2; mt 2->1"


def test_a_definition_of_tcc_that_holds_of_too_much_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    """If TCC were taken to be that P refines itself, the smallest program that communicates would show it."""
    monkeypatch.setattr(definitions_agree, "tcc", lambda p: (p, p))
    (tally,) = checked(CHANNELS, [(2, 0), (2, 1)])
    assert str(tally.refuting) == "mt 1->2"


def test_explanations_say_what_differs() -> None:
    """A reader gets both answers."""
    assert CHANNELS.domain is not None
    (answered,) = (i for i in CHANNELS.domain.instances(2, 2, 0, 5) if str(i) == "mt 1->2; mt 2->1")
    assert explained(CHANNELS, answered) == "by its signature P closes 1->2\nby definition P closes 1->2"
    pair = Instance.of(answered.p, answered.p)
    assert (
        explained(SEALS, pair)
        == "Is-Seal, its slips mended, says that Q seals P; by definition ≀P;Q refines P≀Q"
    )
