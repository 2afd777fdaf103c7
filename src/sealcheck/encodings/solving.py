"""What a solver is: it is asked for models of formulas, one question after another.

A solver that runs out of time, or gives up for any other reason, answers `UNKNOWN`, which no
caller may count as anything else.  How each is started and asked, `smt` and `sat` know.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from enum import Enum
from typing import Protocol, Self

from pysmt.environment import pop_env, push_env
from pysmt.fnode import FNode

from sealcheck.encodings.cnf import Cnf
from sealcheck.encodings.order import Clock, Interleaving
from sealcheck.encodings.solvers import SOLVERS
from sealcheck.errors import InputError, LimitReached
from sealcheck.words import or_choose


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


def no_model(symbol: FNode) -> bool | int:
    """In the place of a model that there is not.  Raises ValueError."""
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

    Raises InputError for an unknown name, and for a solver of which nothing says how it is started.

    >>> from pysmt.shortcuts import Not, Symbol
    >>> x = Symbol("x")
    >>> for name in SOLVERS:
    ...     with open_solver(name) as solver:
    ...         print([solver.ask(formulas).status.value for formulas in ([x], [x, Not(x)], [x])])
    ['sat', 'unsat', 'sat']
    ['sat', 'unsat', 'sat']
    ['sat', 'unsat', 'sat']
    """
    # Here only: these modules take from this one what a solver is.
    from sealcheck.encodings.sat import SAT
    from sealcheck.encodings.smt import SmtSolver

    require_solver(name)
    return SAT[name](seconds) if name in SAT else SmtSolver(name, seconds)


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
