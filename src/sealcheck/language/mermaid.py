"""Mermaid's sequence diagrams: participants and arrows; what only decorates is left out, all else refused.

The format: the documentation of Mermaid, "Sequence diagrams".
"""

import re

from sealcheck.errors import InputError
from sealcheck.language.diagrams import BLOCK, Diagram, refused
from sealcheck.language.expressions import abridged
from sealcheck.language.names import NamedProgram

_NAME = r"[^\s\-+<>:,;()][^\-+<>:,;()]*?"
_PARTICIPANT = re.compile(rf"(?:participant|actor)\s+({_NAME})(?:\s+as\s+(.+?))?")
_ARROW = re.compile(rf"({_NAME})\s*(-->>|->>|-->|->|--\)|-\)|--x|-x)\s*[+-]?\s*({_NAME})\s*:.*")
_DECORATION = re.compile(r"(?i:note|title|activate|deactivate|autonumber|acctitle|accdescr)\b.*")
_BLOCK = re.compile(r"(loop|alt|opt|par|critical|break|else|and|option)\b.*")
_OTHER = re.compile(r"(rect|box|end|create|destroy|links?|properties|details)\b.*")


def parse_mermaid(text: str) -> NamedProgram:
    """The program of a diagram.  Raises InputError, with the line, for what is not read.

    >>> diagram = '''sequenceDiagram
    ...     participant C as client
    ...     C->>server: request'''
    >>> parse_mermaid(diagram).names
    ('client', 'server')
    >>> parse_mermaid("sequenceDiagram\\n  loop every second")
    Traceback (most recent call last):
    sealcheck.errors.InputError: line 2: 'loop': a layer has no branches and no loops: see --repeat
    """
    diagram = Diagram()
    begun = False
    lines = text.splitlines()
    decoration = _front_matter(lines)
    for number, raw in enumerate(lines[decoration:], decoration + 1):
        line = raw.strip().removesuffix(";").rstrip()
        if not line or line.startswith("%%"):
            continue
        if not begun:
            if line != "sequenceDiagram":
                raise InputError(f"line {number}: a sequence diagram starts with 'sequenceDiagram'")
            begun = True
        else:
            _read(diagram, number, line)
    if not begun:
        raise InputError("there is no sequence diagram")
    return diagram.program()


def _front_matter(lines: list[str]) -> int:
    """How many lines at the top, from --- to ---, only say how the diagram is to look."""
    marks = [number for number, line in enumerate(lines, 1) if line.strip() == "---"]
    return marks[1] if marks[:1] == [1] and len(marks) > 1 else 0


def _read(diagram: Diagram, number: int, line: str) -> None:
    if found := _ARROW.fullmatch(line):
        sender, arrow, receiver = found.groups()
        if arrow.endswith("x"):
            raise refused(number, f"'{arrow}'", "a lost message, but channels lose nothing here")
        diagram.transmit(number, sender, receiver)
    elif found := _PARTICIPANT.fullmatch(line):
        diagram.declare(number, found[1], found[2] or found[1])
    elif found := _BLOCK.fullmatch(line):
        raise refused(number, f"'{found[1]}'", BLOCK)
    elif found := _OTHER.fullmatch(line):
        raise refused(number, f"'{found[1]}'", "this is not read; participants, arrows and notes are")
    elif not _DECORATION.fullmatch(line):
        raise refused(number, f"'{abridged(line)}'", "this is no participant, arrow with a text, or note")
