"""A claim calls no function that an oracle of its questions calls.

If a claim and an oracle shared an algorithm, a fault in it would make both wrong in the same way. They may
share the definitions of programs, runs and the language. Oracles whose answers the kernel checks may use any
function.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice
from typing import Any, TypeVar

import pytest
from tests.calls import Calls
from tests.manifest import expected

from sealcheck.algorithms.certificates import minimum_of
from sealcheck.algorithms.sealability import Problem
from sealcheck.algorithms.signature import signature
from sealcheck.encodings.solvers import SMT_SOLVERS
from sealcheck.encodings.solving import Solver, open_solver
from sealcheck.errors import LimitReached
from sealcheck.language.parser import parse, parse_straight_line
from sealcheck.programs.semantics import PAPER, Semantics
from sealcheck.programs.straight_line import StraightLine, mt
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import CannotAnswer, Question
from sealcheck.questions.sealing import IS_SEAL, by_closure
from sealcheck.theorems.checking.check import Inline, opened
from sealcheck.theorems.checking.statement import (
    About,
    Ask,
    Check,
    Claim,
    Growth,
    Hypothesis,
    Statement,
    predicts,
    with_semantics,
)
from sealcheck.theorems.registry import STATEMENTS

A = TypeVar("A")

LEVELS = [(2, 2), (2, 1), (3, 2), (2, 0), (2, 3), (3, 1), (1, 2), (1, 1), (1, 0), (3, 3), (3, 0), (3, 4)]
ENOUGH = 3
"""The number of instances of a statement that are looked at."""
MOST_MESSAGES = 6
"""With more messages, watching would take minutes."""

FEW = 3
"""The number of levels for each dropped hypothesis."""
MOST_ASKED = 1
"""The number of questions for each dropped hypothesis."""

CHECKS = {
    claim.check: pytest.param(about, claim.check, id=f"{about.id}-{number}")
    for about in reversed(STATEMENTS.values())
    for number, claim in enumerate(about.claims)
    if claim.check is not None
}
"""Each check, with its first statement."""


class EnoughAsked(Exception):
    """Raised when enough has been asked to see the calls."""


class Asking(Ask):
    """Answers as `Inline` does, unwatched, and keeps the questions."""

    def __init__(self, solvers: list[Solver]) -> None:
        self._inner = Inline(solvers)
        self.most: int | None = None
        self.asked: list[tuple[Question[Any], Instance, Semantics]] = []

    def __call__(self, question: Question[A], instance: Instance, semantics: Semantics = PAPER) -> A:
        """The answer to a question."""
        watching = sys.getprofile()
        sys.setprofile(None)
        try:
            self.asked.append((question, instance, semantics))
            if self.most is not None and len(self.asked) > self.most:
                raise EnoughAsked
            return self._inner(question, instance, semantics)
        finally:
            sys.setprofile(watching)

    def all(self, question: Question[A], about: About) -> list[A]:
        """The answers to a question about several instances."""
        return [self(question, *each) for each in with_semantics(about)]


Use = Callable[[Asking], object]
"""A part of a claim that asks questions."""


def instances(about: Statement) -> list[Instance]:
    assert about.domain is not None
    found: dict[Instance, None] = {}
    for level in LEVELS:
        of_level = list(islice(about.domain.instances(*level, 0, about.domain.size(*level)), 200))
        small = [instance for instance in of_level if instance.messages <= MOST_MESSAGES]
        chosen = small or ([] if found else of_level)
        found |= dict.fromkeys([*chosen[:1], *chosen[-1:]])
        if len(found) >= ENOUGH:
            break
    return list(found)[:ENOUGH]


@cache
def called_by_oracles(question: Question[Any], instance: Instance, semantics: Semantics) -> dict[str, str]:
    found: dict[str, str] = {}
    with opened(SMT_SOLVERS) as solvers:
        for name, answer in _oracles(question, instance, semantics, solvers):
            calls = Calls()
            with calls.watching(), suppress(CannotAnswer, LimitReached):
                answer()
            found |= dict.fromkeys(calls.seen, f"{question.id}, {name}")
    return found


def _oracles(
    question: Question[Any], instance: Instance, semantics: Semantics, solvers: list[Solver]
) -> Iterator[tuple[str, Callable[[], object]]]:
    for oracle in question.oracles:
        if not oracle.is_checked:
            yield oracle.name, lambda oracle=oracle: oracle.answer(instance, semantics)
    if question.symbolic is not None:
        for solver in solvers:
            yield solver.name, lambda solver=solver: question.symbolic.answer(instance, semantics, solver)


@dataclass(frozen=True)
class Watched:
    """The functions that were called, and the questions that were asked."""

    own: set[str]
    asked: tuple[tuple[Question[Any], Instance, Semantics], ...]


def watched(uses: Iterable[Use], names: Sequence[str] = SMT_SOLVERS) -> Watched:
    own = Calls()
    with opened(names) as solvers:
        ask = Asking(solvers)
        for use in uses:
            with own.watching(), suppress(EnoughAsked):
                use(ask)
    return Watched(own.seen, tuple(dict.fromkeys(ask.asked)))


def shared(found: Watched) -> dict[str, str]:
    theirs = {call: "a solver" for call in found.own if call.startswith("encodings/solving.py")}
    for asked in found.asked if found.own else ():
        theirs |= called_by_oracles(*asked)
    return {call: theirs[call] for call in found.own & set(theirs)}


def checks(about: Statement, check: Check) -> Iterator[Use]:
    return (partial(check, instance) for instance in instances(about))


@pytest.mark.parametrize(("about", "check"), CHECKS.values())
def test_claims_and_oracles_share_nothing(about: Statement, check: Check) -> None:
    found = watched(checks(about, check))
    assert not shared(found)
    assert found.asked, "no question was asked"
    assert {question for question, _, _ in found.asked} <= set(about.questions)


def refuting(about: Statement, claim: Claim) -> list[Instance]:
    rows = (row for row in expected() if (row["statement"], row["claim"]) == (about.id, claim.text))
    found = next(rows)["counterexample"]
    some = instances(about)
    if found is None:
        return some
    is_straight = isinstance(some[0].programs[0], StraightLine)
    read = partial(parse_straight_line, n=found["n"]) if is_straight else parse
    return [Instance(found["n"], tuple(map(read, found["programs"])))]


def others(about: Statement, claim: Claim) -> Iterator[Use]:
    explained = refuting(about, claim) if claim.explain is not None or claim.run is not None else []
    if claim.explain is not None:
        yield from (partial(_explain, claim, instance) for instance in explained)
    if claim.run is not None:
        yield from (partial(claim.run, instance) for instance in explained)
    if claim.growth is not None:
        yield partial(_begin, claim.growth)
    yield from (partial(_without, each) for each in claim.hypotheses if each.without is not None)


def _explain(claim: Claim, instance: Instance, ask: Asking) -> None:
    assert claim.explain is not None
    with suppress(StopIteration):
        claim.explain(instance, ask)


def _begin(growth: Growth, ask: Asking) -> None:
    next(growth.counts(ask))


def _without(hypothesis: Hypothesis, ask: Asking) -> None:
    assert hypothesis.without is not None
    before = len(ask.asked)
    ask.most = before + MOST_ASKED
    for n, messages in LEVELS[:FEW]:
        if len(ask.asked) == before:
            hypothesis.without(n, messages, ask)


@pytest.mark.parametrize(
    ("about", "claim"),
    [
        pytest.param(about, claim, id=f"{about.id}-{number}")
        for about in STATEMENTS.values()
        for number, claim in enumerate(about.claims)
    ],
)
def test_nothing_else_in_a_claim_does_the_work_of_an_oracle(about: Statement, claim: Claim) -> None:
    assert not shared(watched(others(about, claim), ()))


def test_a_claim_that_uses_an_oracle_is_noticed() -> None:
    about = STATEMENTS["decide-sealing"]
    found = shared(watched(checks(about, predicts(IS_SEAL, by_closure))))
    assert found["algorithms/program_graph.py: causal_pairs"] == "is-seal, program graph"
    assert not shared(watched(checks(about, predicts(IS_SEAL, lambda instance: True))))


def test_an_explanation_that_opens_a_solver_is_noticed() -> None:
    def use(ask: Asking) -> None:
        with open_solver(SMT_SOLVERS[0]):
            pass

    assert "a solver" in shared(watched([use])).values()


def test_functions_that_are_kept_from_being_called_again_are_noticed() -> None:
    seen = []
    for _ in range(2):
        calls = Calls()
        with calls.watching():
            minimum_of(Problem.of(signature(StraightLine.of(2, mt(1, 2)))))
        seen.append(calls.seen)
    assert seen[0] == seen[1]
    assert {
        "algorithms/certificates.py: minimum_of",
        "algorithms/sealability.py: Problem.of",
        "algorithms/signature.py: look_forward",
    } <= seen[0]
