"""Spans of OpenTelemetry as SDKs and the collector write them: the JSON encoding of OTLP.

A text is one object with `resourceSpans`, or has one such object on each line.  OTLP says to ignore unknown
keys.  This module refuses unknown keys, because a misspelled key, or a key of another version, may describe
messages.

Each `service.name` is a process.  If a service has several values of `service.instance.id`, each instance is
a process.
"""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from sealcheck.errors import InputError
from sealcheck.language.names import require_name
from sealcheck.support.strict_json import strict_json
from sealcheck.words import harmless

RESOURCES = "resourceSpans"

_DESCRIBED = {"attributes", "droppedAttributesCount"}
KEYS = {
    "document": {RESOURCES},
    RESOURCES: {"resource", "scopeSpans", "schemaUrl"},
    "resource": {*_DESCRIBED, "entityRefs"},
    "scopeSpans": {"scope", "spans", "schemaUrl"},
    "spans": {
        *_DESCRIBED,
        *("traceId", "spanId", "traceState", "parentSpanId", "flags", "name", "kind", "status"),
        *("startTimeUnixNano", "endTimeUnixNano"),
        *("events", "droppedEventsCount", "links", "droppedLinksCount"),
    },
    "events": {*_DESCRIBED, "timeUnixNano", "name"},
    "links": {*_DESCRIBED, "traceId", "spanId", "traceState", "flags"},
    "attributes": {"key", "value"},
}
"""The keys of each kind of object."""

REMOTE = re.compile(
    r"(?i)(messaging|message|rpc|http|url|network|net|peer|server|client|db|faas|cloudevents)([._]|$)|span\.kind$"
)
"""Attributes that suggest messages with other processes."""
NO_CALL = re.compile(r"(?i)(messaging|message|faas|cloudevents)([._]|$)|span\.kind$")
"""Attributes that may describe messages other than a request and its answer."""
OF_BROKERS = re.compile(r"(?i)messaging[._]")
EVENT_OF_MESSAGE = re.compile(r"(?i)(rpc[._])?message[._]|messaging[._]")
MESSAGE = re.compile(r"(?i)message|messaging|recei|recv|publish|(?<![a-z])(sen[dt](?![a-z])|poll)")
"""An event of a span with this name, or with an attribute `EVENT_OF_MESSAGE`, counts as a message."""
MESSAGE_OF_CALL = re.compile(r"(?i)(rpc\W?)?messages?$")
"""Names of events that are messages of a call.  Events such as ``ResponseReceived`` are not messages."""
LIMITS = "raise the limits of the SDK"
NOT_INTERNAL = "its kind must be PRODUCER, CONSUMER, CLIENT or SERVER"

INSTANCE = "service.instance.id"
TOPIC = ("messaging.destination.name", "messaging.destination")
NAME = "messaging.operation.name"
OPERATION = ("messaging.operation.type", "messaging.operation", NAME)
PROCESS = "process"
_SENDS = frozenset({"send", "publish"})
RECEIVE = "receive"
_RECEIVES = frozenset({RECEIVE, PROCESS, "deliver"})
SETTLED = frozenset({"create", "settle", "ack", "nack", "commit"})
"""Operations that neither send nor receive."""

Id = tuple[str, str]
"""A span's identity: the id of its trace, and its own id."""


class Role(IntEnum):
    """The kind of a span, with the number that it has in OTLP."""

    UNSPECIFIED = 0
    INTERNAL = 1
    SERVER = 2
    CLIENT = 3
    PRODUCER = 4
    CONSUMER = 5


ONE_WAY = {"send": Role.PRODUCER, "publish": Role.PRODUCER, RECEIVE: Role.CONSUMER}
"""The kind as which a CLIENT span that uses a broker is read, by its operation."""
OPERATIONS = {Role.PRODUCER: _SENDS, Role.CONSUMER: _RECEIVES}
"""Operations of spans of each kind."""
OTHERS = {
    Role.PRODUCER: _RECEIVES | SETTLED | {"poll", "consume"},
    Role.CONSUMER: _SENDS | SETTLED | {"produce"},
}
"""For each kind, operations that its spans cannot have.  Messaging systems may add other operations."""


@dataclass(frozen=True, kw_only=True)
class Span:
    """A span that may stand for messages."""

    where: str
    """Its place in the file."""
    id: Id
    process: str
    role: Role
    start: int
    end: int
    parent: Id | None
    origins: tuple[Id, ...]
    """Its parent and its links, each once."""
    operation: str
    """The operation on a message, if given: send, receive, process …"""
    topic: str
    """The destination of a message at a broker, if given."""
    doubtful: str
    """An attribute that suggests messages of another kind; empty without one.  `NO_CALL` has precedence."""
    messages: int | None
    """The number of the span's messages; None if it is unknown.  A request and its answer count as one."""

    @property
    def latest(self) -> int:
        """The latest time of a message of the span; the earliest time is its start."""
        return self.start if self.role is Role.CONSUMER and self.operation == PROCESS else self.end


def is_otlp(text: str) -> bool:
    """Whether a text is an object with `resourceSpans`, or its first line is such an object."""
    for beginning in (text.strip().partition("\n")[0], text):
        try:
            document = json.loads(beginning)
        except (ValueError, RecursionError):
            continue
        return isinstance(document, dict) and RESOURCES in document
    return False


@dataclass(frozen=True)
class _Resource:
    """A resource with a `service.name`."""

    where: str
    service: str
    attributes: dict[str, Any]
    scopes: list[tuple[str, dict[str, Any]]]

    @property
    def instance(self) -> str:
        """The recorded instance of the service."""
        return _text(self.attributes.get(INSTANCE))


def instances(text: str) -> set[tuple[str, str]]:
    """The services, each with its recorded instance.  Raises InputError as `read_spans` does."""
    return {(resource.service, resource.instance) for resource in _resources(text)}


def read_spans(text: str, others: Collection[tuple[str, str]] = ()) -> tuple[list[str], list[Span]]:
    """The processes in order, and their spans.  Raises InputError, with the place.  Linear time.

    `others` are the instances of services in other files, as `instances` returns them.
    """
    resources = list(_resources(text))
    every = {*others, *((resource.service, resource.instance) for resource in resources)}
    count = Counter(service for service, _ in every)
    known: dict[str, _Resource] = {}
    spans: dict[Id, Span] = {}
    for resource in resources:
        process = resource.service
        if count[process] > 1:
            if not resource.instance:
                raise InputError(
                    f"{resource.where}.resource: there are several instances of '{process}', and this one has"
                    f" no '{INSTANCE}': give it one"
                )
            process = require_name(f"{process}@{resource.instance}", f"{resource.where}.resource: ")
        _require_same(process, known.setdefault(process, resource), resource)
        for inside, scope in resource.scopes:
            for at, each in _items(scope, "spans", f"{inside}."):
                span = _span(each, at, process)
                if span.id in spans:
                    raise InputError(f"{at}: the span has the same id as {spans[span.id].where}")
                spans[span.id] = span
    return list(known), list(spans.values())


def _resources(text: str) -> Iterator[_Resource]:
    for line, document in _documents(text):
        for where, item in _items(document, RESOURCES, line):
            described = item.get("resource")
            described = described if isinstance(described, dict) else {}
            _require_known(described, "resource", f"{where}.resource: ")
            attributes = _attributes(described, f"{where}.resource")
            if not (service := _text(attributes.get("service.name"))):
                raise InputError(f"{where}.resource: there must be an attribute 'service.name', a string")
            require_name(service, f"{where}.resource: ")
            yield _Resource(where, service, attributes, list(_items(item, "scopeSpans", f"{where}.")))


def _require_same(process: str, one: _Resource, other: _Resource) -> None:
    for key in one.attributes.keys() | other.attributes.keys():
        if one.attributes.get(key) != other.attributes.get(key):
            raise InputError(
                f"{other.where}.resource: two processes are called '{process}', with different '{key}': give"
                f" each a '{INSTANCE}' of its own"
            )


def _documents(text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The object of the text, or the object of each line, with its place."""
    first, _, more = text.strip().partition("\n")
    found = [("", text.rstrip())]
    if more and _is_json(first):
        found = [(f"line {k}: ", line) for k, line in enumerate(text.split("\n"), 1) if line.strip()]
    for where, written in found:
        document = strict_json(written, where)
        if not isinstance(document, dict) or RESOURCES not in document:
            raise InputError(f"{where}there must be an object with '{RESOURCES}'")
        _require_known(document, "document", where)
        yield where, document


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _require_known(value: dict[str, Any], kind: str, where: str) -> None:
    if unknown := sorted(value.keys() - KEYS[kind]):
        raise InputError(f"{where}the key '{unknown[0][:40]}' is not part of OTLP: leave it out")


def _items(value: dict[str, Any], key: str, where: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects in an array, each with its path.  Nothing if the array is missing."""
    items = value.get(key, [])
    if not isinstance(items, list):
        raise InputError(f"{where}{key} must be an array")
    for at, item in enumerate(items):
        if not isinstance(item, dict):
            raise InputError(f"{where}{key}[{at}] must be an object")
        _require_known(item, key, f"{where}{key}[{at}]: ")
        yield f"{where}{key}[{at}]", item


def _attributes(value: dict[str, Any], where: str) -> dict[str, Any]:
    if value.get("droppedAttributesCount"):
        raise InputError(f"{where}: attributes were dropped, so not all of them are known: {LIMITS}")
    items = [item for _, item in _items(value, "attributes", f"{where}.")]
    found = {str(item.get("key")): item.get("value") for item in items}
    if len(found) < len(items):
        raise InputError(f"{where}: an attribute occurs twice")
    return found


def _text(value: object) -> str:
    found = value.get("stringValue") if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""


def _span(value: dict[str, Any], where: str, process: str) -> Span:
    start, end = (_time(value.get(key), f"{where}.{key}") for key in ("startTimeUnixNano", "endTimeUnixNano"))
    if end < start:
        raise InputError(f"{where}: the span ends before it starts")
    trace, own = _id(value, "traceId", 32, where), _id(value, "spanId", 16, where)
    parent = (trace, _id(value, "parentSpanId", 16, where)) if value.get("parentSpanId") else None
    links = [
        (_id(link, "traceId", 32, at), _id(link, "spanId", 16, at))
        for at, link in _items(value, "links", f"{where}.")
    ]
    role = _role(value.get("kind", 0), where)
    said = _require_clear(role, value, where)
    operation = _operation(role, said, where)
    remote = {Role.INTERNAL: REMOTE, Role.CLIENT: OF_BROKERS}.get(role)
    doubtful = sorted(filter(remote.match, said), key=lambda key: not NO_CALL.match(key)) if remote else []
    return Span(
        where=where,
        id=(trace, own),
        process=process,
        role=ONE_WAY.get(operation, role) if role is Role.CLIENT else role,
        start=start,
        end=end,
        parent=parent,
        origins=tuple(dict.fromkeys([*([parent] if parent else []), *links])),
        operation=operation,
        topic=next(filter(None, (_text(said.get(key)) for key in TOPIC)), ""),
        doubtful=doubtful[0] if doubtful else "",
        messages=_count(said.get("messaging.batch.message_count", {"intValue": 1})),
    )


def _require_clear(role: Role, value: dict[str, Any], where: str) -> dict[str, Any]:
    """The attributes of a span.  Raises InputError if they do not show its messages clearly."""
    for what in ("links", "events"):
        if value.get(f"dropped{what.title()}Count"):
            raise InputError(
                f"{where}: {what} of the span were dropped, so its messages are unknown: {LIMITS}"
            )
    said = _attributes(value, where)
    events = [(each, _attributes(each, at)) for at, each in _items(value, "events", f"{where}.")]
    if role is Role.UNSPECIFIED:
        raise InputError(f"{where}: the kind is missing: a span without messages is INTERNAL")
    is_message = MESSAGE_OF_CALL.match if role in (Role.CLIENT, Role.SERVER) else MESSAGE.search
    messages = (
        more
        for each, more in events
        if is_message(str(each.get("name", ""))) or any(map(EVENT_OF_MESSAGE.match, more))
    )
    _require_one_message(role, list(map(_direction, messages)), where)
    return said


def _count(value: object) -> int | None:
    """The number in an attribute, if there is one."""
    found = value.get("intValue") if isinstance(value, dict) else None
    if isinstance(found, str) and re.fullmatch("[0-9]{1,9}", found):
        return int(found)
    return found if type(found) is int else None


def _direction(said: dict[str, Any]) -> str:
    types = {_text(said[key]).lower() for key in ("rpc.message.type", "message.type") if key in said}
    return "/".join(sorted(types))


def _require_one_message(role: Role, directions: list[str], where: str) -> None:
    """Raise InputError if message events do not fit a span, or are a stream."""
    if directions and role is Role.INTERNAL:
        raise InputError(f"{where}: an event of the span is a message: {NOT_INTERNAL}")
    if len(directions) > 1 and sorted(directions) != ["received", "sent"]:
        raise InputError(f"{where}: only a request and its answer are read, not a stream of messages")
    wrong = {Role.PRODUCER: "received", Role.CONSUMER: "sent"}.get(role)
    if wrong and wrong in directions:
        raise InputError(f"{where}: the {role.name} span has an event of a message that is {wrong}")


def _operation(role: Role, said: dict[str, Any], where: str) -> str:
    """The operation on a message.  Raises InputError if it does not fit the span."""
    found = {key: _text(said[key]) for key in OPERATION if key in said}
    for key, operation in found.items():
        if key == NAME:
            fits = operation.lower() not in OTHERS.get(role, ())
        else:
            fits = operation in OPERATIONS.get(role, {operation})
        if not operation or not fits:
            shown = harmless(operation[:20])
            raise InputError(f"{where}: '{key}' is '{shown}', which a {role.name} span cannot have")
    return next((operation for key, operation in found.items() if key != NAME), "")


def _role(value: object, where: str) -> Role:
    """The role with this number, or with this name in the protocol."""
    if isinstance(value, str) and value.removeprefix("SPAN_KIND_") in Role.__members__:
        return Role[value.removeprefix("SPAN_KIND_")]
    if type(value) is not int or value not in list(Role):
        raise InputError(f"{where}.kind must be one of {Role.UNSPECIFIED:d}..{Role.CONSUMER:d}")
    return Role(value)


def _time(value: object, where: str) -> int:
    """A time in nanoseconds, given as a string or a number."""
    if type(value) is int and value > 0:
        return value
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,20}", value) and int(value):
        return int(value)
    raise InputError(f"{where} must be a time in nanoseconds")


def _id(value: dict[str, Any], key: str, length: int, where: str) -> str:
    found = value.get(key)
    if not isinstance(found, str) or not re.fullmatch(rf"[0-9a-fA-F]{{{length}}}", found):
        raise InputError(f"{where}.{key} must be {length} hexadecimal digits")
    return found.lower()
