"""`seal-size`, `seal-construction`, `worst-case-seal`: verdicts, and mistakes that are caught."""

from collections.abc import Callable

import pytest
from tests.theorems.rows import checked, is_clean, up_to

from sealcheck.language.parser import parse
from sealcheck.programs.straight_line import Channel, StraightLine, channels
from sealcheck.theorems.checking import examples
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.statement import Statement
from sealcheck.theorems.section4 import seal_size
from sealcheck.theorems.section4.seal_size import CONSTRUCTION, SEAL_SIZE, outputs


def test_without_the_guard_nothing_refutes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examples, "GUARDED", parse("mt 1->2; mt 2->1"))
    tally, _ = checked(SEAL_SIZE, [(2, 2)])
    assert is_clean(tally)
    assert tally.vacuous == 1


@pytest.fixture(autouse=True)
def _no_output_is_remembered() -> None:
    outputs.cache_clear()


def test_every_tree_and_root_is_tried() -> None:
    """With all channels closed there are 3 trees and 3 roots."""
    assert len(outputs(3, frozenset(channels(3)))) == 9
    assert outputs(3, frozenset([Channel(1, 2)])) == ()
    assert outputs(1, frozenset()) == (StraightLine.of(1),)


@pytest.mark.parametrize("about", CONSTRUCTION, ids=lambda about: about.id)
def test_a_construction_without_its_first_phase_is_refuted(
    about: Statement, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = seal_size.seal

    def shortened(p: StraightLine, *choices: Callable[..., object]) -> StraightLine:
        found = whole(p, *choices)  # type: ignore[arg-type]
        return StraightLine.of(p.n, found.linearization[2:])

    monkeypatch.setattr(seal_size, "seal", shortened)
    (tally,) = checked(about, up_to(2, 2), ("z3",))
    assert tally.refuting is not None


def test_a_seal_that_is_too_long_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = seal_size.seal

    def doubled(p: StraightLine, *choices: Callable[..., object]) -> StraightLine:
        found = whole(p, *choices)  # type: ignore[arg-type]
        return found.then(found).then(found)

    monkeypatch.setattr(seal_size, "seal", doubled)
    (tally,) = checked(CONSTRUCTION[0], up_to(2, 1), ("z3",))
    assert str(tally.refuting) == "eps"


def test_the_explanation_has_both_bounds() -> None:
    (instance,) = seal_size.hardest(2, 0)
    with inline(()) as ask:
        enough, necessary = seal_size.explain_worst_case(instance, ask).splitlines()
    assert "needs more than 3n - 5 = 1." in enough
    assert necessary.startswith("P needs 1: no seal of P is shorter than mt 1->2")
