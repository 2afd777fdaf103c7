"""Abstract syntax: what the constructors refuse and how layering splices."""

import pytest

from sealcheck.programs.syntax import And, Choice, Cut, Eps, Integer, Layering, Or, Product, Sum, layered


@pytest.mark.parametrize("operator", [Sum, Product, And, Or, Layering, Choice])
@pytest.mark.parametrize("operands", [(), (Eps(),)])
def test_associative_operators_need_two_operands(operator: type, operands: tuple[object, ...]) -> None:
    """An operator without two operands has no text, so it cannot be built."""
    with pytest.raises(ValueError, match="two operands"):
        operator(operands)


def test_integer_literals_are_not_negative() -> None:
    """-5 is a negation, as in the text."""
    with pytest.raises(ValueError, match=r"Negation\(Integer\(5\)\)"):
        Integer(-5)


def test_layered_splices_one_level() -> None:
    """Layerings among the programs are spliced, their own grouping is kept."""
    inner = Layering((Eps(), Eps()))
    assert layered(Cut(), Layering((inner, Cut()))) == Layering((Cut(), inner, Cut()))
    assert layered(inner) == inner
