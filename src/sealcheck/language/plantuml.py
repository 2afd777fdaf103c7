"""PlantUML's sequence diagrams: participants and arrows are read, decorations left out, the rest refused.

A slanted arrow such as ``A ->(60) B : text`` is a send.  How many pixels it falls does not say which
messages overtake it, so a comment ``' rcv B<-A`` has to stand in the line at which it arrives.

The format: the PlantUML language reference guide, "Sequence Diagram".
"""

import re
from collections import defaultdict

from sealcheck.errors import InputError
from sealcheck.language.diagrams import BLOCK, Diagram, lines, refused
from sealcheck.language.expressions import abridged
from sealcheck.language.names import NamedProgram

_NAME = r'"[^"]+"|[^\W\d]\w*'
_KINDS = "participant|actor|boundary|control|entity|database|collections|queue"
_PARTICIPANT = re.compile(rf"(?i:{_KINDS})\s+({_NAME})(?:\s+(?i:as)\s+({_NAME}))?")
_ARROW = re.compile(rf"({_NAME})\s*(-->>|->>|-->|->|<<--|<<-|<--|<-)\s*({_NAME})\s*(?::.*)?")
_SLANTED = re.compile(
    rf"(?:({_NAME})\s*--?>>?\s*\(\d+\)\s*({_NAME})|({_NAME})\s*\(\d+\)\s*<<?--?\s*({_NAME}))\s*(?::.*)?"
)
_ARRIVAL = re.compile(rf"'\s*rcv\s+({_NAME})\s*<-\s*({_NAME})")
_BLOCK = re.compile(r"(?ai:loop|alt|opt|par|critical|break|else|group)\b")
_DECORATION = re.compile(
    rf"""(?:title|caption|mainframe|header|footer)\s+\S.*
    | skinparam\s[^{{}}-]+
    | hide\s[\w\s]+
    | autonumber(?:\s+(?:stop|resume|inc\s+\w))?(?:\s+[\d.,;:]+)*(?:\s+"[^"]*")?
    | (?:de)?activate\s+(?:{_NAME})(?:\s+\#\w+)?
    | deactivate
    | note\s+(?:left|right|over|across)\b[^:]*:.*
    | ==.*==
    | \.\.\.(?:[^-]*\.\.\.)?  # with an arrow inside, it would be one
    | \|\|(?:\||\d+\|\|)""",
    re.IGNORECASE | re.VERBOSE,
)
_TEXT = re.compile(r"(?ai:title|caption|mainframe|header|footer|legend)\b")
"""How a line starts that is a text, even if there is an arrow in it."""


def parse_plantuml(text: str) -> NamedProgram:
    """The program of a diagram.  Raises InputError, with the line, for unsupported lines.

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
    for number, raw in enumerate(lines(text), 1):
        line = raw.strip()
        if re.search(r"(?<!\\)\\$", raw):
            raise refused(number, "'\\' at the end", "this line continues on the next one: join them")
        if not line or re.match(r"'(?!\s*rcv\b)", line):
            continue
        if not begun:
            if not re.fullmatch(r"@startuml\b.*", line):
                raise InputError(f"line {number}: a diagram starts with '@startuml'")
            begun = True
        elif ended:
            raise InputError(f"line {number}: only the first diagram is read, and this is after '@enduml'")
        elif line == "@enduml":
            ended = True
        else:
            _read(diagram, number, line)
    if not ended:
        raise InputError("no diagram from '@startuml' to '@enduml' found")
    for (sender, receiver), sent in diagram.slanted.items():
        if sent:
            reason = f"write the line ' rcv {receiver}<-{sender} where it arrives"
            raise refused(sent[0], "a slanted arrow", reason)
    return diagram.program()


class _Reading(Diagram):
    """A diagram, and the lines of slanted arrows that have not arrived, by sender and receiver."""

    def __init__(self) -> None:
        super().__init__()
        self.slanted: defaultdict[tuple[str, str], list[int]] = defaultdict(list)


def _read(diagram: _Reading, number: int, line: str) -> None:
    if line.startswith("'"):
        if not (found := _ARRIVAL.fullmatch(line)):
            raise refused(number, f"'{abridged(line)}'", "write ' rcv B<-A where a slanted arrow arrives")
        receiver, sender = (part.strip('"') for part in found.groups())
        if not diagram.slanted[sender, receiver]:
            raise refused(number, f"'{abridged(line)}'", "no slanted arrow is open here")
        diagram.slanted[sender, receiver].pop(0)
        diagram.receive(receiver, sender)
    elif _DECORATION.fullmatch(line):
        pass
    elif _TEXT.match(line):
        raise refused(number, f"'{abridged(line)}'", "write this text in one line")
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
    elif found := _BLOCK.match(line):
        raise refused(number, f"'{found[0]}'", BLOCK)
    else:
        what = "not a participant, a supported arrow, or a note in one line"
        raise refused(number, f"'{abridged(line)}'", what)
