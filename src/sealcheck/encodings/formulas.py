"""Boolean formulas, written once and made in one of two ways: as pySMT's, or as gates of a circuit.

pySMT's formulas are for every solver, and may be parts of formulas about numbers.  Gates are cheap to make,
and soon become clauses.  Descriptions of the whole space use the functions of this module, named as pySMT's
are, and so can be made either way.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any

import pysmt.shortcuts
from pysmt import operators
from pysmt.fnode import FNode

Formula = FNode | int
"""One of pySMT's, or a gate."""


class NotBooleanError(TypeError):
    """A formula that clauses can't express: it is about numbers, for instance."""


class Gates:
    """A circuit, which has each gate once.  A formula is the number of a gate; negative, it is negated.

    A gate is true if all its inputs are.  Number 1 has no inputs; a symbol is its own only input.

    >>> gates = Gates()
    >>> a, b = gates.Symbol("a"), gates.Symbol("b")
    >>> gates.Not(gates.And(a, b)) == gates.Or(gates.Not(a), gates.Not(b)) == gates.Implies(a, gates.Not(b))
    True
    """

    def __init__(self) -> None:
        self.inputs: list[tuple[int, ...] | Formula] = [0, ()]
        """By number; of a symbol, how the outside calls it."""
        self._numbers: dict[tuple[int, ...] | FNode | str, int] = {(): 1}

    def TRUE(self) -> int:
        """The conjunction of nothing."""
        return 1

    def FALSE(self) -> int:
        """The disjunction of nothing."""
        return -1

    def Symbol(self, name: str) -> int:
        """The variable of that name."""
        number = self._numbers.get(name)
        return self._new(name, len(self.inputs)) if number is None else number

    def Not(self, part: int) -> int:
        """The negation."""
        return -part

    def And(self, *parts: Any) -> int:
        """The conjunction of these, or of those in an iterable."""
        if len(parts) == 1 and not isinstance(parts[0], int):
            (parts,) = parts
        inputs = tuple([part for part in parts if part != 1])
        if len(inputs) == 1:
            return inputs[0]
        number = self._numbers.get(inputs)
        if number is None:
            return -1 if -1 in inputs else self._new(inputs, inputs)
        return number

    def Or(self, *parts: Any) -> int:
        """The disjunction of these, or of those in an iterable."""
        if len(parts) == 1 and not isinstance(parts[0], int):
            (parts,) = parts
        return -self.And([-part for part in parts])

    def Implies(self, left: int, right: int) -> int:
        """That the right one holds if the left one does."""
        return -self.And((left, -right))

    def Iff(self, left: int, right: int) -> int:
        """That both hold, or neither."""
        return self.And((self.Implies(left, right), self.Implies(right, left)))

    def of(self, formula: Formula) -> int:
        """The same formula as a gate.  Raises NotBooleanError if it is not about Booleans alone."""
        if isinstance(formula, int):
            return formula
        if formula in self._numbers:
            return self._numbers[formula]
        connectives = {
            operators.AND: self.And,
            operators.OR: self.Or,
            operators.NOT: self.Not,
            operators.IMPLIES: self.Implies,
            operators.IFF: self.Iff,
        }
        if formula.is_bool_constant():
            return 1 if formula.is_true() else -1
        if formula.is_symbol(pysmt.shortcuts.BOOL):
            return self._new(formula, formula)
        if formula.node_type() not in connectives:
            raise NotBooleanError(f"not a Boolean formula: {formula}")
        number = connectives[formula.node_type()](*map(self.of, formula.args()))
        self._numbers[formula] = number
        return number

    def _new(self, key: tuple[int, ...] | FNode | str, inputs: tuple[int, ...] | Formula) -> int:
        self._numbers[key] = number = len(self.inputs)
        self.inputs.append(inputs)
        return number


_MADE_BY: ContextVar[Any] = ContextVar("made_by", default=pysmt.shortcuts)


@contextmanager
def made_by(maker: Any) -> Iterator[None]:
    """Formulas built inside are made by pySMT's shortcuts, or by `Gates`."""
    before = _MADE_BY.set(maker)
    try:
        yield
    finally:
        _MADE_BY.reset(before)


def gates_in_use() -> Gates:
    """The circuit to which formulas are added; a new one if they are pySMT's."""
    maker = _MADE_BY.get()
    return maker if isinstance(maker, Gates) else Gates()


def _made(name: str, *parts: Any) -> Formula:
    return getattr(_MADE_BY.get(), name)(*parts)


TRUE, FALSE, Symbol, Not, And, Or, Implies, Iff = (
    partial(_made, name) for name in ("TRUE", "FALSE", "Symbol", "Not", "And", "Or", "Implies", "Iff")
)
