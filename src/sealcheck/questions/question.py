"""Questions about programs, the oracles that answer them, and the types of answers.

A question is about an *instance* (one or more programs) in a *semantics* (such as FIFO channels). The
*oracles* of a question answer independently of each other. If two oracles disagree, the work stops with an
error. If a question can have several right answers, such as runs, its answers are *witnesses*. Each witness
is checked.
"""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Generic, ParamSpec, TypeVar

from sealcheck.encodings.solving import Solver
from sealcheck.errors import InputError
from sealcheck.explorers.channel_contents import Owner, Step
from sealcheck.explorers.matching_functions import Edge, Matching
from sealcheck.language.names import NUMBERS
from sealcheck.language.ports import parse_port
from sealcheck.programs.ports import Port
from sealcheck.programs.runs import GlobalRun, Interval, LocalEvent, Place
from sealcheck.programs.semantics import Semantics
from sealcheck.programs.straight_line import Channel, Event, Kind
from sealcheck.questions.instance import Instance

A = TypeVar("A")
Context = ParamSpec("Context")


@dataclass(frozen=True)
class AnswerType(Generic[A]):
    """The type of an answer."""

    schema: dict[str, Any]
    """The JSON Schema of a written answer."""
    to_json: Callable[[A], Any]
    from_json: Callable[[Any], A]


def or_none(answer: AnswerType[A]) -> AnswerType[A | None]:
    """The type of an answer that may also be None."""
    return AnswerType(
        answer.schema | {"type": [answer.schema["type"], "null"]},
        lambda found: None if found is None else answer.to_json(found),
        lambda value: None if value is None else answer.from_json(value),
    )


def _same(value: Any) -> Any:
    return value


_NUMBERS = {"type": "array", "items": {"type": "integer", "minimum": 0}}
_EVENT = _NUMBERS | {"minItems": 3, "maxItems": 3}
_CHANNEL = {"type": "array", "items": {"type": "integer", "minimum": 1}, "minItems": 2, "maxItems": 2}
_EDGE = {"type": "array", "items": _CHANNEL, "minItems": 2, "maxItems": 2}
_EDGES = {"type": "array", "items": _EDGE}


def _edges(value: list[list[list[int]]]) -> Matching:
    return frozenset((Place(*first), Place(*second)) for first, second in value)


def _event(value: list[int]) -> Event:
    kind, sender, receiver = value
    return Event(Kind(kind), sender, receiver)


BOOLEAN: AnswerType[bool] = AnswerType({"type": "boolean"}, _same, _same)

NUMBER: AnswerType[int] = AnswerType({"type": "integer", "minimum": 0}, _same, _same)

NUMBER_OR_NONE = or_none(NUMBER)

CHANNELS: AnswerType[frozenset[Channel]] = AnswerType(
    {"type": "array", "items": _CHANNEL, "uniqueItems": True},
    sorted,
    lambda value: frozenset(Channel(*channel) for channel in value),
)

PORTS: AnswerType[frozenset[Port]] = AnswerType(
    {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
    lambda found: list(map(str, sorted(found))),
    lambda value: frozenset(parse_port(port, NUMBERS) for port in value),
)
"""Ports, each written like its receives: ``2<-*:job``."""

EDGES: AnswerType[frozenset[Edge]] = AnswerType(
    {"type": "array", "items": _EDGE, "uniqueItems": True}, sorted, _edges
)
"""Pairs of events, each named [process, position]."""

MATCHINGS: AnswerType[frozenset[Matching]] = AnswerType(
    {"type": "array", "items": _EDGES, "uniqueItems": True},
    lambda found: sorted(map(sorted, found)),
    lambda value: frozenset(map(_edges, value)),
)

TRANSMISSIONS_OR_NONE: AnswerType[tuple[Channel, ...] | None] = or_none(
    AnswerType({"type": "array", "items": _CHANNEL}, list, lambda value: tuple(Channel(*c) for c in value))
)
"""The channels on which a program transmits, one after the other."""

_OWNERS = [owner.value for owner in Owner]
_STEP = {"prefixItems": [_EVENT, {"enum": _OWNERS}, {"enum": [*_OWNERS, None]}]}

STEPS_OR_NONE: AnswerType[tuple[Step, ...] | None] = or_none(
    AnswerType(
        {"type": "array", "items": {"type": "array", **_STEP, "minItems": 3, "maxItems": 3}},
        lambda found: [[list(event), owner.value, took and took.value] for event, owner, took in found],
        lambda value: tuple(Step(_event(e), Owner(of), took and Owner(took)) for e, of, took in value),
    )
)
"""Steps of an execution. A step is an event, its layer, and the layer whose message it took (or null).

An event is [0, sender, receiver] for a send, and [1, sender, receiver] for a receive.
"""


def _interval_to_json(found: Interval) -> Any:
    run = found.run
    return {
        "events": [
            [{"event": local.event and list(local.event), "content": local.content} for local in share]
            for share in run.events
        ],
        "states": [[dict(sorted(state.items())) for state in states] for states in run.states],
        "matching": sorted(run.matching.items()),
        "c": list(found.c),
        "d": list(found.d),
    }


def _interval(value: Any) -> Interval:
    events = tuple(
        tuple(LocalEvent(local["event"] and _event(local["event"]), local["content"]) for local in share)
        for share in value["events"]
    )
    states = tuple(map(tuple, value["states"]))
    run = GlobalRun(events, states, dict(_edges(value["matching"])))
    return Interval(run, tuple(value["c"]), tuple(value["d"]))


_OBJECTS = {"type": "array", "items": {"type": "array", "items": {"type": "object"}}}
_PARTS = {"events": _OBJECTS, "states": _OBJECTS, "matching": _EDGES, "c": _NUMBERS, "d": _NUMBERS}

INTERVAL_OR_NONE: AnswerType[Interval | None] = or_none(
    AnswerType(
        {"type": "object", "properties": _PARTS, "required": list(_PARTS), "additionalProperties": False},
        _interval_to_json,
        _interval,
    )
)
"""A run, and the cuts around an interval. `matching` pairs each receive with its send."""


LAYERS = ("layers",)
"""The value of `Question.takes` if the question is about any number of programs in sequence."""


def none(find: Callable[Context, object]) -> Callable[Context, bool]:
    """The oracle that answers yes exactly if `find` finds nothing."""
    return lambda *asked, **named: not find(*asked, **named)


class CannotAnswer(Exception):
    """Raised by an oracle that cannot answer about an instance. The message says why."""


@dataclass(frozen=True)
class Oracle(Generic[A]):
    """One way to answer a question.

    `answer` raises CannotAnswer if the oracle cannot answer, and LimitReached if it hits a limit.
    """

    name: str
    answer: Callable[[Instance, Semantics], A]
    shares: str = ""
    """The parts that the oracle shares with other oracles of its question, in words."""
    is_checked: bool = False
    """Whether the kernel checks the answer."""


@dataclass(frozen=True)
class Symbolic(Generic[A]):
    """Formulas about one instance, for SMT solvers. Each solver counts as an oracle."""

    answer: Callable[[Instance, Semantics, Solver], A]
    shares: str = "the formulas, with the other solvers"


@dataclass(frozen=True)
class Witness(Generic[A]):
    """How answers are compared and checked if several answers are right, for example several runs."""

    alike: Callable[[A], object]
    """The part of an answer on which oracles must agree, for example whether there is a witness."""
    accepts: Callable[[Instance, Semantics, A], bool]
    """Whether a witness is right by the definition."""


@dataclass(frozen=True)
class DefinedFor:
    """The domain of a question: the instances about which it can be asked.

    A domain also has instances that violate hypotheses of the paper's claims, so that a check can drop a
    hypothesis.
    """

    text: str
    has: Callable[[Instance], bool]
    """Whether `text` is true of an instance with as many programs as the question takes."""


@dataclass(frozen=True, eq=False)
class Question(Generic[A]):
    """A question about programs, and the oracles that answer it."""

    id: str
    _: KW_ONLY
    text: str
    """The question as a sentence, about P, Q and so on."""
    takes: tuple[str, ...] = ("p",)
    """The names of the programs that the question is about, or `LAYERS` for any number of programs."""
    domain: DefinedFor
    answer: AnswerType[A]
    oracles: tuple[Oracle[A], ...]
    symbolic: Symbolic[A] | None = None
    witness: Witness[A] | None = None
    """None if there is only one right answer."""
    certificate: str = ""
    """The certificate that the kernel checks, if there is one."""
    per_second: int = 100
    """The number of instances that all oracles together answer in about a second."""

    def oracle_names(self, solvers: Sequence[str]) -> tuple[str, ...]:
        """The names of all oracles, and of these solvers if there are formulas."""
        return (*(oracle.name for oracle in self.oracles), *(solvers if self.symbolic else ()))

    @property
    def about(self) -> str:
        """The domain of the question, in words."""
        names = "layers" if self.takes == LAYERS else ", ".join(name.upper() for name in self.takes)
        return f"{names}: {self.domain.text}"

    def require_defined_for(self, instance: Instance) -> None:
        """Raise InputError if the instance is not in the domain of the question."""
        fits = self.takes == LAYERS or len(self.takes) == len(instance.programs)
        if not (fits and self.domain.has(instance)):
            raise InputError(f"'{self.id}' cannot be asked of '{short(instance)}', only of {self.about}")


def short(value: object) -> str:
    """A value for error messages, cut to 200 characters."""
    text = str(sorted(value, key=str)) if isinstance(value, frozenset) else str(value)
    return text if len(text) <= 200 else f"{text[:197]}..."
