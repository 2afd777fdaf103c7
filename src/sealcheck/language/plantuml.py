"""Sequence diagrams of PlantUML, split into statements; `plantuml.lark` has their forms.

The forms of statements follow PlantUML's language reference guide ("Sequence Diagram") and PlantUML's own
source code, where each form is a command.  A slanted arrow, ``A ->(60) B : text``, is only a send.  The
comment ``' rcv B<-A`` marks the line at which the message arrives, because the slope does not show which
messages overtake it.
"""

import re
from functools import partial

from lark import Token

from sealcheck.errors import InputError
from sealcheck.language.diagrams import Diagram, Diagrams, Language, Statement, lines, refused
from sealcheck.language.messages import abridged
from sealcheck.language.names import NamedProgram

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
"""Reasons for refusals, by form or arrow."""
_ENDS = {
    "note_text": r"end\s?[hr]?note",
    "ref_text": r"end\s?ref",
    "participant_text": r"[^\[\]]*\]",
    "style": r"</style>",
    "picture": r".*</svg>.*",
    "braces": "",
}
"""For each form of several lines, the line that ends it.  A block in braces ends with its last brace."""
_LANGUAGE = Language(
    "plantuml",
    {
        **dict.fromkeys(("participant", "actor", "create"), 'participant "the name" as A'),
        **dict.fromkeys(("note", "hnote", "rnote"), "note over A : text, or note left, lines, and end note"),
        **dict.fromkeys(("activate", "deactivate", "destroy"), "activate A"),
        "autonumber": 'autonumber 10 5 "format", or autonumber stop',
        "box": 'box "title" #color, and end box',
        "end": "end of a block that is open, in a line of its own",
        "skinparam": "skinparam name value",
        "'": "' rcv B<-A where a slanted arrow arrives",
    },
    "not a participant, an arrow, or a note",
)
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
    """Add the diagrams of a text, and their errors, to `found`.  Lines are counted from `first`."""
    reader: _Reader | None = None
    ended = strayed = False
    for number, raw in enumerate(lines(text), first):
        line = raw.strip()
        if reader and line == "@enduml" and not reader.held:
            reader, ended = None, True
        elif reader:
            found.errors.tried(partial(reader.line, number, raw))
        elif begun := re.fullmatch(r"@startuml\b(.*)", line):
            reader = _Reader(found.begin(number, begun[1].strip()))
        elif line and not strayed and not re.match(r"'(?!\s*rcv\b)", line):
            found.errors.add(InputError(f"line {number}: a diagram starts with '@startuml'"))
            strayed = True
    if reader and reader.held:
        found.errors.add(refused(*reader.held, "no line below ends this"))
    elif reader or not (ended or strayed):
        found.errors.add(InputError("no diagram from '@startuml' to '@enduml' found"))


class _Reader:
    """The state of reading, at a line of a diagram."""

    def __init__(self, diagram: Diagram) -> None:
        self.held: tuple[int, str] | None = None
        """The first line of an open text of several lines: its number, and its content."""
        self._end = re.compile("")
        self._braces = 0
        """The number of open braces."""
        self._diagram = diagram
        self._last: tuple[str, str] | None = None
        """The sender and receiver of the message above, if no block has ended since that message."""
        self._active: list[tuple[str, str]] = []
        """The messages with an open activation; `return` answers the last of them."""
        self._autoactivate = False

    def line(self, number: int, raw: str) -> None:
        """Read one line.  Raises InputError if the line is refused."""
        line = raw.strip()
        if self.held:
            self._inner_line(number, line)
        elif re.search(r"(?<!\\)\\$", raw):
            raise refused(number, "'\\' at the end", "this line continues on the next one: join them")
        elif line.startswith("/'"):
            self._hold(number, "/'", r".*?'/\s*(.*)")
            self._inner_line(number, line[2:])
        elif "/'" in line and (line.endswith("'/") or "/'''" in line):
            raise refused(number, "a comment behind a statement", "give it a line of its own")
        elif line and not re.match(r"'(?!\s*rcv\b)", line):
            self._statement(number, line)

    def _hold(self, number: int, line: str, end: str) -> None:
        """Skip all lines up to one that matches `end`."""
        self.held, self._end = (number, f"'{abridged(line)}'"), re.compile(end, re.IGNORECASE)
        self._braces = int(not end)

    def _inner_line(self, number: int, line: str) -> None:
        """Skip a line of an open text of several lines, or end this text."""
        if self._braces:
            self._braces += line.endswith("{") - line.startswith("}")
            self.held = self.held if self._braces else None
        elif end := self._end.fullmatch(line):
            self.held = None
            if any(end.groups()):
                reason = "a comment ends in front of it: give it a line of its own"
                raise refused(number, f"'{abridged(end[1])}'", reason)

    def _statement(self, number: int, line: str) -> None:
        form, tokens = found = _LANGUAGE.read(number, line)
        if form in _ENDS:
            self._hold(number, line, _ENDS[form])
        if form == "parallel":  # what it would be without the '&': a block has its end below
            self._diagram.errors.tried(partial(self._statement, number, line.lstrip("& ")))
        if form in _REFUSED:
            raise refused(number, f"'{abridged(line)}'", _REFUSED[form])
        match form:
            case "message":
                self._message(number, found)
            case "participant" | "participant_text":
                self._diagram.declare(number, *_party(number, tokens[0]))
            case "begin":
                self._diagram.begin(number, tokens[0].lower())
            case "section":
                self._diagram.section(number, tokens[0].lower())
            case "end":
                self._diagram.end(number)
                self._last = None
            case "divider":
                self._diagram.divide(number, line.strip("= "))
            case "activate":
                self._activate("++")
            case "deactivate":
                self._activate("--")
            case "autoactivate":
                self._autoactivate = line.lower().endswith("on")
            case "return":
                self._return(number)
            case "arrival":
                self._arrival(number, line, found)
            case "title":
                self._diagram.title = _shown(tokens[0])
            case "caption_text":
                self._hold(number, line, rf"end\s?{tokens[0]}")
            case _:
                assert form in ("decoration", *_ENDS), form

    def _message(self, number: int, found: Statement) -> None:
        arrow = found.of(_ARROWS)[0]
        if arrow.type in _REFUSED:
            raise refused(number, f"'{arrow}'", _REFUSED[arrow.type])
        if "hidden" in arrow.lower():
            raise refused(number, f"'{arrow}'", "this arrow is not drawn: leave it out, or draw it")
        first, second = (_party(number, each) for each in found.of(_PARTIES))
        source, target = (second, first) if arrow.type == "BACKWARD" else (first, second)
        sender, receiver = (self._diagram.mention(number, *party) for party in (source, target))
        if found.of(("SLOPE",)):
            self._diagram.send(number, sender, receiver)
            self._diagram.slanted[source[0], target[0]].append(number)
        else:
            self._diagram.transmit(number, sender, receiver)
        self._last = (sender, receiver)
        signs = "".join(found.of(("SIGNS",)))
        if not signs and self._autoactivate:
            is_answer = "dashed" in arrow or "dotted" in arrow or re.sub(r"\[.*\]", "", arrow).count("-") > 1
            signs = "--" if is_answer else "++"
        self._activate(signs)

    def _activate(self, signs: str) -> None:
        for sign in re.findall(r"\+\+|--", signs):
            if sign == "--":
                del self._active[-1:]
            elif self._last:
                self._active.append(self._last)

    def _return(self, number: int) -> None:
        """Add the answer to the message of the last activation, or else to the message above."""
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
    """The alias and the shown name of a participant.  Raises InputError for a preprocessor call."""
    if re.search(r"%(?!(?:n|newline)\(\))\w+\(", token):
        raise refused(number, f"'{abridged(token)}'", _PREPROCESSOR)
    if token.type not in ("PAIR", "DECLARED"):
        return token.strip('"'), _shown(token)
    pair = re.fullmatch(r"""(?i:("[^"]*"|[\w.@]+)\s*\bas\b\s*("[^"]*"|[\w.@]+))""", token)
    assert pair
    shown, alias = pair.groups() if not pair[2].startswith('"') else (pair[2], pair[1])
    return alias, _shown(shown)


def _shown(name: str) -> str:
    """A name as it is shown, in one line."""
    return re.sub(r" ?(?:\\n|%n\(\)|%newline\(\)|<br ?/?>) ?", " ", name.strip('"'))
