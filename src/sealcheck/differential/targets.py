"""What implementations can be asked, of which programs, and how an answer is judged."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator

from sealcheck.algorithms.phases import decide as phases
from sealcheck.algorithms.sealability import closed_channel_graph
from sealcheck.algorithms.sealing import Seals, decide
from sealcheck.algorithms.signature import signature
from sealcheck.differential.judging import is_right_seal, some_seal
from sealcheck.errors import Disagreement, InputError
from sealcheck.harness.ablation import DEADLOCKING_MESSAGES, deadlocking
from sealcheck.harness.answering import inline
from sealcheck.harness.domains import indexed_space
from sealcheck.programs.events import Channel
from sealcheck.programs.semantics import PAPER
from sealcheck.questions.answer_types import AnswerType
from sealcheck.questions.closed_channels import CLOSED_CHANNELS
from sealcheck.questions.deadlock_free import DEADLOCK_FREE
from sealcheck.questions.instance import Instance
from sealcheck.questions.is_seal import IS_SEAL
from sealcheck.questions.minimal_seal import MINIMAL_SEAL
from sealcheck.questions.phases import PHASES, as_phases
from sealcheck.questions.program_graph import PROGRAM_GRAPH
from sealcheck.questions.question import Question
from sealcheck.questions.registry import QUESTIONS
from sealcheck.questions.sealable import SEALABLE
from sealcheck.questions.signature import SIGNATURE, SIGNATURE_COMPOSE
from sealcheck.words import or_choose

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy  # imported where random programs are wanted only

Listing = Callable[[int, int], Iterator[Instance]]


CONFIRMED_PROCESSES, CONFIRMED_MESSAGES = 4, 6
"""Up to this size all oracles confirm an answer; larger instances take some of them minutes."""


@dataclass(frozen=True)
class Domain:
    """Which instances implementations are asked about."""

    listing: Listing
    """All of a level (n, messages), renamed ones too."""
    drawn: "Callable[[], SearchStrategy[Instance]]"
    """Random ones."""


@dataclass(frozen=True, eq=False)
class Target:
    """Something that implementations are asked."""

    id: str
    text: str
    takes: tuple[str, ...]
    answer: AnswerType[Any]
    expected: Callable[[Instance], Any]
    """A right answer, quickly."""
    confirmed: Callable[[Instance, Any], bool]
    """Whether all oracles say that such an answer is right: asked before an implementation is blamed."""
    is_right: Callable[[Instance, Any, Any], bool]
    """Whether what was answered is right, where the other one is expected."""
    domain: Domain
    has_several: bool = False
    """Whether there may be several right answers."""

    def judged(self, instance: Instance, value: Any, expected: Any) -> bool | None:
        """Whether an answer, as JSON, is right; None where it is not of the answer's type."""
        if not Draft202012Validator(self.answer.schema).is_valid(value):
            return None
        return self.is_right(instance, self.answer.from_json(value), expected)

    def confirm(self, instance: Instance, expected: Any) -> None:
        """Ask every oracle whether what we expect is right.  Raises Disagreement."""
        small = instance.n <= CONFIRMED_PROCESSES and instance.messages <= CONFIRMED_MESSAGES
        if small and not self.confirmed(instance, expected):
            raise Disagreement(f"{self.id}, on {instance}: what is expected is not what all oracles say")


def one_answer(question: Question[Any], expected: Callable[[Instance], Any], domain: Domain) -> Target:
    """A question with one right answer, which all its oracles know."""

    def confirmed(instance: Instance, answer: Any) -> bool:
        with inline() as ask:
            return bool(ask(question, instance) == answer)

    return Target(
        question.id,
        question.text,
        question.takes,
        question.answer,
        expected,
        confirmed,
        lambda instance, said, right: bool(said == right),
        domain,
    )


def all_programs(n: int, messages: int) -> Iterator[Instance]:
    """Every BSL of the level.

    >>> [str(instance) for instance in all_programs(2, 1)]
    ['mt 2->1', 'mt 1->2']
    """
    return map(Instance.of, indexed_space(n, messages).programs())


def all_pairs(n: int, messages: int) -> Iterator[Instance]:
    """Every pair of BSLs with so many messages together; first those with fewest in P.

    >>> len(list(all_pairs(2, 1)))
    4
    """
    for of_p in range(messages + 1):
        for p in indexed_space(n, of_p).programs():
            for q in indexed_space(n, messages - of_p).programs():
                yield Instance.of(p, q)


def all_triples(n: int, messages: int) -> Iterator[Instance]:
    """Three BSLs with so many messages together; first those with fewest in the first.

    >>> len(list(all_triples(2, 1)))
    6
    """
    for of_p in range(messages + 1):
        for p in indexed_space(n, of_p).programs():
            for rest in all_pairs(n, messages - of_p):
                yield Instance.of(p, *rest.straight)


def all_balanced(n: int, messages: int) -> Iterator[Instance]:
    """Every BSL of the level, and the balanced programs that deadlock, as far as they are listed."""
    yield from all_programs(n, messages)
    if messages <= DEADLOCKING_MESSAGES:
        for instance in deadlocking(n, messages):
            yield from instance.renamings()


def _drawn_programs() -> "SearchStrategy[Instance]":
    from sealcheck.differential.strategies import programs

    return programs().map(Instance.of)


def _drawn_pairs() -> "SearchStrategy[Instance]":
    from sealcheck.differential.strategies import pairs

    return pairs().map(lambda pair: Instance.of(*pair))


def _drawn_triples() -> "SearchStrategy[Instance]":
    from sealcheck.differential.strategies import layers

    return layers(3).map(lambda triple: Instance.of(*triple))


def _drawn_balanced() -> "SearchStrategy[Instance]":
    from sealcheck.differential.strategies import balanced_programs

    return balanced_programs().map(Instance.of)


PROGRAMS = Domain(all_programs, _drawn_programs)
PAIRS = Domain(all_pairs, _drawn_pairs)
TRIPLES = Domain(all_triples, _drawn_triples)
BALANCED = Domain(all_balanced, _drawn_balanced)


def _oracle(question: Question[Any], name: str) -> Callable[[Instance], Any]:
    (oracle,) = (oracle for oracle in question.oracles if oracle.name == name)
    return lambda instance: oracle.answer(instance, PAPER)


def _closed_channels(instance: Instance) -> frozenset[Channel]:
    return closed_channel_graph(signature(instance.p))


def _is_seal(instance: Instance) -> bool:
    return isinstance(decide(instance.p, instance.q), Seals)


def _seal_confirmed(instance: Instance, seal: str | None) -> bool:
    with inline() as ask:
        return ask(SEALABLE, instance) == (seal is not None)


TEXT_OR_NONE: AnswerType[str | None] = AnswerType(
    {"type": ["string", "null"]}, lambda seal: seal, lambda value: value
)

SEAL = Target(
    id="seal",
    text="A program that seals P, or null where there is none: any that does is right.",
    takes=("p",),
    answer=TEXT_OR_NONE,
    expected=some_seal,
    confirmed=_seal_confirmed,
    is_right=is_right_seal,
    domain=PROGRAMS,
    has_several=True,
)

PHASES_IN_SEQUENCE = replace(
    one_answer(PHASES, lambda instance: phases(as_phases(instance)).is_safe, TRIPLES),
    text="In P, Q and R, one after the other, does no receive of one take a message of another?",
    takes=("p", "q", "r"),
)

TARGETS = {
    target.id: target
    for target in (
        one_answer(DEADLOCK_FREE, lambda instance: instance.p.is_deadlock_free, BALANCED),
        one_answer(PROGRAM_GRAPH, _oracle(PROGRAM_GRAPH, "counting"), PROGRAMS),
        one_answer(SIGNATURE, _oracle(SIGNATURE, "program graph"), PROGRAMS),
        one_answer(SIGNATURE_COMPOSE, _oracle(SIGNATURE_COMPOSE, "program graph"), PAIRS),
        one_answer(CLOSED_CHANNELS, _closed_channels, PROGRAMS),
        one_answer(IS_SEAL, _is_seal, PAIRS),
        one_answer(SEALABLE, _oracle(SEALABLE, "saturation"), PROGRAMS),
        one_answer(MINIMAL_SEAL, _oracle(MINIMAL_SEAL, "search over knowledge"), PROGRAMS),
        SEAL,
        PHASES_IN_SEQUENCE,
    )
}


def target(id: str) -> Target:
    """The target with this id.  Raises InputError, listing the ids, where there is none.

    >>> target("refines")
    Traceback (most recent call last):
    sealcheck.errors.InputError: implementations of 'refines' can't be tested: choose among deadlock-free, \
program-graph, signature, signature-compose, closed-channels, is-seal, sealable, minimal-seal, seal, phases
    """
    if id not in TARGETS:
        if id in QUESTIONS:
            raise InputError(f"implementations of '{id}' can't be tested: choose among {', '.join(TARGETS)}")
        raise InputError(f"unknown question '{id}': {or_choose(id, TARGETS)}")
    return TARGETS[id]
