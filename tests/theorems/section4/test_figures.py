"""The lost figures, and the paper's phase L with its seal S."""

from dataclasses import replace

import pytest
from tests.questions.asking import answers, who_knows
from tests.theorems.rows import checked, is_clean, only_claim

from sealcheck.explorers import channel_contents
from sealcheck.explorers.channel_contents import find_seal
from sealcheck.programs.straight_line import StraightLine, channels, mt
from sealcheck.questions.closed_channels import CLOSED_CHANNELS
from sealcheck.questions.instance import Instance
from sealcheck.questions.sealing import IS_SEAL, MINIMAL_SEAL
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.domains import Listed
from sealcheck.theorems.checking.hypotheses import programs
from sealcheck.theorems.checking.statement import Ask, Outcome, Verdict
from sealcheck.theorems.checking.verdicts import bounded_verdict, count, grows_faster
from sealcheck.theorems.section4.figures import (
    EXAMPLE_PHASE,
    THREE_MESSAGES,
    is_an_example,
    on_three_channels,
    phases,
    sealed_phases,
)


@pytest.mark.parametrize(("n", "candidates", "examples"), [(2, 0, 0), (3, 29, 9), (4, 55, 9)])
def test_number_of_programs(n: int, candidates: int, examples: int) -> None:
    """Nine programs up to renaming, all of three processes; a fourth process adds none."""
    (tally,) = checked(THREE_MESSAGES, [(n, 3)])
    assert (tally.checked, tally.checked - tally.vacuous) == (candidates, examples)
    assert is_clean(tally)


def test_the_explorer_lists_the_same_programs() -> None:
    """The explorer uses no graph: three open channels, sealed by two transmissions, not by one."""
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


OPEN, SEALED, FIGURE = EXAMPLE_PHASE


def test_who_knows() -> None:
    for found in answers(CLOSED_CHANNELS, list(phases(1, 0))):
        assert {"matchings", "z3", "cvc5"} <= who_knows(found)
        assert ("explorer" in who_knows(found)) == (found.asked.instance.n <= 4)
    for of_seal in answers(IS_SEAL, list(sealed_phases(1, 0))[:-1]):
        assert {"program graph", "explorer", "kernel"} <= who_knows(of_seal)


def test_a_seal_that_leaves_somebody_out_is_refuted() -> None:
    short = Listed(
        "pairs",
        lambda n, messages: (
            Instance.of(i.p, StraightLine.of(i.n, [e for k in range(2, i.n) for e in mt(1, k)]))
            for i in phases(n, messages)
            if i.n < 5  # what does not seal has more executions
        ),
    )
    (tally,) = checked(replace(SEALED, domain=short), [(1, 0)])
    assert tally.disputed is None
    assert tally.refuting is not None
    assert tally.refuting.n == 2


def test_phases_are_listed_once() -> None:
    assert [i.n for i in phases(1, 0)] == [2, 3, 4, 5, 6]
    assert not any(list(phases(*level)) for level in [(1, 1), (2, 0), (3, 0), (3, 4)])
    assert all(is_clean(tally) and not tally.checked for tally in checked(OPEN, [(2, 0), (3, 1)]))


def test_the_figures_count() -> None:
    """The number of messages is the square root of the number of channels that they close."""
    growth = FIGURE.claims[0].growth
    assert growth is not None
    counts = count(growth)
    assert counts == ((1, 1), (4, 4), (16, 16), (64, 64), (256, 256))
    assert not grows_faster(growth, counts)
    assert grows_faster(growth, tuple((size, counted**2) for size, counted in counts))
