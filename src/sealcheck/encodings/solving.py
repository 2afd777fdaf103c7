"""Start solvers, ask them for models, and read their answers; and encode orders of events as formulas.

z3 and cvc5 are used through pySMT, and CaDiCaL gets clauses. A solver that gives up answers `UNKNOWN`, which
never counts as a yes or a no. The answers of CaDiCaL can be kept as text and checked again without a solver.
A kept answer is a line ``sat`` with the variables that are true, or a line ``unsat N`` and the N steps of a
proof in the format LRAT.

Requirements of the form "e comes before f" have no cycle exactly if some strict order meets all of them.
Orders have four encodings:

- `Clock` gives every event a time.
- `Interleaving` has one Boolean for every unordered pair of events.
- `Relation` has one Boolean for every ordered pair of events. It can have cycles, for questions that allow
cycles.
- `ConsistentCut` is one set of events. It is enough if a formula only denies that one event comes before
another.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from enum import Enum
from functools import cache, partial
from io import StringIO
from itertools import product
from typing import Any, Protocol, Self

from pysmt import shortcuts
from pysmt.environment import Environment, get_env
from pysmt.exceptions import SolverReturnedUnknownResultError
from pysmt.formula import FormulaManager
from pysmt.logics import QF_LIA
from pysmt.smtlib.script import smtlibscript_from_formula

from sealcheck.encodings.clauses import Clauses, Cnf, Model, Proof, Refute, refutation, satisfies, to_cnf
from sealcheck.encodings.formulas import (
    FALSE,
    TRUE,
    And,
    Formula,
    Implies,
    Not,
    NotBooleanError,
    Symbol,
    made_of,
)
from sealcheck.encodings.solvers import SOLVERS
from sealcheck.errors import InputError, LimitReached
from sealcheck.kernel.lrat import check_proof
from sealcheck.kernel.reading import Rejected
from sealcheck.words import or_choose


def smt_lib(formulas: list[Formula]) -> str:
    """The conjunction of `formulas` as an SMT-LIB 2 script that any solver reads.

    >>> print(smt_lib([Symbol("x")]).splitlines()[-1])
    (check-sat)
    """
    text = StringIO()
    smtlibscript_from_formula(And(formulas)).serialize(text, daggify=True)
    return text.getvalue()


class Order(Protocol):
    """A strict order on named events."""

    def before(self, first: str, second: str) -> Formula:
        """The condition that `first` comes before `second`."""

    def axioms(self, *, acyclic: bool) -> Formula:
        """The condition that the order is transitive and, if `acyclic`, irreflexive."""


class Clock:
    """Integer times; difference logic. Always acyclic."""

    def __init__(self, name: str, events: Sequence[str]) -> None:
        self._time = {event: shortcuts.Symbol(f"{name}:{event}", shortcuts.INT) for event in events}

    def before(self, first: str, second: str) -> Formula:
        """The condition that the time of `first` is less than the time of `second`."""
        return shortcuts.LT(self._time[first], self._time[second])

    def axioms(self, *, acyclic: bool) -> Formula:
        """Nothing to require: the integers are ordered."""
        if not acyclic:
            raise ValueError("a clock can't describe a cyclic happens-before relation")
        return TRUE()

    def listed(self, value: Callable[[Formula], bool | int]) -> list[str]:
        """The events in the order of their times in a model."""
        return sorted(self._time, key=lambda event: value(self._time[event]))


class Relation:
    """One Boolean per ordered pair of events. The relation contains happens-before, and perhaps more."""

    def __init__(self, name: str, events: Sequence[str]) -> None:
        self._name, self._events = name, events

    def before(self, first: str, second: str) -> Formula:
        """The condition that the pair is in the relation."""
        return Symbol(f"{self._name}:{first}<{second}")

    def axioms(self, *, acyclic: bool) -> Formula:
        """Transitivity and, if `acyclic`, irreflexivity. Cubic in the number of events."""
        reflexive = [self.before(e, e) for e in self._events]
        transitive = [
            Implies(And(self.before(e, f), self.before(f, g)), self.before(e, g))
            for e, f, g in product(self._events, repeat=3)
            if f not in (e, g)
        ]
        return And(transitive + ([Not(pair) for pair in reflexive] if acyclic else []))


class Interleaving:
    """A total order: one Boolean per unordered pair of events. Always acyclic."""

    def __init__(self, name: str, events: Sequence[str]) -> None:
        self._name, self._events = name, events
        self._number = {event: number for number, event in enumerate(events)}

    def before(self, first: str, second: str) -> Formula:
        """The condition that `first` happens earlier in the interleaving."""
        if first == second:
            return FALSE()
        if self._number[first] > self._number[second]:
            return Not(self.before(second, first))
        return Symbol(f"{self._name}:{first}<{second}")

    def axioms(self, *, acyclic: bool) -> Formula:
        """The condition that no three events form a cycle. Cubic in the number of events."""
        if not acyclic:
            raise ValueError("an interleaving can't describe a cyclic happens-before relation")
        events = self._events
        return And(
            Not(And(self.before(e, f), self.before(f, g), self.before(g, e)))
            for x, e in enumerate(events)
            for f in events[x + 1 :]
            for g in events[x + 1 :]
            if f != g
        )

    def listed(self, value: Callable[[Formula], bool | int]) -> list[str]:
        """The events in the order of the interleaving that a model describes."""
        events = self._events
        earlier = dict.fromkeys(events, 0)
        for number, e in enumerate(events):
            for f in events[number + 1 :]:
                earlier[f if value(self.before(e, f)) else e] += 1
        return sorted(events, key=earlier.__getitem__)


class ConsistentCut:
    """A set of events that contains the causes of its events, as one Boolean per event.

    With each event, the set contains all events that must come before this event. So `before(e, f)` says that
    the set contains e if it contains f. Suppose that e need not come before f. Then some such set contains f
    but not e: the set of f and of all events that must come before f. So a formula can deny `before` for a
    pair exactly if the pair is not in the transitive closure of all requirements, even if the requirements
    have cycles.
    """

    def __init__(self, name: str, events: Sequence[str]) -> None:
        self._name = name

    def has(self, event: str) -> Formula:
        """The condition that the event is in the set."""
        return Symbol(f"{self._name}:{event}")

    def before(self, first: str, second: str) -> Formula:
        """The condition that `first` is in the set if `second` is."""
        return Implies(self.has(second), self.has(first))

    def axioms(self, *, acyclic: bool) -> Formula:
        """Nothing to require: the relation `before` is always transitive."""
        if acyclic:
            raise ValueError("a cut can't rule out a cyclic happens-before relation")
        return TRUE()


class Status(Enum):
    """The status that a solver reports."""

    SAT = "sat"
    UNSAT = "unsat"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Answer:
    """The status and, for SAT, a function that gives the value of a variable in the model.

    A variable that no formula mentions has the value 0, or false.
    """

    status: Status
    value: Callable[[Formula], bool | int]


def no_model(symbol: Formula) -> bool | int:
    """Placeholder if there is no model. Raises ValueError."""
    raise ValueError("there is no model, or none was asked for")


def answer_of(cnf: Cnf, true: Collection[int]) -> Answer:
    """The answer SAT, with the model of the clauses in which exactly these variables are true."""
    return Answer(Status.SAT, lambda symbol: cnf.variables.get(symbol) in true)


class Solver(Protocol):
    """A running solver, which answers one question after another. It is a context manager."""

    @property
    def name(self) -> str:
        """One of `SOLVERS`."""

    @property
    def order(self) -> type[Clock] | type[Interleaving]:
        """The encoding of orders that suits this solver."""

    def __enter__(self) -> Self: ...
    def __exit__(self, *_: object) -> None: ...

    def ask(self, formulas: list[Formula], *, model: bool = True) -> Answer:
        """Ask for a model of the conjunction of `formulas`; if not `model`, ask only whether there is one."""

    def assuming(self, formulas: list[Formula]) -> AbstractContextManager[None]:
        """Assume `formulas` in every question that is asked within this context."""


def open_solver(name: str, *, seconds: float | None = None) -> Solver:
    """A solver by name. If a question takes longer than `seconds`, its answer is `UNKNOWN`.

    Raises InputError if the name is unknown, or if the solver cannot be started.

    >>> x = Symbol("x")
    >>> for name in SOLVERS:
    ...     with open_solver(name) as solver:
    ...         print([solver.ask(formulas).status.value for formulas in ([x], [x, Not(x)], [x])])
    ['sat', 'unsat', 'sat']
    ['sat', 'unsat', 'sat']
    ['sat', 'unsat', 'sat']
    """
    require_solver(name)
    if name != CADICAL:
        return SmtSolver(name, seconds)
    conflicts = None if seconds is None else int(seconds * CONFLICTS_PER_SECOND)
    return SatSolver(CADICAL, partial(refutation, conflicts=conflicts))


def require_solver(name: str) -> None:
    """Raise InputError if no solver has this name."""
    if name not in SOLVERS:
        raise InputError(f"unknown solver '{name}': {or_choose(name, SOLVERS)}")


def satisfiable(solver: Solver, formulas: list[Formula]) -> bool:
    """Whether the conjunction has a model. Raises LimitReached if the solver answers `UNKNOWN`."""
    answer = solver.ask(formulas, model=False)
    if answer.status is Status.UNKNOWN:
        raise LimitReached(f"{solver.name} gave up on a question")
    return answer.status is Status.SAT


class _Formulas(FormulaManager):  # type: ignore[misc]  # pySMT has no types
    def _do_type_check(self, formula: Formula) -> None:
        """Do nothing, because checking each new formula took a third of the time."""


class WithoutTypeChecks(Environment):  # type: ignore[misc]
    """An environment of pySMT without type checks, because our formulas are simple."""

    FormulaManagerClass = _Formulas


@contextmanager
def fresh_formulas() -> Iterator[None]:
    """A context for building formulas, which are forgotten at its end. Otherwise memory would only grow."""
    with WithoutTypeChecks(), made_of(None):
        yield


@dataclass(frozen=True, kw_only=True)
class Driver:
    """The parts that differ between SMT solvers."""

    start: Callable[..., Any]
    """Makes pySMT's solver. Only this function imports the solver, so no other solver is loaded."""
    timeout: str
    """The option that limits each question, in milliseconds."""
    read: Callable[[Any, list[Any]], Iterator[bool | int]]
    """Reads the values of all terms in the model at once. One by one would take longer than solving."""


def _start_z3(*arguments: Any, **options: Any) -> Any:
    from pysmt.solvers.z3 import Z3Solver

    return Z3Solver(*arguments, **options)


def _start_cvc5(*arguments: Any, **options: Any) -> Any:
    from pysmt.solvers.cvcfive import CVC5Solver

    solver = CVC5Solver(*arguments, **options)
    # pySMT creates a sort each time it meets the sort's name; then terms of one sort have different sorts.
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
    "cvc5": Driver(start=_start_cvc5, timeout="tlimit-per", read=_read_cvc5),
}
"""How each SMT solver is driven."""


class Assuming:
    """The common part of all solvers: the formulas that are assumed in each question."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._assumed: list[Formula] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    @contextmanager
    def assuming(self, formulas: list[Formula]) -> Iterator[None]:
        """Assume `formulas` in every question that is asked within this context."""
        self._assumed += formulas
        try:
            yield
        finally:
            del self._assumed[len(self._assumed) - len(formulas) :]


class SmtSolver(Assuming):
    """z3 or cvc5, kept running, because starting takes several times as long as a small question."""

    order: type[Clock] | type[Interleaving] = Clock

    def __init__(self, name: str, seconds: float | None) -> None:
        if name not in SMT:
            raise InputError(f"nothing says how the solver '{name}' is started")
        super().__init__(name)
        self._read = SMT[name].read
        limits = {} if seconds is None else {SMT[name].timeout: int(seconds * 1000)}
        # Only clocks and values are not Boolean. With pySMT's default logic, which has functions and reals,
        # too, cvc5 takes a seventh longer. pySMT's factory would search for all solvers each time.
        self._solver = SMT[name].start(
            get_env(), QF_LIA, generate_models=True, incremental=True, solver_options=limits
        )

    def __exit__(self, *_: object) -> None:
        self._solver.exit()

    @contextmanager
    def assuming(self, formulas: list[Formula]) -> Iterator[None]:
        """Assume `formulas` in every question that is asked within this context."""
        self._solver.push()
        self._solver.add_assertion(And(formulas))
        with super().assuming(formulas):
            try:
                yield
            finally:
                self._solver.pop()

    def ask(self, formulas: list[Formula], *, model: bool = True) -> Answer:
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


CADICAL = "cadical"
CONFLICTS_PER_SECOND = 10_000
"""CaDiCaL has no time limit, so a limit in seconds is replaced by a limit of conflicts."""


class SatSolver(Assuming):
    """CaDiCaL, started anew for each question by `refute`. Questions beyond Booleans are `UNKNOWN`.

    If the answer is that there is no model, the kernel has accepted a proof.
    """

    order: type[Clock] | type[Interleaving] = Interleaving

    def __init__(self, name: str, refute: Refute) -> None:
        super().__init__(name)
        self._refute = refute

    def ask(self, formulas: list[Formula], *, model: bool = True) -> Answer:
        """Ask for a model of the conjunction of `formulas`. The model takes no extra time."""
        try:
            cnf = to_cnf(self._assumed + formulas)
            found = self._refute(cnf.clauses)
        except (LimitReached, NotBooleanError):
            return Answer(Status.UNKNOWN, no_model)
        match found:
            case Model(true):
                return answer_of(cnf, true)
            case Proof():
                return Answer(Status.UNSAT, no_model)


class Recorder:
    """Asks CaDiCaL, and keeps the answers in `lines`.

    >>> recorder = Recorder()
    >>> recorder([[1, 2], [-2]])
    Model(true=frozenset({1}))
    >>> recorder([[1], [-1]])
    Proof(steps=('3 0 1 2 0',))
    >>> recorder.lines
    ['sat 1', 'unsat 1', '3 0 1 2 0']
    """

    def __init__(self) -> None:
        self.lines: list[str] = []

    def __call__(self, clauses: Clauses) -> Proof | Model:
        """Answer, and keep the answer."""
        found = refutation(clauses)
        match found:
            case Model(true):
                self.lines.append(" ".join(map(str, ("sat", *sorted(true)))))
            case Proof(steps):
                self.lines += [f"unsat {len(steps)}", *steps]
        return found


class Replayer:
    """Returns kept answers one after the other. Each must fit the clauses of the present question.

    >>> Replayer(iter(["sat 1"]))([[1, 2], [2, -1]])
    Traceback (most recent call last):
    sealcheck.kernel.reading.Rejected: the answer 'sat 1' does not satisfy what is asked
    """

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines

    def __call__(self, clauses: Clauses) -> Proof | Model:
        """Return the next kept answer. Raises Rejected if the answer is wrong."""
        line = next(self._lines, "")
        word, *numbers = line.split(" ")
        try:
            values = [int(number) for number in numbers]
        except ValueError:
            values, word = [], ""
        if word == "sat":
            true = frozenset(values)
            if satisfies(true, clauses):
                return Model(true)
            raise Rejected(f"the answer '{line[:40]}' does not satisfy what is asked")
        if word != "unsat" or len(values) != 1:
            raise Rejected(f"'{line[:40]}' is not an answer")
        steps = [step for _, step in zip(range(values[0]), self._lines, strict=False)]
        check_proof(clauses, steps)
        return Proof(tuple(steps))
