"""Recorded traces: JSON lines, one event each, with vector clocks or with message ids.

With message ids: ``{"host": "a", "event": "send", "message": "m1", "to": "b"}`` (``to`` may be left out if
the message is received), ``{"host": "b", "event": "receive", "message": "m1"}``, or ``{"host": "b", "event":
"local"}``.

With vector clocks: ``{"host": "b", "event": "receive", "clock": {"a": 1, "b": 1}}``, the first event of a
host having 1 for itself.  An event is one send, one receive, or local, and the clocks must show the same. The
clock of a receive is ahead of its predecessor's by the clock of exactly one event, the send. A send adds
nothing about other hosts, and has one receive. Messages that no clock shows, because they are overtaken or
never received, need ids.

The events of a host are in the order of the lines.  Other events are refused, and so are keys that are
neither read nor `IGNORED`: they may be about messages.
"""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sealcheck.errors import InputError
from sealcheck.language.names import NamedProgram, Naming, require_name
from sealcheck.support.strict_json import strict_json


class Step(NamedTuple):
    """A step of a process, which may need a step of another one."""

    happens: tuple[Any, ...]
    """Its name; no two steps share one."""
    needs: tuple[Any, ...] | None
    """The step that must come first, in any process, if any."""


def stuck(steps: Mapping[str, Sequence[Step]]) -> tuple[str, int] | None:
    """A process that cannot go on, and the number of its step, from 0, that waits for ever.  Linear time.

    >>> stuck({"a": [Step(("sent",), None)], "b": [Step(("received",), ("sent",))]})
    >>> stuck({"a": [Step((1,), (2,)), Step((3,), None)], "b": [Step((4,), (3,)), Step((2,), None)]})
    ('a', 0)
    """
    done = dict.fromkeys(steps, 0)
    happened: set[tuple[Any, ...]] = set()
    waiting: defaultdict[tuple[Any, ...], list[str]] = defaultdict(list)
    pending = list(steps)
    while pending:
        process = pending.pop()
        while done[process] < len(steps[process]):
            step = steps[process][done[process]]
            if step.needs is not None and step.needs not in happened:
                waiting[step.needs].append(process)
                break
            happened.add(step.happens)
            pending += waiting.pop(step.happens, [])
            done[process] += 1
    return next(((process, k) for process, k in done.items() if k < len(steps[process])), None)


Clock = dict[str, int]
_Nth = tuple[str, int]
"""An event: its host, and which of that host's events it is, from 1."""

SEND, RECEIVE, LOCAL = EVENTS = ("send", "receive", "local")
READ = {"host", "event", "message", "to", "clock"}
IGNORED = {"text", "time"}
"""Keys for people."""

IDS = "give message ids in place of clocks"
SPLIT = "write one event for each message"


def parse_trace(text: str) -> NamedProgram:
    """The program whose run a trace records.  Raises InputError, with the line.

    >>> lines = ['{"host": "a", "event": "send", "text": "go", "clock": {"a": 1}}',
    ...     '{"host": "b", "event": "receive", "clock": {"a": 1, "b": 1}}']
    >>> program = parse_trace("\\n".join(lines))
    >>> program.names, [str(event) for event in program.events]
    (('a', 'b'), ['snd 1->2', 'rcv 2<-1'])
    """
    records = [
        (number, _record(number, line)) for number, line in enumerate(text.split("\n"), 1) if line.strip()
    ]
    clocked = {"clock" in record for _, record in records}
    if len(clocked) > 1:
        number = next(number for number, record in records if "clock" not in record)
        raise InputError(f"line {number}: the clock is missing, but other lines have one")
    for number, record in records:
        _require_known(number, record)
    return _by_clocks(records) if clocked == {True} else _by_messages(records)


def _record(number: int, line: str) -> dict[str, Any]:
    record = strict_json(line, f"line {number}: ")
    if not isinstance(record, dict) or not isinstance(record.get("host"), str) or not record["host"]:
        raise InputError(f"line {number}: there must be an object with a 'host'")
    require_name(record["host"], f"line {number}: ")
    if unknown := sorted(record.keys() - READ - IGNORED):
        raise InputError(f"line {number}: the key '{unknown[0][:20]}' is not supported: leave it out")
    return record


def _require_known(number: int, record: dict[str, Any]) -> None:
    """Raise InputError unless an event gives its kind."""
    event = record.get("event")
    if event not in EVENTS:
        found = json.dumps(event)
        raise InputError(f"line {number}: the event must be 'send', 'receive' or 'local', not {found[:30]}")
    if event != SEND and "to" in record:
        raise InputError(f"line {number}: only a send has a receiver ('to')")
    if event not in (SEND, RECEIVE) and "message" in record:
        raise InputError(f"line {number}: only a send and a receive have a 'message'")


@dataclass
class _Message:
    """A message while a trace is read: who sent it where, and who received it, with the lines."""

    sent: tuple[int, str] | None = None
    to: str | None = None
    received: tuple[int, str] | None = None


def _by_messages(records: list[tuple[int, dict[str, Any]]]) -> NamedProgram:
    messages: defaultdict[str, _Message] = defaultdict(_Message)
    for number, record in records:
        if record["event"] != LOCAL:
            _note(messages, number, record)
    for id, message in messages.items():
        if message.sent is None:
            line = message.received[0] if message.received else 0
            raise InputError(f"line {line}: the message '{id[:20]}' is received but never sent")
        if message.to is None:
            if message.received is None:
                why = "it has no receive, and no receiver in 'to'"
                raise InputError(f"line {message.sent[0]}: the message '{id[:20]}': {why}")
            message.to = message.received[1]
        require_name(message.to, f"line {message.sent[0]}: ")
        if message.received and message.received[1] != message.to:
            raise InputError(f"line {message.received[0]}: '{id[:20]}' was sent to '{message.to}'")
    _require_possible(records)
    program = Naming()
    for _, record in records:
        program.number(record["host"])
        if record["event"] != LOCAL:
            message = messages[record["message"]]
            assert message.sent is not None and message.to is not None  # noqa: PT018 - seen above
            if record["event"] == SEND:
                program.send(record["host"], message.to)
            else:
                program.receive(record["host"], message.sent[1])
    return program.program()


def _require_possible(records: list[tuple[int, dict[str, Any]]]) -> None:
    """Raise InputError if a message would have to be received before it is sent."""
    steps: defaultdict[str, list[Step]] = defaultdict(list)
    lines: defaultdict[str, list[int]] = defaultdict(list)
    for number, record in records:
        if (event := record["event"]) != LOCAL:
            needed = (SEND, record["message"]) if event == RECEIVE else None
            steps[record["host"]].append(Step((event, record["message"]), needed))
            lines[record["host"]].append(number)
    if found := stuck(steps):
        host, at = found
        why = "is received before it can have been sent: the order of events contradicts itself"
        raise InputError(f"line {lines[host][at]}: the message '{steps[host][at].happens[1][:20]}' {why}")


def _note(messages: dict[str, _Message], number: int, record: dict[str, Any]) -> None:
    id, to = record.get("message"), record.get("to")
    if not isinstance(id, str):
        raise InputError(f"line {number}: a {record['event']} needs the id of its 'message', a string")
    message = messages[id]
    if record["event"] == SEND:
        if message.sent:
            raise InputError(f"line {number}: the message '{id[:20]}' is sent a second time")
        if not (to is None or (isinstance(to, str) and to)):
            raise InputError(f"line {number}: 'to' must be the name of a host")
        message.sent, message.to = (number, record["host"]), to
    elif message.received:
        raise InputError(f"line {number}: the message '{id[:20]}' is received a second time")
    else:
        message.received = number, record["host"]


_Hosts = Mapping[str, list[tuple[int, Clock]]]
"""The events of each host so far: their lines and their clocks."""


def _by_clocks(records: list[tuple[int, dict[str, Any]]]) -> NamedProgram:
    hosts: defaultdict[str, list[tuple[int, Clock]]] = defaultdict(list)
    for number, record in records:
        if "message" in record or "to" in record:
            raise InputError(f"line {number}: a trace has clocks or messages: leave one of them out")
        host, clock = record["host"], _clock(number, record["clock"])
        expected = len(hosts[host]) + 1
        if clock.get(host) != expected:
            says = f"but its clock says {clock.get(host, 0)}"
            raise InputError(f"line {number}: this is event {expected} of '{host}', {says}")
        hosts[host].append((number, clock))
    sources: dict[_Nth, _Nth] = {}
    receivers: dict[_Nth, str] = {}
    for number, record in records:
        at = _nth(record)
        if source := _source(hosts, *at):
            if source in receivers:
                sent = f"the message of event {source[1]} of '{source[0]}' is already received"
                raise InputError(f"line {number}: {sent}, by '{receivers[source]}': {SPLIT}")
            sources[at], receivers[source] = source, record["host"]
    program = Naming()
    for number, record in records:
        host, at = record["host"], _nth(record)
        _require_told(number, record["event"], receives=at in sources, sends=at in receivers)
        program.number(host)
        if at in sources:
            program.receive(host, sources[at][0])
        elif at in receivers:
            program.send(host, receivers[at])
    return program.program()


def _nth(record: dict[str, Any]) -> _Nth:
    return record["host"], record["clock"][record["host"]]


def _clock(number: int, value: object) -> Clock:
    if not isinstance(value, dict) or not all(type(count) is int and count >= 0 for count in value.values()):
        raise InputError(f"line {number}: a clock has a number for each host")
    return {host: count for host, count in value.items() if count}


def _require_told(number: int, event: str, *, receives: bool, sends: bool) -> None:
    """Raise InputError unless the clocks give an event exactly the kind it names."""
    match event:
        case "send" if receives:
            wrong = f"the event is a send, but its clock shows a receive: {SPLIT}"
        case "send" if not sends:
            wrong = f"the event is a send, but no clock shows its receive: {IDS}"
        case "receive" if sends:
            wrong = f"the event is a receive, but the clocks show a send: {SPLIT}"
        case "receive" if not receives:
            wrong = f"the event is a receive, but its clock shows nothing new, as if overtaken: {IDS}"
        case "local" if receives or sends:
            wrong = "the event is local, but the clocks show a message"
        case _:
            return
    raise InputError(f"line {number}: {wrong}")


def _source(hosts: _Hosts, host: str, nth: int) -> _Nth | None:
    """The event whose message this one received, if any.  Raises InputError if clocks contradict."""
    line, clock = hosts[host][nth - 1]
    before = hosts[host][nth - 2][1] if nth > 1 else {}
    if any(clock.get(other, 0) < count for other, count in before.items()):
        raise InputError(f"line {line}: the clock of '{host}' goes backwards")
    news = {k: count for k, count in clock.items() if k != host and count > before.get(k, 0)}
    for other, count in news.items():
        if other not in hosts or count > len(hosts[other]):
            raise InputError(f"line {line}: the clock refers to event {count} of '{other}', which is missing")
    for other, count in news.items():
        _, told = hosts[other][count - 1]
        joined = {each: max(before.get(each, 0), told.get(each, 0)) for each in before.keys() | told.keys()}
        if joined | {host: nth} == clock and told.get(host, 0) < nth:
            return other, count
    if news:
        raise InputError(f"line {line}: no single event explains the news in the clock of '{host}'")
    return None
