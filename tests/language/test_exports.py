"""Exports of OpenTelemetry by SDKs and the collector, and the assumptions about them."""

import json
import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.language.test_diagrams import ALL, FEW
from tests.language.test_spans import directed, document, link, processing, resource, said, span

from sealcheck.algorithms.ports import decide_ports
from sealcheck.api.programs import Program
from sealcheck.errors import InputError
from sealcheck.language.otlp import instances
from sealcheck.language.ports import Declared
from sealcheck.language.recordings import EVERY, OF_SPANS, Assumption, Remarks
from sealcheck.language.spans import REPLY, RecordedProgram, parse_spans

ANSWER, CLOCK = Assumption.ANSWER, Assumption.CLOCK
NOTHING = frozenset[Assumption]()
EXPORTS = Path(__file__).parent / "exports"

Json = dict[str, Any]


def over_ports(program: RecordedProgram) -> dict[str, list[str]]:
    found = defaultdict(list)
    for statement in program.over_ports.split("; "):
        found[statement[4:].replace("<", "-").split("-")[0]].append(statement)
    return found


READ: dict[str, tuple[list[str], Remarks]] = {
    "checkout.json": (
        [
            "snd gateway->orders; rcv gateway<-orders:reply; snd gateway->stock; rcv gateway<-stock:reply",
            "rcv orders<-gateway; snd orders->payment; rcv orders<-payment:reply; snd orders->gateway:reply",
            "rcv payment<-orders; snd payment->orders:reply",
            "rcv stock<-gateway; snd stock->gateway:reply",
        ],
        Remarks(frozenset({(ANSWER, "orders")}), ("orders", "payment", "stock"), ("gateway",)),
    ),
    "kafka.jsonl": (
        [
            "snd orders->shipping:order-events; snd orders->mail:order-events",
            "snd orders->shipping:order-events; snd orders->mail:order-events",
            "rcv shipping<-*:order-events; snd shipping->labels; rcv shipping<-labels:reply",
            "rcv shipping<-*:order-events; rcv labels<-shipping; snd labels->shipping:reply",
            "rcv mail<-*:order-events; rcv mail<-*:order-events",
        ],
        Remarks(servers=("orders",)),
    ),
    "concurrent.json": (
        [
            "snd web->search; snd web->search; rcv web<-search:reply; rcv web<-search:reply",
            'rcv search<-web; rcv search<-web; snd search->"index@index-0"; snd search->"index@index-1"',
            'rcv search<-"index@index-1":reply; snd search->web:reply',
            'rcv search<-"index@index-0":reply; snd search->web:reply',
            'rcv "index@index-0"<-search; snd "index@index-0"->search:reply',
            'rcv "index@index-1"<-search; snd "index@index-1"->search:reply',
        ],
        Remarks(frozenset({(ANSWER, "search"), (CLOCK, "search"), (CLOCK, "web")})),
    ),
    "queues.json": (
        [
            "snd upload->worker:resize",
            "rcv worker<-*:resize; snd worker->notify:reply-",
            "rcv notify<-*:reply-",
        ],
        Remarks(frozenset({(CLOCK, "worker")}), ("worker", "notify"), ("upload",)),
    ),
}


@pytest.mark.parametrize("name", READ)
def test_exports(name: str) -> None:
    shares, remarks = READ[name]
    program = parse_spans((EXPORTS / name).read_text())
    assert program.over_ports == "; ".join(shares)
    assert program.remarks == remarks


@pytest.mark.parametrize("name", READ)
def test_each_assumption_can_be_switched_off(name: str) -> None:
    text = (EXPORTS / name).read_text()
    _, remarks = READ[name]
    needed = {assumption for assumption, _ in remarks.assumed}
    assert parse_spans(text, frozenset(needed)).remarks == remarks
    for assumption in needed:
        with pytest.raises(InputError, match=r"^resourceSpans\[.*spans\[\d\]: it overlaps resourceSpans\["):
            parse_spans(text, EVERY - {assumption})


def test_remarks_are_said() -> None:
    text = (EXPORTS / "concurrent.json").read_text()
    with pytest.warns(UserWarning, match="^assumed ") as warned:
        Program.from_trace(text)
    assert [str(each.message) for each in warned] == [
        "assumed (answer-at-end): a server answers when its span ends (search)",
        "assumed (own-clock): the events of a service happen in the order of its own clock, as in one thread"
        " (search, web)",
    ]
    assert warned[0].filename == __file__
    with pytest.raises(InputError, match="it overlaps"):
        Program.from_trace(text, not_assuming=["own-clock"])
    with pytest.raises(
        InputError, match="'clock' is not an assumption: give answer-at-end, own-clock, recorded-order"
    ):
        Program.from_trace(text, not_assuming=["clock"])
    many = Remarks(clients=tuple("abcdefga"), servers=("b", "b"))
    assert many.lines() == [
        "left out: 8 CLIENT spans without a SERVER span, such as queries of databases (2 of a, 1 of b,"
        " 1 of c, 1 of d, 1 of e, 2 more); 2 SERVER spans that are called from outside (2 of b)"
    ]


class Simulated:
    """A random run of services: the order of events in each service, and the recorded spans."""

    def __init__(self, draw: random.Random, threads: int) -> None:
        self.draw = draw
        self.names = draw.sample(["a", "b", "c", "d"], draw.randrange(2, 5))
        self.spans: dict[str, list[Json]] = {name: [] for name in self.names}
        self.events: dict[str, list[str]] = {name: [] for name in self.names}
        self.clients = 0
        self._ahead = {name: draw.randrange(10**6) for name in self.names}
        self._now = 0
        self._recorded = 0
        self._asking: list[str] = []
        self._sequential = threads == 1
        self._ready = [self.outside(draw.choice(self.names)) for _ in range(draw.randrange(1, 4))]
        going = [self._ready.pop() for _ in range(min(threads, len(self._ready)))]
        while going:
            one = draw.choice(going)
            if next(one, None) is None:
                going.remove(one)
                going += [self._ready.pop(0)] if self._ready else []

    def start(self, name: str, kind: str, parent: int = 0, **more: Any) -> Json:
        """A span that starts now."""
        self._recorded += 1
        found = span(kind, self._recorded, self.clock(name), 0, parent, **more)
        self.spans[name].append(found)
        return found

    def end(self, name: str, span: Json) -> None:
        """The span ends now."""
        span["endTimeUnixNano"] = str(self.clock(name))

    def clock(self, name: str) -> int:
        """The time, by the clock of a process."""
        self._now += self.draw.randrange(1, 5)
        return self._now + self._ahead[name]

    def outside(self, name: str) -> Iterator[bool]:
        """A request from outside."""
        served = self.start(name, "server")
        yield True
        yield from self.some(name, served, 2)
        self.end(name, served)

    def some(self, name: str, span: Json, depth: int) -> Iterator[bool]:
        """Do something in a span."""
        own = int(span["spanId"], 16)
        self._asking.append(name)
        for _ in range(self.draw.randrange(depth + 1)):
            free = [each for each in self.names if each not in (self._asking if self._sequential else [name])]
            if not free:
                break
            other = self.draw.choice(free)
            match self.draw.choice(["call", "call", "publish", "query"]):
                case "call":
                    yield from self.call(name, other, own, depth - 1)
                case "publish":
                    yield from self.publish(name, other, own, depth - 1)
                case _:
                    query = self.start(name, "client", own, attributes=[said("db.system", stringValue="x")])
                    self.clients += 1
                    yield True
                    self.end(name, query)
        self._asking.remove(name)

    def call(self, name: str, other: str, parent: int, depth: int) -> Iterator[bool]:
        """A request, and its answer."""
        asked = self.start(name, "client", parent)
        self.events[name].append(f"snd {name}->{other}")
        yield True
        served = self.start(other, "server", int(asked["spanId"], 16))
        self.events[other].append(f"rcv {other}<-{name}")
        yield True
        yield from self.some(other, served, depth)
        self.end(other, served)
        self.events[other].append(f"snd {other}->{name}:reply")
        yield True
        self.end(name, asked)
        self.events[name].append(f"rcv {name}<-{other}:reply")

    def publish(self, name: str, other: str, parent: int, depth: int) -> Iterator[bool]:
        """A one-way message, which is received at some later time."""
        topic = self.draw.choice(["orders", "audit.log"])
        published = self.start(name, "producer", parent)
        self.events[name].append(f"snd {name}->{other}:{topic.replace('.', '-')}")
        self._ready.append(self.consume(other, int(published["spanId"], 16), topic, depth))
        yield True
        self.end(name, published)

    def consume(self, name: str, published: int, topic: str, depth: int) -> Iterator[bool]:
        """Receive a message, and do something with it."""
        operation = "process" if self._sequential else self.draw.choice(["process", "receive"])
        attributes = [
            said("messaging.destination.name", stringValue=topic),
            said("messaging.operation.type", stringValue=operation),
        ]
        origin: Json = self.draw.choice([{"parent": published}, {"links": link(published)}])
        received = self.start(name, "consumer", attributes=attributes, **origin)
        event = f"rcv {name}<-*:{topic.replace('.', '-')}"
        if operation == "process":
            self.events[name].append(event)
        yield True
        if operation == "process":
            yield from self.some(name, received, depth)
        self.end(name, received)
        if operation == "receive":
            self.events[name].append(event)


@pytest.mark.parametrize("files", [FEW, ALL])
@pytest.mark.parametrize("threads", [1, 3])
def test_random_runs_of_services(threads: int, files: int) -> None:
    """Runs are read in the order in which events happened."""
    assumed = set()
    for seed in range(files):
        run = Simulated(random.Random(seed), threads)
        text = json.dumps(document(**run.spans))
        program = parse_spans(text)
        happened = [event for events in run.events.values() for event in events]
        assert program.over_ports == ("; ".join(happened) or "eps")
        assert len(program.remarks.clients) == run.clients
        assert program.remarks.servers
        needed = frozenset(assumption for assumption, _ in program.remarks.assumed)
        assert threads > 1 or CLOCK not in needed
        assert parse_spans(text, needed) == program
        for assumption in needed:
            with pytest.raises(InputError, match=r"it overlaps|at the same time"):
                parse_spans(text, EVERY - {assumption})
        assumed |= needed
    assert assumed == ({ANSWER} if threads == 1 else OF_SPANS)


def nested(**times: tuple[int, int]) -> str:
    found = {"asks": (1, 90), "serves": (10, 80), "calls": (20, 70), "answers": (1, 2)} | times
    return json.dumps(
        document(
            a=[span("client", 1, *found["asks"])],
            b=[span("server", 2, *found["serves"], parent=1), span("client", 3, *found["calls"], parent=2)],
            c=[span("server", 4, *found["answers"], parent=3)],
        )
    )


@pytest.mark.parametrize(
    ("times", "read"),
    [
        ((11, 79), True),
        ((10, 79), True),  # a child starts no earlier than its parent
        ((10, 10), True),
        ((11, 80), False),  # it may outlive it
        ((80, 80), False),
        ((79, 80), False),
        ((79, 81), True),
        ((80, 90), False),
    ],
)
def test_times_that_are_equal(times: tuple[int, int], read: bool) -> None:
    if read:
        program = parse_spans(nested(calls=times))
        first = ["rcv b<-a", "snd b->c"]
        last = ["rcv b<-c:reply", "snd b->a:reply"]
        assert over_ports(program)["b"] == first + (last if times[1] < 80 else last[::-1])
    else:
        with pytest.raises(InputError, match=r"has a message at the same time as .*: give more exact times$"):
            parse_spans(nested(calls=times))


def test_a_call_that_outlives_its_server_needs_both() -> None:
    assert parse_spans(nested(calls=(20, 85))).remarks.assumed == {(ANSWER, "b"), (CLOCK, "b")}
    assert parse_spans(nested()).remarks.assumed == {(ANSWER, "b")}
    assert parse_spans(nested(calls=(81, 85))).remarks.assumed == frozenset()


def test_a_server_that_does_something_else_needs_both() -> None:
    text = json.loads(nested())
    spans = text["resourceSpans"][1]["scopeSpans"][0]["spans"]
    del spans[1]["parentSpanId"]
    assert parse_spans(json.dumps(text)).remarks.assumed == {(ANSWER, "b"), (CLOCK, "b")}
    spans.append(span("internal", 9, 12, 75, parent=2))
    spans[1]["parentSpanId"] = f"{9:016x}"
    assert parse_spans(json.dumps(text)).remarks.assumed == {(ANSWER, "b")}


def test_an_early_answer_is_noticed_if_the_clocks_say_so() -> None:
    text = json.dumps(
        document(
            a=[span("client", 1, 1, 5), span("client", 2, 6, 9)],
            b=[span("server", 3, 100, 200, parent=1), span("server", 4, 120, 140, parent=2)],
        )
    )
    with pytest.raises(InputError) as raised:
        parse_spans(text)
    assert str(raised.value) == (
        "resourceSpans[0].scopeSpans[0].spans[0]: the clocks contradict the messages: it receives a message"
        " before its send, or a server answers earlier than assumed (b)"
    )


def test_instances() -> None:
    one = resource("b", [span("server", 3, 1, 2, parent=1)], service_instance_id="x")
    other = resource("b", [span("server", 4, 1, 2, parent=2)], service_instance_id="y", host_name="h")
    asks = resource("a", [span("client", 1, 1, 2), span("client", 2, 3, 4)])
    text = json.dumps({"resourceSpans": [asks, one, other]})
    assert instances(text) == {("a", ""), ("b", "x"), ("b", "y")}
    assert parse_spans(text).names == ("a", "b@x", "b@y")
    alone = json.dumps({"resourceSpans": [resource("a", [span("client", 1, 1, 2)]), one]})
    assert parse_spans(alone).names == ("a", "b")
    assert parse_spans(alone, others=instances(text)).names == ("a", "b@x")
    del other["resource"]["attributes"][1:]
    with pytest.raises(InputError) as raised:
        parse_spans(json.dumps({"resourceSpans": [asks, one, other]}))
    assert str(raised.value) == (
        "resourceSpans[2].resource: there are several instances of 'b', and this one has no"
        " 'service.instance.id': give it one"
    )


def consumer(own: int, parent: int, topic: str = "") -> Json:
    attributes = [said("messaging.destination.name", stringValue=topic)] if topic else []
    return span("consumer", own, own, own, parent, attributes=attributes)


def test_polls_that_receive_nothing() -> None:
    def poll(own: int, *described: Json, kind: str = "consumer", **more: Any) -> Json:
        operation = said("messaging.operation.type", stringValue="receive")
        return span(kind, own, own, own, attributes=[operation, *described], **more)

    none, three = (said("messaging.batch.message_count", intValue=count) for count in (0, "3"))
    sends = [span("producer", 1, 1, 2), span("producer", 2, 3, 4)]
    processes = [processing(20, 20, 30, 1), processing(40, 40, 45, 2)]
    for kind in ("consumer", "client"):
        polls = [poll(10, none, kind=kind), poll(11, three, kind=kind, links=link(1) + link(2))]
        program = parse_spans(json.dumps(document(a=sends, b=polls + processes)))
        assert over_ports(program)["b"] == ["rcv b<-*:message"] * 2
        assert program.remarks == Remarks()
        alone = poll(10, kind=kind)
        for found in (alone, poll(10, said("messaging.batch.message_count", intValue="many"), kind=kind)):
            with pytest.raises(InputError, match="a receive without its send"):
                parse_spans(json.dumps(document(a=sends, b=[found, *processes])))
        followed = processes[0] | {"parentSpanId": f"{10:016x}", "links": link(1)}
        program = parse_spans(json.dumps(document(a=sends, b=[alone, followed, processes[1]])))
        assert over_ports(program)["b"] == ["rcv b<-*:message"] * 2


def test_destinations_are_tags() -> None:
    topics = ["", "orders", "orders.v2", "reply", "naïve"]
    text = json.dumps(
        document(
            a=[span("producer", 1, 1, 2), span("producer", 2, 3, 4)],
            b=[consumer(10 + at, 1, topic) for at, topic in enumerate(topics)],
            c=[consumer(20, 2, "orders")],
        )
    )
    tags = ["message", "orders", "orders-v2", "reply-", "na-ve"]
    assert over_ports(parse_spans(text)) == {
        "a": [*(f"snd a->b:{tag}" for tag in tags), "snd a->c:orders"],
        "b": [f"rcv b<-*:{tag}" for tag in tags],
        "c": ["rcv c<-*:orders"],
    }


def asgi(parent: int, **attributes: str) -> Json:
    described = [said(key.replace("_", "."), stringValue=value) for key, value in attributes.items()]
    return span("internal", 8, 3, 4, parent, attributes=described)


REFUSED: dict[str, tuple[Json, str]] = {
    "a process that sends to itself": (
        document(a=[span("client", 1, 1, 4), span("server", 2, 2, 3, parent=1)]),
        "{0}[0]: 'a' sends to itself, which is not supported over ports: if it has several instances, give"
        " each a 'service.instance.id'",
    ),
    "an ancestor of itself": (
        document(a=[span("internal", 1, 1, 4, parent=2), span("internal", 2, 2, 3, parent=1)]),
        "{0}[0]: the span is an ancestor of itself, or of its parent",
    ),
    "its own parent": (
        document(a=[span("internal", 1, 1, 4, parent=1)]),
        "{0}[0]: the span is an ancestor of itself, or of its parent",
    ),
    "a client of a broker that may receive": (
        document(a=[span("client", 1, 1, 4, attributes=[said("messaging.system", stringValue="sqs")])]),
        "{0}[0]: the attribute 'messaging.system' may describe a one-way message: 'messaging.operation.type'"
        " must be send, receive or settle",
    ),
    "a client of a broker that sends": (
        document(
            a=[span("client", 1, 1, 4, attributes=[said("messaging.operation.type", stringValue="send")])]
        ),
        "{0}[0]: no span here receives the message of this PRODUCER span: add the spans of the other end, or"
        " leave this one out",
    ),
    "a retry": (
        document(
            a=[span("client", 1, 1, 9)],
            b=[span("server", 2, 1, 2, parent=1), span("server", 3, 3, 4, parent=1)],
        ),
        "{0}[0]: its message is received twice, at {1}[0] and {1}[1]: record a span for each sending",
    ),
    "a server that follows no client": (
        document(a=[span("internal", 1, 1, 4)], b=[span("server", 2, 2, 3, parent=1)]),
        "{1}[0]: a receive without its send, since no parent or link of this span is a CLIENT in this file:"
        " add the spans of the other end, or leave this one out",
    ),
    "a part of a request that may be a message": (
        document(a=[span("server", 1, 1, 9), asgi(1, messaging_system="x")]),
        "{0}[1]: the attribute 'messaging.system' may describe a message: its kind must be PRODUCER,"
        " CONSUMER, CLIENT or SERVER",
    ),
    "a part of a request, and perhaps a message": (
        document(a=[span("server", 1, 1, 9), asgi(1, http_method="GET", messaging_system="x")]),
        "{0}[1]: the attribute 'messaging.system' may describe a message: its kind must be PRODUCER,"
        " CONSUMER, CLIENT or SERVER",
    ),
    "a part of a request elsewhere": (
        document(a=[span("internal", 1, 1, 9), asgi(1, http_method="GET")]),
        "{0}[1]: the attribute 'http.method' may describe a message: its kind must be PRODUCER, CONSUMER,"
        " CLIENT or SERVER",
    ),
    "a poll of other messages than are processed": (
        document(
            a=[span("producer", 1, 1, 2), span("producer", 2, 3, 4)],
            b=[
                span(
                    "consumer",
                    3,
                    1,
                    2,
                    links=link(1) + link(2),
                    attributes=[said("messaging.operation.type", stringValue="receive")],
                ),
                processing(4, 5, 6, 1),
            ],
        ),
        "{1}[0]: it receives several messages in an unknown order: record a span with"
        " 'messaging.operation.type' 'process' for each",
    ),
    "messages of a server, by their names": (
        document(a=[span("server", 1, 1, 4, events=[{"name": "RPC message"}] * 2)]),
        "{0}[0]: only a request and its answer are read, not a stream of messages",
    ),
    "a stream to a server": (
        document(a=[span("server", 1, 1, 4, events=[directed("RECEIVED")] * 2)]),
        "{0}[0]: only a request and its answer are read, not a stream of messages",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name: str) -> None:
    found, reason = REFUSED[name]
    with pytest.raises(InputError) as raised:
        str(parse_spans(json.dumps(found)).over_ports)
    assert str(raised.value) == reason.format(*(f"resourceSpans[{k}].scopeSpans[0].spans" for k in range(2)))


def test_events_about_a_call() -> None:
    events = [{"name": name} for name in ("Received a request", "Sent", "ResponseReceived", "message sent")]
    calls = [span("client", 1, 1, 9, events=events), span("client", 3, 10, 20, events=events)]
    text = json.dumps(document(a=calls, b=[span("server", 2, 2, 3, parent=1, events=events)]))
    assert over_ports(parse_spans(text))["a"] == ["snd a->b", "rcv a<-b:reply"]


def test_parts_of_a_request() -> None:
    inner = span("internal", 9, 2, 5, parent=1)
    for found in ([asgi(1, http_method="GET")], [inner, asgi(9, http_method="GET")]):
        program = parse_spans(json.dumps(document(a=[span("server", 1, 1, 9), *found])))
        assert program.over_ports == "eps"


CALLED: dict[str, Callable[[], Json]] = {
    "a root": lambda: span("server", 1, 1, 9),
    "an unknown parent": lambda: span("server", 1, 1, 9, parent=77),
    "an unknown link": lambda: span("server", 1, 1, 9, links=link(77)),
}


@pytest.mark.parametrize("how", CALLED)
def test_requests_from_outside(how: str) -> None:
    text = document(
        a=[CALLED[how](), span("client", 2, 2, 3, parent=1), span("client", 4, 5, 6, parent=1)],
        b=[span("server", 3, 1, 2, parent=2)],
    )
    program = parse_spans(json.dumps(text))
    assert over_ports(program)["a"] == ["snd a->b", "rcv a<-b:reply"]
    assert program.remarks == Remarks(clients=("a",), servers=("a",))


def test_only_one_way_messages_can_be_mistaken() -> None:
    """Requests and answers of random runs never get into another round."""
    mistaken = set()
    for seed in range(300):
        run = Simulated(random.Random(seed), threads=3)
        text = parse_spans(json.dumps(document(**run.spans))).over_ports
        about, _ = Declared({"layer 1": text}, ["layer 1"], repeat=True).read()
        calls = {port for port in about.used if port.tag in ("", REPLY)}
        wrong = {each.port for each in decide_ports(about).interfering}
        assert not wrong & calls
        mistaken.add(bool(wrong))
    assert mistaken == {False, True}
