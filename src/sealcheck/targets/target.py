"""Something that implementations are asked: about which programs, and when an answer is right."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from sealcheck.errors import Disagreement
from sealcheck.harness.answering import inline
from sealcheck.harness.statement import Ask
from sealcheck.harness.statement import Domain as Canonical
from sealcheck.programs.semantics import PAPER, Semantics
from sealcheck.questions.answer_types import AnswerType
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import Question
from sealcheck.targets.shape import Shape

CONFIRMED_PROCESSES, CONFIRMED_MESSAGES = 4, 6
"""Up to this size all oracles confirm an answer; larger instances take some of them minutes."""

T = TypeVar("T")

Quickly = Callable[[Instance], Any]
"""An answer by one algorithm."""


@dataclass(frozen=True)
class Numbered(Generic[T]):
    """A finite collection whose members can be looked up without listing the others."""

    size: int
    at: Callable[[int], T]
    """The member with a number from 0 to size - 1; each member has one number."""


@dataclass(frozen=True)
class Domain:
    """Which instances implementations are asked about."""

    up_to_renaming: Canonical
    """One for each class of renamings."""
    listing: Callable[[int, int], Iterator[Instance]]
    """All of a level (n, messages), renamed ones too."""
    level: Callable[[int, int], Numbered[Instance]]
    """The instances of a level by number, for levels that are too large to list."""


class Quick:
    """Answers by one algorithm for each question, by its id, without asking anybody else."""

    def __init__(self, algorithms: Mapping[str, Quickly]) -> None:
        self._algorithms = algorithms

    def __call__(self, question: Question[Any], instance: Instance, semantics: Semantics = PAPER) -> Any:
        """The answer to a question."""
        return self._algorithms[question.id](instance)

    def all(
        self, question: Question[Any], about: Iterable[Instance | tuple[Instance, Semantics]]
    ) -> list[Any]:
        """The answers to a question about several instances."""
        return [self(question, each if isinstance(each, Instance) else each[0]) for each in about]


@dataclass(frozen=True, eq=False, kw_only=True)
class Target:
    """Something that implementations are asked."""

    id: str
    text: str
    takes: tuple[str, ...]
    answer: AnswerType[Any]
    expected: Quickly
    """A right answer, quickly."""
    quick: Ask
    """Says quickly what an answer is measured by."""
    confirmed: Callable[[Instance, Any], bool]
    """Whether all oracles say that such an answer is right: asked before an implementation is blamed."""
    is_right: Callable[[Instance, Any, Ask], bool]
    """Whether what was answered is right, by what is asked."""
    domain: Domain
    has_several: bool = False
    """Whether there may be several right answers."""

    @cached_property
    def _shape(self) -> Shape:
        return Shape(self.answer.schema)

    def judged(self, instance: Instance, value: Any) -> bool | None:
        """Whether an answer, as JSON, is right, quickly; None where it is not of the answer's type."""
        if not self._shape.fits(value):
            return None
        return self.is_right(instance, self.answer.from_json(value), self.quick)

    def confirm(self, instance: Instance, expected: Any) -> None:
        """Ask every oracle whether what we expect is right.  Raises Disagreement."""
        small = instance.n <= CONFIRMED_PROCESSES and instance.messages <= CONFIRMED_MESSAGES
        if small and not self.confirmed(instance, expected):
            raise Disagreement(f"{self.id}, on {instance}: what is expected is not what all oracles say")


def one_answer(
    question: Question[Any],
    quickly: Quickly,
    domain: Domain,
    *,
    of: Callable[[Instance], Instance] = lambda instance: instance,
) -> Target:
    """A question with one right answer, which all its oracles know, about what is made `of` an instance."""

    def is_right(instance: Instance, said: Any, ask: Ask) -> bool:
        return bool(ask(question, of(instance)) == said)

    def confirmed(instance: Instance, answer: Any) -> bool:
        with inline() as ask:
            return is_right(instance, answer, ask)

    return Target(
        id=question.id,
        text=question.text,
        takes=question.takes,
        answer=question.answer,
        expected=lambda instance: quickly(of(instance)),
        quick=Quick({question.id: quickly}),
        confirmed=confirmed,
        is_right=is_right,
        domain=domain,
    )
