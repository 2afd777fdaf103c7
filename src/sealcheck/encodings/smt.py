"""z3 and cvc5 through pySMT: how each is started, stopped and read."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Self

from pysmt.environment import get_env
from pysmt.exceptions import SolverReturnedUnknownResultError
from pysmt.fnode import FNode
from pysmt.logics import QF_LIA, Logic
from pysmt.shortcuts import And

from sealcheck.encodings.order import Clock, Interleaving
from sealcheck.encodings.solving import Answer, Status, no_model
from sealcheck.errors import InputError


@dataclass(frozen=True, kw_only=True)
class Driver:
    """What differs from one SMT solver to the next."""

    start: Callable[..., Any]
    """Makes pySMT's solver, and imports it only then: whoever needs one solver loads no other one."""
    timeout: str
    """The option that limits each question, in milliseconds."""
    read: Callable[[Any, list[Any]], Iterator[bool | int]]
    """The values of terms in the model, at once: one by one, through pySMT, takes longer than solving."""
    quantified: Mapping[str, str] = field(default_factory=dict)
    """The options that formulas with quantifiers take."""


def _start_z3(*arguments: Any, **options: Any) -> Any:
    from pysmt.solvers.z3 import Z3Solver

    return Z3Solver(*arguments, **options)


def _start_cvc5(*arguments: Any, **options: Any) -> Any:
    from pysmt.solvers.cvcfive import CVC5Solver

    solver = CVC5Solver(*arguments, **options)
    # pySMT makes a sort anew each time it meets its name, and then things of it are of different sorts.
    solver.converter._type_to_cvc5 = cache(solver.converter._type_to_cvc5)
    return solver


def _read_z3(solver: Any, terms: list[Any]) -> Iterator[bool | int]:
    from z3 import is_int_value, is_true  # here only, so that proofs are verified without any solver

    model = solver.z3.model()
    for term in terms:
        value = model.eval(term, model_completion=True)
        yield value.as_long() if is_int_value(value) else is_true(value)


def _read_cvc5(solver: Any, terms: list[Any]) -> Iterator[bool | int]:
    for value in solver.cvc5.getValue(terms):
        yield value.getIntegerValue() if value.isIntegerValue() else value.getBooleanValue()


SMT = {
    "z3": Driver(start=_start_z3, timeout="timeout", read=_read_z3),
    "cvc5": Driver(
        start=_start_cvc5, timeout="tlimit-per", read=_read_cvc5, quantified={"enum-inst": "true"}
    ),
}
"""How each is driven."""


def driver(name: str) -> Driver:
    """How this SMT solver is driven.  Raises InputError where nothing says so."""
    if name not in SMT:
        raise InputError(f"nothing says how the solver '{name}' is started")
    return SMT[name]


def started(
    name: str,
    seconds: float | None,
    logic: Logic,
    *,
    models: bool = True,
    options: Mapping[str, str] | None = None,
) -> Any:
    """pySMT's solver of that name; pySMT's own factory would look anew for every solver there is, each time.

    Raises InputError where nothing says how it is started.
    """
    driven = driver(name)
    limits = {} if seconds is None else {driven.timeout: int(seconds * 1000)}
    solver_options = {**limits, **(options or {})}
    return driven.start(
        get_env(), logic, generate_models=models, incremental=True, solver_options=solver_options
    )


class SmtSolver:
    """z3 or cvc5, kept running: starting one costs several times what a small question costs.

    Raises InputError where nothing says how it is started.
    """

    order: type[Clock] | type[Interleaving] = Clock

    def __init__(self, name: str, seconds: float | None) -> None:
        self.name = name
        self._read = driver(name).read
        # Clocks and values are all that is not Boolean; with pySMT's default, which has functions and reals,
        # too, cvc5 takes a seventh longer.
        self._solver = started(name, seconds, QF_LIA)
        self._assumed: list[FNode] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.exit()

    @contextmanager
    def assuming(self, formulas: list[FNode]) -> Iterator[None]:
        """Take `formulas` for granted in every question that is asked inside."""
        self._solver.push()
        self._solver.add_assertion(And(formulas))
        self._assumed += formulas
        try:
            yield
        finally:
            del self._assumed[len(self._assumed) - len(formulas) :]
            self._solver.pop()

    def ask(self, formulas: list[FNode], *, model: bool = True) -> Answer:
        """Ask for a model of the conjunction of `formulas`."""
        self._solver.push()
        try:
            # One conjunction costs a fraction of what its parts cost one by one.
            self._solver.add_assertion(And(formulas))
            if not self._solver.solve():
                return Answer(Status.UNSAT, no_model)
            if not model:
                return Answer(Status.SAT, no_model)
            symbols = list(get_env().fvo.get_free_variables(And(self._assumed + formulas)))
            terms = [self._solver.converter.convert(symbol) for symbol in symbols]
            values = dict(zip(symbols, self._read(self._solver, terms), strict=True))
            return Answer(Status.SAT, lambda symbol: values.get(symbol, 0))
        except SolverReturnedUnknownResultError:
            return Answer(Status.UNKNOWN, no_model)
        finally:
            self._solver.pop()
