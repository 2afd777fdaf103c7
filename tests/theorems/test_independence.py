"""A prediction calls no function that is called by an oracle of the questions it asks.

If a claim and an oracle shared an algorithm, a fault in it would make both wrong in the same way.  They may
share what programs, runs and the language are.  Oracles whose answers the kernel checks are free to use
anything.
"""

import ast
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

import pytest

from sealcheck import theorems
from sealcheck.algorithms.certificates import minimum_of
from sealcheck.algorithms.sealability import Problem
from sealcheck.algorithms.signature import signature
from sealcheck.encodings.solvers import SMT_SOLVERS
from sealcheck.encodings.solving import Solver
from sealcheck.errors import LimitReached
from sealcheck.harness.answering import Inline, opened
from sealcheck.harness.statement import Check, Statement, predicts
from sealcheck.programs.events import mt
from sealcheck.programs.semantics import PAPER, Semantics
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.instance import Instance
from sealcheck.questions.is_seal import IS_SEAL, by_closure
from sealcheck.questions.question import CannotAnswer, Question
from sealcheck.theorems.registry import STATEMENTS

A = TypeVar("A")

ROOT = Path(theorems.__path__[0]).parent
FLOORS = tuple(str(ROOT / floor) + "/" for floor in ("algorithms", "oracles", "encodings"))

LEVELS = [(2, 2), (2, 1), (3, 2), (2, 0), (2, 3), (3, 1), (1, 2), (1, 1), (1, 0), (3, 3), (3, 0), (3, 4)]
ENOUGH = 3
"""So many instances of a statement are looked at, if the levels above have so many."""
MOST_MESSAGES = 6
"""Watching takes its time: with more messages, minutes."""

CHECKS = [
    pytest.param(about, claim.check, id=f"{about.id}-{number}")
    for about in STATEMENTS.values()
    for number, claim in enumerate(about.claims)
    if claim.check is not None
]


class Calls:
    """Which functions of the floors are called while it watches."""

    def __init__(self) -> None:
        self.seen: set[str] = set()

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        """What the interpreter calls for each event."""
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(FLOORS) and code.co_name != "<module>":
            self.seen.add(f"{Path(code.co_filename).relative_to(ROOT)}: {code.co_qualname}")

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch what is called inside."""
        forget()
        before = sys.getprofile()
        sys.setprofile(self)
        try:
            yield
        finally:
            sys.setprofile(before)


class Asking:
    """Answers as `Inline` does, unwatched, and keeps what was asked."""

    def __init__(self, solvers: list[Solver]) -> None:
        self._inner = Inline(solvers)
        self.asked: list[tuple[Question[Any], Instance, Semantics]] = []

    def __call__(self, question: Question[A], instance: Instance, semantics: Semantics = PAPER) -> A:
        """The answer to a question."""
        watching = sys.getprofile()
        sys.setprofile(None)
        try:
            self.asked.append((question, instance, semantics))
            return self._inner(question, instance, semantics)
        finally:
            sys.setprofile(watching)

    def all(self, question: Question[A], about: Iterable[Instance | tuple[Instance, Semantics]]) -> list[A]:
        """The answers to a question about several instances."""
        pairs = [(each, PAPER) if isinstance(each, Instance) else each for each in about]
        return [self(question, *pair) for pair in pairs]


def forget() -> None:
    """Empty all caches of functions, so that nobody profits from what another has called."""
    for name, module in list(sys.modules.items()):
        if name.startswith("sealcheck."):
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def instances(about: Statement) -> list[Instance]:
    """The first and the last instance of the first levels that have any."""
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
    """Functions that oracles call on what is asked, with the oracle."""
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


def shared(about: Statement, check: Check) -> dict[str, str]:
    """What a check of the statement calls by itself, and oracles on what it asks, with such an oracle."""
    own = Calls()
    with opened(SMT_SOLVERS) as solvers:
        ask = Asking(solvers)
        for instance in instances(about):
            with own.watching():
                check(instance, ask)
    assert ask.asked, "no question was asked"
    assert {question for question, _, _ in ask.asked} <= set(about.questions)
    theirs: dict[str, str] = {}
    for question, instance, semantics in dict.fromkeys(ask.asked):
        theirs |= called_by_oracles(question, instance, semantics)
    return {call: theirs[call] for call in own.seen & set(theirs)}


@pytest.mark.parametrize(("about", "check"), CHECKS)
def test_claims_and_oracles_share_nothing(about: Statement, check: Check) -> None:
    """On some instances: what the claim calls by itself, no oracle calls on what it asks."""
    assert not shared(about, check)


def test_a_claim_that_uses_an_oracle_is_noticed() -> None:
    """If it predicted what the program graph of P;Q says, so would the oracle that looks at that."""
    about = STATEMENTS["decide-sealing"]
    found = shared(about, predicts(IS_SEAL, by_closure))
    assert found["algorithms/program_graph.py: causal_pairs"] == "is-seal, program graph"
    assert not shared(about, predicts(IS_SEAL, lambda instance: True))


def test_functions_that_are_kept_from_being_called_again_are_noticed() -> None:
    """The watch sees the same where a function remembers its results."""
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
        "algorithms/reach.py: look_forward",
    } <= seen[0]


def statement_modules() -> list[Path]:
    """The modules of statements."""
    return sorted(path for path in (ROOT / "theorems").glob("*/*.py") if path.name != "__init__.py")


@pytest.mark.parametrize("path", statement_modules(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_no_statement_imports_another(path: Path) -> None:
    """What several need is on a floor below."""
    imported = [
        name
        for node in ast.walk(ast.parse(path.read_text()))
        for name in (
            [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else []
        )
    ]
    assert not [name for name in imported if name.startswith("sealcheck.theorems")]


def test_there_are_statement_modules_in_every_section() -> None:
    """None is overlooked."""
    sections = {path.parent.name for path in statement_modules()}
    assert sections == {"section2", "section3", "section4", "section5", "appendix"}
    assert len(statement_modules()) > 40
