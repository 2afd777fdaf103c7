"""Programs whose run was recorded as spans of OpenTelemetry, where these leave no doubt about it.

**Messages.**  A CONSUMER span whose parent, or link, is a PRODUCER span receives a message of that span.  A
SERVER span whose parent is a CLIENT span receives its request, and answers it.  Each PRODUCER has one
CONSUMER, each CLIENT one SERVER, and the other way round; a broker between them counts as the channel.  Other
spans are local: what they follow is in their own process.  All spans that others follow are there.

**Order.**  A message is sent, or received, at some time in its span; where the operation of a CONSUMER is
``process``, when the span starts.  A CLIENT sends first, then it is answered.  A process has one clock;
clocks of different processes are never compared.  So the order is known where the spans of a process that
stand for messages do not overlap, and it is refused where they do.  What is recorded must also be
possible: no message is received before it is sent.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple, assert_never

from sealcheck.errors import InputError
from sealcheck.language.course import Step, stuck
from sealcheck.language.names import NamedProgram, Naming
from sealcheck.language.otlp import Id, Role, Span, read_spans

RECEIVES_FROM = {Role.CONSUMER: Role.PRODUCER, Role.SERVER: Role.CLIENT}

PROCESS = "process"


def parse_spans(text: str) -> NamedProgram:
    """The program whose run the spans record.  Raises InputError, with the place in the file.

    O(spans log spans).
    """
    processes, spans = read_spans(text)
    partners = _partners(spans)
    order = {
        process: _in_order([s for s in spans if s.process == process and s.id in partners])
        for process in processes
    }
    _require_possible(order, partners)
    program = Naming()
    for process in processes:
        program.number(process)
    for span in (span for each in order.values() for span in each):
        other = partners[span.id].process
        if span.role in (Role.SERVER, Role.CONSUMER):
            program.receive(span.process, other)
        if span.role is not Role.CONSUMER:
            program.send(span.process, other)
        if span.role is Role.CLIENT:
            program.receive(span.process, other)
    return program.program()


def _partners(spans: Iterable[Span]) -> dict[Id, Span]:
    """The other end of each span that stands for messages.  Raises InputError where there is not just one."""
    spans = list(spans)
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


class _Time(NamedTuple):
    """When a span's messages are sent and received: not before, and not after."""

    earliest: int
    latest: int
    span: Span


def _in_order(spans: Iterable[Span]) -> list[Span]:
    """The spans of one process.  Raises InputError where it is not certain which of two comes first."""
    known = (_Time(span.start, span.start if _is_processing(span) else span.end, span) for span in spans)
    times = sorted(known, key=lambda time: time[:2])
    for one, other in pairwise(times):
        if one.latest >= other.earliest:
            why = f"it overlaps {other.span.where}, so the order of their messages is unknown"
            hint = ": 'messaging.operation.type' does not say 'process'"
            tail = hint if one.span.role is Role.CONSUMER and not _is_processing(one.span) else ""
            raise InputError(f"{one.span.where}: {why}{tail}")
    return [each.span for each in times]


def _is_processing(span: Span) -> bool:
    return span.role is Role.CONSUMER and span.operation == PROCESS


def _require_possible(order: dict[str, list[Span]], partners: dict[Id, Span]) -> None:
    """Raise InputError where the order in processes has a message received before it is sent."""
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
    """What happens in a span one after the other, and what must have happened at the other end before."""
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
