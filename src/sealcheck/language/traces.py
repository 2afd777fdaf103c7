"""Recorded traces: JSON lines with one event each, and with message ids or vector clocks.

With message ids, an event has one of the forms below.  The key ``to`` is needed only if the message is never
received.

- ``{"host": "a", "event": "send", "message": "m1", "to": "b"}``
- ``{"host": "b", "event": "receive", "message": "m1"}``
- ``{"host": "b", "event": "local"}``

With vector clocks, an event is ``{"host": "b", "event": "receive", "clock": {"a": 1, "b": 1}}``.  The clocks
must show all messages (`sealcheck.language.clocks`).

**Tags and senders.** A send may have a ``tag``, and its receive may repeat the tag.  A receive with ``"from":
"*"`` could have taken a message of any host.  A trace with a tag or a receive from any source is *over ports*
(`sealcheck.programs.ports`).

**Phases.** If the events have a ``phase``, each phase becomes a layer.  Layers are in the order of their
first events, without barriers between them.  A host must not return to an earlier phase.  A message must be
sent and received in the same phase.

The lines of a host must be in the order of its events.  Keys in `IGNORED` are skipped.  All other unknown
keys are refused, because they may be about messages.
"""

import json
import re
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from sealcheck.errors import InputError
from sealcheck.language.clocks import EVENTS, LOCAL, RECEIVE, SEND, Clocked, clock_of, sends_of_receives
from sealcheck.language.diagrams import DrawnProtocol
from sealcheck.language.names import NamedProgram, require_name
from sealcheck.language.ports import EventLayer
from sealcheck.programs.ports import ANY, PortEvent
from sealcheck.programs.straight_line import Event, Kind
from sealcheck.support.strict_json import strict_json


class Step(NamedTuple):
    """A step of a process, which may need a step of another process."""

    happens: tuple[Any, ...]
    """Its name; no two steps share one."""
    needs: tuple[Any, ...] | None
    """The step of any process that must come first, if there is one."""


def stuck(steps: Mapping[str, Sequence[Step]]) -> tuple[str, int] | None:
    """A process that waits forever, and the index of the step at which it waits; None if no process does.

    Linear time.

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


READ = {"host", "event", "message", "to", "clock", "tag", "from", "phase"}
IGNORED = {"text", "time"}
"""Keys for people."""
_KNOWN = READ | IGNORED
_TAG = re.compile(r"[A-Za-z0-9_-]+")
ANY_SOURCE = "*"


@dataclass(frozen=True)
class Trace:
    """A recorded run: the events of each phase, over ports."""

    names: tuple[str, ...]
    """Process k has the k-th name."""
    layers: Mapping[str, Sequence[PortEvent]]
    """The events of each phase.  Without phases, all events are in one layer with an empty name."""
    over_ports: str = ""
    """The first line with a tag or a receive from any source, as errors name it; empty without one."""
    transport: str = ""
    """The transport of the trace's messages, if it is known."""

    @property
    def has_phases(self) -> bool:
        """Whether the events of the trace have phases."""
        return "" not in self.layers

    def program(self) -> NamedProgram:
        """The program over channels.  Raises InputError for phases, tags, and receives from any source."""
        events = self._only_layer()
        if self.over_ports:
            raise InputError(
                f"{self.over_ports}, which only phases and decide read: leave it out for other commands"
            )
        plain = {event: Event(event.kind, event.sender, event.receiver) for event in set(events)}
        return NamedProgram(self.names, tuple(map(plain.__getitem__, events)))

    def event_layer(self) -> EventLayer:
        """The events over ports.  Raises InputError if there are phases."""
        return EventLayer.named(self.names, self._only_layer(), self.transport)

    def protocol(self) -> DrawnProtocol | None:
        """The phases as layers, one after the other, if there are phases."""
        if not self.has_phases:
            return None
        layers = {
            title: EventLayer.named(self.names, events, self.transport)
            for title, events in self.layers.items()
        }
        return DrawnProtocol(self.names, layers, ("then", *range(len(layers))))

    def _only_layer(self) -> Sequence[PortEvent]:
        if self.has_phases:
            raise InputError(
                "its events have phases, and each phase is a layer: give this file alone to sealcheck phases,"
                " or leave 'phase' out"
            )
        return self.layers[""]


def parse_trace(text: str) -> NamedProgram:
    """The program whose run a trace records.  Raises InputError, with the line.

    >>> lines = ['{"host": "a", "event": "send", "text": "go", "clock": {"a": 1}}',
    ...     '{"host": "b", "event": "receive", "clock": {"a": 1, "b": 1}}']
    >>> program = parse_trace("\\n".join(lines))
    >>> program.names, [str(event) for event in program.events]
    (('a', 'b'), ['snd 1->2', 'rcv 2<-1'])
    """
    return read_trace(text.split("\n")).program()


def read_trace(lines: Iterable[str]) -> Trace:
    """The trace that lines record.  Raises InputError, with the line.

    Linear time.  An event takes some tens of bytes of memory, plus its clock.

    >>> lines = ['{"host": "a", "event": "send", "message": "m1", "tag": "halo", "phase": "exchange"}',
    ...     '{"host": "b", "event": "receive", "message": "m1", "from": "*", "phase": "exchange"}']
    >>> {phase: [str(event) for event in events] for phase, events in read_trace(lines).layers.items()}
    {'exchange': ['snd 1->2:halo', 'rcv 2<-*:halo']}
    """
    recorded = Recorded()
    for number, line in enumerate(lines, 1):
        recorded.add_line(number, line)
    return recorded.trace()


def clocked_trace(events: Iterable[Clocked]) -> Trace:
    """The trace of events with vector clocks.  Raises InputError, with the line."""
    recorded = Recorded()
    for each in events:
        recorded.add(each.line, {"host": each.host, "event": each.event, "clock": each.clock})
    return recorded.trace()


def _record(number: int, line: str) -> dict[str, Any]:
    record = strict_json(line.rstrip("\n"), f"line {number}: ")
    if not isinstance(record, dict) or not isinstance(record.get("host"), str) or not record["host"]:
        raise InputError(f"line {number}: there must be an object with a 'host'")
    if not record.keys() <= _KNOWN:
        unknown = min(record.keys() - _KNOWN)
        raise InputError(f"line {number}: the key '{unknown[:20]}' is not supported: leave it out")
    return record


def _require_keys(number: int, record: dict[str, Any]) -> None:
    """Raise InputError if an event lacks its kind, or has a key that its kind cannot have."""
    event = record.get("event")
    if event not in EVENTS:
        found = json.dumps(event)
        raise InputError(f"line {number}: the event must be 'send', 'receive' or 'local', not {found[:30]}")
    if event != SEND and "to" in record:
        raise InputError(f"line {number}: only a send has a receiver ('to')")
    for key in ("message", "tag"):
        if event == LOCAL and key in record:
            raise InputError(f"line {number}: only a send and a receive have a '{key}'")
    if event != RECEIVE and "from" in record:
        raise InputError(f"line {number}: only a receive has a source ('from')")
    if "clock" in record and ("message" in record or "to" in record):
        raise InputError(f"line {number}: a trace has clocks or messages: leave one of them out")


NONE = -1
SOME_HOST = -2
"""Numbers that stand for *no string* and for *any source*."""

SENDS, RECEIVES, LOCALS = range(3)
KINDS = {SEND: SENDS, RECEIVE: RECEIVES, LOCAL: LOCALS}


class Numbered(dict[str, int]):
    """Numbers of strings, from 0, in the order of looking up."""

    def __missing__(self, text: str) -> int:
        self[text] = number = len(self)
        return number


class Ids(Protocol):
    """Numbers of strings.  A new string that is looked up gets the next number."""

    def __getitem__(self, text: str, /) -> int: ...
    def __len__(self) -> int: ...
    def items(self) -> Iterable[tuple[str, int]]:
        """The strings with their numbers."""


class Numbers(Protocol):
    """A column of numbers, such as an array."""

    def append(self, number: int, /) -> None:
        """Add a number."""

    def __len__(self) -> int: ...
    def __getitem__(self, at: int, /) -> int: ...
    def __setitem__(self, at: int, number: int, /) -> None: ...
    def __iter__(self) -> Iterator[int]: ...


def _column() -> "array[int]":
    return array("i")


class Recorded:
    """A trace while it is read: columns with the properties of events and of messages.

    Each string is kept once, and columns have its number, because a trace may have millions of events.
    """

    def __init__(self) -> None:
        self._hosts, self._phases, self._tags = Numbered(), Numbered(), Numbered()
        self._lines, self._kinds, self._of_host = _column(), bytearray(), _column()
        self._tag, self._source, self._phase, self._message = _column(), _column(), _column(), _column()
        self._ids: Ids = Numbered()
        self._sent: Numbers = _column()
        self._received: Numbers = _column()
        self._to: Numbers = _column()
        """The host in ``to``, by message.  `_sent` and `_received` have the events of each message."""
        self._clocks: list[Clocked] = []
        self._shapes: set[tuple[str, ...]] = set()
        """The valid combinations of a kind of event with its keys, in order."""
        self._first: tuple[int, dict[str, Any]] | None = None
        self._wrong: InputError | None = None

    def add_line(self, number: int, line: str) -> None:
        """Add the event of a line that is not blank.  Raises InputError as `add` does."""
        if line and not line.isspace():
            self.add(number, _record(number, line))

    def add(self, number: int, record: dict[str, Any]) -> None:
        """Add the event of a line.  Raises InputError if only some events have a clock, or a phase.

        For the first event that is wrong in another way, `trace` raises InputError.
        """
        shape = (str(record.get("event")), *record)
        is_new = shape not in self._shapes
        if is_new:
            self._require_alike(number, record)
        if self._wrong is None:
            try:
                if is_new:
                    _require_keys(number, record)
                    self._shapes.add(shape)
                self._add(number, record)
            except InputError as error:
                self._wrong = error

    def _add(self, number: int, record: dict[str, Any]) -> None:
        event, name = record["event"], record["host"]
        host = self._hosts[name] if name in self._hosts else self._host(name, number)
        self._tag.append(self._tag_of(number, record["tag"]) if "tag" in record else NONE)
        self._source.append(self._source_of(number, record["from"]) if "from" in record else NONE)
        self._phase.append(self._phase_of(number, record["phase"]) if "phase" in record else NONE)
        if "clock" in record:
            clock = clock_of(number, record["clock"])
            self._clocks.append(Clocked(number, record["host"], event, clock))
            self._message.append(NONE)
        else:
            self._message.append(NONE if event == LOCAL else self._noted(number, host, record))
        self._lines.append(number)
        self._kinds.append(KINDS[event])
        self._of_host.append(host)

    def trace(self) -> Trace:
        """The trace of all added lines.  Raises InputError if events are wrong or inconsistent."""
        if self._wrong is not None:
            raise self._wrong
        if self._clocks:
            for receive, send in sends_of_receives(self._clocks).items():
                self._message[send] = self._message[receive] = len(self._sent)
                self._sent.append(send)
                self._received.append(receive)
                self._to.append(NONE)
        self._require_ends()
        self._require_possible()
        self._require_marks()
        marked = self._over_ports()
        if marked or self._phases:
            self._require_layers()
        return self._made(marked)

    def _require_alike(self, number: int, record: dict[str, Any]) -> None:
        line, first = self._first = self._first or (number, record)
        for key in ("clock", "phase"):
            if (key in record) != (key in first):
                where = line if key in record else number
                raise InputError(f"line {where}: the {key} is missing, but other lines have one")

    def _host(self, name: str, number: int) -> int:
        if name not in self._hosts:
            require_name(name, f"line {number}: ")
        return self._hosts[name]

    def _tag_of(self, number: int, tag: object) -> int:
        if not isinstance(tag, str) or not (tag in self._tags or _TAG.fullmatch(tag)):
            what = "must be a string of letters, digits, '-' and '_', such as \"halo\""
            raise InputError(f"line {number}: the tag {what}, not {json.dumps(tag)[:30]}")
        return self._tags[tag]

    def _source_of(self, number: int, source: object) -> int:
        if source == ANY_SOURCE:
            return SOME_HOST
        if not isinstance(source, str):
            what = 'must be "*", for any source, or the host that sends'
            raise InputError(f"line {number}: 'from' {what}, not {json.dumps(source)[:30]}")
        return self._host(source, number)

    def _phase_of(self, number: int, phase: object) -> int:
        if not isinstance(phase, str):
            raise InputError(f"line {number}: the phase must be a string, not {json.dumps(phase)[:30]}")
        if phase not in self._phases:
            require_name(phase, f"line {number}: phase: ")
        return self._phases[phase]

    def _noted(self, number: int, host: int, record: dict[str, Any]) -> int:
        """The number of the message of a send or receive."""
        id, to, here = record.get("message"), record.get("to"), len(self._lines)
        if not isinstance(id, str):
            raise InputError(f"line {number}: a {record['event']} needs the id of its 'message', a string")
        message = self._ids[id]
        if message == len(self._sent):
            for column in (self._sent, self._received, self._to):
                column.append(NONE)
        if record["event"] == SEND:
            if self._sent[message] != NONE:
                raise InputError(f"line {number}: the message '{id[:20]}' is sent a second time")
            if not (to is None or (isinstance(to, str) and to)):
                raise InputError(f"line {number}: 'to' must be the name of a host")
            self._sent[message] = here
            self._to[message] = NONE if to is None else self._host(to, number)
        elif self._received[message] != NONE:
            raise InputError(f"line {number}: the message '{id[:20]}' is received a second time")
        else:
            self._received[message] = here
        return message

    def _require_ends(self) -> None:
        """Raise InputError if a message has no send or no known receiver, or if another host receives it."""
        for message, (sent, received) in enumerate(zip(self._sent, self._received, strict=True)):
            if sent == NONE:
                line = self._lines[received]
                raise InputError(f"line {line}: {self._called(message)} is received but never sent")
            if received == NONE:
                if self._to[message] == NONE:
                    why = "it has no receive, and no receiver in 'to'"
                    raise InputError(f"line {self._lines[sent]}: {self._called(message)}: {why}")
            elif self._to[message] == NONE:
                self._to[message] = self._of_host[received]
            elif self._to[message] != self._of_host[received]:
                said = f"'{self._id(message)}' was sent to '{self._name(self._to[message])}'"
                raise InputError(f"line {self._lines[received]}: {said}")

    def _id(self, message: int) -> str:
        return next(id for id, number in self._ids.items() if number == message)[:20]

    def _called(self, message: int) -> str:
        return f"the message '{self._id(message)}'" if self._ids else "the message"

    def _name(self, host: int) -> str:
        return next(name for name, number in self._hosts.items() if number == host)

    def _require_possible(self) -> None:
        ends = zip(self._sent, self._received, strict=True)
        if all(received == NONE or sent < received for sent, received in ends):
            return  # the order of the lines is a possible one
        steps: defaultdict[str, list[Step]] = defaultdict(list)
        lines: defaultdict[str, list[int]] = defaultdict(list)
        names = list(self._hosts)
        for index, (kind, message) in enumerate(zip(self._kinds, self._message, strict=True)):
            if kind != LOCALS:
                host = names[self._of_host[index]]
                needed = (SENDS, message) if kind == RECEIVES else None
                steps[host].append(Step((kind, message), needed))
                lines[host].append(self._lines[index])
        if found := stuck(steps):
            host, at = found
            why = "is received before it can have been sent: the order of events contradicts itself"
            message = steps[host][at].happens[1]
            raise InputError(f"line {lines[host][at]}: {self._called(message)} {why}")

    def _require_marks(self) -> None:
        for index in self._receives():
            sent = self._sent[self._message[index]]
            line = self._lines[index]
            if self._tag[index] not in (NONE, self._tag[sent]):
                tags = [*self._tags]
                found = "no tag" if self._tag[sent] == NONE else f"the tag '{tags[self._tag[sent]]}'"
                said = f"its tag is '{tags[self._tag[index]]}', but the message was sent with {found}"
                raise InputError(f"line {line}: {said}, in line {self._lines[sent]}")
            if self._source[index] not in (NONE, SOME_HOST, self._of_host[sent]):
                source, sender = self._name(self._source[index]), self._name(self._of_host[sent])
                raise InputError(f"line {line}: it is from '{source}', but '{sender}' sent the message")

    def _receives(self) -> Iterator[int]:
        return (index for index, kind in enumerate(self._kinds) if kind == RECEIVES)

    def _over_ports(self) -> str:
        """The first line with a tag or a receive from any source, and which of the two it has."""
        if not self._tags and SOME_HOST not in self._source:
            return ""
        marks = zip(self._lines, self._tag, self._source, strict=True)
        line, source = next(
            (line, source) for line, tag, source in marks if tag != NONE or source == SOME_HOST
        )
        return f"line {line}: it has {'a receive from any source' if source == SOME_HOST else 'a tag'}"

    def _require_layers(self) -> None:
        """Raise InputError if layers share a message, a host returns to a layer, or a message is lost."""
        phases = [*self._phases]
        for message, (sent, received) in enumerate(zip(self._sent, self._received, strict=True)):
            line = self._lines[sent]
            if received == NONE:
                why = "is never received, but a layer receives all that it sends: record until it is received"
                raise InputError(f"line {line}: {self._called(message)} {why}")
            if self._of_host[sent] == self._of_host[received]:
                why = "sends to itself, which is not supported over ports: is it several processes?"
                raise InputError(f"line {line}: '{self._name(self._of_host[sent])}' {why}")
            if self._phase[sent] != self._phase[received]:
                ends = [phases[self._phase[each]] for each in (sent, received)]
                why = f"is sent in phase '{ends[0]}', in line {line}, but received in '{ends[1]}'"
                raise InputError(
                    f"line {self._lines[received]}: {self._called(message)} {why}: both ends of a message"
                    " are of one phase"
                )
        reached: dict[int, int] = {}
        were: set[tuple[int, int]] = set()
        for line, host, phase in zip(self._lines, self._of_host, self._phase, strict=True):
            last = reached.get(host, NONE)
            if phase < last:
                again = "returns to" if (host, phase) in were else "comes to"
                why = f"'{self._name(host)}' {again} phase '{phases[phase]}' after '{phases[last]}'"
                how = "give each of its rounds a name" if (host, phase) in were else _IN_ORDER
                raise InputError(f"line {line}: {why}: {how}")
            reached[host] = phase
            were.add((host, phase))

    def _made(self, over_ports: str) -> Trace:
        numbers: dict[int, int] = {}
        layers: dict[str, list[PortEvent]] = {phase: [] for phase in self._phases or ("",)}
        parts = [*layers.values()]
        tags = [*self._tags, ""]  # the last for those without a tag
        known: dict[tuple[int, int, int, int, bool], PortEvent] = {}
        for host, kind, message, phase, source in zip(
            self._of_host, self._kinds, self._message, self._phase, self._source, strict=True
        ):
            if kind == LOCALS:
                numbers.setdefault(host, len(numbers) + 1)
                continue
            sent = self._sent[message]
            other = self._to[message] if kind == SENDS else self._of_host[sent]
            key = kind, host, other, self._tag[sent], source == SOME_HOST
            event = known.get(key)
            if event is None:
                here, there = (numbers.setdefault(each, len(numbers) + 1) for each in (host, other))
                tag = tags[self._tag[sent]]
                if kind == SENDS:
                    event = PortEvent(Kind.SEND, here, there, tag)
                else:
                    event = PortEvent(Kind.RECEIVE, ANY if source == SOME_HOST else there, here, tag)
                known[key] = event
            parts[phase].append(event)
        names = [*self._hosts]
        return Trace(tuple(names[host] for host in numbers), layers, over_ports)


_IN_ORDER = "write the lines in the order of the phases"
