"""The paper's phase L and its seal S: verdicts on record for every n that is listed."""

from dataclasses import replace

from tests.questions.asking import answers, who_knows
from tests.theorems.rows import checked, explained, holds, is_clean

from sealcheck.programs.straight_line import StraightLine, mt
from sealcheck.questions.closed_channels import CLOSED_CHANNELS
from sealcheck.questions.instance import Instance
from sealcheck.questions.sealing import IS_SEAL
from sealcheck.theorems.checking.domains import Listed
from sealcheck.theorems.checking.examples import phase
from sealcheck.theorems.checking.verdicts import count, grows_faster
from sealcheck.theorems.section4.example_phase import STATEMENTS, phases, sealed_phases

OPEN, SEALED, FIGURE = STATEMENTS


def test_the_printed_number_is_wrong_from_three_processes_on() -> None:
    """Four channels are open for n = 3, where three are claimed; (n - 1)^2 is right up to n = 6."""
    printed, repaired = checked(OPEN, [(1, 0)])
    assert (printed.checked, printed.disputed, printed.unknown) == (5, None, 0)
    assert printed.refuting == Instance.of(phase(3))
    assert holds(repaired)
    lines = explained(OPEN, printed.refuting).splitlines()
    assert lines[-1] == "That makes 4, but n^2 - 3n + 3 = 3."


def test_who_knows() -> None:
    """However large L is, oracles that share nothing with each other know the answer."""
    for found in answers(CLOSED_CHANNELS, list(phases(1, 0))):
        assert {"matchings", "z3", "cvc5"} <= who_knows(found)
        assert ("explorer" in who_knows(found)) == (found.asked.instance.n <= 4)
    for of_seal in answers(IS_SEAL, list(sealed_phases(1, 0))[:-1]):
        assert {"program graph", "explorer", "kernel"} <= who_knows(of_seal)


def test_a_seal_that_leaves_somebody_out_is_refuted() -> None:
    """If S skipped its last message, L would not be sealed for the smallest n already."""
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
    """Every other level is empty, so no audit sees a phase twice."""
    assert [i.n for i in phases(1, 0)] == [2, 3, 4, 5, 6]
    assert not any(list(phases(*level)) for level in [(1, 1), (2, 0), (3, 0), (3, 4)])
    assert all(is_clean(tally) and not tally.checked for tally in checked(OPEN, [(2, 0), (3, 1)]))


def test_the_figures_count() -> None:
    """As many messages as the square root of the channels that they close, exactly; fewer do not seal."""
    growth = FIGURE.claims[0].growth
    assert growth is not None
    counts = count(growth)
    assert counts == ((1, 1), (4, 4), (16, 16), (64, 64), (256, 256))
    assert not grows_faster(growth, counts)
    assert grows_faster(growth, tuple((size, counted**2) for size, counted in counts))
