"""Sequence diagrams of PlantUML: read what is drawn, skip decorations, refuse the rest.

**PlantUML** (its language reference guide, "Sequence Diagram").  A slanted arrow, ``A ->(60) B : text``, is a
send.  Its slope in pixels does not say which messages overtake it, so a comment ``' rcv B<-A`` must stand in
the line at which it arrives.
"""

import re
from functools import partial

from sealcheck.errors import InputError
from sealcheck.language.diagrams import Diagram, Errors, lines, refused
from sealcheck.language.messages import abridged
from sealcheck.language.names import NamedProgram

_UML_NAME = r'"[^"]+"|[^\W\d]\w*'
_KINDS = "participant|actor|boundary|control|entity|database|collections|queue"
_UML_PARTICIPANT = re.compile(rf"(?i:{_KINDS})\s+({_UML_NAME})(?:\s+(?i:as)\s+({_UML_NAME}))?")
_UML_ARROW = re.compile(rf"({_UML_NAME})\s*(-->>|->>|-->|->|<<--|<<-|<--|<-)\s*({_UML_NAME})\s*(?::.*)?")
_SLANTED = re.compile(
    rf"(?:({_UML_NAME})\s*--?>>?\s*\(\d+\)\s*({_UML_NAME})|({_UML_NAME})\s*\(\d+\)\s*<<?--?\s*({_UML_NAME}))\s*(?::.*)?"
)
_ARRIVAL = re.compile(rf"'\s*rcv\s+({_UML_NAME})\s*<-\s*({_UML_NAME})")
_UML_BLOCK = re.compile(r"(?ai:(loop|alt|opt|par2|par|critical|break|group))(?:\s+[^-]*)?")
_UML_SECTION = re.compile(r"(?ai:(else|also))(?:\s+[^-]*)?")
_UML_END = re.compile(r"(?ai:end)(?:\s+(?ai:loop|alt|opt|par2|par|critical|break|group))?")
_UML_DECORATION = re.compile(
    rf"""(?:title|caption|mainframe|header|footer)\s+\S.*
    | !(?:theme|pragma)\s[^-]*
    | skinparam\s[^{{}}-]+
    | hide\s[\w\s]+
    | autonumber(?:\s+(?:stop|resume|inc\s+\w))?(?:\s+[\d.,;:]+)*(?:\s+"[^"]*")?
    | (?:de)?activate\s+(?:{_UML_NAME})(?:\s+\#\w+)?
    | deactivate
    | note\s+(?:left|right|over|across)\b[^:]*:.*
    | \.\.\.(?:[^-]*\.\.\.)?  # with an arrow inside, it would be one
    | \|\|(?:\||\d+\|\|)""",
    re.IGNORECASE | re.VERBOSE,
)
_TEXT = re.compile(r"(?ai:title|caption|mainframe|header|footer|legend)\b")
"""The start of a line that is a text, even if it contains an arrow."""


def parse_plantuml(text: str) -> NamedProgram:
    """The program of a diagram.  Raises InputError, with the line, for unsupported constructs.

    >>> diagram = '''@startuml
    ... participant "the server" as s
    ... client -> s : request
    ... client <- s : answer
    ... @enduml'''
    >>> parse_plantuml(diagram).names
    ('the server', 'client')
    """
    return read_plantuml(text).program()


def read_plantuml(text: str) -> Diagram:
    """The diagram, with its blocks and dividers.  Raises InputError, whose notes have the further errors."""
    errors = Errors()
    diagram = Diagram(errors)
    begun = ended = False
    for number, raw in enumerate(lines(text), 1):
        line = raw.strip()
        if re.search(r"(?<!\\)\\$", raw):
            errors.add(refused(number, "'\\' at the end", "this line continues on the next one: join them"))
        elif not line or re.match(r"'(?!\s*rcv\b)", line):
            continue
        elif not begun:
            if not re.fullmatch(r"@startuml\b.*", line):
                raise InputError(f"line {number}: a diagram starts with '@startuml'")
            begun = True
        elif ended:
            raise InputError(f"line {number}: only the first diagram is read, and this is after '@enduml'")
        elif line == "@enduml":
            ended = True
        else:
            errors.tried(partial(_read_plantuml, diagram, number, line))
    if not ended:
        raise InputError("no diagram from '@startuml' to '@enduml' found")
    diagram.finish()
    errors.raise_any()
    return diagram


def _read_plantuml(diagram: Diagram, number: int, line: str) -> None:
    if line.startswith("'"):
        if not (found := _ARRIVAL.fullmatch(line)):
            raise refused(number, f"'{abridged(line)}'", "write ' rcv B<-A where a slanted arrow arrives")
        receiver, sender = (part.strip('"') for part in found.groups())
        if not diagram.slanted[sender, receiver]:
            raise refused(number, f"'{abridged(line)}'", "no slanted arrow is open here")
        diagram.slanted[sender, receiver].pop(0)
        diagram.receive(number, receiver, sender)
    elif found := re.fullmatch(r"==(.*)==", line):
        diagram.divide(number, found[1].strip("= "))
    elif _UML_DECORATION.fullmatch(line):
        pass
    elif _TEXT.match(line):
        raise refused(number, f"'{abridged(line)}'", "write this text in one line")
    elif found := _SLANTED.fullmatch(line):
        ends = (found[1], found[2]) if found[1] else (found[4], found[3])
        sender, receiver = (part.strip('"') for part in ends)
        diagram.send(number, sender, receiver)
        diagram.slanted[sender, receiver].append(number)
    elif found := _UML_ARROW.fullmatch(line):
        first, arrow, second = found[1].strip('"'), found[2], found[3].strip('"')
        ends = (second, first) if arrow.startswith("<") else (first, second)
        diagram.transmit(number, *ends)
    elif found := _UML_PARTICIPANT.fullmatch(line):
        shown, alias = found[1].strip('"'), (found[2] or found[1]).strip('"')
        quoted = (found[2] or "").startswith('"')  # participant A as "the name" has them the other way round
        diagram.declare(number, *((shown, alias) if quoted else (alias, shown)))
    elif found := _UML_BLOCK.fullmatch(line):
        diagram.begin(number, found[1].lower())
    elif found := _UML_SECTION.fullmatch(line):
        diagram.section(number, found[1].lower())
    elif found := _UML_END.fullmatch(line):
        diagram.end(number)
    elif line.startswith("!"):
        reason = "the preprocessor is not run: give the output of plantuml -preproc"
        raise refused(number, f"'{abridged(line)}'", reason)
    else:
        what = "not a participant, a supported arrow, or a note in one line"
        raise refused(number, f"'{abridged(line)}'", what)
