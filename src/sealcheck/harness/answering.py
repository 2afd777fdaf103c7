"""Getting answers: at once, in this process; or later, once others have answered what is asked.

A claim asks as if the answer were at hand.  With `Inline` it is computed on the spot, once.  With `Known`
only what was answered before is at hand: anything else is noted, and the claim is put off by raising
`NotYetKnown`.  So the questions of many statements can be gathered, each answered once, and the claims gone
through again.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, TypeVar

from sealcheck.encodings.solvers import SMT_SOLVERS
from sealcheck.encodings.solving import Solver, fresh_formulas, open_solver
from sealcheck.errors import Disagreement, LimitReached
from sealcheck.harness.statement import Ask
from sealcheck.programs.semantics import PAPER, Semantics
from sealcheck.questions.asking import Answers, Asked, answer
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import Question

A = TypeVar("A")

SECONDS = 60.0
"""How long one question to a solver may take before its answer counts as unknown."""

OnAnswers = Callable[[Answers[Any]], None]


class NotYetKnown(Exception):
    """What is asked was noted, and has to be answered first."""


class Inline:
    """Answers in this process, and remembers."""

    def __init__(
        self,
        solvers: Sequence[Solver],
        known: Mapping[Asked[Any], object] | None = None,
        on_answers: OnAnswers | None = None,
    ) -> None:
        self._solvers = solvers
        self._agreed: dict[Asked[Any], object] = dict(known or {})
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

    def all(self, question: Question[A], about: Iterable[Instance | tuple[Instance, Semantics]]) -> list[A]:
        """The answers to a question about several instances."""
        return [self(question, *each) for each in _pairs(about)]


class Known:
    """Answers what is known already; what else is asked, is in `missing`."""

    def __init__(self, agreed: Mapping[Asked[Any], object]) -> None:
        """`agreed` may have the exception that asking raises in place of an answer."""
        self._agreed = agreed
        self.missing: dict[Asked[Any], None] = {}

    def __call__(self, question: Question[A], instance: Instance, semantics: Semantics = PAPER) -> A:
        """The answer to a question.  Raises NotYetKnown."""
        (found,) = self.all(question, [(instance, semantics)])
        return found

    def all(self, question: Question[A], about: Iterable[Instance | tuple[Instance, Semantics]]) -> list[A]:
        """The answers to a question about several instances.  Raises NotYetKnown if one is missing."""
        asked = [Asked(question, *each) for each in _pairs(about)]
        if missing := [each for each in asked if each not in self._agreed]:
            self.missing |= dict.fromkeys(missing)
            raise NotYetKnown
        found: list[A] = []
        for each in asked:
            known = self._agreed[each]
            if isinstance(known, LimitReached | Disagreement):
                raise type(known)(*known.args)  # not `known`: each time it would keep one more traceback
            found.append(known)  # type: ignore[arg-type]
        return found


def _pairs(
    about: Iterable[Instance | tuple[Instance, Semantics]],
) -> Iterator[tuple[Instance, Semantics]]:
    for each in about:
        yield (each, PAPER) if isinstance(each, Instance) else each


@contextmanager
def inline(
    solvers: Sequence[str] = SMT_SOLVERS,
    known: Mapping[Asked[Any], object] | None = None,
    on_answers: OnAnswers | None = None,
) -> Iterator[Ask]:
    """Ask the oracles, and these solvers, which are open inside.

    >>> from sealcheck.programs.events import mt
    >>> from sealcheck.programs.straight_line import StraightLine
    >>> from sealcheck.questions.is_seal import IS_SEAL
    >>> there, back = (StraightLine.of(2, mt(*channel)) for channel in ((1, 2), (2, 1)))
    >>> with inline() as ask:
    ...     ask(IS_SEAL, Instance.of(there, back)), ask(IS_SEAL, Instance.of(there, there))
    (True, False)
    """
    with opened(solvers) as ready:
        yield Inline(ready, known, on_answers)


@contextmanager
def opened(solvers: Sequence[str]) -> Iterator[list[Solver]]:
    """These solvers; formulas built inside are forgotten afterwards."""
    with fresh_formulas(), ExitStack() as stack:
        yield [stack.enter_context(open_solver(name, seconds=SECONDS)) for name in solvers]
