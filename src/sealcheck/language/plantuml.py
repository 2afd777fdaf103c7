"""PlantUML's sequence diagrams: participants and arrows; what only decorates is left out, all else refused.

A slanted arrow is refused: how many pixels it falls does not say which messages it overtakes.  Messages that
overtake are written as program text, by ``snd`` and ``rcv``.

The format: the PlantUML language reference guide, "Sequence Diagram".
"""

import re

from sealcheck.errors import InputError
from sealcheck.language.diagrams import BLOCK, Diagram, refused
from sealcheck.language.expressions import abridged
from sealcheck.language.names import NamedProgram

_NAME = r'"[^"]+"|[^\W\d]\w*'
_KINDS = "participant|actor|boundary|control|entity|database|collections|queue"
_PARTICIPANT = re.compile(rf"(?:{_KINDS})\s+({_NAME})(?:\s+as\s+({_NAME}))?")
_ARROW = re.compile(rf"({_NAME})\s*(-->>|->>|-->|->|<<--|<<-|<--|<-)\s*({_NAME})\s*(?::.*)?")
_SLANTED = re.compile(r".*(->>?\s*\(\d+\)|\(\d+\)\s*<<?-).*")
_DECORATION = re.compile(
    r"(?:(?:title|header|footer|skinparam|hide|autonumber|activate|deactivate)\b|==.*==$|\.\.\.|\|\|).*"
)
_NOTE = re.compile(r"note\s+(?:left|right|over|across)\b[^:]*:.*")
_BLOCK = re.compile(r"(loop|alt|opt|par|critical|break|else|group)\b.*")


def parse_plantuml(text: str) -> NamedProgram:
    """The program of a diagram.  Raises InputError, with the line, for what is not read.

    >>> diagram = '''@startuml
    ... participant "the server" as s
    ... client -> s : request
    ... client <- s : answer
    ... @enduml'''
    >>> parse_plantuml(diagram).names
    ('the server', 'client')
    """
    diagram = Diagram()
    begun = ended = False
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith("'"):
            continue
        if not begun:
            if not re.fullmatch(r"@startuml\b.*", line):
                raise InputError(f"line {number}: a diagram starts with '@startuml'")
            begun = True
        elif ended:
            raise InputError(f"line {number}: one diagram is read, and this is after '@enduml'")
        elif line == "@enduml":
            ended = True
        else:
            _read(diagram, number, line)
    if not ended:
        raise InputError("there is no diagram from '@startuml' to '@enduml'")
    return diagram.program()


def _read(diagram: Diagram, number: int, line: str) -> None:
    if found := _ARROW.fullmatch(line):
        first, arrow, second = found[1].strip('"'), found[2], found[3].strip('"')
        ends = (second, first) if arrow.startswith("<") else (first, second)
        diagram.transmit(number, *ends)
    elif found := _PARTICIPANT.fullmatch(line):
        shown, alias = found[1].strip('"'), (found[2] or found[1]).strip('"')
        quoted = (found[2] or "").startswith('"')  # participant A as "the name" has them the other way round
        diagram.declare(number, *((shown, alias) if quoted else (alias, shown)))
    elif _SLANTED.fullmatch(line):
        reason = "it does not say which messages it overtakes: write snd and rcv as program text"
        raise refused(number, "a slanted arrow", reason)
    elif found := _BLOCK.fullmatch(line):
        raise refused(number, f"'{found[1]}'", BLOCK)
    elif not (_DECORATION.fullmatch(line) or _NOTE.fullmatch(line)):
        raise refused(number, f"'{abridged(line)}'", "this is no participant, arrow, or note in one line")
