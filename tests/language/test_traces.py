"""Every kind of event of a trace is read as it was written, or refused.

The writer of a trace knows its messages, without the reader's rules.
"""

import json
import random
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import pytest
from tests.language.test_diagrams import ALL, FEW, read

Record = dict[str, Any]
Change = Callable[[Record], object]

HOSTS = ["a", "Bob", "web server", "ö", "api-1", "x.y:80"]
WORDS = ["sent", "received", "recv", "Send", "SEND", "send ", "publish", "snd", "any text", "", None, 1, []]


class Recorded:
    """A run and its trace. Some messages are overtaken, and some are never received."""

    def __init__(self, draw: random.Random, *, clocks: bool) -> None:
        self.draw, self.clocked = draw, clocks
        self.hosts = draw.sample(HOSTS, draw.randrange(2, 5))
        self.records: list[Record] = []
        self.shares: defaultdict[str, list[tuple[str, str, str]]] = defaultdict(list)
        self.clocks: dict[str, dict[str, int]] = {host: {} for host in self.hosts}
        self.under_way: list[tuple[str, str, str, dict[str, int]]] = []
        self.silent = False
        """Whether some message shows in no clock."""
        for number in range(draw.randrange(1, 12)):
            draw.choice([self.send, self.send, self.receive, self.receive, self.local])(f"m{number}")
        while self.under_way and draw.random() < 0.9:
            self.receive("")
        self.silent |= bool(self.under_way)
        by_host = sorted(self.records, key=lambda record: self.hosts.index(record["host"]))
        self.records = draw.choice([self.records, by_host])

    def add(self, host: str, event: str, **more: str) -> Record:
        """Write a line, with its clock or with the words that replace clocks."""
        clock = self.clocks[host]
        clock[host] = clock.get(host, 0) + 1
        said = {"event": event}
        if self.clocked:
            more = {}
        record = {"host": host} | said | more | self.draw.choice([{}, {"text": "sent", "time": 3}])
        self.records.append(record | ({"clock": dict(clock)} if self.clocked else {}))
        return record

    def send(self, number: str) -> None:
        """Send a message from some host to another."""
        sender, receiver = self.draw.sample(self.hosts, 2)
        self.add(sender, "send", message=number, to=receiver)
        self.under_way.append((number, sender, receiver, dict(self.clocks[sender])))
        self.shares[sender].append(("snd", sender, receiver))

    def receive(self, _: str) -> None:
        """Receive some message, if there is one."""
        if self.under_way:
            number, sender, receiver, told = self.under_way.pop(self.draw.randrange(len(self.under_way)))
            clock = self.clocks[receiver]
            self.silent |= all(clock.get(host, 0) >= count for host, count in told.items())
            clock |= {host: max(count, clock.get(host, 0)) for host, count in told.items()}
            self.add(receiver, "receive", message=number)
            self.shares[receiver].append(("rcv", receiver, sender))

    def local(self, _: str) -> None:
        """Do something alone."""
        self.add(self.draw.choice(self.hosts), "local")


def put(key: str, value: object) -> Change:
    return lambda record: record.update({key: value})


def renamed(old: str, new: str) -> Change:
    return lambda record: record.update({new: record.pop(old, "x")})


CHANGES: dict[str, Change] = {
    **{f"the event {word!r}": put("event", word) for word in WORDS},
    **{f"the key {key}": put(key, "x") for key in ("from", "dest", "Message", "TO", "id", "receive", "kind")},
    "no event": lambda record: record.pop("event"),
    "host as process": renamed("host", "process"),
    "a name of two lines": put("host", "a\nb"),
    "a name with an escape": put("host", "a\x1b[2J"),
    "a name with a bidirectional override": put("host", "a\u202e"),
    "a name with something of no width": put("host", "a\u200b"),
    "a decomposed name": put("host", "o\u0308"),
    "half a character": put("host", "\ud800"),
}
"""Changes that are refused in any event of any trace."""
WITH_IDS: dict[str, Change] = {
    "message as id": renamed("message", "id"),
    "a number as message": put("message", 7),
    "another message": lambda record: record.update(event="receive", message="unheard of"),
    "local with a message": lambda record: record.update(event="local", message="m"),
    "local with a receiver": lambda record: record.update(event="local", to="a"),
    "a receiver of another type": lambda record: record.update(event="send", to=1),
    "a receive with a receiver": lambda record: record.update(event="receive", to="a"),
}
WITH_CLOCKS: dict[str, Change] = {
    "a message": put("message", "m1"),
    "a receiver": put("to", "a"),
    "no clock": lambda record: record.update(event="send", message="m") or record.pop("clock"),
    "one more": lambda record: record["clock"].update({record["host"]: 77}),
    "truth": lambda record: record["clock"].update({record["host"]: True}),
    "an unknown host": lambda record: record["clock"].update(unknown=1),
}


def judge(written: Recorded, change: Change | None) -> bool:
    """Whether the text is read; fails if it is read wrongly, or refused without reason."""
    if change:
        record = written.draw.choice(written.records)
        before = json.dumps(record)
        change(record)
        assert json.dumps(record) != before
    text = "\n".join(map(json.dumps, written.records))
    found = read(text, "trace.jsonl")
    if change or (written.clocked and written.silent):
        assert found is None, text
    else:
        assert found == written.shares, text
    return found is not None


def recorded(seed: int, *, clocks: bool) -> Recorded:
    written = Recorded(random.Random(seed), clocks=clocks)
    return written if written.shares else recorded(seed + 1_000_000, clocks=clocks)


@pytest.mark.parametrize("change", [*CHANGES, *WITH_IDS])
def test_every_kind_of_event_with_ids(change: str) -> None:
    for seed in range(20):
        judge(recorded(seed, clocks=False), (CHANGES | WITH_IDS)[change])


@pytest.mark.parametrize("change", [*CHANGES, *WITH_CLOCKS])
def test_every_kind_of_event_with_clocks(change: str) -> None:
    for seed in range(20):
        judge(recorded(seed, clocks=True), (CHANGES | WITH_CLOCKS)[change])


@pytest.mark.parametrize("wrong", ["send", "receive", "local", "left out"])
def test_a_clock_and_an_event_that_contradict_each_other(wrong: str) -> None:
    lines = [
        {"host": "a", "event": "send", "clock": {"a": 1}},
        {"host": "a", "event": "local", "clock": {"a": 2}},
        {"host": "b", "event": "receive", "clock": {"a": 1, "b": 1}},
    ]
    assert clocked(lines) is not None
    for line in lines:
        if line["event"] != wrong:
            changed = {key: value for key, value in line.items() if key != "event"}
            changed |= {} if wrong == "left out" else {"event": wrong}
            assert clocked([changed if each is line else each for each in lines]) is None, changed


def clocked(lines: list[Record]) -> object:
    return read("\n".join(map(json.dumps, lines)), "trace.jsonl")


OVERTAKEN = [
    {"host": "d", "clock": {"d": 1}},
    {"host": "a", "clock": {"d": 1, "a": 1}},
    {"host": "a", "clock": {"d": 1, "a": 2}},
    {"host": "b", "clock": {"d": 1, "a": 2, "b": 1}},
    {"host": "b", "clock": {"d": 1, "a": 2, "b": 2}},
    {"host": "a", "clock": {"d": 1, "a": 3, "b": 2}},
    {"host": "b", "clock": {"d": 1, "a": 2, "b": 3}},
    {"host": "c", "clock": {"d": 1, "a": 2, "b": 3, "c": 1}},
]
"""The last event of b sends, and may have received an overtaken message of a's first event."""


def test_an_event_that_sends_may_receive_what_brings_nothing_new() -> None:
    assert clocked(OVERTAKEN) is None
    events = ["send", "receive", "send", "receive", "send", "receive", "send", "receive"]
    said = [line | {"event": event} for line, event in zip(OVERTAKEN, events, strict=True)]
    assert clocked(said) is not None
    for line in said:
        assert (
            clocked([each if each is not line else line | {"event": "receive send"} for each in said]) is None
        )
        bare = {key: value for key, value in line.items() if key != "event"}
        assert clocked([each if each is not line else bare for each in said]) is None


@pytest.mark.parametrize("event", ["send", "receive", "local"])
def test_one_event_is_never_two(event: str) -> None:
    sent = {"host": "a", "event": "send", "clock": {"a": 1}}
    taken = {"host": "b", "event": "receive", "clock": {"a": 1, "b": 1}}
    forward = {"host": "c", "event": "receive", "clock": {"a": 1, "b": 1, "c": 1}}
    again = {"host": "c", "event": "receive", "clock": {"a": 1, "c": 1}}
    assert clocked([sent, taken]) is not None
    assert clocked([sent, taken | {"event": event}, forward]) is None
    assert clocked([sent | {"event": event}, taken, again]) is None


@pytest.mark.parametrize("files", [FEW, ALL])
@pytest.mark.parametrize("clocks", [False, True])
def test_no_message_is_passed_over(clocks: bool, files: int) -> None:
    changes = list((CHANGES | (WITH_CLOCKS if clocks else WITH_IDS)).values())
    were_read = 0
    for seed in range(files):
        written = recorded(seed, clocks=clocks)
        were_read += judge(written, written.draw.choice(changes) if written.draw.random() < 1 / 3 else None)
    assert files * 0.2 < were_read < files * 0.9
