"""Spans of OpenTelemetry: what is read, and what is refused as uncertain."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from tests.language.test_diagrams import ALL, FEW

from sealcheck.api.programs import Program
from sealcheck.errors import InputError
from sealcheck.language.names import together
from sealcheck.language.readers import read_named
from sealcheck.language.recordings import EVERY, Assumption, Remarks
from sealcheck.language.spans import RecordedProgram, parse_spans

KINDS = {"internal": 1, "server": 2, "client": 3, "producer": 4, "consumer": 5}

Spans = dict[str, list[dict[str, Any]]]


def span(kind: str, own: int, start: int, end: int, parent: int = 0, **more: Any) -> dict[str, Any]:
    found = {"traceId": "a" * 32, "spanId": f"{own:016x}", "kind": KINDS[kind], "name": "any"}
    times = {"startTimeUnixNano": str(start), "endTimeUnixNano": str(end)}
    return found | times | ({"parentSpanId": f"{parent:016x}"} if parent else {}) | more


def processing(own: int, start: int, end: int, parent: int) -> dict[str, Any]:
    said = [{"key": "messaging.operation.type", "value": {"stringValue": "process"}}]
    return span("consumer", own, start, end, parent, attributes=said)


def link(own: int) -> list[dict[str, str]]:
    return [{"traceId": "A" * 32, "spanId": f"{own:016X}"}]


def said(key: str, **value: object) -> dict[str, Any]:
    return {"key": key, "value": value}


def directed(direction: str, key: str = "message.type") -> dict[str, Any]:
    return {"name": "any", "timeUnixNano": "15", "attributes": [said(key, stringValue=direction)]}


EVENT = directed("SENT") | {"name": "message"}
NO_MESSAGES = "its kind must be PRODUCER, CONSUMER, CLIENT or SERVER"


def resource(name: str, spans: list[dict[str, Any]], **more: str) -> dict[str, Any]:
    said = {"service.name": name} | {key.replace("_", "."): value for key, value in more.items()}
    attributes = [{"key": key, "value": {"stringValue": value}} for key, value in said.items()]
    return {"resource": {"attributes": attributes}, "scopeSpans": [{"scope": {}, "spans": spans}]}


def document(**spans: list[dict[str, Any]]) -> dict[str, Any]:
    return {"resourceSpans": [resource(name, found) for name, found in spans.items()]}


MESSAGES = {
    "shop": [span("producer", 1, 10, 20), span("internal", 9, 5, 90), span("producer", 2, 30, 40)],
    "store": [
        span("consumer", 4, 100_000, 100_001, links=link(2)),
        processing(3, 7, 50, 1),
        span("producer", 5, 20, 30, parent=3),
    ],
    "log": [span("consumer", 6, 1, 2, parent=5)],
}


def shares(text: str, file: str = "spans.json") -> dict[str, list[str]]:
    program = read_named(text, file)
    assert program is not None
    read = Program.from_trace(text)
    assert read.names == program.names
    return dict(zip(read.names, map(list, read.processes), strict=True))


def test_messages_with_producers_and_consumers() -> None:
    found = {
        "shop": ["snd shop->store", "snd shop->store"],
        "store": ["rcv store<-shop", "snd store->log", "rcv store<-shop"],
        "log": ["rcv log<-store"],
    }
    assert shares(json.dumps(document(**MESSAGES), indent=1)) == found
    lines = [json.dumps(document(**{name: spans})) for name, spans in MESSAGES.items()]
    assert shares("\n".join(lines), "spans.jsonl") == found


NUMBERED = {"attributes": [said("rpc.message.id", intValue=1)]}


@pytest.mark.parametrize(
    ("events", "read"),
    [
        ([directed("SENT"), directed("received")], True),
        ([directed("RECEIVED", "rpc.message.type"), {"name": "exception"}], True),
        ([directed("SENT"), directed("sent")], False),
        ([directed("SENT"), directed("SENT", "rpc.message.type")], False),
        ([NUMBERED, NUMBERED], False),
        ([directed("SENT"), NUMBERED], False),
        ([{"name": "message"}] * 3, False),
    ],
)
@pytest.mark.parametrize("end", ["a", "b"])
def test_one_request_and_one_answer(end: str, events: list[dict[str, Any]], read: bool) -> None:
    spans = {"a": span("client", 1, 100, 110), "b": span("server", 2, 1, 3, parent=1)}
    spans[end] |= {"events": events}
    text = json.dumps(document(**{name: [each] for name, each in spans.items()}))
    if read:
        assert shares(text) == {"a": ["snd a->b", "rcv a<-b"], "b": ["rcv b<-a", "snd b->a"]}
    else:
        with pytest.raises(InputError, match="not a stream of messages"):
            shares(text)


def test_requests_and_answers() -> None:
    text = json.dumps(
        document(
            a=[span("client", 1, 100, 110), span("client", 2, 120, 130)],
            b=[span("server", 4, 8, 9, parent=2), span("server", 3, 1, 3, parent=1)],
        )
    )
    assert shares(text) == {
        "a": ["snd a->b", "rcv a<-b", "snd a->b", "rcv a<-b"],
        "b": ["rcv b<-a", "snd b->a", "rcv b<-a", "snd b->a"],
    }


def changed(change: Callable[[dict[str, Any]], object]) -> str:
    found = json.loads(json.dumps(document(**MESSAGES)))
    change(found)
    return json.dumps(found)


def spans_of(document: dict[str, Any], at: int) -> Any:
    return document["resourceSpans"][at]["scopeSpans"][0]["spans"]


ADD = "add the spans of the other end, or leave this one out"
LIMITS = "raise the limits of the SDK"
WHOLE = "give the whole trace, or leave it out"
SHOP, STORE, LOG = (f"resourceSpans[{k}].scopeSpans[0].spans" for k in range(3))

REFUSED: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "no send": (
        lambda d: spans_of(d, 0).pop(0),
        f"{STORE}[1]: a receive without its send, since no parent or link of this span is a PRODUCER in this"
        f" file: {ADD}",
    ),
    "no receive": (
        lambda d: spans_of(d, 2).pop(),
        f"{STORE}[2]: no span here receives the message of this PRODUCER span: {ADD}",
    ),
    "two receives": (
        lambda d: spans_of(d, 2).append(span("consumer", 7, 5, 6, parent=5)),
        f"{STORE}[2]: its message is received twice, at {LOG}[0] and {LOG}[1]: record a span for each"
        " sending",
    ),
    "a batch": (
        lambda d: spans_of(d, 2)[0].update(links=link(1)),
        f"{LOG}[0]: it receives several messages in an unknown order: record a span with"
        " 'messaging.operation.type' 'process' for each",
    ),
    "at the same time": (
        lambda d: spans_of(d, 0)[2].update(startTimeUnixNano="20"),
        f"{SHOP}[0]: it overlaps {SHOP}[2], so the order of their messages is unknown",
    ),
    "does it receive before it sends?": (
        lambda d: spans_of(d, 1)[1].update(attributes=[]),
        f"{STORE}[1]: it overlaps {STORE}[2], so the order of their messages is unknown:"
        " 'messaging.operation.type' does not say 'process'",
    ),
    "clocks that contradict": (
        lambda d: (
            spans_of(d, 0).append(span("consumer", 7, 1, 2, parent=8)),
            spans_of(d, 1).append(span("producer", 8, 200_000, 200_001)),
        ),
        f"{SHOP}[3]: the clocks contradict the messages: it receives a message before its send",
    ),
    "two of one name": (
        lambda d: d["resourceSpans"].append(resource("log", [], host_name="other")),
        "resourceSpans[3].resource: two processes are called 'log', with different 'host.name': give each a"
        " 'service.instance.id' of its own",
    ),
    "no name": (
        lambda d: d["resourceSpans"][1].pop("resource"),
        "resourceSpans[1].resource: there must be an attribute 'service.name', a string",
    ),
    "one id twice": (
        lambda d: spans_of(d, 2).append(span("internal", 1, 5, 6)),
        f"{LOG}[1]: the span has the same id as {SHOP}[0]",
    ),
    "backwards": (
        lambda d: spans_of(d, 0)[0].update(endTimeUnixNano=9),
        f"{SHOP}[0]: the span ends before it starts",
    ),
    "no time": (
        lambda d: spans_of(d, 0)[0].pop("endTimeUnixNano"),
        f"{SHOP}[0].endTimeUnixNano must be a time in nanoseconds",
    ),
    "no id": (
        lambda d: spans_of(d, 0)[0].update(spanId="1"),
        f"{SHOP}[0].spanId must be 16 hexadecimal digits",
    ),
    "no kind": (lambda d: spans_of(d, 0)[0].update(kind=True), f"{SHOP}[0].kind must be one of 0..5"),
    "links were dropped": (
        lambda d: spans_of(d, 2)[0].update(droppedLinksCount=1),
        f"{LOG}[0]: links of the span were dropped, so its messages are unknown: {LIMITS}",
    ),
    "links of another span were dropped": (
        lambda d: spans_of(d, 0)[0].update(droppedLinksCount=1),
        f"{SHOP}[0]: links of the span were dropped, so its messages are unknown: {LIMITS}",
    ),
    "another version of the format": (
        lambda d: d["resourceSpans"][2].update(instrumentationLibrarySpans=[]),
        "resourceSpans[2]: the key 'instrumentationLibrarySpans' is not part of OTLP: leave it out",
    ),
    "another spelling": (
        lambda d: spans_of(d, 2)[0].update(parent_span_id="0" * 16),
        f"{LOG}[0]: the key 'parent_span_id' is not part of OTLP: leave it out",
    ),
    "something else beside": (
        lambda d: d.update(resourceLogs=[]),
        "the key 'resourceLogs' is not part of OTLP: leave it out",
    ),
    "a message between spans that are internal": (
        lambda d: (spans_of(d, 1)[2].update(kind=1), spans_of(d, 2)[0].update(kind=1)),
        f"{LOG}[0]: its parent or link {STORE}[2] is in another process, but no message from there is known:"
        " is its kind right?",
    ),
    "a message that only links": (
        lambda d: spans_of(d, 0)[1].update(links=link(4)),
        f"{SHOP}[1]: its parent or link {STORE}[0] is in another process, but no message from there is known:"
        " is its kind right?",
    ),
    "a parent that is not there": (
        lambda d: spans_of(d, 0)[1].update(parentSpanId="b" * 16),
        f"{SHOP}[1]: its parent, or a span that it links to, is not in this file: {WHOLE}",
    ),
    "a link to what is not there": (
        lambda d: spans_of(d, 2)[0].update(links=link(77)),
        f"{LOG}[0]: its parent, or a span that it links to, is not in this file: {WHOLE}",
    ),
    "several messages at once": (
        lambda d: spans_of(d, 0)[0].update(attributes=[said("messaging.batch.message_count", intValue="2")]),
        f"{SHOP}[0]: a batch of messages has no order: record a span for each message",
    ),
    "a stream": (
        lambda d: spans_of(d, 0)[0].update(events=[EVENT, EVENT]),
        f"{SHOP}[0]: only a request and its answer are read, not a stream of messages",
    ),
    "an operation of no kind": (
        lambda d: spans_of(d, 0)[1].update(attributes=[said("messaging.operation", stringValue="publish")]),
        f"{SHOP}[1]: the attribute 'messaging.operation' may describe a message: {NO_MESSAGES}",
    ),
    **{
        f"an internal span with {key}": (
            lambda d, key=key: spans_of(d, 0)[1].update(attributes=[said(key, stringValue="poll")]),
            f"{SHOP}[1]: the attribute '{key}' may describe a message: {NO_MESSAGES}",
        )
        for key in (
            "messaging.system",
            "messaging.operation.name",
            "rpc.system",
            "http.request.method",
            "span.kind",
        )
    },
    **{
        f"an internal span with the event {event}": (
            lambda d, event=event: spans_of(d, 0)[1].update(events=[event]),
            f"{SHOP}[1]: an event of the span is a message: {NO_MESSAGES}",
        )
        for event in (
            {"name": "message"},
            {"name": "Sent"},
            {"name": "RpcMessage"},
            {"attributes": [said("rpc.message.id", intValue=1)]},
        )
    },
    **{
        f"an unspecified kind with {key}": (
            lambda d, key=key: spans_of(d, 0)[1].update(kind=0, attributes=[said(key, stringValue="GET")]),
            f"{SHOP}[1]: the kind is missing: a span without messages is INTERNAL",
        )
        for key in ("rpc.system", "http.method", "http.request.method", "nothing")
    },
    **{
        f"the {role} span with {key} {operation}": (
            lambda d, at=at, key=key, operation=operation: spans_of(d, at)[0].update(
                attributes=[said(key, stringValue=operation)]
            ),
            f"resourceSpans[{at}].scopeSpans[0].spans[0]: '{key}' is '{operation}', which"
            f" a {role} span cannot have",
        )
        for at, role, operations in (
            (0, "PRODUCER", ("receive", "process", "create", "settle")),
            (2, "CONSUMER", ("publish", "send", "create")),
        )
        for key in ("messaging.operation.type", "messaging.operation", "messaging.operation.name")
        for operation in operations
    },
    "an operation that is a number": (
        lambda d: spans_of(d, 0)[0].update(attributes=[said("messaging.operation.type", intValue=1)]),
        f"{SHOP}[0]: 'messaging.operation.type' is '', which a PRODUCER span cannot have",
    ),
    "a producer that received": (
        lambda d: spans_of(d, 0)[0].update(events=[directed("RECEIVED")]),
        f"{SHOP}[0]: the PRODUCER span has an event of a message that is received",
    ),
    "events were dropped": (
        lambda d: spans_of(d, 0)[0].update(droppedEventsCount=1),
        f"{SHOP}[0]: events of the span were dropped, so its messages are unknown: {LIMITS}",
    ),
    "attributes were dropped": (
        lambda d: spans_of(d, 0)[1].update(droppedAttributesCount=1),
        f"{SHOP}[1]: attributes were dropped, so not all of them are known: {LIMITS}",
    ),
    "an attribute twice": (
        lambda d: spans_of(d, 0)[1].update(attributes=[said("x", intValue=1)] * 2),
        f"{SHOP}[1]: an attribute occurs twice",
    ),
    "a name with an escape": (
        lambda d: d["resourceSpans"].append(resource("a\x1b[2J", [])),
        "resourceSpans[3].resource: the name 'a\\x1b[2J' has the character U+001B, which is not shown",
    ),
    "no array": (lambda d: d.update(resourceSpans={}), "resourceSpans must be an array"),
    "no object": (lambda d: spans_of(d, 2).append(3), f"{LOG}[1] must be an object"),
    "nothing": (lambda d: d.pop("resourceSpans"), "there must be an object with 'resourceSpans'"),
}


NOTHING = frozenset[Assumption]()
ENOUGH = {"at the same time": "shop", "does it receive before it sends?": "store"}
"""Cases in which the order of a process's own clock is enough, with the process."""


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_certain_is_refused(name: str) -> None:
    change, reason = REFUSED[name]
    for assuming in (NOTHING, EVERY):
        if assuming and name in ENOUGH:
            assert parse_spans(changed(change), assuming).remarks.assumed == {
                (Assumption.CLOCK, ENOUGH[name])
            }
            continue
        with pytest.raises(InputError) as raised:
            parse_spans(changed(change), assuming)
        assert str(raised.value) == reason


def test_a_server_that_asks_others_may_have_answered_before() -> None:
    nested = document(
        a=[span("client", 1, 1, 9)],
        b=[span("server", 2, 1, 9, parent=1), span("client", 3, 2, 3)],
        c=[span("server", 4, 1, 2, parent=3)],
    )
    for assuming in (NOTHING, EVERY - {Assumption.ANSWER}):
        with pytest.raises(
            InputError,
            match=r"spans\[0\]: it overlaps .*\.spans\[1\], so the order of their messages is unknown",
        ):
            parse_spans(json.dumps(nested), assuming)


def test_a_bad_line_is_named() -> None:
    good = json.dumps(document(**MESSAGES))
    with pytest.raises(InputError, match=r"^line 2: not JSON: .* at column 2$"):
        read_named(f"{good}\n{{", "spans.jsonl")
    with pytest.raises(InputError, match=r"^line 2: resourceSpans\[0\] must be an object$"):
        read_named(f'{good}\n{{"resourceSpans": [1]}}', "spans.jsonl")


def test_a_bad_line_of_an_object_over_several_lines_is_named() -> None:
    lines = json.dumps(document(**MESSAGES), indent=1).split("\n")
    with pytest.raises(InputError, match=r"^not JSON: Expecting value at line 3, column 1$"):
        read_named("\n".join([*lines[:2], "x", *lines[2:]]), "spans.json")


def test_a_key_twice_and_a_line_without_spans() -> None:
    good = json.dumps(document(**MESSAGES))
    twice = good.replace('"scopeSpans":', '"scopeSpans": [], "scopeSpans":', 1)
    for text, reason in ((twice, "a key occurs twice"), (f"{good}\n{{}}", "line 2: there must be an object")):
        with pytest.raises(InputError, match=reason):
            read_named(text, "spans.jsonl")


def written(draw: random.Random) -> tuple[dict[str, Any], dict[str, list[str]]]:
    names = draw.sample(["a", "b", "c", "d"], draw.randrange(2, 5))
    spans: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
    shares: dict[str, list[str]] = {name: [] for name in names}
    under_way: list[tuple[int, str, str]] = []
    now = 1

    def add(process: str, kind: str, *events: str, **more: Any) -> int:
        nonlocal now
        now += 10
        spans[process].append(span(kind, now, now, now + 5, **more))
        shares[process] += events
        return now

    for _ in range(draw.randrange(1, 8)):
        one, other = draw.sample(names, 2)
        what = draw.choice(["message", "message", "request", "local"])
        if what == "local":
            add(one, "internal")
        elif what == "request":
            asked = add(one, "client", f"snd {one}->{other}", f"rcv {one}<-{other}")
            add(other, "server", f"rcv {other}<-{one}", f"snd {other}->{one}", parent=asked)
        else:
            under_way.append((add(one, "producer", f"snd {one}->{other}"), one, other))
        while under_way and draw.random() < 0.4:
            receive(add, *under_way.pop(draw.randrange(len(under_way))), draw)
    while under_way:
        receive(add, *under_way.pop(draw.randrange(len(under_way))), draw)
    return document(**spans), shares


def receive(add: Callable[..., int], sent: int, sender: str, receiver: str, draw: random.Random) -> None:
    origin = draw.choice([{"parent": sent}, {"links": link(sent)}])
    add(receiver, "consumer", f"rcv {receiver}<-{sender}", **origin)


CHANGES: list[Callable[[dict[str, Any]], object]] = [
    lambda each: each.update(kind=1),
    lambda each: each.update(kind="SPAN_KIND_UNSPECIFIED"),
    lambda each: each.pop("kind"),
    lambda each: each.update(kind=7),
    lambda each: each.update(parent_span_id=each.pop("parentSpanId", "")),
    lambda each: each.update(messages=2),
    lambda each: each.update(parentSpanId="c" * 16),
    lambda each: each.update(links=link(5)),
    lambda each: each.update(droppedLinksCount=2),
    lambda each: each.update(droppedEventsCount=2),
    lambda each: each.update(droppedAttributesCount=2),
    lambda each: each.update(attributes=[said("messaging.batch.message_count", intValue="3")]),
    lambda each: each.update(events=[EVENT, EVENT]),
]
"""Properties that no span for a message may have."""


@pytest.mark.parametrize("files", [FEW, ALL])
def test_no_message_is_passed_over(files: int) -> None:
    for seed in range(files):
        draw = random.Random(seed)
        found, expected = written(draw)
        of_messages = [each for k in range(len(expected)) for each in spans_of(found, k) if each["kind"] != 1]
        changed = bool(of_messages) and draw.random() < 0.5
        if changed:
            draw.choice(CHANGES)(draw.choice(of_messages))
        try:
            program = read_named(json.dumps(found), "spans.json")
        except InputError:
            assert changed, found
            continue
        assert isinstance(program, RecordedProgram)
        if program.remarks.clients:
            assert changed, found
            assert program.remarks.servers, found
            continue
        assert program.remarks == Remarks()
        assert not changed, found
        (straight,), names = together([program])
        assert [list(map(names.event, share)) for share in straight.shares] == list(expected.values())
