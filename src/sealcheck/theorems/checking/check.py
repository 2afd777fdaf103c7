"""Check claims against answers, on single instances and on whole levels (all programs of one size).

A check of a claim asks for answers through an `Ask`. `Inline` computes each answer when it is first asked
for. `Known` only has answers that were computed before. If an answer is missing, `Known` notes the question,
and raises NotYetKnown. The claim is checked again when the answer is known.

Checks work on ranges of numbered instances, so that a range can be a task of its own.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Generic, TypeVar

from pysmt.environment import Environment

from sealcheck.encodings.solvers import SMT_SOLVERS
from sealcheck.encodings.solving import Solver, Status, WithoutTypeChecks, fresh_formulas, open_solver
from sealcheck.programs.semantics import PAPER, Semantics
from sealcheck.questions.asking import Answers, Asked, answer
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import Question
from sealcheck.theorems.checking.domains import every
from sealcheck.theorems.checking.statement import About, Ask, Claim, Query, Statement, Tally, with_semantics

A = TypeVar("A")
K = TypeVar("K")

SECONDS = 60.0
"""Time limit of one question to a solver. After it, the answer is unknown."""

OnAnswers = Callable[[Answers[Any]], None]


class NotYetKnown(Exception):
    """The question has to be answered first."""


class Inline(Ask):
    """Answers in this process, and remembers."""

    def __init__(
        self,
        solvers: Sequence[Solver],
        on_answers: OnAnswers | None = None,
    ) -> None:
        self._solvers = solvers
        self._agreed: dict[Asked[Any], object] = {}
        self._on_answers = on_answers

    def __call__(self, question: Question[A], instance: Instance, semantics: Semantics = PAPER) -> A:
        """The answer to a question."""
        asked = Asked(question, instance, semantics)
        if asked not in self._agreed:
            answers = answer(asked, self._solvers)
            if self._on_answers:
                self._on_answers(answers)
            self._agreed[asked] = answers.agreed
        return self._agreed[asked]  # type: ignore[return-value]

    def all(self, question: Question[A], about: About) -> list[A]:
        """The answers to a question about several instances."""
        return [self(question, *each) for each in with_semantics(about)]


class Known(Ask, Generic[K]):
    """Gives known answers, and collects all other questions in `missing`."""

    def __init__(self, known: Mapping[str, K], read: Callable[[Asked[Any], K], Any]) -> None:
        """`known` maps keys of questions to written answers. `read` gets the value of a written answer, or
        raises the error that was written in its place."""
        self._known, self._read = known, read
        self.missing: dict[Asked[Any], None] = {}

    def all(self, question: Question[A], about: About) -> list[A]:
        """The answers to a question about several instances.  Raises NotYetKnown if one is missing."""
        asked = [Asked(question, *each) for each in with_semantics(about)]
        if missing := [each for each in asked if each.key not in self._known]:
            self.missing |= dict.fromkeys(missing)
            raise NotYetKnown
        return [self._read(each, self._known[each.key]) for each in asked]


@contextmanager
def inline(solvers: Sequence[str] = SMT_SOLVERS) -> Iterator[Ask]:
    """An `Ask` that asks all oracles, and these solvers.

    >>> from sealcheck.programs.straight_line import mt
    >>> from sealcheck.programs.straight_line import StraightLine
    >>> from sealcheck.questions.sealing import IS_SEAL
    >>> there, back = (StraightLine.of(2, mt(*channel)) for channel in ((1, 2), (2, 1)))
    >>> with inline() as ask:
    ...     ask(IS_SEAL, Instance.of(there, back)), ask(IS_SEAL, Instance.of(there, there))
    (True, False)
    """
    with opened(solvers) as ready:
        yield Inline(ready)


@contextmanager
def opened(solvers: Sequence[str]) -> Iterator[list[Solver]]:
    """Open these solvers. At the end of the context, forget the formulas made in it."""
    with fresh_formulas(), ExitStack() as stack:
        yield [stack.enter_context(open_solver(name, seconds=SECONDS)) for name in solvers]


@dataclass
class Checked:
    """The findings about a range of instances."""

    tallies: list[Tally]
    waiting: list[tuple[int, int]] = field(default_factory=list)
    """Postponed checks: the numbers of the instance in the range, and of the claim."""
    missing: dict[Asked[Any], None] = field(default_factory=dict)
    """The questions to be answered first."""


def check_range(
    statement: Statement,
    n: int,
    messages: int,
    *,
    start: int,
    stop: int,
    known: Mapping[str, K],
    read: Callable[[Asked[Any], K], Any],
    only: Sequence[tuple[int, int]] | None = None,
) -> Checked:
    """Compare every claim with the known answers, on the instances of a range of the level.

    `only` limits the check to these pairs of an instance and a claim, which were `waiting` before.
    """
    ask = Known(known, read)
    instances = statement.domain.instances(n, messages, start, stop) if statement.domain else ()
    found = _checked(statement, instances, ask, None if only is None else set(only))
    found.missing = ask.missing
    return found


def _checked(
    statement: Statement,
    instances: Iterable[Instance],
    ask: Ask,
    only: Collection[tuple[int, int]] | None = None,
) -> Checked:
    found = Checked([Tally() for _ in statement.claims])
    for at, instance in enumerate(instances):
        for number, claim in enumerate(statement.claims):
            if claim.check is not None and (only is None or (at, number) in only):
                try:
                    found.tallies[number].check(claim, instance, ask)
                except NotYetKnown:
                    found.waiting.append((at, number))
    return found


def check_instances(
    statement: Statement, n: int, messages: int, *, solvers: Sequence[str] = SMT_SOLVERS
) -> list[Tally]:
    """Compare every claim with the answers, on all instances of the level, in this process.

    >>> from sealcheck.theorems.registry import statement
    >>> [tally.checked for tally in check_instances(statement("graph-cause"), 2, 2)]
    [3]
    """
    instances = every(statement.domain)(n, messages) if statement.domain else ()
    with inline(solvers) as ask:
        return _checked(statement, instances, ask).tallies


def check_level(statement: Statement, number: int, n: int, messages: int, *, solver: str) -> Tally:
    """Ask a solver whether any instance of the level (n, messages) refutes the claim.

    If the solver finds a model, it describes an instance, on which all oracles check the claim again. Suppose
    that the claim holds for this instance. If the query is `by_proof`, the model only shows that the paper's
    proof does not apply, and the result is unknown. Otherwise the solver contradicts the oracles, and the
    instance is disputed.

    >>> from sealcheck.theorems.registry import statement
    >>> check_level(statement("graph-cause"), 0, 2, 2, solver="z3").refuting
    """
    tally = Tally()
    claim = statement.claims[number]
    formulas, queries = _about_level(claim, n, messages)
    with formulas, open_solver(solver, seconds=SECONDS) as opened:
        for query in queries:
            answer = opened.ask(query.formulas)
            tally.checked += 1
            if answer.status is Status.UNKNOWN:
                tally.unknown += 1
            elif answer.status is Status.SAT:
                confirm(claim, query, query.instance(answer).canonical(), tally)
    return tally


@lru_cache(maxsize=1)
def _about_level(claim: Claim, n: int, messages: int) -> tuple[Environment, list[Query]]:
    """The environment and the queries of a level, cached for the next solver."""
    assert claim.whole_space is not None
    with WithoutTypeChecks() as formulas:
        return formulas, list(claim.whole_space(n, messages))


def checked_alone(claim: Claim, instance: Instance) -> Tally:
    """The result for one instance. All oracles are asked anew."""
    found = Tally()
    with inline() as ask:
        found.check(claim, instance, ask)
    return found


def confirm(claim: Claim, query: Query, instance: Instance, tally: Tally) -> None:
    """Interpret a model of a whole-space query by checking the claim on the instance."""
    found = checked_alone(claim, instance)
    if found.refuting is not None:
        tally.refute(instance)
    elif found.disputed is not None:
        tally.disagree(instance, found.dispute)
    elif query.by_proof or found.unknown:
        tally.unknown += 1
    else:
        tally.disagree(instance, f"the query '{query.name}' refutes the claim, the oracles do not")
