"""Sequence diagrams of Mermaid and PlantUML: read participants and arrows, skip decorations, refuse the rest.

An arrow is a transmission: the sender sends, then the receiver receives.  Arrows are in the order of lines.

**Mermaid** (its documentation, "Sequence diagrams", and its grammar, `sequenceDiagram.jison`).  A semicolon
ends a line, except in a character code such as ``#59;``, and any other ``#`` starts a comment.  A statement
that starts with a keyword is never a message.

**PlantUML** (its language reference guide, "Sequence Diagram").  A slanted arrow, ``A ->(60) B : text``, is a
send.  Its slope in pixels does not say which messages overtake it, so a comment ``' rcv B<-A`` must stand in
the line at which it arrives.
"""

import html
import re
from collections import defaultdict

from sealcheck.errors import InputError
from sealcheck.language.messages import abridged
from sealcheck.language.names import NamedProgram, Naming, require_name

BLOCK = "a layer has no branches and no loops: see --repeat"


def refused(number: int, what: str, reason: str) -> InputError:
    """The error for a line with an unsupported construct."""
    return InputError(f"line {number}: {what}: {reason}")


def lines(text: str) -> list[str]:
    """The lines of a diagram, split as Mermaid and PlantUML split them.

    >>> lines("a\\r\\nb\\x0cc\\u2028d")
    ['a', 'b\\x0cc\\u2028d']
    """
    return re.split("\r\n?|\n", text)


class Diagram:
    """A sequence diagram while it is read; each alias stands for the shown name of a process."""

    def __init__(self) -> None:
        self._naming = Naming()
        self._shown: dict[str, str] = {}
        self.slanted: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        """The lines of arrows that have not arrived, by sender and receiver."""

    def declare(self, number: int, alias: str, shown: str) -> None:
        """Add a participant.  Raises InputError if the alias or the name is taken."""
        if alias in self._shown:
            raise refused(number, f"'{alias}'", "this participant is already declared")
        if shown in self._shown.values():
            raise refused(number, f"'{shown}'", "two participants have this name")
        self._shown[alias] = require_name(shown, f"line {number}: ")
        self._naming.number(shown)

    def transmit(self, number: int, sender: str, receiver: str) -> None:
        """Add an arrow.  Raises InputError if it leads back to its sender."""
        self.send(number, sender, receiver)
        self._naming.receive(self._shown[receiver], self._shown[sender])

    def send(self, number: int, sender: str, receiver: str) -> None:
        """Add the tail of an arrow.  Raises InputError as `transmit` does."""
        if sender == receiver:
            raise refused(number, f"'{sender}' sends to itself", "write a note for an internal event")
        for alias in (sender, receiver):
            if alias not in self._shown:
                self.declare(number, alias, alias)
        self._naming.send(self._shown[sender], self._shown[receiver])

    def receive(self, receiver: str, sender: str) -> None:
        """Add the head of an arrow between known participants."""
        self._naming.receive(self._shown[receiver], self._shown[sender])

    def program(self) -> NamedProgram:
        """The program of the diagram."""
        return self._naming.program()


_CODE, _CODE_END = "\ue000", "\ue001"
"""Replacements of ``#`` and ``;`` around a character code."""
_NAME = r"[^\s\-+<>:,;()/\\#%@](?:[^\-+<>:,;()/\\#%@]|-(?![-+<>:,;()/\\|xX\s]))*?"
_ARROW = re.compile(rf"({_NAME})\s*(-->>|->>|-->|->|--\)|-\)|--[xX]|-[xX])\s*[+-]?\s*({_NAME})\s*:.*")
_PARTICIPANT = re.compile(rf"(?i:participant|actor)\s+({_NAME})(?:\s+(?i:as)\s+([^#]+?))?")
_BLOCK = re.compile(r"(?ai:loop|alt|opt|par|par_over|critical|break|else|and|option)\b")
_DECORATION = re.compile(
    rf"""title(?::\s|\s).*
    | (?:acctitle|accdescr)\s*:.*
    | autonumber(?:\s+off|(?:\s+[0-9.]+){{0,2}})
    | (?:de)?activate\s+{_NAME}
    | note\s+(?:over\s+{_NAME}(?:\s*,\s*{_NAME})?|(?:left|right)\s+of\s+{_NAME})\s*:.*""",
    re.IGNORECASE | re.VERBOSE,
)
_KEYWORD = re.compile(
    r"(?ai:participant|actor|title|acctitle|accdescr|autonumber|off|activate|deactivate|note|over|left\ of"
    r"|right\ of|sequencediagram|rect|box|end|create|destroy|links?|properties|details)\b|" + _BLOCK.pattern
)


def parse_mermaid(text: str) -> NamedProgram:
    """The program of a diagram.  Raises InputError, with the line, for unsupported constructs.

    >>> diagram = '''sequenceDiagram
    ...     participant C as client
    ...     C->>server: request; server->>log: done'''
    >>> parse_mermaid(diagram).names
    ('client', 'server', 'log')
    >>> parse_mermaid("sequenceDiagram\\n  loop every second")
    Traceback (most recent call last):
    sealcheck.errors.InputError: line 2: 'loop': a layer has no branches and no loops: see --repeat
    """
    diagram = Diagram()
    begun = False
    all_lines = lines(text)
    decoration = _front_matter(all_lines)
    for number, line in enumerate(all_lines[decoration:], decoration + 1):
        for statement in _statements(number, line.strip()):
            if begun:
                _read_mermaid(diagram, number, statement)
            elif statement != "sequenceDiagram":
                raise InputError(f"line {number}: a sequence diagram starts with 'sequenceDiagram'")
            begun = True
    if not begun:
        raise InputError("no sequence diagram found")
    return diagram.program()


def _front_matter(lines: list[str]) -> int:
    """The number of lines of front matter, from --- to --- at the top."""
    marks = [number for number, line in enumerate(lines, 1) if line.rstrip() == "---"]
    return marks[1] if marks[:1] == [1] and len(marks) > 1 else 0


def _statements(number: int, line: str) -> list[str]:
    """The statements of a line, in which character codes are marked.  Raises InputError for hidden ones."""
    if re.match(r"%%(?!\{)", line) or re.fullmatch(r"%%\{(?:(?!\}%%).)*\}%%", line):
        return []
    if "%%" in line:
        raise refused(number, "'%%'", "a comment, or a whole directive, needs a line of its own")
    if entity := re.search(r"(?a)&(#?\w+);\s*\S", line):
        code = entity[1].removeprefix("#")
        raise refused(number, f"'&{entity[1]};'", f"';' ends a line in Mermaid: write #{code};")
    marked = re.sub(r"(?a)#(\w+);", rf"{_CODE}\1{_CODE_END}", line)
    found = [statement for part in marked.split(";") if (statement := part.strip())]
    if "#" in marked and ";" in marked.partition("#")[2]:
        raise refused(number, "'#'", "Mermaid reads the rest of the line as a comment: write #35;")
    if re.search(rf"{_CODE_END}\s*{_ARROW.pattern}", marked):
        raise refused(number, "'#…;'", "Mermaid reads a message after it as text: give it a line of its own")
    if len(found) > 1 and re.search(r"(?i)\bacc(title|descr)\s*:", line):
        raise refused(number, "';'", "this text goes on to the end of the line")
    return [statement for statement in found if not statement.startswith("#")]


def _read_mermaid(diagram: Diagram, number: int, statement: str) -> None:
    if keyword := _KEYWORD.match(statement):
        if found := _PARTICIPANT.fullmatch(statement):
            _require_no_keyword(number, found[1])
            diagram.declare(number, found[1], _decoded(found[2] or found[1]))
        elif _BLOCK.match(statement):
            raise refused(number, f"'{keyword[0]}'", BLOCK)
        elif not _DECORATION.fullmatch(statement):
            raise refused(number, f"'{keyword[0]}'", "only participants, arrows and notes are read")
    elif found := _ARROW.fullmatch(statement):
        sender, arrow, receiver = found.groups()
        _require_no_keyword(number, receiver)
        if arrow.lower().endswith("x"):
            raise refused(number, f"'{arrow}'", "this arrow marks a lost message, which is not supported")
        diagram.transmit(number, sender, receiver)
    else:
        what = abridged(_decoded(statement))
        raise refused(number, f"'{what}'", "not a participant, an arrow with a text, or a note")


def _require_no_keyword(number: int, name: str) -> None:
    """Raise InputError if Mermaid would not read this as a name."""
    if _KEYWORD.match(name):
        raise refused(number, f"'{name}'", "this name starts with a word of Mermaid's own")


def _decoded(text: str) -> str:
    """The text with its character codes replaced."""
    coded = re.sub(rf"{_CODE}(\w+){_CODE_END}", lambda m: f"&{'#' * m[1].isdigit()}{m[1]};", text)
    return html.unescape(coded)


_UML_NAME = r'"[^"]+"|[^\W\d]\w*'
_KINDS = "participant|actor|boundary|control|entity|database|collections|queue"
_UML_PARTICIPANT = re.compile(rf"(?i:{_KINDS})\s+({_UML_NAME})(?:\s+(?i:as)\s+({_UML_NAME}))?")
_UML_ARROW = re.compile(rf"({_UML_NAME})\s*(-->>|->>|-->|->|<<--|<<-|<--|<-)\s*({_UML_NAME})\s*(?::.*)?")
_SLANTED = re.compile(
    rf"(?:({_UML_NAME})\s*--?>>?\s*\(\d+\)\s*({_UML_NAME})|({_UML_NAME})\s*\(\d+\)\s*<<?--?\s*({_UML_NAME}))\s*(?::.*)?"
)
_ARRIVAL = re.compile(rf"'\s*rcv\s+({_UML_NAME})\s*<-\s*({_UML_NAME})")
_UML_BLOCK = re.compile(r"(?ai:loop|alt|opt|par|critical|break|else|group)\b")
_UML_DECORATION = re.compile(
    rf"""(?:title|caption|mainframe|header|footer)\s+\S.*
    | skinparam\s[^{{}}-]+
    | hide\s[\w\s]+
    | autonumber(?:\s+(?:stop|resume|inc\s+\w))?(?:\s+[\d.,;:]+)*(?:\s+"[^"]*")?
    | (?:de)?activate\s+(?:{_UML_NAME})(?:\s+\#\w+)?
    | deactivate
    | note\s+(?:left|right|over|across)\b[^:]*:.*
    | ==.*==
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
    diagram = Diagram()
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
            _read_plantuml(diagram, number, line)
    if not ended:
        raise InputError("no diagram from '@startuml' to '@enduml' found")
    for (sender, receiver), sent in diagram.slanted.items():
        if sent:
            reason = f"write the line ' rcv {receiver}<-{sender} where it arrives"
            raise refused(sent[0], "a slanted arrow", reason)
    return diagram.program()


def _read_plantuml(diagram: Diagram, number: int, line: str) -> None:
    if line.startswith("'"):
        if not (found := _ARRIVAL.fullmatch(line)):
            raise refused(number, f"'{abridged(line)}'", "write ' rcv B<-A where a slanted arrow arrives")
        receiver, sender = (part.strip('"') for part in found.groups())
        if not diagram.slanted[sender, receiver]:
            raise refused(number, f"'{abridged(line)}'", "no slanted arrow is open here")
        diagram.slanted[sender, receiver].pop(0)
        diagram.receive(receiver, sender)
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
    elif found := _UML_BLOCK.match(line):
        raise refused(number, f"'{found[0]}'", BLOCK)
    else:
        what = "not a participant, a supported arrow, or a note in one line"
        raise refused(number, f"'{abridged(line)}'", what)
