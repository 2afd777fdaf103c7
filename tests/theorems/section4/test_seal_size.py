"""`seal-size`: the verdict on record, and bounds that are too small."""

from dataclasses import replace

import pytest
from tests.theorems.rows import checked, is_clean, up_to, without

from sealcheck.language.parser import parse
from sealcheck.questions.instance import Instance
from sealcheck.questions.sealing import MINIMAL_SEAL
from sealcheck.theorems.checking import examples as harness_crossing
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
