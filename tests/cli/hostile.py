"""Documents with a hostile value at each place of a sound document."""

import json
from collections.abc import Iterator
from typing import Any

DEEP = 100_000
VALUES = {
    "a huge number": "1" + 30 * "0",
    "more digits than Python reads": 5000 * "9",
    "a number below zero": "-1",
    "a fraction": "1.5",
    "a number beyond floats": "1e400",
    "no number": "NaN",
    "infinity": "-Infinity",
    "nothing": "null",
    "a truth value": "true",
    "an empty string": '""',
    "a lone surrogate": '"\\ud800"',
    "a control character": '"\\u0000\\u001b[2J"',
    "a long string": f'"{10_000 * "x"}"',
    "an empty array": "[]",
    "an empty object": "{}",
    "an array of everything": '[null, true, 1, "", [], {}]',
    "deep arrays": DEEP * "[" + DEEP * "]",
    "deep objects": DEEP * '{"a":' + "1" + DEEP * "}",
}
"""Hostile values, as JSON or almost JSON."""

_MARK = "\ue000"


def at_each_place(document: str, values: dict[str, str] = VALUES) -> Iterator[tuple[str, bytes]]:
    """The document with one part replaced by each of the values, and a description of the change."""
    lines = document.splitlines()
    for number, line in enumerate(lines):
        if not line.startswith("{"):
            continue
        for path, marked in _marked(json.loads(line)):
            separators = (", ", ": ") if '": ' in line else (",", ":")  # as it was, or it is refused for that
            text = json.dumps(marked, separators=separators)
            for name, value in values.items():
                changed = text.replace(json.dumps(_MARK), value)
                whole = "\n".join([*lines[:number], changed, *lines[number + 1 :]])
                yield f"line {number + 1}{path}: {name}", f"{whole}\n".encode()


def _marked(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    yield path, _MARK
    if isinstance(value, dict):
        for key, part in value.items():
            for where, marked in _marked(part, f"{path}.{key}"):
                yield where, value | {key: marked}
            yield f"{path}, {key} missing", {k: v for k, v in value.items() if k != key}
    elif isinstance(value, list):
        for position, part in enumerate(value):
            for where, marked in _marked(part, f"{path}[{position}]"):
                yield where, [*value[:position], marked, *value[position + 1 :]]


def as_a_whole(document: str) -> Iterator[tuple[str, bytes]]:
    content = document.encode()
    yield "empty", b""
    yield "blank", b" \n\n"
    yield "a byte order mark", b"\xef\xbb\xbf" + content
    yield "UTF-16", document.encode("utf-16")
    yield "zero bytes", content.replace(b":", b":\0", 1)
    yield "not UTF-8", content.replace(b'"', b'"\xff', 1)
    yield "cut off", content[: len(content) // 2]
    yield "twice", content + content
    yield "twice on a line", content.rstrip() + content
    yield "doubled keys", content.replace(b"{", b'{"a": 1, "a": 2, ', 1)
    yield "no JSON", b"]" * 1000
