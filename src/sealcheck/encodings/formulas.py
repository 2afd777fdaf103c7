"""Boolean formulas, which are built in one of two ways: by pySMT, or as gates of a circuit.

The functions of this module have the names of pySMT's functions. Formulas of pySMT suit every solver, and can
be parts of formulas about numbers. Gates are cheaper to build, and to turn into clauses.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeAlias

from pysmt import operators as op
from pysmt import shortcuts
from pysmt.fnode import FNode

Formula: TypeAlias = FNode | int
"""A formula of pySMT's, or a gate."""


class NotBooleanError(TypeError):
    """The formula is not Boolean, for example because it is about numbers."""


class Gates:
    """A circuit without duplicate gates. A formula is a gate's number, or minus this number for the negation.

    A gate is true exactly if all its inputs are true. Gate 1 is TRUE: its list of inputs is empty. The gate
    of a symbol has no list of inputs, and may be true or false.

    >>> with made_of(Gates()):
    ...     a, b = Symbol("a"), Symbol("b")
    ...     Not(And(a, b)) == Or(Not(a), Not(b)) == Implies(a, Not(b)), And(a, TRUE()) == a
    (True, True)
    """

    def __init__(self) -> None:
        self.inputs: list[tuple[int, ...] | None] = [None, ()]
        """The inputs of each gate, by the gate's number; None for a symbol."""
        self.symbols: dict[int, Formula] = {}
        """For each gate of a symbol: pySMT's symbol, or the gate itself if it was made from a name."""
        self._numbers: dict[tuple[int, ...] | FNode | str, int] = {(): 1}

    def symbol(self, name: str | FNode) -> int:
        """The gate of the variable with this name, or of this symbol of pySMT."""
        number = self._numbers.get(name)
        if number is None:
            self._numbers[name] = number = len(self.inputs)
            self.inputs.append(None)
            self.symbols[number] = number if isinstance(name, str) else name
        return number

    def conjunction(self, parts: Iterable[int]) -> int:
        """The gate that is true exactly if all parts are true."""
        inputs = tuple(parts)
        if number := self._numbers.get(inputs):
            return number
        if 1 in inputs:
            return self.conjunction([part for part in inputs if part != 1])
        if -1 in inputs:
            return -1
        if len(inputs) == 1:
            return inputs[0]
        self._numbers[inputs] = number = len(self.inputs)
        self.inputs.append(inputs)
        return number

    def denials(self, formulas: Iterable[int]) -> list[int]:
        """For each gate g: of how many gates in the formulas is the negation of g an input?"""
        needed, found = bytearray(len(self.inputs)), [0] * len(self.inputs)
        for formula in formulas:
            needed[abs(formula)] = True
        for number in range(len(self.inputs) - 1, 0, -1):
            if needed[number] and (inputs := self.inputs[number]):
                for part in inputs:
                    needed[abs(part)] = True
                    if part < 0:
                        found[-part] += 1
        return found

    def of(self, formula: Formula) -> int:
        """The gate for a formula. Raises NotBooleanError if the formula is not about Booleans alone."""
        if isinstance(formula, int):
            return formula
        with made_of(self):
            return self._of(formula)

    def _of(self, formula: FNode) -> int:
        if formula.is_symbol(shortcuts.BOOL):
            return self.symbol(formula)
        if formula.is_bool_constant():
            return 1 if formula.is_true() else -1
        if formula not in self._numbers:
            if formula.node_type() not in _CONNECTIVES:
                raise NotBooleanError(f"not a Boolean formula: {formula}")
            self._numbers[formula] = _CONNECTIVES[formula.node_type()](*map(self._of, formula.args()))
        return self._numbers[formula]


_GATES: ContextVar[Gates | None] = ContextVar("gates", default=None)


@contextmanager
def made_of(gates: Gates | None) -> Iterator[None]:
    """Within this context, formulas are gates of the circuit; if `gates` is None, formulas of pySMT."""
    before = _GATES.set(gates)
    try:
        yield
    finally:
        _GATES.reset(before)


def gates_in_use() -> Gates:
    """The circuit to which formulas are added; a new circuit if formulas are built by pySMT."""
    return _GATES.get() or Gates()


def TRUE() -> Formula:
    """The conjunction of nothing."""
    return And()


def FALSE() -> Formula:
    """The disjunction of nothing."""
    return Or()


def Symbol(name: str) -> Formula:
    """The variable of that name."""
    gates = _GATES.get()
    return gates.symbol(name) if gates else shortcuts.Symbol(name)


def Not(part: Formula) -> Formula:
    """The negation."""
    return -part if isinstance(part, int) else shortcuts.Not(part)


def And(*parts: Formula | Iterable[Formula]) -> Formula:
    """The conjunction of the arguments. A single argument may be an iterable of formulas."""
    gates = _GATES.get()
    return gates.conjunction(_several(parts)) if gates else shortcuts.And(*parts)


def Or(*parts: Formula | Iterable[Formula]) -> Formula:
    """The disjunction of the arguments. A single argument may be an iterable of formulas."""
    gates = _GATES.get()
    return -gates.conjunction([-part for part in _several(parts)]) if gates else shortcuts.Or(*parts)


def Implies(left: Formula, right: Formula) -> Formula:
    """The condition that `right` holds if `left` holds."""
    gates = _GATES.get()
    return -gates.conjunction((left, -right)) if gates else shortcuts.Implies(left, right)


def Iff(left: Formula, right: Formula) -> Formula:
    """The condition that both hold, or neither."""
    gates = _GATES.get()
    return And(Implies(left, right), Implies(right, left)) if gates else shortcuts.Iff(left, right)


def _several(parts: tuple[Any, ...]) -> Iterable[int]:
    return parts[0] if len(parts) == 1 and not isinstance(parts[0], int) else parts


_CONNECTIVES: dict[int, Callable[..., Any]] = {
    op.NOT: Not,
    op.AND: And,
    op.OR: Or,
    op.IMPLIES: Implies,
    op.IFF: Iff,
}
