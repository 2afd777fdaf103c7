"""The list of all questions, and `answer`, which asks all oracles of a question about an instance."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Generic, TypeVar

from sealcheck.encodings.solving import Solver
from sealcheck.errors import Disagreement, InputError, LimitReached
from sealcheck.programs.semantics import PAPER, ChannelModel, CutReading, Semantics
from sealcheck.questions import causality, closed_channels, phases, ports, sealing, whole_language
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import CannotAnswer, Question, short
from sealcheck.words import or_choose

A = TypeVar("A")

QUESTIONS: dict[str, Question[Any]] = {
    question.id: question
    for question in (
        causality.DEADLOCK_FREE,
        causality.MATCHING_FUNCTIONS,
        causality.CAUSAL_PAIRS,
        causality.PROGRAM_GRAPH,
        causality.SIGNATURE,
        causality.SIGNATURE_COMPOSE,
        closed_channels.CLOSED_CHANNELS,
        closed_channels.CLOSED_RUN,
        sealing.IS_SEAL,
        phases.INTERFERENCE,
        whole_language.IS_CCL,
        sealing.SEALABLE,
        sealing.MINIMAL_SEAL,
        sealing.SHORTEST_SEAL,
        sealing.WORST_CASE_SEAL,
        closed_channels.CLOSED_WHEN_SENT,
        whole_language.OCCURS,
        whole_language.REFINES,
        whole_language.COUNTEREXAMPLE,
        whole_language.GOES_ON,
        whole_language.BALANCED,
        whole_language.UNBALANCED_RUN,
        closed_channels.CLOSED_BY_DEFINITION,
        whole_language.FINDS_SILENCE,
        phases.KEEPS_APART,
        phases.PHASES,
        phases.INTERFERING_CHANNELS,
        ports.PORT_PHASES,
        ports.INTERFERING_PORTS,
    )
}


def question(id: str) -> Question[Any]:
    """The question with this id.  Raises InputError, listing the ids, if there is none.

    >>> question("is-seal").text
    'Does Q seal P?'
    """
    if id not in QUESTIONS:
        raise InputError(f"unknown question '{id}': {or_choose(id, QUESTIONS)}")
    return QUESTIONS[id]


@dataclass(frozen=True)
class Asked(Generic[A]):
    """A question about an instance in a semantics.

    Raises InputError if the instance is not in the question's domain.
    """

    question: Question[A]
    instance: Instance
    semantics: Semantics = PAPER

    def __post_init__(self) -> None:
        self.question.require_defined_for(self.instance)

    @cached_property
    def _parts(self) -> tuple[str, Instance, Semantics]:
        return self.question.id, self.instance, self.semantics

    @cached_property
    def _hash(self) -> int:
        return hash(self._parts)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Asked) and self._parts == other._parts

    def __reduce__(self) -> tuple[Callable[..., "Asked[Any]"], tuple[str, Instance, Semantics]]:
        return _asked, self._parts

    @cached_property
    def columns(self) -> tuple[str, str, str]:
        """The question's id, instance and semantics, as texts. The answer depends only on them and code."""
        s = self.semantics
        semantics = [s.model.value, s.reading.value, s.unroll, s.self_channels]
        return self.question.id, json.dumps(self.instance.to_json()), json.dumps(semantics)

    @cached_property
    def key(self) -> str:
        """A digest of `columns`."""
        return digest(self.columns)

    def __str__(self) -> str:
        read = "" if self.semantics == PAPER else f" ({self.semantics})"
        return f"{self.question.id}, n = {self.instance.n}, on {self.instance}{read}"


def _asked(id: str, instance: Instance, semantics: Semantics) -> Asked[Any]:
    return Asked(question(id), instance, semantics)


def read_asked(id: str, instance: str, semantics: str) -> Asked[Any]:
    """The question with these `columns`."""
    model, reading, unroll, self_channels = json.loads(semantics)
    read = Semantics(ChannelModel(model), CutReading(reading), unroll, self_channels)
    return Asked(question(id), Instance.from_json(json.loads(instance)), read)


def digest(columns: Sequence[str]) -> str:
    """The key of these `columns`: a digest of 32 hexadecimal digits."""
    return hashlib.sha256("\n".join(columns).encode()).hexdigest()[:32]


@dataclass(frozen=True)
class Answers(Generic[A]):
    """The answers of all oracles that were asked."""

    asked: Asked[A]
    said: Mapping[str, A]
    """The answers by oracle."""
    abstained: Mapping[str, str]
    """The oracles that cannot answer about this instance, each with the reason."""
    gave_up: Mapping[str, str]
    """The oracles that hit a limit, each with the limit."""

    @property
    def agreed(self) -> A:
        """The answer on which all oracles agree. Of several witnesses, the witness with the shortest text.

        Raises Disagreement if the oracles do not agree, or if a witness is wrong. Raises LimitReached if an
        oracle gave up, or if all oracles abstain.
        """
        values = list(self.said.values())
        witness = self.asked.question.witness
        compared = values if witness is None else [witness.alike(value) for value in values]
        if any(value != compared[0] for value in compared):
            listed = ", ".join(f"{oracle} says {short(value)}" for oracle, value in self.said.items())
            raise Disagreement(f"{self.asked}: {listed}")
        for oracle, value in self.said.items():
            if witness and not witness.accepts(self.asked.instance, self.asked.semantics, value):
                raise Disagreement(f"{self.asked}: {oracle} says {short(value)}, which does not show it")
        if self.gave_up:
            oracle, why = next(iter(self.gave_up.items()))
            raise LimitReached(f"{self.asked}: {oracle}: {why}")
        if not values:
            raise LimitReached(f"{self.asked}: no oracle can answer")
        return values[0] if witness is None else min(values, key=self._written)

    def _written(self, value: A) -> tuple[int, str]:
        text = json.dumps(self.asked.question.answer.to_json(value))
        return len(text), text


def answer(asked: Asked[A], solvers: Sequence[Solver]) -> Answers[A]:
    """The answers of all oracles, and of these solvers if the question has formulas."""
    question, instance, semantics = asked.question, asked.instance, asked.semantics
    oracles: dict[str, Callable[[], A]] = {
        oracle.name: partial(oracle.answer, instance, semantics) for oracle in question.oracles
    }
    if question.symbolic is not None:
        symbolic = partial(question.symbolic.answer, instance, semantics)
        oracles |= {solver.name: partial(symbolic, solver) for solver in solvers}
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
