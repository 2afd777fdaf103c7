"""Sequence diagrams of Mermaid: read what is drawn, skip decorations, refuse the rest.

**Mermaid** (its documentation, "Sequence diagrams", and its grammar, `sequenceDiagram.jison`).  A semicolon
ends a line, except in a character code such as ``#59;``, and any other ``#`` starts a comment.  A statement
that starts with a keyword is never a message.
"""

import html
import re
from functools import partial

from sealcheck.errors import InputError
from sealcheck.language.diagrams import Diagram, Errors, lines, refused
from sealcheck.language.messages import abridged
from sealcheck.language.names import NamedProgram

_CODE, _CODE_END = "\ue000", "\ue001"
"""Replacements of ``#`` and ``;`` around a character code."""
_NAME = r"[^\s\-+<>:,;()/\\#%@](?:[^\-+<>:,;()/\\#%@]|-(?![-+<>:,;()/\\|xX\s]))*?"
_ARROW = re.compile(rf"({_NAME})\s*(-->>|->>|-->|->|--\)|-\)|--[xX]|-[xX])\s*[+-]?\s*({_NAME})\s*:.*")
_PARTICIPANT = re.compile(rf"(?i:(?:create\s+)?(?:participant|actor))\s+({_NAME})(?:\s+(?i:as)\s+([^#]+?))?")
_BLOCK = re.compile(r"(?ai:(loop|alt|opt|par_over|par|critical|break|rect))\b(?![-<]).*")
_SECTION = re.compile(r"(?ai:(else|and|option))\b(?![-<]).*")
_DECORATION = re.compile(
    rf"""title(?::\s|\s).*
    | (?:acctitle|accdescr)\s*:.*
    | autonumber(?:\s+off|(?:\s+[0-9.]+){{0,2}})
    | (?:(?:de)?activate|destroy)\s+{_NAME}
    | (?:links?|properties|details)\s+{_NAME}\s*:.*
    | note\s+(?:over\s+{_NAME}(?:\s*,\s*{_NAME})?|(?:left|right)\s+of\s+{_NAME})\s*:.*""",
    re.IGNORECASE | re.VERBOSE,
)
_KEYWORD = re.compile(
    r"(?ai:participant|actor|title|acctitle|accdescr|autonumber|off|activate|deactivate|note|over|left\ of"
    r"|right\ of|sequencediagram|rect|box|end|create|destroy|links?|properties|details|loop|alt|opt|par"
    r"|par_over|critical|break|else|and|option)\b"
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
    return read_mermaid(text).program()


def read_mermaid(text: str) -> Diagram:
    """The diagram, with its blocks.  Raises InputError, whose notes have the errors of further lines."""
    errors = Errors()
    diagram = Diagram(errors)
    begun = False
    all_lines = lines(text)
    decoration = _front_matter(all_lines)
    for number, line in enumerate(all_lines[decoration:], decoration + 1):
        try:
            for statement in _statements(number, line.strip()):
                if begun:
                    errors.tried(partial(_read_mermaid, diagram, number, statement))
                elif statement != "sequenceDiagram":
                    raise InputError(f"line {number}: a sequence diagram starts with 'sequenceDiagram'")
                begun = True
        except InputError as error:
            if not begun:
                raise
            errors.add(error)
    if not begun:
        raise InputError("no sequence diagram found")
    diagram.finish()
    errors.raise_any()
    return diagram


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
        elif found := _BLOCK.fullmatch(statement):
            diagram.begin(number, found[1].lower())
        elif found := _SECTION.fullmatch(statement):
            diagram.section(number, found[1].lower())
        elif statement.lower() == "end":
            diagram.end(number)
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
