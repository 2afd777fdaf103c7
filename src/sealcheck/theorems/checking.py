"""Checking statements: instance by instance over a range of programs, or a level at once.

Everything here works on a range of the indexed program space, so it runs the same in a plain
loop and in a Spark task.
"""

import gc
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import lru_cache

from sealcheck.encodings.solving import SMT_SOLVERS, Solver, Status, fresh_formulas, open_solver
from sealcheck.errors import LimitReached
from sealcheck.programs.space import Space
from sealcheck.theorems.statement import Claim, Form, Instance, Query, Statement

SECONDS = 60.0
"""How long one question to a solver may take before its answer counts as unknown."""


@dataclass(slots=True)
class Tally:
    """What a part of a check has found.

    `refuting` and `disputed` hold the smallest instance on which, in that order, a claim is
    wrong, and the ways to the truth contradict each other.
    """

    checked: int = 0
    unknown: int = 0
    refuting: dict[Form, Instance] = field(default_factory=dict)
    disputed: Instance | None = None
    answers: str = ""
    """What each way said about the disputed instance."""

    def add(self, other: "Tally") -> None:
        """Take over what another part has found."""
        self.checked += other.checked
        self.unknown += other.unknown
        for form, instance in other.refuting.items():
            self.refute(form, instance)
        if other.disputed is not None:
            self.dispute(other.disputed, other.answers)

    def refute(self, form: Form, instance: Instance) -> None:
        """Keep the smaller of two counterexamples."""
        if form not in self.refuting or instance.size < self.refuting[form].size:
            self.refuting[form] = instance

    def dispute(self, instance: Instance, answers: str) -> None:
        """Keep the smaller of two disagreements."""
        if self.disputed is None or instance.size < self.disputed.size:
            self.disputed, self.answers = instance, answers


@lru_cache(maxsize=1)
def indexed_space(n: int, messages: int) -> Space:
    """The space (n, messages), indexed, and kept for the next range of it in this process.

    Indexing takes longer than a range does: 4 s for (4, 5), 26 s for (4, 6).
    """
    space = Space(n, messages)
    space.size  # noqa: B018 - evaluated for what it computes
    gc.freeze()  # or Spark's garbage collection after every task looks through it: 2 s for (4, 6)
    return space


def check_programs(
    statement: Statement,
    n: int,
    messages: int,
    others: int,
    start: int = 0,
    stop: int | None = None,
    *,
    solvers: Sequence[str] = SMT_SOLVERS,
) -> Tally:
    """Compare every claim with every way to the truth, on the canonical programs of a range.

    P has index start <= index < stop in the space (n, messages); `others` is the number of
    messages besides those of P.

    >>> from sealcheck.theorems.registry import statement
    >>> check_programs(statement("tcc-impossibility"), 2, 2, 0).checked
    3
    """
    tally = Tally()
    with fresh_formulas(), ExitStack() as stack:
        opened = [stack.enter_context(open_solver(name, seconds=SECONDS)) for name in solvers]
        for instance in _instances(statement, n, messages, others, start, stop):
            _check(statement, instance, opened, tally)
    return tally


def _instances(
    statement: Statement, n: int, messages: int, others: int, start: int, stop: int | None
) -> Iterator[Instance]:
    for p in indexed_space(n, messages).programs(start, stop):
        if p.is_canonical:
            yield from statement.instances(p, others)


def _check(statement: Statement, instance: Instance, solvers: Sequence[Solver], tally: Tally) -> None:
    tally.checked += 1
    try:
        truths = statement.truths(instance, solvers)
    except LimitReached:
        tally.unknown += 1
        return
    truth, *others = truths.values()
    if any(other != truth for other in others):
        tally.dispute(instance, ", ".join(f"{way} says {value}" for way, value in truths.items()))
    for claim in statement.claims:
        if claim.predicts(instance) != truth:
            tally.refute(claim.form, instance)


def check_level(statement: Statement, claim: Claim, n: int, messages: int, *, solver: str) -> Tally:
    """Ask whether any instance of the level (n, messages) refutes the claim, all at once.

    A model counts as a counterexample once the instance that it describes is confirmed.  One
    that is not leaves the level unknown if it only shows that a proof does not apply; otherwise
    query and claim contradict each other, and it is disputed.

    >>> from sealcheck.theorems.registry import statement
    >>> impossibility = statement("tcc-impossibility")
    >>> check_level(impossibility, impossibility.claims[0], 2, 2, solver="z3").refuting
    {}
    """
    tally = Tally()
    with fresh_formulas(), open_solver(solver, seconds=SECONDS) as opened:
        for query in claim.whole_space(n, messages):
            answer = opened.ask(query.formulas)
            tally.checked += 1
            if answer.status is Status.UNKNOWN:
                tally.unknown += 1
            elif answer.status is Status.SAT:
                _weigh(statement, claim, query, query.instance(answer).canonical(), tally)
    return tally


def _weigh(statement: Statement, claim: Claim, query: Query, instance: Instance, tally: Tally) -> None:
    """Decide what a model of a whole-space query means."""
    if claim.predicts(instance) != statement.algorithm(instance):
        tally.refute(claim.form, instance)
    elif query.by_proof:
        tally.unknown += 1
    else:
        tally.dispute(instance, f"the query '{query.name}' refutes the claim, the algorithm does not")
