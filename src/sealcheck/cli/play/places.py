"""Find the part of a question that an error message is about, for the page to mark."""

import json
import re
from typing import Any

MESSAGE = re.compile(
    r"(?P<about>P|Q|layer (?P<layer>[\w-]+)|protocol\.phases): "
    r"(?:(?P<file>[\w-]+\.\w+): |layer [\w-]+: |protocol: )?"
    r"(?:lines? (?P<line>\d+)(?:-\d+)?)?(?:, )?(?:column (?P<column>\d+))?: "
)
"""The beginning of an error message that names a place in the text of P, of Q, or of layers."""

BLOCK = re.compile(r"\S(?:.|\n(?![ \t\r]*\n))*")
"""A layer, or a recording, in a text that has blank lines between them."""


def place(message: str, request: str) -> dict[str, Any] | None:
    """The field of a request that an error message is about, and the part of the field's text.

    The part goes from the place to the end of its line, or is the whole line if the message names no column.
    Offsets count UTF-16 code units, as browsers do.  None if the message names no place.

    >>> request = json.dumps({"text": "mt 1->2\\n\\nmt 1->*"})
    >>> place("layer 2: line 1, column 7: expected a process number, found '*'", request)
    {'field': 'text', 'start': 15, 'end': 16}
    """
    named = MESSAGE.match(message)
    if not named or not (named["line"] or named["column"]):
        return None
    field = named["about"].lower() if named["about"] in ("P", "Q") else "text"
    text: str = json.loads(request)[field]
    part = _part(text, named)
    lines = text[slice(*part)].split("\n") if part else []
    number = int(named["line"] or 1) - 1
    if part is None or number >= len(lines):
        return None
    start = part[0] + sum(len(line) + 1 for line in lines[:number])
    line = lines[number].rstrip()
    column = int(named["column"] or 0) - 1
    if not 0 <= column < len(line):
        column = len(line) - len(line.lstrip())
    return {"field": field, "start": _units(text[: start + column]), "end": _units(text[: start + len(line)])}


def _part(text: str, named: re.Match[str]) -> tuple[int, int] | None:
    """The part of `text` in which the message counts lines; None if the message names no such part."""
    whole = (0, len(text))
    recording = re.fullmatch(r"recording-(\d+)\.jsonl", named["file"] or "")
    if named["about"] in ("P", "Q", "protocol.phases") or (named["file"] and not recording):
        return whole
    number = recording[1] if recording else named["layer"] or ""
    blocks = [found.span() for found in BLOCK.finditer(text)]
    return blocks[int(number) - 1] if number.isdecimal() and 0 < int(number) <= len(blocks) else None


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2
