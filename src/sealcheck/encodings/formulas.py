"""Boolean formulas, written once and made in one of two ways: as pySMT's, or as gates of a circuit.

pySMT's formulas are for every solver, and may be parts of formulas about numbers.  Gates are cheap to make,
and soon become clauses.  Descriptions of the whole space use the functions of this module, named as pySMT's
are, and so can be made either way.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
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

    A gate is true if all its inputs are.  Number 1 has no inputs; a symbol has a name instead.

    >>> gates = Gates()
    >>> a, b = gates.Symbol("a"), gates.Symbol("b")
    >>> gates.Not(gates.And([a, b])) == gates.Or([gates.Not(a), gates.Not(b)])
    True
    """

    def __init__(self) -> None:
        self.inputs: list[tuple[int, ...] | None] = [None, ()]
        """By number; None for a symbol."""
        self.denials = [0, 0]
        """By number: of how many gates the negation is an input."""
        self.symbols: dict[int, Formula] = {}
        """The formulas that symbols are made for: pySMT's, or themselves."""
        self._numbers: dict[tuple[int, ...] | FNode | str, int] = {(): 1}

    def TRUE(self) -> int:
        """The conjunction of nothing."""
        return 1

    def FALSE(self) -> int:
        """The disjunction of nothing."""
        return -1

    def Symbol(self, name: str) -> int:
        """The variable of that name."""
        return self._numbers.get(name) or self._symbol(name, len(self.inputs))

    def Not(self, part: int) -> int:
        """The negation."""
        return -part

    def And(self, parts: int | Iterable[int]) -> int:
        """The conjunction of several, or one alone."""
        if isinstance(parts, int):
            return parts
        inputs = tuple(parts)
        if number := self._numbers.get(inputs):
            return number
        if 1 in inputs:
            return self.And([part for part in inputs if part != 1])
        if -1 in inputs or len(inputs) == 1:
            return -1 if -1 in inputs else inputs[0]
        self._numbers[inputs] = number = len(self.inputs)
        self.inputs.append(inputs)
        self.denials.append(0)
        for part in inputs:
            if part < 0:
                self.denials[-part] += 1
        return number

    def Or(self, parts: int | Iterable[int]) -> int:
        """The disjunction of several, or one alone."""
        return parts if isinstance(parts, int) else -self.And([-part for part in parts])

    def Implies(self, left: int, right: int) -> int:
        """That the right one holds if the left one does."""
        return -self.And((left, -right))

    def Iff(self, left: int, right: int) -> int:
        """That both hold, or neither."""
        return self.And((self.Implies(left, right), self.Implies(right, left)))

    def of(self, formula: Formula) -> int:
        """The gate for a formula.  Raises NotBooleanError if it is not about Booleans alone."""
        if isinstance(formula, int):
            return formula
        if formula not in self._numbers:
            self._numbers[formula] = self._of(formula)
        return self._numbers[formula]

    def _of(self, formula: FNode) -> int:
        parts = map(self.of, formula.args())
        match formula.node_type():
            case operators.SYMBOL if formula.is_symbol(pysmt.shortcuts.BOOL):
                return self._symbol(formula, formula)
            case operators.BOOL_CONSTANT:
                return 1 if formula.is_true() else -1
            case operators.NOT:
                return self.Not(*parts)
            case operators.AND:
                return self.And(parts)
            case operators.OR:
                return self.Or(parts)
            case operators.IMPLIES:
                return self.Implies(*parts)
            case operators.IFF:
                return self.Iff(*parts)
            case _:
                raise NotBooleanError(f"not a Boolean formula: {formula}")

    def _symbol(self, name: str | FNode, formula: Formula) -> int:
        self._numbers[name] = number = len(self.inputs)
        self.inputs.append(None)
        self.denials.append(0)
        self.symbols[number] = formula
        return number


_MAKER: ContextVar[Any] = ContextVar("maker", default=pysmt.shortcuts)


@contextmanager
def made_by(maker: Any) -> Iterator[None]:
    """Formulas built inside are made by `pysmt.shortcuts`, or by `Gates`."""
    before = _MAKER.set(maker)
    try:
        yield
    finally:
        _MAKER.reset(before)


def gates_in_use() -> Gates:
    """The circuit to which formulas are added; a new one if they are pySMT's."""
    maker = _MAKER.get()
    return maker if isinstance(maker, Gates) else Gates()


def TRUE() -> Formula:
    """The conjunction of nothing."""
    return _MAKER.get().TRUE()


def FALSE() -> Formula:
    """The disjunction of nothing."""
    return _MAKER.get().FALSE()


def Symbol(name: str) -> Formula:
    """The variable of that name."""
    return _MAKER.get().Symbol(name)


def Not(part: Formula) -> Formula:
    """The negation."""
    return _MAKER.get().Not(part)


def And(*parts: Formula | Iterable[Formula]) -> Formula:
    """The conjunction of all arguments, or of all that the only one has."""
    return _MAKER.get().And(parts[0] if len(parts) == 1 else parts)


def Or(*parts: Formula | Iterable[Formula]) -> Formula:
    """The disjunction of all arguments, or of all that the only one has."""
    return _MAKER.get().Or(parts[0] if len(parts) == 1 else parts)


def Implies(left: Formula, right: Formula) -> Formula:
    """That the right one holds if the left one does."""
    return _MAKER.get().Implies(left, right)


def Iff(left: Formula, right: Formula) -> Formula:
    """That both hold, or neither."""
    return _MAKER.get().Iff(left, right)
