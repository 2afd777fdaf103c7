"""PlantUML's sequence diagrams: participants and arrows; what only decorates is left out, all else refused.

A slanted arrow such as ``A ->(60) B : text`` is a send.  How many pixels it falls does not say which
messages overtake it, so a comment ``' rcv B<-A`` has to stand in the line at which it arrives.

The format: the PlantUML language reference guide, "Sequence Diagram".
"""

import re
from collections import defaultdict

from sealcheck.errors import InputError
from sealcheck.language.diagrams import BLOCK, Diagram, refused
from sealcheck.language.expressions import abridged
from sealcheck.language.names import NamedProgram

_NAME = r'"[^"]+"|[^\W\d]\w*'
_KINDS = "participant|actor|boundary|control|entity|database|collections|queue"
_PARTICIPANT = re.compile(rf"(?:{_KINDS})\s+({_NAME})(?:\s+as\s+({_NAME}))?")
_ARROW = re.compile(rf"({_NAME})\s*(-->>|->>|-->|->|<<--|<<-|<--|<-)\s*({_NAME})\s*(?::.*)?")
_SLANTED = re.compile(
    rf"(?:({_NAME})\s*--?>>?\s*\(\d+\)\s*({_NAME})|({_NAME})\s*\(\d+\)\s*<<?--?\s*({_NAME}))\s*(?::.*)?"
)
_ARRIVAL = re.compile(rf"'\s*rcv\s+({_NAME})\s*<-\s*({_NAME})")
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
    diagram = _Reading()
    begun = ended = False
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        arrival = _ARRIVAL.fullmatch(line)
        if not line or (line.startswith("'") and not arrival):
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
    for (sender, receiver), lines in diagram.slanted.items():
        if lines:
            reason = f"write the line ' rcv {receiver}<-{sender} where it arrives"
            raise refused(lines[0], "a slanted arrow", reason)
    return diagram.program()


class _Reading(Diagram):
    """A diagram, and the lines of slanted arrows that have not arrived, by sender and receiver."""

    def __init__(self) -> None:
        super().__init__()
        self.slanted: defaultdict[tuple[str, str], list[int]] = defaultdict(list)


def _read(diagram: _Reading, number: int, line: str) -> None:
    if found := _ARRIVAL.fullmatch(line):
        receiver, sender = (part.strip('"') for part in found.groups())
        if not diagram.slanted[sender, receiver]:
            raise refused(number, f"'{abridged(line)}'", "no slanted arrow is under way there")
        diagram.slanted[sender, receiver].pop(0)
        diagram.receive(receiver, sender)
    elif found := _SLANTED.fullmatch(line):
        ends = (found[1], found[2]) if found[1] else (found[4], found[3])
        sender, receiver = (part.strip('"') for part in ends)
        diagram.send(number, sender, receiver)
        diagram.slanted[sender, receiver].append(number)
    elif found := _ARROW.fullmatch(line):
        first, arrow, second = found[1].strip('"'), found[2], found[3].strip('"')
        ends = (second, first) if arrow.startswith("<") else (first, second)
        diagram.transmit(number, *ends)
    elif found := _PARTICIPANT.fullmatch(line):
        shown, alias = found[1].strip('"'), (found[2] or found[1]).strip('"')
        quoted = (found[2] or "").startswith('"')  # participant A as "the name" has them the other way round
        diagram.declare(number, *((shown, alias) if quoted else (alias, shown)))
    elif found := _BLOCK.fullmatch(line):
        raise refused(number, f"'{found[1]}'", BLOCK)
    elif not (_DECORATION.fullmatch(line) or _NOTE.fullmatch(line)):
        raise refused(number, f"'{abridged(line)}'", "this is no participant, arrow, or note in one line")
