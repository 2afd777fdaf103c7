"""The types of answers: how each is written as JSON, and read again."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from sealcheck.oracles.matching_functions import Edge, Matching
from sealcheck.programs.events import Channel
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
