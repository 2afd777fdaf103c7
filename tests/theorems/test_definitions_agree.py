"""`definitions-agree`: the literal definitions and the algorithms say the same, and mistakes are caught."""

from dataclasses import replace

import pytest
from tests.theorems.rows import checked, holds, up_to, without

from sealcheck.programs.counting import count_canonical, count_canonical_sequences
from sealcheck.theorems.checking import check_instances
from sealcheck.theorems.definitions_agree import PAIRS, STATEMENTS, by_signature, by_signatures, completing
from sealcheck.theorems.statement import Instance

SEALS, CHANNELS, BALANCED = STATEMENTS


def test_sealing_is_what_the_algorithm_says() -> None:
    """On every pair of the levels (2, 0..3) and (3, 0..2), and none is missing."""
    levels = [*((2, messages) for messages in range(4)), *((3, messages) for messages in range(3))]
    tally = checked(SEALS, levels)
    assert holds(tally)
    assert tally.checked == sum(
        count_canonical_sequences(n, [p, m - p]) for n, m in levels for p in range(m + 1)
    )


@pytest.mark.slow
def test_sealing_is_what_the_algorithm_says_up_to_four_messages() -> None:
    """On all 1584 pairs of three processes with four messages, too."""
    tally = check_instances(replace(SEALS, domain=PAIRS.domain), 3, 4)
    assert holds(tally)
    assert tally.checked == 1584


def test_closed_channels_are_what_the_signature_says() -> None:
    """On every program with up to three messages at n = 2, and up to two at n = 3."""
    levels = [*((2, messages) for messages in range(4)), *((3, messages) for messages in range(3))]
    tally = checked(CHANNELS, levels)
    assert holds(tally)
    assert tally.checked == sum(count_canonical(n, m) for n, m in levels)


def test_balance_is_counting() -> None:
    """On every program that can complete, and most of them are not balanced."""
    levels = [(2, 0), (2, 1), (2, 2), (3, 1)]
    tally = checked(BALANCED, levels)
    assert holds(tally)
    balanced = [instance.p.is_balanced for level in levels for instance in completing(*level)]
    assert (tally.checked, sum(balanced)) == (len(balanced), 1 + 1 + 3 + 1)


def test_what_breaks_without_hypotheses() -> None:
    """In RelFi a seal is not needed; the other reading of the cut and self-channels make no difference."""
    assert without(SEALS, messages=2) == {
        "runs of Rel": "P = mt 1->2   Q = eps",
        "the formal reading of the silent cut": "none",
        "no self-channels": "none",
    }


def test_an_algorithm_that_misses_an_interference_is_refuted() -> None:
    """If eps were said to seal everything, the smallest pair against that would be found."""
    careless = replace(SEALS.claims[0], predicts=lambda i: by_signatures(i) or not i.q.messages)
    assert (
        str(checked(replace(SEALS, claims=(careless,)), up_to(2, 2)).refuting[0]) == "P = mt 1->2   Q = eps"
    )


def test_an_algorithm_that_leaves_a_channel_open_is_refuted() -> None:
    """If answered messages were said to leave their channel open, mt; mt back would refute that."""

    def careless(instance: Instance) -> object:
        _, closed = by_signature(instance)
        return False, frozenset(
            c for c in closed if not any(c == e.channel for s in instance.p.shares for e in s)
        )

    claim = replace(CHANNELS.claims[0], predicts=careless)
    refuting = checked(replace(CHANNELS, claims=(claim,)), [(2, 1), (2, 2)]).refuting
    assert str(refuting[0]) == "mt 1->2; mt 2->1"


def test_a_way_that_overlooks_imbalance_is_disputed() -> None:
    """If plays counted nothing, the solvers would contradict on the smallest unbalanced program."""
    blind = replace(BALANCED, ways={"plays": lambda instance: True})
    assert str(checked(blind, [(2, 1)]).disputed) == "rcv 2<-1"


def test_stories_say_what_differs() -> None:
    """A reader is told both answers."""
    (answered,) = (i for i in CHANNELS.domain.instances(2, 2, 0, 5) if str(i) == "mt 1->2; mt 2->1")  # type: ignore[union-attr]
    story = CHANNELS.claims[0].story
    assert story is not None
    assert story(answered) == "by its signature P closes 1->2\nby definition P closes 1->2"
