"""The types of answers: how each is written as JSON, and read again."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from sealcheck.oracles.interference import Owner, Step
from sealcheck.oracles.matching_functions import Edge, Matching
from sealcheck.programs.events import Channel, Event, Kind
from sealcheck.programs.global_runs import GlobalRun, Interval, LocalEvent
from sealcheck.programs.runs import Place

A = TypeVar("A")


@dataclass(frozen=True)
class AnswerType(Generic[A]):
    """What an answer looks like."""

    schema: dict[str, Any]
    """The JSON Schema of an answer that is written down."""
    to_json: Callable[[A], Any]
    from_json: Callable[[Any], A]


def _same(value: Any) -> Any:
    return value


_CHANNEL = {"type": "array", "items": {"type": "integer", "minimum": 1}, "minItems": 2, "maxItems": 2}
_EDGE = {"type": "array", "items": _CHANNEL, "minItems": 2, "maxItems": 2}


def _edges(value: list[list[list[int]]]) -> Matching:
    return frozenset((Place(*first), Place(*second)) for first, second in value)


BOOLEAN: AnswerType[bool] = AnswerType({"type": "boolean"}, _same, _same)

NUMBER_OR_NONE: AnswerType[int | None] = AnswerType({"type": ["integer", "null"], "minimum": 0}, _same, _same)

NUMBER: AnswerType[int] = AnswerType({"type": "integer", "minimum": 0}, _same, _same)

CHANNELS: AnswerType[frozenset[Channel]] = AnswerType(
    {"type": "array", "items": _CHANNEL, "uniqueItems": True},
    sorted,
    lambda value: frozenset(Channel(*channel) for channel in value),
)

EDGES: AnswerType[frozenset[Edge]] = AnswerType(
    {"type": "array", "items": _EDGE, "uniqueItems": True}, sorted, _edges
)
"""Pairs of events, each named [process, position]."""

MATCHINGS: AnswerType[frozenset[Matching]] = AnswerType(
    {"type": "array", "items": {"type": "array", "items": _EDGE}, "uniqueItems": True},
    lambda found: sorted(map(sorted, found)),
    lambda value: frozenset(map(_edges, value)),
)

TRANSMISSIONS_OR_NONE: AnswerType[tuple[Channel, ...] | None] = AnswerType(
    {"type": ["array", "null"], "items": _CHANNEL},
    lambda found: None if found is None else list(found),
    lambda value: None if value is None else tuple(Channel(*channel) for channel in value),
)
"""The channels on which a program transmits, one after the other."""

_EVENT = {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 3, "maxItems": 3}
_NUMBERS = {"type": "array", "items": {"type": "integer", "minimum": 0}}


def _event(value: list[int]) -> Event:
    kind, sender, receiver = value
    return Event(Kind(kind), sender, receiver)


def _steps_to_json(found: tuple[Step, ...] | None) -> Any:
    if found is None:
        return None
    return [[list(event), owner.value, took and took.value] for event, owner, took in found]


def _steps(value: Any) -> tuple[Step, ...] | None:
    if value is None:
        return None
    return tuple(Step(_event(event), Owner(owner), took and Owner(took)) for event, owner, took in value)


STEPS_OR_NONE: AnswerType[tuple[Step, ...] | None] = AnswerType(
    {
        "type": ["array", "null"],
        "items": {
            "type": "array",
            "prefixItems": [
                _EVENT,
                {"enum": [owner.value for owner in Owner]},
                {"enum": [*(owner.value for owner in Owner), None]},
            ],
            "minItems": 3,
            "maxItems": 3,
        },
    },
    _steps_to_json,
    _steps,
)
"""Each event as [0 for a send or 1 for a receive, sender, receiver], its layer, and whose message it took."""


def _interval_to_json(found: Interval | None) -> Any:
    if found is None:
        return None
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


def _interval(value: Any) -> Interval | None:
    if value is None:
        return None
    events = tuple(
        tuple(LocalEvent(local["event"] and _event(local["event"]), local["content"]) for local in share)
        for share in value["events"]
    )
    states = tuple(map(tuple, value["states"]))
    run = GlobalRun(events, states, dict(_edges(value["matching"])))
    return Interval(run, tuple(value["c"]), tuple(value["d"]))


INTERVAL_OR_NONE: AnswerType[Interval | None] = AnswerType(
    {
        "type": ["object", "null"],
        "properties": {
            "events": {"type": "array", "items": {"type": "array", "items": {"type": "object"}}},
            "states": {"type": "array", "items": {"type": "array", "items": {"type": "object"}}},
            "matching": {"type": "array", "items": _EDGE},
            "c": _NUMBERS,
            "d": _NUMBERS,
        },
        "required": ["events", "states", "matching", "c", "d"],
        "additionalProperties": False,
    },
    _interval_to_json,
    _interval,
)
"""A run, process by process, and the cuts around an interval; `matching` has each receive with its send."""
