"""Targets: questions that implementations are asked, with programs to ask about and a judgement of answers.

The programs are all programs of a size, including those that differ only by a renaming. A target also has a
JSON Schema for answers.
"""

import json
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property, lru_cache
from itertools import accumulate, product
from math import prod
from typing import Any, Generic, TypeVar

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend

from sealcheck.algorithms.phases import decide as phases
from sealcheck.algorithms.ports import decide_ports
from sealcheck.algorithms.sealability import Sealable, closed_channel_graph, saturate
from sealcheck.algorithms.sealing import Seals, decide
from sealcheck.algorithms.signature import signature
from sealcheck.errors import Disagreement, InputError
from sealcheck.language.parser import parse_straight_line
from sealcheck.programs.port_space import WAYS, PortSpace, Renaming, Way
from sealcheck.programs.protocol import PortPhases
from sealcheck.programs.semantics import PAPER
from sealcheck.programs.space import spaces
from sealcheck.programs.straight_line import StraightLine, require_balanced_straight_line
from sealcheck.questions.asking import QUESTIONS
from sealcheck.questions.causality import DEADLOCK_FREE, PROGRAM_GRAPH, SIGNATURE, SIGNATURE_COMPOSE, composed
from sealcheck.questions.closed_channels import CLOSED_CHANNELS
from sealcheck.questions.instance import TAKEN_OVER_PORTS, Instance
from sealcheck.questions.phases import PHASES, as_phases
from sealcheck.questions.ports import INTERFERING_PORTS, PORT_PHASES, as_port_phases, in_sequence
from sealcheck.questions.question import AnswerType, Question
from sealcheck.questions.sealing import IS_SEAL, MINIMAL_SEAL, SEALABLE, is_seal_by_kernel, problem
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.domains import (
    Listed,
    Listing,
    Programs,
    Sequences,
    indexed_space,
    shared_out,
)
from sealcheck.theorems.checking.hypotheses import (
    DEADLOCKING_MESSAGES,
    all_programs,
    balanced,
    balanced_shares,
    deadlocking,
    pairs,
)
from sealcheck.theorems.checking.statement import About, Ask, with_semantics
from sealcheck.theorems.checking.statement import Domain as Canonical
from sealcheck.words import counted, or_choose

MOST_KNOWN, LONGEST_KNOWN = 10_000, 100
"""Limits of the cache of checked items: the number of items, and the characters of an item."""

_TYPES = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)


class Shape:
    """A JSON Schema that checks equal items of lists only once.

    An integer is written without a decimal point. (JSON Schema itself accepts 1.0 as an integer.)

    >>> edges = Shape({"type": "array", "items": {"type": "array", "items": {"type": "integer"}}})
    >>> [edges.fits(value) for value in ([[1, 2], [2, 1], [1, 2]], [[1, 2], [1, True]], [[1.0, 2]])]
    [True, False, False]
    """

    def __init__(self, schema: dict[str, Any]) -> None:
        self._validator = extend(Draft202012Validator, {"items": self._items}, type_checker=_TYPES)(schema)
        self._is_known = lru_cache(MOST_KNOWN)(self._read_and_fits)

    def fits(self, value: object) -> bool:
        """Whether the value, which comes from JSON, matches the schema."""
        return bool(self._validator.is_valid(value))

    def _items(self, _: Any, items: Any, value: Any, schema: dict[str, Any]) -> Iterator[ValidationError]:
        """The keyword `items`: the error of the first wrong item."""
        if isinstance(value, list):
            subschema = json.dumps(items)
            rest = value[len(schema.get("prefixItems", ())) :]
            if not all(self._item_fits(subschema, items, item) for item in rest):
                yield ValidationError("an item is of another type")

    def _item_fits(self, subschema: str, items: Any, item: object) -> bool:
        text = json.dumps(item)
        if len(text) <= LONGEST_KNOWN:
            return self._is_known(subschema, text)
        return bool(self._validator.evolve(schema=items).is_valid(item))

    def _read_and_fits(self, subschema: str, text: str) -> bool:
        return bool(self._validator.evolve(schema=json.loads(subschema)).is_valid(json.loads(text)))


CONFIRMED_PROCESSES, CONFIRMED_MESSAGES = 4, 6
"""Up to this size, all oracles confirm an answer. Larger instances take minutes."""

T = TypeVar("T")

Quickly = Callable[[Instance], Any]
"""An answer by one algorithm."""


@dataclass(frozen=True)
class Numbered(Generic[T]):
    """A finite collection with access to members by number."""

    size: int
    at: Callable[[int], T]
    """The member with a number from 0 to size - 1."""


@dataclass(frozen=True)
class Domain:
    """The instances that implementations are asked about."""

    up_to_renaming: Canonical
    """One instance for each class of renamings."""
    listing: Listing
    """All instances of a level (n, messages), including renamed ones."""
    level: Callable[[int, int], Numbered[Instance]]
    """The instances of a level by number, for levels that are too large to list."""
    usual: int = 4
    """The default bound on messages."""
    most: Mapping[int, int] | None = field(default=None, hash=False)
    """For each n, the messages of the largest level that can be indexed. If None, limits of programs hold."""

    def levels(self, processes: range, messages: int | None) -> list[tuple[int, int]]:
        """Every (n, m) with m up to `messages` or, by default, `usual`. Small levels come first.

        Raises InputError if a bound is negative, or a level too large.
        """
        messages = self.usual if messages is None else messages
        found, n = spaces(processes, messages), processes[-1]
        if self.most is not None and n not in self.most:
            raise InputError(f"--n must be at most {max(self.most)}, not {n}")
        if self.most is not None and messages > self.most[n]:
            raise InputError(
                f"the instances with n = {n} and {counted(messages, 'message')} are too many:"
                f" --messages must be at most {self.most[n]}"
            )
        return found


class Quick(Ask):
    """Gives the answers of one algorithm for each question. The keys of `algorithms` are ids of questions."""

    def __init__(self, algorithms: Mapping[str, Quickly]) -> None:
        self._algorithms = algorithms

    def all(self, question: Question[Any], about: About) -> list[Any]:
        """The answers to a question about several instances."""
        return [self._algorithms[question.id](instance) for instance, _ in with_semantics(about)]


class Remembered(Ask):
    """An `Ask` with a cache."""

    def __init__(self, ask: Ask) -> None:
        self._found = cache(lambda question, instance, semantics: ask(question, instance, semantics))

    def all(self, question: Question[Any], about: About) -> list[Any]:
        """The answers to a question about several instances."""
        return [self._found(question, *each) for each in with_semantics(about)]


@dataclass(frozen=True, eq=False, kw_only=True)
class Target:
    """A question that implementations are asked."""

    id: str
    text: str
    takes: tuple[str, ...]
    answer: AnswerType[Any]
    expected: Quickly
    """Finds a right answer quickly."""
    quick: Ask
    """Answers quickly the questions on which `is_right` depends."""
    confirmed: Callable[[Instance, Any], bool]
    """Whether all oracles say that an answer is right. An implementation is blamed only after this check."""
    is_right: Callable[[Instance, Any, Ask], bool]
    """Whether the answer is right, by the answers of an `Ask`."""
    domain: Domain
    has_several: bool = False

    @cached_property
    def _shape(self) -> Shape:
        return Shape(self.answer.schema)

    def judged(self, instance: Instance, value: Any) -> bool | None:
        """Whether a JSON answer is right, by a quick check; None if the JSON has a wrong type."""
        if not self._shape.fits(value):
            return None
        try:
            said = self.answer.from_json(value)
        except InputError:
            return None
        return self.is_right(instance, said, self.quick)

    def remembering(self) -> "Target":
        """This target with a cache, for many implementations."""
        given = {each.name: getattr(self, each.name) for each in fields(self)}
        once = {name: cache(given[name]) for name in ("expected", "confirmed")}
        return _Remembering(**given | once | {"quick": Remembered(self.quick)})

    def confirm(self, instance: Instance, expected: Any) -> None:
        """Ask every oracle whether the expected answer is right.  Raises Disagreement if one denies it."""
        small = instance.n <= CONFIRMED_PROCESSES and instance.messages <= CONFIRMED_MESSAGES
        if small and not self.confirmed(instance, expected):
            raise Disagreement(f"{self.id}, on {instance}: the expected answer is not that of all oracles")


class _Remembering(Target):
    """A target that judges each answer about an instance once."""

    @cached_property
    def _judged(self) -> Callable[[Instance, str], bool | None]:
        return cache(lambda instance, text: Target.judged(self, instance, json.loads(text)))

    def judged(self, instance: Instance, value: Any) -> bool | None:
        """Whether a JSON answer is right, by a quick check; None if the JSON has a wrong type."""
        return self._judged(instance, json.dumps(value))


def one_answer(
    question: Question[Any],
    quickly: Quickly,
    domain: Domain,
    *,
    of: Callable[[Instance], Instance] = lambda instance: instance,
) -> Target:
    """A target with one right answer, about an instance or a part `of` it."""

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


def all_balanced(n: int, messages: int) -> Iterator[Instance]:
    """The BSLs of the level. Up to DEADLOCKING_MESSAGES, also the balanced programs that deadlock."""
    yield from all_programs(n, messages)
    if messages <= DEADLOCKING_MESSAGES:
        for instance in deadlocking(n, messages):
            yield from instance.renamings()


def numbered_sequences(length: int) -> Callable[[int, int], Numbered[Instance]]:
    """Levels of sequences of `length` BSLs.

    >>> level = numbered_sequences(2)(2, 1)
    >>> level.size, str(level.at(3))
    (4, 'P = mt 1->2   Q = eps')
    """

    def level(n: int, messages: int) -> Numbered[Instance]:
        spaces = [indexed_space(n, m) for m in range(messages + 1)]
        programs = [Numbered(space.size, space.program) for space in spaces]
        found = _products([[programs[m] for m in split] for split in shared_out(messages, length)])
        return Numbered(found.size, lambda number: Instance.of(*found.at(number)))

    return level


def numbered_balanced(n: int, messages: int) -> Numbered[Instance]:
    """All balanced programs of a level, whether or not they deadlock.

    >>> level = numbered_balanced(2, 1)
    >>> level.size, str(level.at(0))
    (2, 'mt 1->2')
    """
    choices = [
        [Numbered(len(orders), orders.__getitem__) for orders in of_processes]
        for of_processes in balanced_shares(n, messages)
    ]
    found = _products(choices)
    return Numbered(found.size, lambda number: Instance.of(StraightLine(found.at(number))))


def _products(blocks: Sequence[Sequence[Numbered[T]]]) -> Numbered[tuple[T, ...]]:
    ends = list(accumulate(prod(factor.size for factor in block) for block in blocks))

    def at(number: int) -> tuple[T, ...]:
        block = bisect_right(ends, number)
        rest, found = number - (ends[block - 1] if block else 0), []
        for factor in reversed(blocks[block]):
            rest, digit = divmod(rest, factor.size)
            found.append(factor.at(digit))
        return tuple(reversed(found))

    return Numbered(ends[-1], at)


PROGRAMS = Domain(Programs(), all_programs, numbered_sequences(1))
PAIRS = Domain(Sequences(2, "pairs"), pairs(all_programs, all_programs), numbered_sequences(2))
TRIPLES = Domain(Sequences(3, "triples"), pairs(all_programs, PAIRS.listing), numbered_sequences(3))
BALANCED = Domain(Listed("programs", balanced), all_balanced, numbered_balanced)


def layers_over_ports(n: int, messages: int) -> Numbered[Instance]:
    """The layers over ports with this number of messages, in sequence or in rounds.

    The layers are listed once with later programs, and once without.

    >>> level = layers_over_ports(2, 1)
    >>> level.size, str(level.at(1))
    (192, 'snd 1->2; rcv 2<-*   (2<-*=fifo)')
    """
    if n < 2:
        return Numbered(0, _nothing)
    counts = product(range(1, messages + 1), WAYS)
    parts = [(way, _port_space(n, messages, count, way)) for count, way in counts]
    ends = list(accumulate((space.size for _, space in parts), initial=0))

    def at(number: int) -> Instance:
        found = bisect_right(ends, number) - 1
        way, space = parts[found]
        return in_sequence(space.at(number - ends[found]), repeat=way.repeat)

    return Numbered(ends[-1], at)


@lru_cache(maxsize=64)
def _port_space(n: int, messages: int, layers: int, way: Way) -> PortSpace:
    return PortSpace(n, messages, layers, way)


def _nothing(number: int) -> Instance:
    raise IndexError(number)


def every_port_instance(n: int, messages: int) -> Iterator[Instance]:
    """All of `layers_over_ports`, in order."""
    level = layers_over_ports(n, messages)
    return map(level.at, range(level.size))


def canonical_port_instances(n: int, messages: int) -> Iterator[Instance]:
    """The layers over ports up to renaming processes and the tag, in order."""
    for layers, way in product(range(1, messages + 1) if n > 1 else (), WAYS):
        for about, _ in _port_space(n, messages, layers, way).canonical():
            yield in_sequence(about, repeat=way.repeat)


def least_port_instances(n: int, messages: int) -> list[Instance]:
    """The layers over ports up to renaming processes, in order."""
    tags = [Renaming(tuple(range(n + 1)), swaps) for swaps in (False, True)]
    canonical = canonical_port_instances(n, messages)
    return sorted({one.renamed_over_ports(each).canonical() for one in canonical for each in tags})


OVER_PORTS = Domain(
    Listed("layers over ports", least_port_instances),
    every_port_instance,
    layers_over_ports,
    usual=2,
    most={1: 4, 2: 4, 3: 3, 4: 2, 5: 2},
)
"""The space of `sealcheck.programs.port_space`. Instances have any number of layers."""


def some_seal(instance: Instance) -> str | None:
    """A seal of P, or None if there is none."""
    found = saturate(problem(instance.p))
    return str(found.seal(instance.n)) if isinstance(found, Sealable) else None


def are_right_seals(instance: Instance, made: Sequence[StraightLine], ask: Ask) -> bool:
    """Whether all programs of `made` seal P. If `made` is empty, whether P has no seal."""
    if made:
        sealed: list[bool] = ask.all(IS_SEAL, [Instance.of(instance.p, seal) for seal in made])
        return all(sealed)
    return not ask(SEALABLE, instance)


def is_right_seal(instance: Instance, said: str | None, ask: Ask) -> bool:
    """Whether `said` is the text of a seal of P, or is None and P has no seal.

    >>> from sealcheck.programs.straight_line import mt
    >>> there = Instance.of(StraightLine.of(2, mt(1, 2)))
    >>> [is_right_seal(there, said, SEAL.quick) for said in ("mt 2->1; mt 2->1", "mt 1->2", "mt 2", None)]
    [True, False, False, False]
    """
    if said is None:
        return are_right_seals(instance, [], ask)
    try:
        seal = parse_straight_line(said, instance.n)
        require_balanced_straight_line(seal, "the seal")
    except InputError:
        return False
    return are_right_seals(instance, [seal], ask)


def _confirmed(instance: Instance, seal: str | None) -> bool:
    with inline() as ask:
        return ask(SEALABLE, instance) == (seal is not None)


SEAL = Target(
    id="seal",
    text="A program that seals P, or null if no program does; every seal of P is right.",
    takes=("p",),
    answer=AnswerType({"type": ["string", "null"]}, lambda seal: seal, lambda value: value),
    expected=some_seal,
    quick=Quick(
        {SEALABLE.id: lambda instance: some_seal(instance) is not None, IS_SEAL.id: is_seal_by_kernel}
    ),
    confirmed=_confirmed,
    is_right=is_right_seal,
    domain=PROGRAMS,
    has_several=True,
)


def _oracle(question: Question[Any], name: str) -> Callable[[Instance], Any]:
    (oracle,) = (oracle for oracle in question.oracles if oracle.name == name)
    return lambda instance: oracle.answer(instance, PAPER)


COMPOSED_SIGNATURE = replace(
    one_answer(SIGNATURE, _oracle(SIGNATURE, "program graph"), PAIRS, of=composed),
    id=SIGNATURE_COMPOSE.id,
    text=SIGNATURE_COMPOSE.text,
    takes=SIGNATURE_COMPOSE.takes,
)

PHASES_IN_SEQUENCE = replace(
    one_answer(PHASES, lambda instance: phases(as_phases(instance)).is_safe, TRIPLES),
    text="In every run of P; Q; R, does each receive take a message of its own program?",
    takes=("p", "q", "r"),
)


def over_ports(question: Question[Any], quickly: Callable[[PortPhases], Any]) -> Target:
    """A target about layers over ports."""
    target = one_answer(question, lambda instance: quickly(as_port_phases(instance)), OVER_PORTS)
    return replace(target, takes=TAKEN_OVER_PORTS)


TARGETS = {
    target.id: target
    for target in (
        one_answer(DEADLOCK_FREE, lambda instance: instance.p.is_deadlock_free, BALANCED),
        one_answer(PROGRAM_GRAPH, _oracle(PROGRAM_GRAPH, "counting"), PROGRAMS),
        one_answer(SIGNATURE, _oracle(SIGNATURE, "program graph"), PROGRAMS),
        COMPOSED_SIGNATURE,
        one_answer(CLOSED_CHANNELS, lambda instance: closed_channel_graph(signature(instance.p)), PROGRAMS),
        one_answer(IS_SEAL, lambda instance: isinstance(decide(instance.p, instance.q), Seals), PAIRS),
        one_answer(SEALABLE, _oracle(SEALABLE, "saturation"), PROGRAMS),
        one_answer(MINIMAL_SEAL, _oracle(MINIMAL_SEAL, "search over knowledge"), PROGRAMS),
        SEAL,
        PHASES_IN_SEQUENCE,
        over_ports(PORT_PHASES, lambda about: decide_ports(about).is_safe),
        over_ports(
            INTERFERING_PORTS,
            lambda about: frozenset(found.port for found in decide_ports(about).interfering),
        ),
    )
}


def target(id: str) -> Target:
    """The target with this id.  Raises InputError, listing the ids, if there is none.

    >>> target("refines")
    Traceback (most recent call last):
    sealcheck.errors.InputError: implementations of 'refines' can't be tested: choose among deadlock-free, \
program-graph, signature, signature-compose, closed-channels, is-seal, sealable, minimal-seal, seal, phases, \
port-phases, interfering-ports
    """
    if id not in TARGETS:
        if id in QUESTIONS:
            raise InputError(f"implementations of '{id}' can't be tested: choose among {', '.join(TARGETS)}")
        raise InputError(f"unknown question '{id}': {or_choose(id, TARGETS)}")
    return TARGETS[id]
