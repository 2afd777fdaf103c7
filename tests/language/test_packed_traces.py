"""Compiled loops read traces like the plain reader, with the same errors."""

import json
import random
from collections.abc import Callable
from io import BytesIO
from itertools import accumulate
from typing import Any

import pytest
from tests.language.test_port_traces import Written

from sealcheck.cli.inputs import _decoded_line
from sealcheck.errors import InputError
from sealcheck.language.packed_lines import Strings
from sealcheck.language.packed_traces import _Packed, read_packed
from sealcheck.language.traces import Recorded, Trace, read_trace

Record = dict[str, Any]
UNESCAPED = json.JSONEncoder(ensure_ascii=False).encode
EVENT = '{"host": "a", "event": "local"}'
GARBAGE = ("{}", "[]", "{", "7", '{"host": "a"}', f"{EVENT} x", '{"host": "a", "host": "a"}')
VALUES = ("a", "b", "*", "", "halo", "m1", "send", "receive", "local", "phase 0", 7, None, ["a"], "é\n")
KEYS = ("host", "event", "message", "to", "tag", "from", "phase", "text", "time", "color")
TIMES = ("0", "-1.5", "12.25", "01", "1.", "1e3", "-", "1" * 30, '"noon"', "true", "[1]")
ENDS = (*[b"\n"] * 8, b"\r\n", b"\n\n", b" \n", b"\n\x0c\n")


def without(records: list[Record], *keys: str) -> list[Record]:
    return [{key: record[key] for key in record if key not in keys} for record in records]


def line_of(draw: random.Random, record: Record) -> bytes:
    if draw.random() < 0.1:
        record = {key: record[key] for key in draw.sample([*record], len(record))}
    text = (UNESCAPED if draw.random() < 0.8 else json.dumps)(record)
    if draw.random() < 0.2:
        text = text.replace(": ", draw.choice([":", " : ", ":\t"])).replace(", ", draw.choice([",", " , "]))
    if draw.random() < 0.1:
        text = f'{draw.choice(["", " "])}{text[:-1]}, "time": {draw.choice(TIMES)}{text[-1]}'
    return text.encode() + draw.choice(ENDS)


def spoiled(draw: random.Random, records: list[Record]) -> list[bytes]:
    records = [dict(record) for record in records]
    at = draw.randrange(len(records))
    match draw.randrange(8):
        case 0:
            records.insert(draw.randrange(len(records)), dict(records[at]))
        case 1:
            del records[at]
        case 2:
            records.insert(draw.randrange(len(records)), records.pop(at))
        case 3 | 4:
            records[at][draw.choice(KEYS)] = draw.choice(VALUES)
        case 5:
            del records[at][draw.choice([*records[at]])]
    lines = [line_of(draw, record) for record in records]
    match draw.randrange(8):
        case 0:
            lines.insert(at, draw.choice(GARBAGE).encode() + b"\n")
        case 1:
            lines[0] = lines[0].replace(b'"', b"\xe9", 1)
        case 2:
            lines[-1] = lines[-1].rstrip()
    return BytesIO(b"".join(lines)).readlines()


def plainly(lines: list[bytes]) -> Trace:
    return read_trace(map(_decoded_line, lines, accumulate(map(len, lines), initial=0)))


def in_loops(lines: list[bytes]) -> Trace:
    draw, blocks, at = random.Random(7), list[bytes](), 0
    while at < len(lines):
        count = draw.choice([1, 2, 5, 50, 500])
        blocks.append(b"".join(lines[at : at + count]))
        at += count
    return read_packed(blocks, _decoded_line)


def outcome(read: Callable[[list[bytes]], Trace], lines: list[bytes]) -> object:
    try:
        found = read(lines)
        return found.names, {phase: list(events) for phase, events in found.layers.items()}, found.over_ports
    except InputError as error:
        return str(error)


def test_both_readers_agree() -> None:
    count, refused = 1000, 0
    for seed in range(count):
        draw = random.Random(seed)
        records = Written(seed, clocks=draw.random() < 0.1).records
        if draw.random() < 0.5:
            records = without(records, "phase")
        if draw.random() < 0.3:
            records = without(records, "tag", "from")
        lines = spoiled(draw, records)
        expected = outcome(plainly, lines)
        assert outcome(in_loops, lines) == expected, lines
        refused += isinstance(expected, str)
    assert count / 5 < refused < count * 4 / 5


def test_loops_read_lines_like_earlier_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = []
    add = Recorded.add_line
    monkeypatch.setattr(Recorded, "add_line", lambda self, *line: (plain.append(line), add(self, *line)))
    lines = [
        json.dumps({"host": host, "event": event, "message": f"m{k}", **more}) + "\n"
        for k in range(2000)
        for host, event, more in (("a", "send", {"to": "b", "time": k}), ("b", "receive", {"from": "*"}))
    ]
    trace = read_packed(["".join(lines).encode()], _decoded_line)
    assert len(trace.layers[""]) == 4000
    assert len(plain) < 10


def test_if_loops_read_no_line_they_are_seldom_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []
    read = _Packed._read_alike
    monkeypatch.setattr(_Packed, "_read_alike", lambda *at: (tried.append(at), read(*at))[1])
    lines = [json.dumps({"host": "a", "event": "local", "text": "é"}) + "\n"] * 5000
    assert read_packed(["".join(lines).encode()], _decoded_line).names == ("a",)
    assert len(tried) < 20


def test_strings_have_numbers() -> None:
    strings, expected = Strings(), dict[str, int]()
    draw = random.Random(5)
    for _ in range(5000):
        text = "".join(draw.choice("ab\x00é\ud800") for _ in range(draw.randrange(12)))
        assert strings[text] == expected.setdefault(text, len(expected))
    assert dict(strings.items()) == expected
    assert len(strings) == len(expected) > 1000
