"""The notions are the refinements that the paper prints."""

import pytest

from sealcheck.language.parser import parse
from sealcheck.language.printer import show
from sealcheck.programs import syntax

P, Q, S = (parse(f"1.{name} := 1") for name in "pqs")


@pytest.mark.parametrize(
    ("sides", "printed"),
    [
        (syntax.ccl(P, S, Q), ("cut; P; S; Q; cut", "P; cut; S; cut; Q")),
        (syntax.barrier(P, S, Q), ("cut; P; S; Q", "P; cut; S; cut; Q")),
        (syntax.tcc(P), ("cut; P", "P; cut")),
        (syntax.seals(P, S), ("cut; P; S", "P; cut; S")),
        (syntax.fits_after(P, Q), ("cut; Q; P", "cut; Q; cut; P")),
        (syntax.separates(S, P, Q), ("cut; P; S; Q; cut", "P; cut; S; cut; Q")),
    ],
)
def test_both_sides(sides: syntax.Refinement, printed: tuple[str, str]) -> None:
    """Left and right side, word by word (section 3, and the footnote of section 5)."""

    def spelled(formula: str) -> str:
        return formula.replace("P", show(P)).replace("Q", show(Q)).replace("S", show(S))

    assert tuple(map(show, sides)) == tuple(map(spelled, printed))
