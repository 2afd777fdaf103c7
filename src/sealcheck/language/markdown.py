"""Sequence diagrams in the fences of a Markdown page: ``mermaid``, ``plantuml`` and ``puml``.

**Fences** (CommonMark, "Fenced code blocks"): at least three backquotes or tildes, then a word for the
language; at least as many of the same end the block.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from sealcheck.errors import InputError
from sealcheck.language.diagrams import Diagrams, lines, refused
from sealcheck.language.mermaid import read_mermaid
from sealcheck.language.plantuml import read_plantuml

_OPENING = re.compile(r"\s*(`{3,}(?!.*`)|~{3,})\s*\{?\.?(\w*)")
_NESTED = re.compile(r"\s*(?:(?:>|[-*+]|\d+[.)])\s*)+(?:`{3,}|~{3,})\s*\{?\.?(?i:mermaid|plantuml|puml)\b")
"""The start of a diagram in the first line of a quotation or a list."""
_OTHER_MERMAID = re.compile(
    r"\s*(?:graph|flowchart|classDiagram|stateDiagram|erDiagram|requirementDiagram|C4\w+|gantt|pie|gitGraph"
    r"|journey|mindmap|timeline|quadrantChart|sankey|xychart|block|packet|architecture|kanban|radar|treemap)\b",
    re.MULTILINE,
)
_OTHER_PLANTUML = re.compile(r"\s*@start(?!uml\b)")
"""The beginnings of diagrams that have no messages."""


class Fence(NamedTuple):
    """A block of a page, with the line of its first line."""

    language: str
    first: int
    body: str


def read_markdown(text: str, found: Diagrams) -> None:
    """Add the sequence diagrams of a page, in order, and their errors.

    >>> page = "# A\\n```mermaid\\nsequenceDiagram\\nA->>B: x\\n```\\n```plantuml\\nB -> A\\n```"
    >>> Diagrams(read_markdown, page).protocol().layers
    {'diagram 1': 'mt A->B', 'diagram 2': 'mt B->A'}
    """
    any_read = False
    for language, first, body in _fences(text, found):
        if language == "mermaid" and not _OTHER_MERMAID.match(_undecorated(body)):
            read_mermaid(body, found, first)
        elif language in ("plantuml", "puml") and not _OTHER_PLANTUML.match(body):
            bare = not re.search(r"^\s*@startuml\b", body, re.MULTILINE)
            read_plantuml(f"@startuml\n{body}\n@enduml" if bare else body, found, first - bare)
        else:
            continue
        any_read = True
    if not any_read and not found.errors:
        reason = "no sequence diagram found: no fence of the page, such as ```mermaid, has one"
        found.errors.add(InputError(reason))


def _undecorated(body: str) -> str:
    """A Mermaid diagram without the front matter, directives and comments above it."""
    return re.sub(r"\A(?:\s*---\n.*?\n\s*---(?=\n)|\s*%%\{.*?\}%%|\s*%%[^\n]*)*", "", body, flags=re.DOTALL)


def _fences(text: str, found: Diagrams) -> Iterator[Fence]:
    """The blocks of a page.  Blocks that do not end, and diagrams that are no blocks, are noted."""
    numbered = enumerate(lines(text), 1)
    for number, line in numbered:
        if not (opening := _OPENING.match(line)):
            if _NESTED.match(line):
                reason = "it is in a quotation, or behind the mark of a list: give it a line of its own"
                found.errors.add(refused(number, "this fence", reason))
            continue
        marks, language = opening[1], opening[2].lower()
        closing = re.compile(rf"\s*{marks[0]}{{{len(marks)},}}\s*")
        body = []
        for _, inner in numbered:
            if closing.fullmatch(inner):
                break
            body.append(inner)
        else:
            found.errors.add(refused(number, f"'{marks}{language}'", f"no '{marks}' closes this fence"))
            return
        yield Fence(language, number + 1, "\n".join(body))
