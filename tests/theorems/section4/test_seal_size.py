"""`seal-size`: the verdict on record, and bounds that are too small."""

from dataclasses import replace

import pytest
from tests.theorems.rows import checked, is_clean, up_to, without

from sealcheck.algorithms.minimum_seal import Minimum
from sealcheck.errors import Disagreement
from sealcheck.explorers import knowledge
from sealcheck.language.parser import parse
from sealcheck.programs.straight_line import Channel
from sealcheck.questions import closed_channels
from sealcheck.questions.question import Instance
from sealcheck.questions.sealing import MINIMAL_SEAL
from sealcheck.theorems.checking import examples as harness_crossing
from sealcheck.theorems.checking.checking_lengths import check_every_length
from sealcheck.theorems.checking.examples import crossing
from sealcheck.theorems.checking.statement import Outcome, holds_if
from sealcheck.theorems.section4.seal_size import STATEMENT


def test_verified_one_by_one() -> None:
    """Up to three processes and three messages, every program that a BSL seals has a short enough seal."""
    _, tally = checked(STATEMENT, up_to(3, 3))
    assert is_clean(tally)
    assert tally.checked - tally.vacuous == 67


def test_a_guard_seals_what_no_bsl_does() -> None:
    """So the printed claim, in which any program may seal P, is refuted by X, and by nothing smaller."""
    tally, _ = checked(STATEMENT, up_to(2, 2))
    assert tally.refuting == Instance.of(crossing(2))
    assert without(STATEMENT, n=2, messages=2) == {"a BSL seals P": str(crossing(2))}


def test_without_the_guard_nothing_refutes(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the guarded program does not seal X, the printed claim says nothing of X."""
    monkeypatch.setattr(harness_crossing, "GUARDED", parse("mt 1->2; mt 2->1"))
    tally, _ = checked(STATEMENT, [(2, 2)])
    assert is_clean(tally)
    assert tally.vacuous == 1


def test_a_bound_that_is_too_small_is_refuted() -> None:
    """With fewer than n - 1 messages not even a single one is sealed."""
    claim = replace(
        STATEMENT.claims[1],
        check=lambda i, ask: holds_if((least := ask(MINIMAL_SEAL, i)) is None or least < max(1, i.n - 1)),
    )
    (tally,) = checked(replace(STATEMENT, claims=(claim,)), up_to(2, 2))
    assert str(tally.refuting) == "mt 1->2"


def test_unsealable_programs_are_vacuous() -> None:
    """Program X has no seal, so the claim says nothing of it: one of the three programs of (2, 2)."""
    _, tally = checked(STATEMENT, [(2, 2)])
    assert (tally.checked, tally.vacuous) == (3, 1)
    assert Outcome.VACUOUS is not Outcome.HOLDS


@pytest.mark.parametrize("n", [1, 2, 3])
def test_every_length(n: int) -> None:
    """What holds for bounded programs holds for all profiles, so for programs of every length."""
    assert check_every_length(STATEMENT, 1, n).refuting is None


def test_every_length_notices(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a minimum seal had 3n messages, that would be a counterexample, once both oracles say so."""
    long = Minimum((Channel(1, 2),) * 6, ())
    monkeypatch.setattr(closed_channels, "minimum_or_unsealable", lambda problem: long)
    with pytest.raises(Disagreement, match="search over knowledge says 6"):
        check_every_length(STATEMENT, 1, 2)
    monkeypatch.setattr(knowledge, "fewest", lambda n, profile: 6)
    assert check_every_length(STATEMENT, 1, 2).refuting is not None
