"""The paper's phase L and its seal S: verdicts on record for every n that is listed."""

from dataclasses import replace

from sealcheck.programs.events import mt
from sealcheck.programs.straight_line import StraightLine
from sealcheck.theorems.checking import check_instances, count, grows_faster
from sealcheck.theorems.domains import Listed
from sealcheck.theorems.example_phase import STATEMENTS, phases
from sealcheck.theorems.families import phase
from sealcheck.theorems.statement import Instance

OPEN, SEALED, FIGURE = STATEMENTS


def test_the_printed_number_is_wrong_from_three_processes_on() -> None:
    """Four channels are open for n = 3, where three are claimed; (n - 1)^2 is right up to n = 6."""
    tally = check_instances(OPEN, 1, 0)
    assert (tally.checked, tally.disputed, tally.unknown) == (5, None, 0)
    assert set(tally.refuting) == {0}
    assert tally.refuting[0] == Instance.of(phase(3))
    story = OPEN.claims[0].story
    assert story is not None
    assert story(tally.refuting[0]).splitlines()[-1] == "That makes 4, but n^2 - 3n + 3 = 3."


def test_the_seal_is_one() -> None:
    """S seals L and has n - 1 messages, for n = 2, ..., 6."""
    tally = check_instances(SEALED, 1, 0)
    assert (tally.checked, tally.disputed, tally.unknown, tally.refuting) == (5, None, 0, {})


def test_a_seal_that_leaves_somebody_out_is_refuted() -> None:
    """If S skipped its last message, L would not be sealed for the smallest n already."""
    short = Listed(
        "pairs",
        lambda n, messages: (
            Instance.of(i.p, StraightLine.of(i.n, [e for k in range(2, i.n) for e in mt(1, k)]))
            for i in phases(n, messages)
        ),
    )
    tally = check_instances(replace(SEALED, domain=short), 1, 0)
    assert tally.disputed is None
    assert tally.refuting[0].n == 2


def test_phases_are_listed_once() -> None:
    """Every other level is empty, so no audit sees a phase twice."""
    assert [i.n for i in phases(1, 0)] == [2, 3, 4, 5, 6]
    assert not any(list(phases(*level)) for level in [(1, 1), (2, 0), (3, 0), (3, 4)])


def test_the_figures_count() -> None:
    """As many messages as the square root of the channels that they close, exactly; fewer do not seal."""
    growth = FIGURE.claims[0].growth
    assert growth is not None
    counts = count(growth)
    assert counts == ((1, 1), (4, 4), (16, 16), (64, 64), (256, 256))
    assert not grows_faster(growth, counts)
    assert grows_faster(growth, tuple((size, counted**2) for size, counted in counts))
