"""`seal-construction` and how it transmits: verdicts on record, and constructions that are too short."""

import pytest
from tests.theorems.rows import checked, is_clean, up_to

from sealcheck.programs.straight_line import Channel, StraightLine, channels
from sealcheck.theorems.checking.statement import Statement
from sealcheck.theorems.section4 import seal_construction
from sealcheck.theorems.section4.seal_construction import STATEMENTS, outputs


@pytest.fixture(autouse=True)
def _no_output_is_remembered() -> None:
    outputs.cache_clear()


@pytest.mark.parametrize("about", STATEMENTS, ids=lambda about: about.id)
def test_verified_one_by_one(about: Statement) -> None:
    """Up to three processes and three messages, every program with a tree is sealed as claimed."""
    (tally,) = checked(about, up_to(3, 3), ("z3",))
    assert is_clean(tally)
    assert tally.checked - tally.vacuous == 67


def test_every_tree_and_root_is_tried() -> None:
    """With all channels closed there are 3 trees and 3 roots; without trees there is no output."""
    assert len(outputs(3, frozenset(channels(3)))) == 9
    assert outputs(3, frozenset([Channel(1, 2)])) == ()
    assert outputs(1, frozenset()) == (StraightLine.of(1),)


@pytest.mark.parametrize("about", STATEMENTS, ids=lambda about: about.id)
def test_a_construction_without_its_first_phase_is_refuted(
    about: Statement, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If Seal(P) left out its first message, some program would not be sealed, or not be sealed safely."""
    whole = seal_construction.seal

    def shortened(p: StraightLine, **choices: object) -> StraightLine:
        found = whole(p, **choices)  # type: ignore[arg-type]
        return StraightLine.of(p.n, found.linearization[2:])

    monkeypatch.setattr(seal_construction, "seal", shortened)
    (tally,) = checked(about, up_to(2, 2), ("z3",))
    assert tally.refuting is not None


def test_a_seal_that_is_too_long_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    """With every phase doubled it would still seal, but not with fewer than 3n messages."""
    whole = seal_construction.seal

    def doubled(p: StraightLine, **choices: object) -> StraightLine:
        found = whole(p, **choices)  # type: ignore[arg-type]
        return found.then(found).then(found)

    monkeypatch.setattr(seal_construction, "seal", doubled)
    (tally,) = checked(STATEMENTS[0], up_to(2, 1), ("z3",))
    assert str(tally.refuting) == "eps"
