"""Programs from spans of OpenTelemetry, if the spans determine the run.

**Messages.** The receiving span has the sending span as its parent, or links to it.  A broker between the two
processes counts as a part of the channel.

- A CONSUMER receives a one-way message from a PRODUCER.  Each CONSUMER has one PRODUCER.  A PRODUCER may
  have several CONSUMERs, but no two in the same process with the same destination (topic or queue).
- A SERVER receives the request of a CLIENT, and answers it.  Each SERVER has one CLIENT.  A CLIENT has at
  most one SERVER.
- INTERNAL spans have no messages.

Calls with only one recorded end are left out and counted.  These calls are CLIENT spans without a SERVER, and
SERVER spans whose parent and links are all missing in the file.  Any other span with a missing parent or link
is refused.

**Order.** A message is sent, or received, at an unknown time within its span.  A CONSUMER with the operation
``process`` receives when its span starts.  A CLIENT first sends its request, then receives the answer.  The
order of a process's messages is known if its spans with messages do not overlap, by the clock of the process.
Clocks of different processes are never compared.

**Assumptions** are made only about processes whose order is not known without them:

- *answer-at-end*: a SERVER receives its request when its span starts, and answers when its span ends.
  Between these times, its process may send and receive only in descendants of the SERVER span.  If
  *own-clock* is assumed, too, this restriction does not apply.
- *own-clock*: events of a process happen in the order of its clock, as in one thread.  A CLIENT sends when
  its span starts, and is answered when its span ends.  A PRODUCER sends when its span starts.  A CONSUMER
  with the operation ``receive`` and without child spans receives when its span ends.  Any other CONSUMER
  receives when its span starts.

**Over ports**, programs have tags, and receives from any source.  A request has no tag.  An answer has the
tag `REPLY`.  The tag of a one-way message is its destination.  The receive of a one-way message is from any
source.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, assert_never

from sealcheck.errors import InputError
from sealcheck.language.names import NamedProgram, Names, Naming
from sealcheck.language.otlp import (
    INSTANCE,
    NO_CALL,
    NOT_INTERNAL,
    PROCESS,
    RECEIVE,
    SETTLED,
    Id,
    Role,
    Span,
    read_spans,
)
from sealcheck.language.recordings import EVERY, OF_SPANS, Assumption, Assumptions, Remarks, some
from sealcheck.language.traces import Step, stuck
from sealcheck.programs.ports import tagged
from sealcheck.words import harmless


@dataclass(frozen=True)
class RecordedProgram(NamedProgram):
    """The program of a run that spans record."""

    acts: Mapping[str, Sequence["_Act"]]
    remarks: Remarks

    @property
    def over_ports(self) -> str:
        """Program text over ports.  Raises InputError if a process sends to itself."""
        names = Names(self.names)
        quoted = {process: names.quoted(number) for number, process in enumerate(self.names, 1)}
        found = []
        for process, acts in self.acts.items():
            for span, step, other, tag in acts:
                if other == process:
                    raise InputError(
                        f"{span.where}: '{process}' sends to itself, which is not supported over ports: if it"
                        f" has several instances, give each a '{INSTANCE}'"
                    )
                if step.needs is None:
                    found.append(f"snd {quoted[process]}->{quoted[other]}{tagged(tag)}")
                else:
                    sender = "*" if span.role is Role.CONSUMER else quoted[other]
                    found.append(f"rcv {quoted[process]}<-{sender}{tagged(tag)}")
        return "; ".join(found) or "eps"


RECEIVES_FROM = {Role.CONSUMER: Role.PRODUCER, Role.SERVER: Role.CLIENT}
REPLY = "reply"
"""The tag of answers."""
MESSAGE = "message"
"""The tag of one-way messages without a known destination."""


def parse_spans(
    text: str, assuming: Assumptions = EVERY, others: Collection[tuple[str, str]] = ()
) -> RecordedProgram:
    """The program whose run the spans record.  Raises InputError, with the place in the file.

    `others` has the instances of services in other files.  O(spans log spans).
    """
    processes, spans = read_spans(text, others)
    if not spans:
        raise InputError("there are no spans: record a run of the layer")
    recorded = _Recorded(spans)
    acts: dict[str, list[_Act]] = {}
    assumed = set()
    by_process: dict[str, list[Span]] = {process: [] for process in processes}
    for span in recorded.with_messages:
        by_process[span.process].append(span)
    for process, own in by_process.items():
        acts[process], needed = _in_order(own, recorded, assuming)
        assumed |= {(each, process) for each in needed}
    _require_possible(acts, {process for assumption, process in assumed if assumption is Assumption.ANSWER})
    program = Naming()
    for process in processes:
        program.number(process)
    for process, own_acts in acts.items():
        for act in own_acts:
            (program.send if act.step.needs is None else program.receive)(process, act.other)
    return RecordedProgram(
        names=tuple(processes),
        events=program.program().events,
        acts=acts,
        remarks=Remarks(frozenset(assumed), tuple(recorded.clients), tuple(recorded.servers)),
    )


class _Act(NamedTuple):
    span: Span
    step: Step
    other: str
    """The process at the other end."""
    tag: str


class _Recorded:
    """Spans and their messages.  Raises InputError if a message lacks an end."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self._by_id = {span.id: span for span in spans}
        self.family = _Family(spans, self._by_id)
        self._ends: dict[Id, list[Span]] = {}
        self.clients: list[str] = []
        self.servers: list[str] = []
        local = self._only_poll(spans)
        for span in spans:
            if self._is_called_from_outside(span):
                self.servers.append(span.process)
            elif (wanted := RECEIVES_FROM.get(span.role)) and span.id not in local:
                self._connect(self._source(span, wanted), span)
        for span in spans:
            if span.id not in self._ends:
                self._require_no_message(span)
            if span.id not in local:
                self._require_accounted(span)
        self.with_messages = [span for span in spans if span.id in self._ends]

    def acts(self, span: Span) -> list[_Act]:
        """The sends and receives of a span, in order."""
        ends = self._ends[span.id]
        match span.role:
            case Role.PRODUCER:
                return [_Act(span, Step((end.id, "sent"), None), end.process, _topic(end)) for end in ends]
            case Role.CONSUMER:
                received = Step((span.id, "received"), (span.id, "sent"))
                return [_Act(span, received, ends[0].process, _topic(span))]
            case Role.CLIENT:
                (end,) = ends
                answered = Step((end.id, "answered"), (end.id, "answer"))
                sent = _Act(span, Step((end.id, "sent"), None), end.process, "")
                return [sent, _Act(span, answered, end.process, REPLY)]
            case Role.SERVER:
                (end,) = ends
                received = Step((span.id, "received"), (span.id, "sent"))
                answer = _Act(span, Step((span.id, "answer"), None), end.process, REPLY)
                return [_Act(span, received, end.process, ""), answer]
            case Role.UNSPECIFIED | Role.INTERNAL:
                raise ValueError(f"{span.where}: a span of this kind has no other end")
            case _:
                assert_never(span.role)

    def _only_poll(self, spans: Sequence[Span]) -> set[Id]:
        """The CONSUMER spans that only poll: they have no messages, or other spans process their messages."""
        taken: defaultdict[str, set[Id]] = defaultdict(set)
        followed: set[Id] = set()
        for span in spans:
            if span.role is Role.CONSUMER and span.operation == PROCESS:
                taken[span.process] |= set(self._origins(span, Role.PRODUCER))
                followed |= set(self._origins(span, Role.CONSUMER))
        found = set()
        for span in spans:
            if span.role is Role.CONSUMER and span.operation == RECEIVE:
                messages = set(self._origins(span, Role.PRODUCER))
                are_processed = messages <= taken[span.process] and (messages or span.id in followed)
                if are_processed or (span.messages == 0 and not messages):
                    found.add(span.id)
        return found

    def _origins(self, span: Span, role: Role) -> list[Id]:
        """The parent and the linked spans of a span, if they are of this kind."""
        return [id for id in span.origins if id in self._by_id and self._by_id[id].role is role]

    def _is_called_from_outside(self, span: Span) -> bool:
        return span.role is Role.SERVER and not any(id in self._by_id for id in span.origins)

    def _source(self, span: Span, wanted: Role) -> Span:
        """The span whose message this one receives."""
        found = self._origins(span, wanted)
        if not found:
            raise InputError(
                f"{span.where}: a receive without its send, since no parent or link of this span is a"
                f" {wanted.name} in this file: {ADD}"
            )
        if len(found) > 1:
            raise InputError(
                f"{span.where}: it receives several messages in an unknown order: record a span with"
                " 'messaging.operation.type' 'process' for each"
            )
        return self._by_id[found[0]]

    def _connect(self, source: Span, target: Span) -> None:
        for end in self._ends.get(source.id, ()):
            if source.role is Role.CLIENT or (end.process, end.topic) == (target.process, target.topic):
                raise InputError(
                    f"{source.where}: its message is received twice, at {end.where} and {target.where}:"
                    " record a span for each sending"
                )
        for span in (source, target):
            if span.messages != 1:
                raise InputError(
                    f"{span.where}: a batch of messages has no order: record a span for each message"
                )
        self._ends.setdefault(source.id, []).append(target)
        self._ends[target.id] = [source]

    def _require_no_message(self, span: Span) -> None:
        """Raise InputError if a span without a known other end may have a one-way message."""
        match span.role:
            case Role.PRODUCER:
                raise InputError(
                    f"{span.where}: no span here receives the message of this PRODUCER span: {ADD}"
                )
            case Role.CLIENT:
                if span.doubtful and span.operation not in SETTLED:
                    raise InputError(
                        f"{span.where}: the attribute '{harmless(span.doubtful[:40])}' may describe a one-way"
                        " message: 'messaging.operation.type' must be send, receive or settle"
                    )
                self.clients.append(span.process)
            case Role.INTERNAL:
                may = NO_CALL.match(span.doubtful) or not self.family.is_part(span)
                if span.doubtful and may:
                    raise InputError(
                        f"{span.where}: the attribute '{harmless(span.doubtful[:40])}' may describe a"
                        f" message: {NOT_INTERNAL}"
                    )
            case Role.SERVER | Role.CONSUMER | Role.UNSPECIFIED:
                return
            case _:
                assert_never(span.role)

    def _require_accounted(self, span: Span) -> None:
        """Raise InputError if a parent or link is missing, or is in another process and sends no message."""
        if self._is_called_from_outside(span):
            return
        for id in span.origins:
            origin = self._by_id.get(id)
            if origin is None:
                raise InputError(
                    f"{span.where}: its parent, or a span that it links to, is not in this file: {WHOLE}"
                )
            if origin.process != span.process and origin not in self._ends.get(span.id, ()):
                why = "no message from there is known: is its kind right?"
                raise InputError(
                    f"{span.where}: its parent or link {origin.where} is in another process, but {why}"
                )


ADD = "add the spans of the other end, or leave this one out"
WHOLE = "give the whole trace, or leave it out"


def _topic(target: Span) -> str:
    """The tag of a one-way message: its destination, in characters that tags can contain."""
    tag = re.sub(r"[^A-Za-z0-9_-]", "-", target.topic) or MESSAGE
    return f"{tag}-" if tag == REPLY else tag


class _Family:
    """The parents of spans.  Raises InputError for a cycle.  Linear time."""

    def __init__(self, spans: Iterable[Span], by_id: dict[Id, Span]) -> None:
        children: defaultdict[Id | None, list[Span]] = defaultdict(list)
        for span in spans:
            children[span.parent if span.parent in by_id else None].append(span)
        self._parents = {id for id in children if id is not None}
        self._parts: set[Id] = set()
        self._from: dict[Id, int] = {}
        self._to: dict[Id, int] = {}
        self.depth: dict[Id, int] = {}
        going = [(span, 0, False) for span in children[None]]
        while going:
            span, depth, is_over = going.pop()
            if is_over:
                self._to[span.id] = len(self._from)
                continue
            self._from[span.id], self.depth[span.id] = len(self._from), depth
            going.append((span, depth, True))
            for child in children[span.id]:
                going.append((child, depth + 1, False))
                if child.process == span.process and (span.role is not Role.INTERNAL or self.is_part(span)):
                    self._parts.add(child.id)
        if around := next((span for span in by_id.values() if span.id not in self._from), None):
            raise InputError(f"{around.where}: the span is an ancestor of itself, or of its parent")

    def is_part(self, span: Span) -> bool:
        """Whether parents in its own process lead from the span to a span that is not INTERNAL."""
        return span.id in self._parts

    def has_children(self, span: Span) -> bool:
        """Whether the span is the parent of another span."""
        return span.id in self._parents

    def follows(self, span: Span, ancestor: Span) -> bool:
        """Whether `span` is a descendant of `ancestor`."""
        return self._from[ancestor.id] < self._from[span.id] < self._to[ancestor.id]


class _Block(NamedTuple):
    """Acts of a span, in order, at some time from `earliest` to `latest`."""

    earliest: int
    latest: int
    is_start: bool
    """Whether the acts happen at the start of the span."""
    acts: list[_Act]

    @property
    def span(self) -> Span:
        """The span of these acts."""
        return self.acts[0].span


def _in_order(
    spans: Sequence[Span], recorded: _Recorded, assuming: Assumptions
) -> tuple[list[_Act], Assumptions]:
    """The acts of one process, and the assumptions that order them.  Raises InputError."""
    ways = [frozenset[Assumption](), *(frozenset({each}) for each in sorted(OF_SPANS)), OF_SPANS]
    *others, most = (assumed for assumed in ways if assumed <= assuming)
    for assumed in others:
        try:
            return _ordered(spans, recorded, assumed), assumed
        except InputError:
            continue
    return _ordered(spans, recorded, most), most


def _ordered(spans: Sequence[Span], recorded: _Recorded, assumed: Assumptions) -> list[_Act]:
    """The acts of one process.  Raises InputError if their order is uncertain."""
    family = recorded.family
    blocks = [block for span in spans for block in _blocks(span, recorded, assumed)]
    blocks.sort(key=lambda block: (block.earliest, block.latest, family.depth[block.span.id]))
    for one, other in pairwise(blocks):
        in_turn = one.span is other.span or (one.is_start and family.follows(other.span, one.span))
        if one.latest > other.earliest or (one.latest == other.earliest and not in_turn):
            raise _unordered(one, other)
    if Assumption.CLOCK not in assumed:
        _require_nested(blocks, family)
    return [act for block in blocks for act in block.acts]


def _blocks(span: Span, recorded: _Recorded, assumed: Assumptions) -> Iterator[_Block]:
    acts = recorded.acts(span)
    by_clock = Assumption.CLOCK in assumed and span.role is not Role.SERVER
    if (by_clock and span.role is Role.CLIENT) or (Assumption.ANSWER in assumed and span.role is Role.SERVER):
        yield _Block(span.start, span.start, True, acts[:1])
        yield _Block(span.end, span.end, False, acts[1:])
    elif by_clock:
        polls = span.operation == RECEIVE and not recorded.family.has_children(span)
        time = span.end if span.role is Role.CONSUMER and polls else span.start
        yield _Block(time, time, time == span.start, acts)
    else:
        yield _Block(span.start, span.latest, span.latest == span.start, acts)


def _unordered(one: _Block, other: _Block) -> InputError:
    if one.earliest == other.latest:
        why = f"it has a message at the same time as {other.span.where}, so their order is unknown"
        return InputError(f"{one.span.where}: {why}: give more exact times")
    why = f"it overlaps {other.span.where}, so the order of their messages is unknown"
    is_open = one.span.role is Role.CONSUMER and one.span.operation != PROCESS
    return InputError(
        f"{one.span.where}: {why}"
        + (": 'messaging.operation.type' does not say 'process'" if is_open else "")
    )


def _require_nested(blocks: Sequence[_Block], family: _Family) -> None:
    """Raise InputError if a server, before its answer, sends or receives outside descendants of its span."""
    serving: list[_Block] = []
    for block in blocks:
        if serving and block.span is serving[-1].span:
            serving.pop()
            continue
        if serving and not family.follows(block.span, serving[-1].span):
            raise _unordered(serving[-1], block)
        if block.span.role is Role.SERVER and len(block.acts) == 1:
            serving.append(block)


def _require_possible(acts: dict[str, list[_Act]], answering: Collection[str]) -> None:
    """Raise InputError if a message would be received before it is sent."""
    if found := stuck({process: [act.step for act in own] for process, own in acts.items()}):
        process, number = found
        perhaps = (
            f", or a server answers earlier than assumed ({some(sorted(answering))})" if answering else ""
        )
        raise InputError(
            f"{acts[process][number].span.where}: the clocks contradict the messages: it receives a message"
            f" before its send{perhaps}"
        )
