"""Finite models: found by a solver, read off, and then evaluated here, so that the solver need not be
believed."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

from pysmt.fnode import FNode

Values = Mapping[tuple[int, ...], int | bool]


@dataclass(frozen=True)
class FiniteModel:
    """So many things, and what each symbol means about them; a constant is a function of nothing."""

    size: int
    meaning: Mapping[str, Values]

    def holds(self, formula: FNode, bound: Mapping[FNode, int] | None = None) -> bool:
        """Whether a formula is true in it, by its definition."""
        return bool(self._value(formula, bound or {}))

    def _value(self, node: FNode, bound: Mapping[FNode, int]) -> int | bool:
        if node.is_symbol():
            return bound[node] if node in bound else self.meaning[node.symbol_name()][()]
        if node.is_function_application():
            terms = tuple(int(self._value(arg, bound)) for arg in node.args())
            return self.meaning[node.function_name().symbol_name()][terms]
        if node.is_forall():
            return all(
                self._value(node.arg(0), {**bound, **dict(zip(node.quantifier_vars(), things, strict=True))})
                for things in product(range(self.size), repeat=len(node.quantifier_vars()))
            )
        return self._connected(node, bound)

    def _connected(self, node: FNode, bound: Mapping[FNode, int]) -> int | bool:
        values = (self._value(arg, bound) for arg in node.args())
        if node.is_and():
            return all(values)
        if node.is_or():
            return any(values)
        if node.is_not():
            return not next(values)
        if node.is_implies():
            return not next(values) or next(values)
        if node.is_iff() or node.is_equals():
            return next(values) == next(values)
        if node.is_ite():
            return self._value(node.arg(1 if next(values) else 2), bound)
        if node.is_bool_constant():
            return bool(node.constant_value())
        raise TypeError(f"{node} has no value in a finite model")
