"""Figures that are lost, and what the text says of them: verdicts on record."""

from dataclasses import replace

import pytest
from tests.theorems.rows import checked, claiming, is_clean, only_claim

from sealcheck.explorers import channel_contents
from sealcheck.explorers.channel_contents import find_seal
from sealcheck.programs.straight_line import channels
from sealcheck.questions.closed_channels import CLOSED_CHANNELS
from sealcheck.questions.instance import Instance
from sealcheck.questions.sealing import MINIMAL_SEAL
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.hypotheses import programs
from sealcheck.theorems.checking.statement import Ask, Outcome, Verdict, predicts
from sealcheck.theorems.checking.verdicts import bounded_verdict
from sealcheck.theorems.section4.figures import (
    SIGNATURES,
    THERE,
    THREE_MESSAGES,
    is_an_example,
    on_three_channels,
)


def test_an_open_channel_that_is_answered_is_refuted() -> None:
    """If the channel were claimed to be open in both, the answer would refute it."""
    wrong = predicts(CLOSED_CHANNELS, lambda i: frozenset({(1, 2), (2, 1)}) - {THERE})
    tally = claiming(SIGNATURES, wrong, [(2, 1), (2, 2)])
    assert str(tally.refuting) == "mt 1->2; mt 2->1"


@pytest.mark.parametrize(("n", "candidates", "examples"), [(2, 0, 0), (3, 29, 9), (4, 55, 9)])
def test_number_of_programs(n: int, candidates: int, examples: int) -> None:
    """Nine programs up to renaming, all of three processes: a fourth one adds none."""
    (tally,) = checked(THREE_MESSAGES, [(n, 3)])
    assert (tally.checked, tally.checked - tally.vacuous) == (candidates, examples)
    assert is_clean(tally)


def test_the_explorer_lists_the_same_programs() -> None:
    """Listed without any graph or knowledge: three open channels, sealed by two transmissions, not by one."""
    found = [
        instance
        for instance in programs(3, 3)
        if sum(not channel_contents.closes(instance.p, c) for c in channels(3)) == 3
        and find_seal(instance.p, 2) is not None
        and find_seal(instance.p, 1) is None
    ]
    with inline() as ask:
        examples = [i for i in on_three_channels(3, 3) if is_an_example(i, ask) is Outcome.HOLDS]
    assert found == examples


def test_without_an_example_nothing_is_verified() -> None:
    """If one message were claimed to do, or four to be needed, no program would be an example."""

    def needing(messages: int) -> Verdict:
        def check(instance: Instance, ask: Ask) -> Outcome:
            is_one = is_an_example(instance, ask) is Outcome.HOLDS
            found = is_one and ask(MINIMAL_SEAL, instance) == messages
            return Outcome.HOLDS if found else Outcome.VACUOUS

        claim = replace(only_claim(THREE_MESSAGES), check=check)
        about = replace(THREE_MESSAGES, claims=(claim,))
        (tally,) = checked(about, [(3, 3)])
        return bounded_verdict(about, claim, tally, None)

    assert [needing(messages) for messages in (1, 2, 4)] == [
        Verdict.UNKNOWN,
        Verdict.VERIFIED,
        Verdict.UNKNOWN,
    ]
