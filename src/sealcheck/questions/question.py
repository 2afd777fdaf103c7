"""Questions, the oracles that answer them, and what becomes of their answers.

A question is asked of an instance, in a semantics.  Its oracles answer independently of each other; none
is "the first one".  Where they do not all agree, there is no answer but a disagreement, which stops the run.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from sealcheck.encodings.solving import Solver
from sealcheck.errors import Disagreement, InputError, LimitReached
from sealcheck.programs.semantics import PAPER, Semantics
from sealcheck.questions.answer_types import AnswerType
from sealcheck.questions.instance import Instance

A = TypeVar("A")

LAYERS = ("layers",)
"""What a question takes that is about any number of programs, one after the other."""


class CannotAnswer(Exception):
    """This oracle does not know the answer about this instance; the message says why.

    That is counted, and counts for nothing.
    """


@dataclass(frozen=True)
class Oracle(Generic[A]):
    """One way to the answer.  Raises CannotAnswer, or LimitReached where it gave up."""

    name: str
    answer: Callable[[Instance, Semantics], A]
    shares: str = ""
    """What it has in common with other oracles of its question, for people; nothing, if empty."""
    is_checked: bool = False
    """Whether an algorithm only proposes, and the kernel accepts or rejects what it says."""


@dataclass(frozen=True)
class Symbolic(Generic[A]):
    """Formulas about one instance, put to each SMT solver: as many oracles as there are solvers."""

    answer: Callable[[Instance, Semantics, Solver], A]
    shares: str = "the formulas, among themselves"


@dataclass(frozen=True)
class Witness(Generic[A]):
    """What makes an answer right where several are: it is a run, for instance, or says that there is none."""

    alike: Callable[[A], object]
    """What of it all oracles must say alike: whether there is one, or how long it is."""
    accepts: Callable[[Instance, Semantics, A], bool]
    """Whether it shows what it is to show, by the definition, whoever found it."""


@dataclass(frozen=True)
class DefinedFor:
    """What a question has an answer about: nothing else is ever asked, and oracles may rely on that.

    It says nothing about what claims suppose: who drops a hypothesis asks about more, and may.
    """

    text: str
    has: Callable[[Instance], bool]
    """Whether an instance, of as many programs as the question takes, is what `text` says."""


@dataclass(frozen=True, eq=False)
class Question(Generic[A]):
    """Something that can be asked of programs, and whom to ask."""

    id: str
    _: KW_ONLY
    text: str
    """The question as a sentence, about P, Q and so on."""
    takes: tuple[str, ...]
    """The programs that it is about: ("p",), ("p", "q"); `LAYERS` where they may be any number."""
    domain: DefinedFor
    answer: AnswerType[A]
    oracles: tuple[Oracle[A], ...]
    symbolic: Symbolic[A] | None = None
    witness: Witness[A] | None = None
    """None where there is but one right answer."""
    certificate: str = ""
    """What the kernel checks, if there is such a thing."""
    per_second: int = 100
    """How many instances all oracles together answer in about a second."""

    def oracle_names(self, solvers: Sequence[str]) -> tuple[str, ...]:
        """The names of those who are asked, where these are the solvers."""
        return (*(oracle.name for oracle in self.oracles), *(solvers if self.symbolic else ()))

    @property
    def about(self) -> str:
        """What it is asked of, for people."""
        names = "layers" if self.takes == LAYERS else ", ".join(name.upper() for name in self.takes)
        return f"{names}: {self.domain.text}"

    def require_defined_for(self, instance: Instance) -> None:
        """Raise InputError unless it has an answer about the instance."""
        fits = self.takes == LAYERS or len(self.takes) == len(instance.programs)
        if not (fits and self.domain.has(instance)):
            raise InputError(f"'{self.id}' cannot be asked of '{_short(instance)}', only of {self.about}")


@dataclass(frozen=True)
class Asked(Generic[A]):
    """A question, asked of an instance in a semantics.  Raises InputError where that has no answer."""

    question: Question[A]
    instance: Instance
    semantics: Semantics = PAPER

    def __post_init__(self) -> None:
        self.question.require_defined_for(self.instance)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.question.id, self.instance, self.semantics))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Asked)
            and self.question.id == other.question.id
            and self.instance == other.instance
            and self.semantics == other.semantics
        )

    def __reduce__(self) -> tuple[Callable[..., "Asked[Any]"], tuple[str, Instance, Semantics]]:
        return _asked, (self.question.id, self.instance, self.semantics)

    @cached_property
    def text(self) -> str:
        """All that the answer depends on but code, as canonical JSON."""
        s = self.semantics
        return json.dumps(
            [
                self.question.id,
                self.instance.n,
                self.instance.texts,
                self.instance.flags,
                [s.model.value, s.reading.value, s.unroll, s.self_channels],
            ]
        )

    @property
    def key(self) -> str:
        """A digest of `text`."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def __str__(self) -> str:
        read = "" if self.semantics == PAPER else f" ({self.semantics})"
        return f"{self.question.id}, n = {self.instance.n}, on {self.instance}{read}"


def _asked(id: str, instance: Instance, semantics: Semantics) -> Asked[Any]:
    from sealcheck.questions.registry import question

    return Asked(question(id), instance, semantics)


@dataclass(frozen=True)
class Answers(Generic[A]):
    """What everybody said who was asked."""

    asked: Asked[A]
    said: Mapping[str, A]
    """By oracle."""
    abstained: Mapping[str, str]
    """Oracles that cannot answer about this instance, and why."""
    gave_up: Mapping[str, str]
    """Oracles that hit a limit, and which."""

    @property
    def agreed(self) -> A:
        """The answer on which all agree; of several witnesses, the shortest one when written down.

        Raises Disagreement where they do not, or a witness is none, and LimitReached where an oracle gave
        up, or none knows.
        """
        values = list(self.said.values())
        witness = self.asked.question.witness
        compared = values if witness is None else [witness.alike(value) for value in values]
        if any(value != compared[0] for value in compared):
            listed = ", ".join(f"{oracle} says {_short(value)}" for oracle, value in self.said.items())
            raise Disagreement(f"{self.asked}: {listed}")
        if witness is not None:
            self._require_accepted(witness)
        if self.gave_up:
            oracle, why = next(iter(self.gave_up.items()))
            raise LimitReached(f"{self.asked}: {oracle}: {why}")
        if not values:
            raise LimitReached(f"{self.asked}: no oracle can answer")
        return values[0] if witness is None else min(values, key=self._written)

    def _require_accepted(self, witness: Witness[A]) -> None:
        for oracle, value in self.said.items():
            if not witness.accepts(self.asked.instance, self.asked.semantics, value):
                raise Disagreement(f"{self.asked}: {oracle} says {_short(value)}, which does not show it")

    def _written(self, value: A) -> tuple[int, str]:
        text = json.dumps(self.asked.question.answer.to_json(value))
        return len(text), text


def _short(value: object) -> str:
    text = str(sorted(value, key=str)) if isinstance(value, frozenset) else str(value)
    return text if len(text) <= 200 else f"{text[:197]}..."


def answer(asked: Asked[A], solvers: Sequence[Solver]) -> Answers[A]:
    """Ask every oracle, and every one of these solvers."""
    question, instance, semantics = asked.question, asked.instance, asked.semantics
    oracles: dict[str, Callable[[], A]] = {
        oracle.name: lambda oracle=oracle: oracle.answer(instance, semantics)  # type: ignore[misc]
        for oracle in question.oracles
    }
    if (symbolic := question.symbolic) is not None:
        oracles |= {
            solver.name: lambda solver=solver: symbolic.answer(instance, semantics, solver)  # type: ignore[misc]
            for solver in solvers
        }
    said: dict[str, A] = {}
    abstained: dict[str, str] = {}
    gave_up: dict[str, str] = {}
    for name, answers in oracles.items():
        try:
            said[name] = answers()
        except CannotAnswer as reason:
            abstained[name] = str(reason)
        except LimitReached as limit:
            gave_up[name] = str(limit)
    return Answers(asked, said, abstained, gave_up)
