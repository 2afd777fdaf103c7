"""z3 and cvc5 on formulas with quantifiers, and finite models from cvc5."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import product
from typing import Any

from pysmt.environment import get_env
from pysmt.exceptions import SolverReturnedUnknownResultError
from pysmt.fnode import FNode
from pysmt.logics import UFLIRA
from pysmt.shortcuts import And

from sealcheck.encodings.solving import Status, driver, started
from sealcheck.errors import Disagreement, LimitReached
from sealcheck.every_n.finite import FiniteModel, Values

SECONDS = 20.0
"""For one question; what takes longer is unknown."""


def status(name: str, formulas: Sequence[FNode]) -> Status:
    """What a solver says of the conjunction: `UNKNOWN` also where it gives up."""
    with _started(name) as solver:
        solver.add_assertion(And(formulas))
        try:
            return Status.SAT if solver.solve() else Status.UNSAT
        except SolverReturnedUnknownResultError:
            return Status.UNKNOWN


def finite_model(formulas: Sequence[FNode]) -> FiniteModel | None:
    """A finite model that cvc5 finds, checked by evaluating every formula; None if there is no model.

    Raises LimitReached where cvc5 gives up, and Disagreement where its model is none.
    """
    with _started("cvc5", {"finite-model-find": "true"}) as solver:
        solver.add_assertion(And(formulas))
        try:
            if not solver.solve():
                return None
        except SolverReturnedUnknownResultError:
            raise LimitReached("cvc5 gave up looking for a finite model") from None
        model = _read(solver, And(formulas))
    for formula in formulas:
        if not model.holds(formula):
            raise Disagreement(f"cvc5's model is none of {formula}")
    return model


@contextmanager
def _started(name: str, options: Mapping[str, str] | None = None) -> Iterator[Any]:
    """A solver with these options, and then with models; else with those that quantifiers take."""
    models = options is not None
    solver = started(name, SECONDS, UFLIRA, models=models, options=options or driver(name).quantified)
    try:
        yield solver
    finally:
        solver.exit()


def _read(solver: Any, formula: FNode) -> FiniteModel:
    """What cvc5's model says about every symbol of a formula about one sort."""
    symbols = get_env().fvo.get_free_variables(formula)
    (sort,) = {_sort(symbol) for symbol in symbols}
    things = solver.cvc5.getModelDomainElements(solver.converter._type_to_cvc5(sort))
    number = {str(thing): position for position, thing in enumerate(things)}
    return FiniteModel(len(things), {s.symbol_name(): _values(solver, s, things, number) for s in symbols})


def _sort(symbol: FNode) -> Any:
    kind = symbol.symbol_type()
    return kind.param_types[0] if kind.is_function_type() else kind


def _values(solver: Any, symbol: FNode, things: Sequence[Any], number: dict[str, int]) -> Values:
    from cvc5 import Kind

    def value(positions: tuple[int, ...]) -> int | bool:
        term = declared
        if positions:
            term = solver.cvc5.mkTerm(Kind.APPLY_UF, declared, *(things[p] for p in positions))
        found = solver.cvc5.getValue(term)
        return bool(found.getBooleanValue()) if found.isBooleanValue() else number[str(found)]

    kind = symbol.symbol_type()
    declared = solver.converter.convert(symbol)
    arity = len(kind.param_types) if kind.is_function_type() else 0
    return {positions: value(positions) for positions in product(range(len(things)), repeat=arity)}
