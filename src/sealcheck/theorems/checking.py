"""Checking statements: instance by instance over a range, a level at once, and without a hypothesis.

Everything here works on a range of an indexed domain, so it runs the same in a plain loop and in a
Spark task.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from math import log

from sealcheck.encodings.solving import SMT_SOLVERS, Solver, Status, fresh_formulas, open_solver
from sealcheck.errors import LimitReached
from sealcheck.theorems.statement import VACUOUS, Claim, Growth, Instance, Query, Statement, Truth, Verdict

SECONDS = 60.0
"""How long one question to a solver may take before its answer counts as unknown."""

EVERY_LENGTH = 3
"""The largest n for which programs of every length are gone through."""

Counts = tuple[tuple[int, int], ...]
"""Sizes of inputs, and how much was counted for each."""


@dataclass(slots=True)
class Tally:
    """What a part of a check has found.

    `refuting` and `disputed` hold the smallest instance on which, in that order, a claim (by its
    number) is wrong, and the ways to the truth contradict each other.
    """

    checked: int = 0
    vacuous: int = 0
    """Of these: instances that do not meet the hypotheses."""
    unknown: int = 0
    refuting: dict[int, Instance] = field(default_factory=dict)
    disputed: Instance | None = None
    answers: str = ""
    """What each way said about the disputed instance."""

    def add(self, other: "Tally") -> None:
        """Take over what another part has found."""
        self.checked += other.checked
        self.vacuous += other.vacuous
        self.unknown += other.unknown
        for claim, instance in other.refuting.items():
            self.refute(claim, instance)
        if other.disputed is not None:
            self.dispute(other.disputed, other.answers)

    def refute(self, claim: int, instance: Instance) -> None:
        """Keep the smaller of two counterexamples."""
        if claim not in self.refuting or instance.size < self.refuting[claim].size:
            self.refuting[claim] = instance

    def dispute(self, instance: Instance, answers: str) -> None:
        """Keep the smaller of two disagreements."""
        if self.disputed is None or instance.size < self.disputed.size:
            self.disputed, self.answers = instance, answers


def check_instances(
    statement: Statement,
    n: int,
    messages: int,
    start: int = 0,
    stop: int | None = None,
    *,
    solvers: Sequence[str] = SMT_SOLVERS,
) -> Tally:
    """Compare every claim with every way to the truth, on the instances of a range of the level.

    >>> from sealcheck.theorems.registry import statement
    >>> check_instances(statement("tcc-impossibility"), 2, 2).checked
    3
    """
    tally = Tally()
    if statement.domain is None:
        return tally
    if stop is None:
        stop = statement.domain.size(n, messages)
    with fresh_formulas(), ExitStack() as stack:
        names = solvers if statement.smt is not None else ()
        opened = [stack.enter_context(open_solver(name, seconds=SECONDS)) for name in names]
        for instance in statement.domain.instances(n, messages, start, stop):
            _check(statement, instance, opened, tally)
    return tally


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
    if truth == VACUOUS:
        tally.vacuous += 1
        return
    for number in _wrong(statement, instance, truth):
        tally.refute(number, instance)


def _wrong(statement: Statement, instance: Instance, truth: Truth) -> list[int]:
    """The numbers of the claims that predict something else."""
    return [
        number
        for number, claim in enumerate(statement.claims)
        if claim.predicts is not None and claim.predicts(instance) != truth
    ]


def check_level(statement: Statement, claim: int, n: int, messages: int, *, solver: str) -> Tally:
    """Ask whether any instance of the level (n, messages) refutes the claim, all at once.

    A model counts as a counterexample once the instance that it describes is confirmed.  One
    that is not leaves the level unknown if it only shows that a proof does not apply; otherwise
    query and claim contradict each other, and it is disputed.

    >>> from sealcheck.theorems.registry import statement
    >>> check_level(statement("tcc-impossibility"), 0, 2, 2, solver="z3").refuting
    {}
    """
    tally = Tally()
    queries = statement.claims[claim].whole_space
    assert queries is not None
    with fresh_formulas(), open_solver(solver, seconds=SECONDS) as opened:
        for query in queries(n, messages):
            answer = opened.ask(query.formulas)
            tally.checked += 1
            if answer.status is Status.UNKNOWN:
                tally.unknown += 1
            elif answer.status is Status.SAT:
                weigh(statement, claim, query, query.instance(answer).canonical(), tally)
    return tally


def weigh(statement: Statement, claim: int, query: Query, instance: Instance, tally: Tally) -> None:
    """Decide what a model of a whole-space query means."""
    truth = next(iter(statement.ways.values()))(instance)
    if claim in _wrong(statement, instance, truth):
        tally.refute(claim, instance)
    elif query.by_proof:
        tally.unknown += 1
    else:
        tally.dispute(instance, f"the query '{query.name}' refutes the claim, the algorithm does not")


def every_length(claim: Claim, spaces: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """The n of these levels for which the claim is checked for programs of every length."""
    if claim.every_length is None:
        return ()
    return tuple(sorted({n for n, _ in spaces if n <= EVERY_LENGTH}))


def check_every_length(statement: Statement, number: int, n: int) -> Tally:
    """Look for counterexamples to a claim, by its number, among programs of any length."""
    found = statement.claims[number].every_length
    assert found is not None
    tally = Tally(checked=1)
    if (instance := found(n)) is not None:
        tally.refute(number, instance)
    return tally


@dataclass(frozen=True)
class Ablation:
    """What became of a statement without one of its hypotheses."""

    breaking: Instance | None
    """The smallest instance on which it then fails."""
    n: int
    messages: int
    """How far instances were looked for."""
    unknown: bool = False
    """A limit was hit on the way."""


def ablate(statement: Statement, hypothesis: int, spaces: Sequence[tuple[int, int]]) -> Ablation:
    """Drop a hypothesis and go through the levels, smallest first, until the statement fails.

    >>> from sealcheck.theorems.registry import statement
    >>> about = statement("tcc-impossibility")
    >>> number = [h.name for h in about.hypotheses].index("no self-channels")
    >>> str(ablate(about, number, [(1, 0), (1, 1)]).breaking)
    'mt 1->1'
    """
    without = statement.hypotheses[hypothesis].without
    assert without is not None
    n, messages = max(n for n, _ in spaces), max(messages for _, messages in spaces)
    unknown = False
    for level in spaces:
        try:
            with fresh_formulas():
                breaking = without(*level)
        except LimitReached:
            unknown = True
            continue
        if breaking is not None:
            return Ablation(breaking, n, messages, unknown)
    return Ablation(None, n, messages, unknown)


def count(growth: Growth) -> Counts:
    """What the claim about growth counts, for every size."""
    return tuple(growth.counts())


def fitted_exponent(counts: Counts) -> float:
    """The exponent e for which the last count is to the one before as the sizes to the power of e.

    >>> fitted_exponent(((2, 4), (4, 16), (8, 64)))
    2.0
    """
    (size, few), (larger, many) = counts[-2:]
    return log(many / few) / log(larger / size)


TOLERANCE = 0.25
"""How far above a claimed exponent a fitted one may be: lower-order terms fade slowly."""


def grows_faster(growth: Growth, counts: Counts) -> bool:
    """Whether the counts contradict the claim."""
    return fitted_exponent(counts) > growth.exponent + TOLERANCE


def verdict_on(about: Statement, number: int, total: Tally, counts: Counts | None) -> Verdict:
    """What follows for a claim, by its number, from all that was found about its statement."""
    growth = about.claims[number].growth
    if number in total.refuting or (growth and counts and grows_faster(growth, counts)):
        return Verdict.REFUTED
    if about.not_boundable:
        return Verdict.NOT_BOUNDABLE
    nothing_checked = total.checked == total.vacuous and counts is None
    return Verdict.UNKNOWN if total.unknown or nothing_checked else Verdict.VERIFIED
