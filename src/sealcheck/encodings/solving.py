"""One formula, several solvers: z3 and cvc5 through pySMT, CaDiCaL through CNF.

A solver that runs out of time, or gives up for any other reason, answers `UNKNOWN`, which no
caller may count as anything else.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from enum import Enum
from functools import partial
from io import StringIO
from typing import Any, Protocol, Self

from pysmt.environment import get_env, pop_env, push_env
from pysmt.exceptions import SolverReturnedUnknownResultError
from pysmt.factory import DEFAULT_LOGIC
from pysmt.fnode import FNode
from pysmt.shortcuts import And
from pysmt.smtlib.script import smtlibscript_from_formula

from sealcheck.encodings.cnf import Cnf, NotBooleanError, to_cnf
from sealcheck.encodings.order import Clock, Interleaving
from sealcheck.encodings.proofs import Model, Proof, Refute, refutation
from sealcheck.encodings.solvers import SMT_SOLVERS, SOLVERS
from sealcheck.errors import InputError, LimitReached
from sealcheck.words import or_choose

CONFLICTS_PER_SECOND = 10_000
"""CaDiCaL can't be stopped by the clock, so its time limit is turned into conflicts."""


class Status(Enum):
    """What a solver said."""

    SAT = "sat"
    UNSAT = "unsat"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Answer:
    """The status and, for SAT, a function that gives the value of a variable in the model.

    A variable that no formula mentions is free; its value is 0, or false.
    """

    status: Status
    value: Callable[[FNode], bool | int]


def _no_model(symbol: FNode) -> bool | int:
    raise ValueError("there is no model, or none was asked for")


def answer_of(cnf: Cnf, true: frozenset[int]) -> Answer:
    """The model of clauses in which exactly these variables are true."""
    return Answer(Status.SAT, lambda symbol: cnf.variables.get(symbol) in true)


class Solver(Protocol):
    """Something that is asked one question after another; a context manager."""

    @property
    def name(self) -> str:
        """One of `SOLVERS`."""

    @property
    def order(self) -> type[Clock] | type[Interleaving]:
        """The encoding of order that suits it."""

    def __enter__(self) -> Self: ...
    def __exit__(self, *_: object) -> None: ...

    def ask(self, formulas: list[FNode], *, model: bool = True) -> Answer:
        """Ask for a model of the conjunction of `formulas`; only whether there is one if not `model`."""

    def assuming(self, formulas: list[FNode]) -> AbstractContextManager[None]:
        """Take `formulas` for granted in every question that is asked inside."""


def open_solver(name: str, *, seconds: float | None = None) -> Solver:
    """A solver by name; a question that takes it longer than `seconds` is `UNKNOWN`.

    Raises InputError for an unknown name.

    >>> from pysmt.shortcuts import Not, Symbol
    >>> x = Symbol("x")
    >>> for name in SOLVERS:
    ...     with open_solver(name) as solver:
    ...         print([solver.ask(formulas).status.value for formulas in ([x], [x, Not(x)], [x])])
    ['sat', 'unsat', 'sat']
    ['sat', 'unsat', 'sat']
    ['sat', 'unsat', 'sat']
    """
    require_solver(name)
    return SmtSolver(name, seconds) if name in SMT_SOLVERS else SatSolver(seconds)


def require_solver(name: str) -> None:
    """Raise InputError unless there is a solver of that name."""
    if name not in SOLVERS:
        raise InputError(f"unknown solver '{name}': {or_choose(name, SOLVERS)}")


def satisfiable(solver: Solver, formulas: list[FNode]) -> bool:
    """Whether the conjunction has a model; raises LimitReached if the solver can't tell."""
    answer = solver.ask(formulas, model=False)
    if answer.status is Status.UNKNOWN:
        raise LimitReached(f"{solver.name} gave up on a question")
    return answer.status is Status.SAT


@contextmanager
def fresh_formulas() -> Iterator[None]:
    """Formulas built inside are forgotten afterwards; without this, memory only grows."""
    push_env()
    try:
        yield
    finally:
        pop_env()


def smt_lib(formulas: list[FNode]) -> str:
    """The conjunction of `formulas` as an SMT-LIB 2 script that any solver reads.

    >>> from pysmt.shortcuts import Symbol
    >>> print(smt_lib([Symbol("x")]).splitlines()[-1])
    (check-sat)
    """
    text = StringIO()
    smtlibscript_from_formula(And(formulas)).serialize(text, daggify=True)
    return text.getvalue()


def _started(name: str, seconds: float | None) -> Any:
    """The solver through pySMT, whose factory would look anew for every solver there is, each time."""
    # Here only, so that whoever needs one solver loads no other one.
    if name == "z3":
        from pysmt.solvers.z3 import Z3Solver as Started

        option = "timeout"
    else:
        from pysmt.solvers.cvcfive import CVC5Solver as Started

        option = "tlimit-per"
    limits = {} if seconds is None else {option: int(seconds * 1000)}
    return Started(get_env(), DEFAULT_LOGIC, generate_models=True, incremental=True, solver_options=limits)


class SmtSolver:
    """z3 or cvc5, kept running: starting one costs several times what a small question costs."""

    order: type[Clock] | type[Interleaving] = Clock

    def __init__(self, name: str, seconds: float | None) -> None:
        self.name = name
        self._solver = _started(name, seconds)
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
                return Answer(Status.UNSAT, _no_model)
            if not model:
                return Answer(Status.SAT, _no_model)
            symbols = get_env().fvo.get_free_variables(And(self._assumed + formulas))
            values = self._values(list(symbols))
            return Answer(Status.SAT, lambda symbol: values.get(symbol, 0))
        except SolverReturnedUnknownResultError:
            return Answer(Status.UNKNOWN, _no_model)
        finally:
            self._solver.pop()

    def _values(self, symbols: list[FNode]) -> dict[FNode, bool | int]:
        """The model, read at once: through pySMT, value by value, that takes longer than solving."""
        terms = [self._solver.converter.convert(symbol) for symbol in symbols]
        read = _read_z3 if self.name == "z3" else _read_cvc5
        return dict(zip(symbols, read(self._solver, terms), strict=True))


def _read_z3(solver: Any, terms: list[Any]) -> Iterator[bool | int]:
    from z3 import is_int_value, is_true  # here only, so that proofs are verified without any solver

    model = solver.z3.model()
    for term in terms:
        value = model.eval(term, model_completion=True)
        yield value.as_long() if is_int_value(value) else is_true(value)


def _read_cvc5(solver: Any, terms: list[Any]) -> Iterator[bool | int]:
    for value in solver.cvc5.getValue(terms):
        yield value.getIntegerValue() if value.isIntegerValue() else value.getBooleanValue()


class SatSolver:
    """CaDiCaL, started for each question; one that is not about Booleans alone is `UNKNOWN` to it.

    Where it says that there is no model, the kernel has accepted its proof.  `refute` may take its place.
    """

    name = "cadical"
    order: type[Clock] | type[Interleaving] = Interleaving

    def __init__(self, seconds: float | None = None, refute: Refute | None = None) -> None:
        conflicts = None if seconds is None else int(seconds * CONFLICTS_PER_SECOND)
        self._refute = refute or partial(refutation, conflicts=conflicts)
        self._assumed: list[FNode] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    @contextmanager
    def assuming(self, formulas: list[FNode]) -> Iterator[None]:
        """Take `formulas` for granted in every question that is asked inside."""
        self._assumed += formulas
        try:
            yield
        finally:
            del self._assumed[len(self._assumed) - len(formulas) :]

    def ask(self, formulas: list[FNode], *, model: bool = True) -> Answer:
        """Ask for a model of the conjunction of `formulas`; it comes for free."""
        try:
            cnf = to_cnf(self._assumed + formulas)
            found = self._refute(cnf.clauses)
        except (LimitReached, NotBooleanError):
            return Answer(Status.UNKNOWN, _no_model)
        match found:
            case Model(true):
                return answer_of(cnf, true)
            case Proof():
                return Answer(Status.UNSAT, _no_model)
