"""Sequence diagrams of Mermaid, split into statements; `mermaid.lark` has their forms.

The forms of statements follow Mermaid's documentation ("Sequence diagrams") and Mermaid's own grammar,
`sequenceDiagram.jison`.  A semicolon ends a line, except in a character code such as ``#59;``.  Any other
``#`` starts a comment.
"""

import html
import re
from collections.abc import Iterator
from functools import partial

from sealcheck.errors import InputError
from sealcheck.language.diagrams import Diagram, Diagrams, Errors, Language, lines, refused
from sealcheck.language.messages import abridged
from sealcheck.language.names import NamedProgram

PICTURE = "%% a picture, not a program: its notes are sends whose messages are overtaken or lost"
"""`sealcheck draw` writes this line if arrows cannot show the run.  A drawing with this line is refused."""
_CODE, _CODE_END = "\ue000", "\ue001"
"""Replacements of ``#`` and ``;`` around a character code."""
_FRONT, _FRONT_END = re.compile("---$"), "\n---"
_HELD = (
    (re.compile(r"%%\{"), "}%%"),
    (re.compile(r"(?ai)accdescr\s*\{"), "}"),
    (re.compile(r"(?ai)(?:create\s+)?(?:participant|actor)\s[^;#]*@\{"), "}"),
)
"""The beginnings and ends of constructs that may continue on later lines."""
_REFUSED = {
    "LOST": "this arrow marks a lost message, which no layer has: write -) if it arrives, or a note",
    "BOTH": "this arrow is two messages, and does not say which is first: write two arrows",
    "textless": "Mermaid needs a text after the second participant: write A->>B: text",
    "second": "a second diagram: give each a file, or a fence in Markdown",
}
"""Reasons for refusals, by form or arrow."""
_LANGUAGE = Language(
    "mermaid",
    {
        "participant": 'participant A as the name, or participant A@{ "type": "queue" }',
        "actor": "actor A as the name",
        "create": "create participant A",
        "destroy": "destroy A",
        "activate": "activate A",
        "deactivate": "deactivate A",
        "note": "Note over A,B: text, or Note left of A: text",
        "title": "title the text",
        "acctitle": "accTitle: text",
        "accdescr": "accDescr: text, or accDescr { text }",
        "autonumber": "autonumber, perhaps with its start and step, or autonumber off",
        "links": 'links A: {"name": "address"}',
        "link": "link A: name @ address",
        "properties": 'properties A: {"name": "value"}',
        "details": "details A: text",
        "end": "end in a line of its own",
        "box": "box title, and participants up to end",
    },
    "not a participant, an arrow with a text, or a note",
)


def parse_mermaid(text: str) -> NamedProgram:
    """The program of a diagram.  Raises InputError, with the line, for unsupported constructs.

    >>> diagram = '''sequenceDiagram
    ...     participant C as client
    ...     C->>server: request; server->>log: done'''
    >>> parse_mermaid(diagram).names
    ('client', 'server', 'log')
    >>> parse_mermaid("sequenceDiagram\\n  loop every second\\n  a->>b: x\\n  end")
    Traceback (most recent call last):
    sealcheck.errors.InputError: line 2: 'loop': a layer has no branches and no loops: give it to phases alone
    """
    return Diagrams(read_mermaid, text).program()


def read_mermaid(text: str, found: Diagrams, first: int = 1) -> None:
    """Add the diagram of a text, and its errors, to `found`.  Lines are counted from `first`."""
    statements = _statements(text, found.errors, first)
    number, begun = next(statements, (first, ""))
    title = ""
    if begun.startswith("---\n"):
        found_title = re.search(r"^title:(.*)$", begun, re.MULTILINE)
        title = found_title[1].strip(" '\"") if found_title else ""
        number, begun = next(statements, (number, ""))
    if begun != "sequenceDiagram":
        wrong = "a sequence diagram starts with 'sequenceDiagram'" if begun else "no sequence diagram found"
        found.errors.add(InputError(f"line {number}: {wrong}"))
        return
    diagram = found.begin(number, title)
    for number, each in statements:
        found.errors.tried(partial(_read, diagram, number, each))


def _statements(text: str, errors: Errors, first: int) -> Iterator[tuple[int, str]]:
    """The front matter and all statements, each with its line."""
    for number, line in _whole_lines(text, errors, first):
        try:
            found = _split(number, line)
        except InputError as error:
            errors.add(error)
        else:
            yield from ((number, each) for each in found)


def _whole_lines(text: str, errors: Errors, first: int) -> Iterator[tuple[int, str]]:
    """The lines.  Front matter, a directive, or braces may be several lines, which become one entry."""
    numbered = enumerate(map(str.strip, lines(text)), first)
    for number, line in numbered:
        forms = [*_HELD, (_FRONT, _FRONT_END)] if number == first else _HELD
        begun, end = next(((found, end) for form, end in forms if (found := form.match(line))), (None, ""))
        whole, last = [line], line[begun.end() :] if begun else ""
        while end not in last:
            _, more = next(numbered, (0, None))
            if more is None:
                errors.add(refused(number, f"'{abridged(line)}'", f"no '{end.strip()}' closes this"))
                return
            whole.append(more)
            last = f"\n{more}"
        yield number, "\n".join(whole)


def _split(number: int, line: str) -> list[str]:
    """The statements of a line.  Raises InputError if the line may hide a message."""
    if line.startswith("---\n") or re.match(r"(?ai)accdescr\s*\{", line):
        return [line]
    if line == PICTURE:
        raise refused(number, "a picture by sealcheck", "its notes are sends: give the program as text")
    if re.match(r"%%(?!\{)", line) or re.fullmatch(r"(?s)%%\{(?:(?!\}%%).)*\}%%", line):
        return []
    if "%%" in line:
        raise refused(number, "'%%'", "a comment, or a whole directive, needs a line of its own")
    if entity := re.search(r"(?a)&(#?\w+);\s*\S", line):
        code = entity[1].removeprefix("#")
        raise refused(number, f"'&{entity[1]};'", f"';' ends a line in Mermaid: write #{code};")
    marked = re.sub(r"(?a)#(\w+);", rf"{_CODE}\1{_CODE_END}", line)
    comment = re.sub(r"@\{[^}]*\}", "", marked).partition("#")[2]
    if "-" in comment.partition(";")[2]:
        raise refused(number, "'#'", "Mermaid reads the rest of the line as a comment: write #35;")
    if any(map(_may_be_message, marked.split(_CODE_END)[1:])):
        raise refused(number, "'#…;'", "Mermaid reads a message after it as text: give it a line of its own")
    uncommented = re.sub(r"(@\{[^}]*\})|#.*", lambda held: held[1] or "", marked)
    found = [each.strip() for each in re.findall(r"(?:@\{[^}]*\}|[^;])+", uncommented)]
    if len(found) > 1 and re.search(r"(?i)\bacc(title|descr)\s*:", line):
        raise refused(number, "';'", "this text goes on to the end of the line")
    return [each for each in found if each]


def _may_be_message(text: str) -> bool:
    """Whether an arrow stands in front of a colon."""
    ends, colon, _ = text.partition(":")
    return colon != "" and ";" not in ends and re.search(r"-[->)xX|\\/]|[\\/|]-", ends) is not None


def _read(diagram: Diagram, number: int, text: str) -> None:
    form, tokens = found = _LANGUAGE.read(number, text, shown=_decoded(text))
    if form == "message":
        first, arrow, second = tokens
        for name in (first, second):
            if name.type == "RESERVED":
                word = name.strip()
                instead = f"call it x, by 'participant x as {word}'"
                raise refused(
                    number, f"'{word}'", f"this name starts with a word of Mermaid's own: {instead}"
                )
        if arrow.type in _REFUSED:
            raise refused(number, f"'{arrow}'", _REFUSED[arrow.type])
        ends = (first, second) if arrow.type == "ARROW" else (second, first)
        sender, receiver = (diagram.mention(number, name.strip(), _shown(name)) for name in ends)
        diagram.transmit(number, sender, receiver)
    elif form == "participant":
        alias = tokens[0].strip()
        shown = [*found.of(("LABEL",)), *found.of(("ALIAS",)), alias]
        diagram.declare(number, alias, _shown(shown[0]))
    elif form in ("begin", "section"):
        take = diagram.begin if form == "begin" else diagram.section
        take(number, tokens[0].lower())
    elif form == "end":
        diagram.end(number)
    elif form == "title":
        diagram.title = _shown(tokens[0])
    elif form in _REFUSED:
        raise refused(number, f"'{abridged(text)}'", _REFUSED[form])


def _shown(name: str) -> str:
    """A name as it is shown: in one line, without the quotation marks around it."""
    plain = re.sub(" ?<br ?/?> ?", " ", _decoded(re.sub(r"^:?(?:no)?wrap:", "", name))).strip()
    return plain[1:-1] if re.fullmatch(r"\"[^\"]+\"|'[^']+'", plain) else plain


def _decoded(text: str) -> str:
    """The text with its character codes replaced."""
    coded = re.sub(rf"{_CODE}(\w+){_CODE_END}", lambda m: f"&{'#' * m[1].isdigit()}{m[1]};", text)
    return html.unescape(coded)
