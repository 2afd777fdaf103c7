"""Programs from spans of OpenTelemetry, if the spans determine the run.

**Format.** The JSON encoding of OTLP: one object with `resourceSpans`, or one such object a line.  Unknown
keys are refused, although OTLP wants them ignored: misspelled, or in another version, they may stand for
messages.

**Messages.**  A CONSUMER span whose parent, or link, is a PRODUCER span receives a message of that span.  A
SERVER span whose parent is a CLIENT span receives its request, and answers it.  Each PRODUCER has one
CONSUMER, each CLIENT one SERVER, and the other way round; a broker between them counts as the channel.  Other
spans are local: they follow spans of their own process.  No span that others follow is missing.

**Order.**  A message is sent, or received, at some time in its span; if the operation of a CONSUMER is
``process``, when the span starts.  A CLIENT sends first, then it is answered.  A process has one clock;
clocks of different processes are never compared.  So the order is known if the message spans of a process do
not overlap; overlapping ones are refused.  The recorded run must also be possible: no message is received
before it is sent.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from itertools import chain, pairwise
from typing import Any, assert_never

from sealcheck.errors import InputError
from sealcheck.language.names import NamedProgram, Naming, require_name
from sealcheck.language.traces import Step, stuck
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
"""Attributes that spans have which exchange messages with others."""
EVENT_OF_MESSAGE = re.compile(r"(?i)(rpc[._])?message[._]|messaging[._]")
MESSAGE = re.compile(r"(?i)message|messaging|recei|recv|publish|(?<![a-z])(sen[dt](?![a-z])|poll)")
"""The attributes, and the name, of an event that is a message."""
NOT_INTERNAL = "its kind must be PRODUCER, CONSUMER, CLIENT or SERVER"

NAME = "messaging.operation.name"
OPERATION = ("messaging.operation.type", "messaging.operation", NAME)
PROCESS = "process"
_SENDS = frozenset({"send", "publish"})
_RECEIVES = frozenset({"receive", PROCESS, "deliver"})
_NEITHER = frozenset({"create", "settle", "ack", "nack", "commit"})
"""A message that is created is sent by another span."""

Id = tuple[str, str]
"""Of a span: that of its trace, and its own."""


class Role(IntEnum):
    """The kind of a span, with the number that it has in OTLP."""

    UNSPECIFIED = 0
    INTERNAL = 1
    SERVER = 2
    CLIENT = 3
    PRODUCER = 4
    CONSUMER = 5


OPERATIONS = {Role.PRODUCER: _SENDS, Role.CONSUMER: _RECEIVES}
"""Operations of spans of each kind."""
OTHERS = {
    Role.PRODUCER: _RECEIVES | _NEITHER | {"poll", "consume"},
    Role.CONSUMER: _SENDS | _NEITHER | {"produce"},
}
"""Names of operations, of which each system has its own, that are not of a kind."""


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
    origins: tuple[Id, ...]
    """Its parent and its links, each once."""
    operation: str
    """The operation on a message, if given: send, receive, process …"""

    @property
    def latest(self) -> int:
        """The latest time at which its messages are sent and received; the earliest is its start."""
        return self.start if self.role is Role.CONSUMER and self.operation == PROCESS else self.end


def is_otlp(text: str) -> bool:
    """Whether this is an object with `resourceSpans`, or starts with a line that is one."""
    for beginning in (text.strip().partition("\n")[0], text):
        try:
            document = json.loads(beginning)
        except (ValueError, RecursionError):
            continue
        return isinstance(document, dict) and RESOURCES in document
    return False


def read_spans(text: str) -> tuple[list[str], list[Span]]:
    """The processes in order, and their spans.  Raises InputError, with the line or the path in the file.

    A process is a resource with a `service.name`.  Linear time.
    """
    processes: dict[str, dict[str, Any]] = {}
    spans: dict[Id, Span] = {}
    for line, document in _documents(text):
        for where, resource in _items(document, RESOURCES, line):
            process = _process(resource, where, processes)
            for inside, scope in _items(resource, "scopeSpans", f"{where}."):
                for at, each in _items(scope, "spans", f"{inside}."):
                    span = _span(each, at, process)
                    if span.id in spans:
                        raise InputError(f"{at}: the span has the same id as {spans[span.id].where}")
                    spans[span.id] = span
    return list(processes), list(spans.values())


def _documents(text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The object, or that of each line with its number."""
    try:
        json.loads(text)
        found = [("", text)]
    except (ValueError, RecursionError):
        found = [(f"line {k}: ", line) for k, line in enumerate(text.split("\n"), 1) if line.strip()]
    for where, written in found:
        document = strict_json(written, where)
        if not isinstance(document, dict) or RESOURCES not in document:
            raise InputError(f"{where}there must be an object with '{RESOURCES}'")
        _require_known(document, "document", where)
        yield where, document


def _require_known(value: dict[str, Any], kind: str, where: str) -> None:
    if unknown := sorted(value.keys() - KEYS[kind]):
        raise InputError(f"{where}the key '{unknown[0][:40]}' is not part of OTLP: leave it out")


def _items(value: dict[str, Any], key: str, where: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects in an array, each with its path.  An array that is not there is empty."""
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
        raise InputError(f"{where}: attributes were dropped, so not all of them are known")
    items = [item for _, item in _items(value, "attributes", f"{where}.")]
    found = {str(item.get("key")): item.get("value") for item in items}
    if len(found) < len(items):
        raise InputError(f"{where}: an attribute occurs twice")
    return found


def _text(value: object) -> str:
    found = value.get("stringValue") if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""


def _process(resource: dict[str, Any], where: str, processes: dict[str, dict[str, Any]]) -> str:
    """The name of the process; all of that name must be the same resource."""
    described = resource.get("resource")
    described = described if isinstance(described, dict) else {}
    _require_known(described, "resource", f"{where}.resource: ")
    attributes = _attributes(described, f"{where}.resource")
    if not (name := _text(attributes.get("service.name"))):
        raise InputError(f"{where}.resource: there must be an attribute 'service.name', a string")
    require_name(name, f"{where}.resource: ")
    known = processes.setdefault(name, attributes)
    for key in known.keys() | attributes.keys():
        if known.get(key) != attributes.get(key):
            raise InputError(f"{where}.resource: two processes are called '{name}', with different '{key}'")
    return name


def _span(value: dict[str, Any], where: str, process: str) -> Span:
    start, end = (_time(value.get(key), f"{where}.{key}") for key in ("startTimeUnixNano", "endTimeUnixNano"))
    if end < start:
        raise InputError(f"{where}: the span ends before it starts")
    trace, own = _id(value, "traceId", 32, where), _id(value, "spanId", 16, where)
    origins = [(trace, _id(value, "parentSpanId", 16, where))] if value.get("parentSpanId") else []
    for at, link in _items(value, "links", f"{where}."):
        origins.append((_id(link, "traceId", 32, at), _id(link, "spanId", 16, at)))
    role = _role(value.get("kind", 0), where)
    operation = _require_clear(role, value, where)
    return Span(
        where=where,
        id=(trace, own),
        process=process,
        role=role,
        start=start,
        end=end,
        origins=tuple(dict.fromkeys(origins)),
        operation=operation,
    )


def _require_clear(role: Role, value: dict[str, Any], where: str) -> str:
    """The operation of a span.  Raises InputError unless its messages are those of its kind."""
    for what in ("links", "events"):
        if value.get(f"dropped{what.title()}Count"):
            raise InputError(f"{where}: {what} of the span were dropped, so its messages are unknown")
    said = _attributes(value, where)
    events = [(each, _attributes(each, at)) for at, each in _items(value, "events", f"{where}.")]
    if role is Role.UNSPECIFIED:
        raise InputError(f"{where}: the kind is missing: a span without messages is INTERNAL")
    if role is Role.INTERNAL and (found := next(filter(REMOTE.match, said), None)):
        raise InputError(
            f"{where}: the attribute '{harmless(found[:40])}' may describe a message: {NOT_INTERNAL}"
        )
    count = said.get("messaging.batch.message_count")
    if count is not None and count not in ({"intValue": "1"}, {"intValue": 1}):
        raise InputError(f"{where}: a batch of messages has no order")
    messages = (
        more
        for each, more in events
        if MESSAGE.search(str(each.get("name", ""))) or any(map(EVENT_OF_MESSAGE.match, more))
    )
    _require_one_message(role, list(map(_direction, messages)), where)
    return _operation(role, said, where)


def _direction(said: dict[str, Any]) -> str:
    types = {_text(said[key]).lower() for key in ("rpc.message.type", "message.type") if key in said}
    return "/".join(sorted(types))


def _require_one_message(role: Role, directions: list[str], where: str) -> None:
    """Raise InputError for a stream, whose messages are events of one span."""
    if directions and role is Role.INTERNAL:
        raise InputError(f"{where}: an event of the span is a message: {NOT_INTERNAL}")
    if len(directions) > 1 and sorted(directions) != ["received", "sent"]:
        raise InputError(f"{where}: only a request and its answer are read, not a stream of messages")
    wrong = {Role.PRODUCER: "received", Role.CONSUMER: "sent"}.get(role)
    if wrong and wrong in directions:
        raise InputError(f"{where}: the {role.name} span has an event of a message that is {wrong}")


def _operation(role: Role, said: dict[str, Any], where: str) -> str:
    """The operation on a message.  Raises InputError if spans of that kind do not have it."""
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
    """By its number, or by its name in the protocol."""
    if isinstance(value, str) and value.removeprefix("SPAN_KIND_") in Role.__members__:
        return Role[value.removeprefix("SPAN_KIND_")]
    if type(value) is not int or value not in list(Role):
        raise InputError(f"{where}.kind must be one of {Role.UNSPECIFIED:d}..{Role.CONSUMER:d}")
    return Role(value)


def _time(value: object, where: str) -> int:
    """Nanoseconds; the format writes them as a string, and allows a number."""
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


RECEIVES_FROM = {Role.CONSUMER: Role.PRODUCER, Role.SERVER: Role.CLIENT}


def parse_spans(text: str) -> NamedProgram:
    """The program whose run the spans record.  Raises InputError, with the place in the file.

    O(spans log spans).
    """
    processes, spans = read_spans(text)
    partners = _partners(spans)
    order = {
        process: _in_order(s for s in spans if s.process == process and s.id in partners)
        for process in processes
    }
    _require_possible(order, partners)
    program = Naming()
    for process in processes:
        program.number(process)
    for span in chain.from_iterable(order.values()):
        other = partners[span.id]
        for step in _steps(span, other):
            (program.send if step.needs is None else program.receive)(span.process, other.process)
    return program.program()


def _partners(spans: list[Span]) -> dict[Id, Span]:
    """The other end of each span that stands for messages.  Raises InputError if there is not just one."""
    by_id = {span.id: span for span in spans}
    partners: dict[Id, Span] = {}
    for span in spans:
        if wanted := RECEIVES_FROM.get(span.role):
            source = _source(span, wanted, by_id)
            if source.id in partners:
                others = f"{partners[source.id].where} and {span.where}"
                raise InputError(f"{source.where}: its message is received twice, at {others}")
            partners |= {source.id: span, span.id: source}
    for span in spans:
        if span.role in RECEIVES_FROM.values() and span.id not in partners:
            raise InputError(f"{span.where}: no span here receives the message of this {span.role.name} span")
        _require_accounted(span, partners.get(span.id), by_id)
    return partners


def _require_accounted(span: Span, partner: Span | None, by_id: dict[Id, Span]) -> None:
    """Raise InputError if a span follows one that is not here, or one elsewhere by no known message."""
    for id in span.origins:
        origin = by_id.get(id)
        if origin is None:
            raise InputError(f"{span.where}: its parent, or a span that it links to, is not in this file")
        if origin.process != span.process and origin is not partner:
            why = "no message from there is known: is its kind right?"
            raise InputError(f"{span.where}: it follows {origin.where}, in another process, but {why}")


def _source(span: Span, wanted: Role, by_id: dict[Id, Span]) -> Span:
    """The span whose message this one receives."""
    found = [by_id[id] for id in span.origins if id in by_id and by_id[id].role is wanted]
    if not found:
        what = "parent" if wanted is Role.CLIENT else "parent or link"
        raise InputError(
            f"{span.where}: a receive without its send: no {what} of this span is a {wanted.name}"
        )
    if len(found) > 1:
        raise InputError(f"{span.where}: it receives several messages in an unknown order")
    return found[0]


def _in_order(spans: Iterable[Span]) -> list[Span]:
    """The spans of one process.  Raises InputError if it is not certain which of two comes first."""
    ordered = sorted(spans, key=lambda span: (span.start, span.latest))
    for one, other in pairwise(ordered):
        if one.latest >= other.start:
            why = f"it overlaps {other.where}, so the order of their messages is unknown"
            hint = ": 'messaging.operation.type' does not say 'process'"
            tail = hint if one.role is Role.CONSUMER and one.operation != PROCESS else ""
            raise InputError(f"{one.where}: {why}{tail}")
    return ordered


def _require_possible(order: dict[str, list[Span]], partners: dict[Id, Span]) -> None:
    """Raise InputError if the order in processes has a message received before it is sent."""
    steps = {
        process: [step for span in spans for step in _steps(span, partners[span.id])]
        for process, spans in order.items()
    }
    if found := stuck(steps):
        process, number = found
        id, _ = steps[process][number].happens
        where = next(span.where for span in order[process] if span.id == id)
        raise InputError(
            f"{where}: the clocks contradict the messages: it receives one that cannot be sent yet"
        )


def _steps(span: Span, other: Span) -> Iterator[Step]:
    """The steps of a span in order, each with the step at the other end that it needs."""
    match span.role:
        case Role.PRODUCER:
            yield Step((span.id, "sent"), None)
        case Role.CONSUMER:
            yield Step((span.id, "received"), (other.id, "sent"))
        case Role.CLIENT:
            yield Step((span.id, "sent"), None)
            yield Step((span.id, "received"), (other.id, "answered"))
        case Role.SERVER:
            yield Step((span.id, "received"), (other.id, "sent"))
            yield Step((span.id, "answered"), None)
        case Role.UNSPECIFIED | Role.INTERNAL:
            raise ValueError(f"{span.where}: a span of this kind has no other end")
        case _:
            assert_never(span.role)
