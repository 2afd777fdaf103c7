"""Sequence diagrams of PlantUML: split into statements, of which `plantuml.lark` has the forms.

**PlantUML** (its language reference guide, "Sequence Diagram", and the commands of its source).  A slanted
arrow, ``A ->(60) B : text``, is a send.  Its slope in pixels does not say which messages overtake it, so a
comment ``' rcv B<-A`` must stand in the line at which it arrives.
"""

import re
from functools import partial
from typing import NoReturn

from lark import Token

from sealcheck.errors import InputError
from sealcheck.language.diagrams import Diagram, Diagrams, lines, refused
from sealcheck.language.messages import abridged
from sealcheck.language.names import NamedProgram
from sealcheck.language.statements import Statement, statement

_PREPROCESSOR = "the preprocessor is not run: give the output of plantuml -preproc"
_REFUSED = {
    "LOST": "this arrow marks a lost message, which no layer has: write -> if it arrives, or a note",
    "BOTH": "this arrow is two messages, and does not say which is first: write two arrows",
    "outside": "this message comes from outside or leaves the diagram: declare a participant for the outside",
    "several": "this arrow has two receivers: write an arrow to each",
    "parallel": "'&' draws at the same height, so the order is open: write one after the other, without '&'",
    "ref": "this stands for another diagram: write its messages here",
    "ref_text": "this stands for another diagram: write its messages here",
    "preprocessor": _PREPROCESSOR,
    "ambiguous": "PlantUML reads an arrow here, or a text: write the text without an arrow",
    "second": "a diagram starts before the one above has its @enduml",
}
"""By form or arrow."""
_ENDS = {
    "note_text": r"end\s?[hr]?note",
    "ref_text": r"end\s?ref",
    "participant_text": r"\]",
    "style": r"</style>",
    "picture": r".*</svg>.*",
}
"""How texts and blocks of several lines end, by form."""
_USAGE = {
    **dict.fromkeys(("participant", "actor", "create"), 'participant "the name" as A'),
    **dict.fromkeys(("note", "hnote", "rnote"), "note over A : text, or note left, its lines, and end note"),
    **dict.fromkeys(("activate", "deactivate", "destroy"), "activate A"),
    "autonumber": 'autonumber 10 5 "format", or autonumber stop',
    "box": 'box "title" #color, and end box',
    "end": "end of a block that is open, in a line of its own",
    "skinparam": "skinparam name value",
}
"""How to write the statement that starts with a keyword."""
_PARTIES = ("NAME", "QUOTED", "PAIR", "DECLARED")
_ARROWS = ("FORWARD", "BACKWARD", "BOTH", "LOST")


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
    return Diagrams(read_plantuml, text).program()


def read_plantuml(text: str, found: Diagrams, first: int = 1) -> None:
    """Add the diagrams of a text, whose lines are counted from `first`, and their errors."""
    reader: _Reader | None = None
    ended = False
    for number, raw in enumerate(lines(text), first):
        line = raw.strip()
        if reader:
            if line == "@enduml" and not reader.holds:
                reader, ended = None, True
            else:
                found.errors.tried(partial(reader.line, number, raw))
        elif begun := re.fullmatch(r"@startuml\b[\s({]*(?:id=)?([^)}]*)[)}]?", line):
            reader = _Reader(found.begin(number, begun[1].strip()))
        elif line and not re.match(r"'(?!\s*rcv\b)", line):
            found.errors.add(InputError(f"line {number}: a diagram starts with '@startuml'"))
            return
    if reader and reader.holds:
        found.errors.add(refused(reader.held_at, "what begins here", "no line ends it"))
    elif reader or not ended:
        found.errors.add(InputError("no diagram from '@startuml' to '@enduml' found"))


class _Reader:
    """The state in the middle of a diagram."""

    def __init__(self, diagram: Diagram) -> None:
        self.held_at = 0
        """The line of the beginning of a text of several lines."""
        self._diagram = diagram
        self._end: re.Pattern[str] | None = None
        self._braces = 0
        self._last: tuple[str, str] | None = None
        """Sender and receiver of the last message."""
        self._active: list[tuple[str, str]] = []
        """Those of the messages that have begun the activations which have not ended."""
        self._autoactivate = False

    @property
    def holds(self) -> bool:
        """Whether the next line belongs to a text of several lines."""
        return self._end is not None or self._braces > 0

    def line(self, number: int, raw: str) -> None:
        """Read a line.  Raises InputError if it is refused."""
        line = raw.strip()
        if self._braces:
            self._braces += line.endswith("{") - line.startswith("}")
        elif self._end:
            if end := self._end.fullmatch(line):
                self._end = None
                if any(end.groups()):
                    raise refused(number, "'/", "a comment needs lines of its own")
        elif re.search(r"(?<!\\)\\$", raw):
            raise refused(number, "'\\' at the end", "this line continues on the next one: join them")
        elif line.startswith("/'"):
            self._hold(number, r".*?'/\s*(.*)")
            self.line(number, line[2:])
        elif "'/" in line:
            raise refused(number, "'/", "a comment needs lines of its own")
        elif line and not re.match(r"'(?!\s*rcv\b)", line):
            self._statement(number, line)

    def _hold(self, number: int, end: str) -> None:
        """Leave out all lines up to an end."""
        self._end, self.held_at = re.compile(end, re.IGNORECASE), number

    def _statement(self, number: int, line: str) -> None:
        found = statement("plantuml", line) or _not_understood(number, line)
        form = found.form
        if form in _ENDS:
            self._hold(number, _ENDS[form])
        if form == "parallel":  # a block of it has its end below
            self._diagram.errors.tried(lambda: self._statement(number, line[1:].strip()))
        if form in _REFUSED:
            raise refused(number, f"'{abridged(line)}'", _REFUSED[form])
        match form:
            case "message":
                self._message(number, found)
            case "participant" | "participant_text":
                alias, shown = _party(number, found.of(_PARTIES)[0])
                self._diagram.declare(number, alias, shown)
            case "begin" | "section":
                take = self._diagram.begin if form == "begin" else self._diagram.section
                take(number, found.tokens[0].lower())
            case "end":
                self._diagram.end(number)
            case "divider":
                self._diagram.divide(number, line.strip("= "))
            case "activate":
                self._active += [self._last] if self._last else []
            case "deactivate":
                del self._active[-1:]
            case "return":
                self._return(number)
            case "autoactivate":
                self._autoactivate = line.lower().endswith("on")
            case "arrival":
                self._arrival(number, line, found)
            case "title":
                self._diagram.title = _shown(found.tokens[0])
            case "caption_text":
                word = re.findall(r"title|header|footer|caption|legend", line.lower())[0]
                self._hold(number, rf"end\s?{word}")
            case "braces":
                self._braces, self.held_at = 1, number

    def _message(self, number: int, found: Statement) -> None:
        arrow = found.of(_ARROWS)[0]
        if arrow.type in _REFUSED:
            raise refused(number, f"'{arrow}'", _REFUSED[arrow.type])
        if "hidden" in arrow.lower():
            raise refused(number, f"'{arrow}'", "this arrow is not drawn: leave it out, or draw it")
        parties = [_party(number, each) for each in found.of(_PARTIES)]
        names = [self._diagram.mention(number, *party) for party in parties]
        aliases = [alias for alias, _ in parties]
        if arrow.type == "BACKWARD":
            names.reverse()
            aliases.reverse()
        sender, receiver = names
        if found.of(("SLOPE",)):
            self._diagram.send(number, sender, receiver)
            self._diagram.slanted[aliases[0], aliases[1]].append(number)
        else:
            self._diagram.transmit(number, sender, receiver)
        self._last = (sender, receiver)
        signs = "".join(found.of(("SIGNS",)))[:1]
        if not signs and self._autoactivate:
            signs = "-" if re.search("--|dashed|dotted", arrow) else "+"
        if signs == "+":
            self._active.append(self._last)
        elif signs == "-":
            del self._active[-1:]

    def _return(self, number: int) -> None:
        """Answer the message that began the last activation, or else the last message."""
        if not (answered := self._active.pop() if self._active else self._last):
            raise refused(number, "'return'", "no message is above: write the arrow")
        sender, receiver = answered
        self._diagram.transmit(number, receiver, sender)
        self._last = (receiver, sender)

    def _arrival(self, number: int, line: str, found: Statement) -> None:
        receiver, sender = (_party(number, each)[0] for each in found.of(_PARTIES))
        under_way = self._diagram.slanted[sender, receiver]
        if not under_way:
            raise refused(number, f"'{abridged(line)}'", "no slanted arrow is open here")
        under_way.pop(0)
        ends = [self._diagram.mention(number, alias, alias) for alias in (receiver, sender)]
        self._diagram.receive(number, *ends)


def _party(number: int, token: Token) -> tuple[str, str]:
    """The alias and the shown name of a participant.  Raises InputError if it would have to be computed."""
    if re.search(r"%\w+\(|\$\w+", token):
        raise refused(number, f"'{abridged(token)}'", _PREPROCESSOR)
    if token.type not in ("PAIR", "DECLARED"):
        return token.strip('"'), _shown(token)
    pair = re.fullmatch(r"""(?i:("[^"]*"|[\w.@]+)\s*\bas\b\s*("[^"]*"|[\w.@]+))""", token)
    assert pair
    shown, alias = pair.groups() if not pair[2].startswith('"') else (pair[2], pair[1])
    return alias, _shown(shown)


def _shown(name: str) -> str:
    """A name as it is shown, in one line."""
    return re.sub(r"\s*(?:\\n|<br\s*/?>)\s*", " ", name).strip('"')


def _not_understood(number: int, line: str) -> NoReturn:
    """Raise the InputError for a text that no rule reads."""
    if line.startswith("'"):
        raise refused(number, f"'{abridged(line)}'", "write ' rcv B<-A where a slanted arrow arrives")
    keyword = re.match(r"\w*", line)
    if keyword and keyword[0].lower() in _USAGE:
        raise refused(number, f"'{abridged(line)}'", f"write {_USAGE[keyword[0].lower()]}")
    raise refused(number, f"'{abridged(line)}'", "not a participant, a supported arrow, or a note")
