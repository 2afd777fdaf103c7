"""Traces with tags, receives from any source, and phases: layers are as written, or a line is refused.

The writer of a trace knows its events, without the reader's rules.
"""

import json
import random
from collections import defaultdict
from typing import Any

import pytest

from sealcheck.errors import InputError
from sealcheck.language.ports import EventLayer, parse_layers
from sealcheck.language.readers import read_protocol
from sealcheck.language.traces import parse_trace, read_trace

Record = dict[str, Any]
Shares = dict[str, list[str]]

HOSTS = ("a", "web server", "ö", "x.y:80")
TAGS = ("", "", "halo", "7", "-_")


class Written:
    """A run of a few phases, and its trace."""

    def __init__(self, seed: int, *, clocks: bool) -> None:
        self.draw, self.clocked = random.Random(seed), clocks
        self.hosts = self.draw.sample(HOSTS, self.draw.randrange(2, 5))
        self.clocks: dict[str, dict[str, int]] = {host: {} for host in self.hosts}
        self.records: list[Record] = []
        self.layers: dict[str, defaultdict[str, list[str]]] = {}
        self.under_way: list[tuple[str, str, str, str, dict[str, int]]] = []
        for number in range(self.draw.randrange(1, 4)):
            self.perform(f"phase {number}")

    def perform(self, phase: str) -> None:
        """Send some messages, and receive all, at once if there are clocks."""
        self.layers[phase] = defaultdict(list)
        sends = self.draw.randrange(1, 6)
        while sends or self.under_way:
            if sends and (not self.under_way or (not self.clocked and self.draw.random() < 0.5)):
                self.send(phase)
                sends -= 1
            else:
                self.receive(phase)
            if self.draw.random() < 0.2:
                self.add(self.draw.choice(self.hosts), phase, event="local", text="thinks")

    def send(self, phase: str) -> None:
        """Send a message from some host to another."""
        sender, receiver = self.draw.sample(self.hosts, 2)
        tag, id = self.draw.choice(TAGS), f"m{len(self.records)}"
        self.add(sender, phase, event="send", message=id, to=receiver, tag=tag)
        self.layers[phase][sender].append(f"snd {sender}->{receiver}{tag and ':'}{tag}")
        self.under_way.append((id, sender, receiver, tag, dict(self.clocks[sender])))

    def receive(self, phase: str) -> None:
        """Receive a message. The receive may name its source, or say that any source would do."""
        id, sender, receiver, tag, told = self.under_way.pop(self.draw.randrange(len(self.under_way)))
        for host, count in told.items():
            self.clocks[receiver][host] = max(count, self.clocks[receiver].get(host, 0))
        more = {"from": self.draw.choice(["*", sender, ""]), "tag": self.draw.choice([tag, ""])}
        self.add(receiver, phase, event="receive", message=id, **more)
        source = "*" if more["from"] == "*" else sender
        self.layers[phase][receiver].append(f"rcv {receiver}<-{source}{tag and ':'}{tag}")

    def add(self, host: str, phase: str, **more: str) -> None:
        """Write a line without empty parts."""
        clock = self.clocks[host]
        clock[host] = clock.get(host, 0) + 1
        unsaid = ("message", "to") if self.clocked else ()
        record = {key: value for key, value in more.items() if value and key not in unsaid}
        clocks = {"clock": dict(clock)} if self.clocked else {}
        self.records.append({"host": host, "phase": phase} | record | clocks)


def shares(layer: EventLayer | str) -> Shares:
    _, names, (program,) = parse_layers({"": layer}, None)
    said = {
        names.process(number): [event.told(names.process) for event in share]
        for number, share in enumerate(program.shares, 1)
    }
    return {process: events for process, events in said.items() if events}


def test_phases_are_the_layers_that_were_written() -> None:
    found = 0
    for seed in range(600):
        written = Written(seed, clocks=seed % 2 == 1)
        protocol = read_protocol(read_trace(map(json.dumps, written.records)))
        assert protocol is not None
        layers = {title: shares(layer) for title, layer in protocol.layers.items()}
        assert layers == written.layers, written.records
        assert list(layers) == list(written.layers)
        assert protocol.expression == ("then", *range(len(layers)))
        found += len(layers)
    assert found > 1000


def test_without_phases_a_trace_is_one_layer() -> None:
    over_channels = 0
    for seed in range(300):
        written = Written(seed, clocks=False)
        for phase, expected in written.layers.items():
            here = [record for record in written.records if record["phase"] == phase]
            here.sort(key=lambda record: str(record["host"]))
            lines = [json.dumps({key: record[key] for key in record if key != "phase"}) for record in here]
            trace = read_trace(lines)
            assert read_protocol(trace) is None
            assert shares(trace.event_layer()) == expected
            is_plain = not any("tag" in record or record.get("from") == "*" for record in here)
            assert is_plain == (not trace.over_ports)
            if is_plain:
                assert shares(EventLayer.of(parse_trace("\n".join(lines)))) == expected
                over_channels += 1
            else:
                with pytest.raises(
                    InputError, match=r"^line [0-9]+: it has a .*, which only phases and decide"
                ):
                    parse_trace("\n".join(lines))
    assert over_channels > 20


SENT = {"host": "a", "event": "send", "message": "m", "to": "b"}
TAKEN = {"host": "b", "event": "receive", "message": "m"}
BACK = {"host": "b", "event": "send", "message": "n", "to": "a"}
BACK_TAKEN = {"host": "a", "event": "receive", "message": "n"}


@pytest.mark.parametrize(
    ("records", "reason"),
    [
        ([SENT | {"tag": "x y"}, TAKEN], 'line 1: the tag must be a string of letters, .*, not "x y"'),
        ([SENT | {"tag": ""}, TAKEN], "line 1: the tag must be"),
        ([SENT | {"tag": 7}, TAKEN], "line 1: the tag must be"),
        ([SENT | {"tag": "x\n"}, TAKEN], "line 1: the tag must be"),
        (
            [SENT | {"tag": "x"}, TAKEN | {"tag": "y"}],
            "line 2: its tag is 'y', but .* with the tag 'x', in line 1",
        ),
        ([SENT, TAKEN | {"tag": "y"}], "line 2: its tag is 'y', but .* with no tag, in line 1"),
        ([SENT | {"from": "*"}, TAKEN], r"line 1: only a receive has a source \('from'\)"),
        ([SENT, TAKEN | {"from": "c"}], "line 2: it is from 'c', but 'a' sent the message"),
        ([SENT, TAKEN | {"from": ["a"]}], "line 2: 'from' must be"),
        (
            [SENT, TAKEN, {"host": "a", "event": "local", "tag": "x"}],
            "line 3: only a send and a receive have a 'tag'",
        ),
        ([SENT | {"tag": "x"}], "line 1: the message 'm' is never received"),
        (
            [SENT | {"tag": "x", "to": "a"}, TAKEN | {"host": "a"}],
            "line 1: 'a' sends to itself, which is not supported over ports",
        ),
        ([SENT | {"phase": "p"}, TAKEN], "line 2: the phase is missing, but other lines have one"),
        ([SENT, TAKEN | {"phase": "p"}], "line 1: the phase is missing, but other lines have one"),
        ([SENT | {"phase": ""}, TAKEN | {"phase": ""}], "line 1: phase: the name '' is empty"),
        ([SENT | {"phase": "\x1b"}, TAKEN | {"phase": ""}], "line 1: phase: the name .* has the character"),
        ([SENT | {"phase": 1}, TAKEN | {"phase": 1}], "line 1: the phase must be a string"),
        (
            [SENT | {"phase": "p"}, TAKEN | {"phase": "q"}],
            "line 2: the message 'm' is sent in phase 'p', in line 1, but received in 'q': both ends",
        ),
        ([SENT | {"phase": "p"}], "line 1: the message 'm' is never received"),
        (
            [
                *(SENT | {"phase": "p"}, TAKEN | {"phase": "p"}),
                *(BACK | {"phase": "q"}, BACK_TAKEN | {"phase": "q"}),
                {"host": "a", "event": "local", "phase": "p"},
            ],
            "line 5: 'a' returns to phase 'p' after 'q': give each of its rounds a name",
        ),
        (
            [
                *(
                    {"host": "c", "event": "local", "phase": "p"},
                    {"host": "c", "event": "local", "phase": "q"},
                ),
                *(SENT | {"phase": "q"}, TAKEN | {"phase": "q"}),
                *(BACK | {"phase": "p"}, BACK_TAKEN | {"phase": "p"}),
            ],
            "line 5: 'b' comes to phase 'p' after 'q': write the lines in the order of the phases",
        ),
    ],
)
def test_refused(records: list[Record], reason: str) -> None:
    with pytest.raises(InputError, match=f"^{reason}"):
        read_trace(map(json.dumps, records))


def test_a_trace_with_phases_is_more_than_one_layer() -> None:
    text = "\n".join(json.dumps(record | {"phase": "p"}) for record in (SENT, TAKEN))
    with pytest.raises(
        InputError, match="its events have phases, and each phase is a layer: give this file alone"
    ):
        parse_trace(text)
