"""Readers of texts with named processes, by the suffix of the file.

**Markdown.** Sequence diagrams are in fenced code blocks of the language ``mermaid``, ``plantuml`` or
``puml`` (CommonMark, "Fenced code blocks").  A fence has at least three backquotes or tildes.

**Logs for ShiViz** have events with vector clocks, which show the messages (`sealcheck.language.clocks`).
The first line is a regular expression, by which ShiViz reads the log.  Only the expressions that tools write
are accepted, because an unknown expression could take forever to match.  The second line is a pattern that
separates the executions in a log.  This line must be empty, because a file must have exactly one execution.

Each event has a line with the host and its clock.  The description of the event is in the line before, in the
line after, or in the same line.
"""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import PurePath

from sealcheck.errors import InputError
from sealcheck.language.clocks import Clocked, clock_of, with_kinds
from sealcheck.language.diagrams import Diagrams, DrawnProtocol, lines, refused
from sealcheck.language.mermaid import read_mermaid
from sealcheck.language.names import NamedProgram, is_named, parse_named, require_name
from sealcheck.language.otlp import RESOURCES, is_otlp
from sealcheck.language.plantuml import read_plantuml
from sealcheck.language.recordings import EVERY, Assumptions
from sealcheck.language.spans import parse_spans
from sealcheck.language.traces import Trace, clocked_trace, parse_trace
from sealcheck.support.strict_json import strict_json
from sealcheck.words import harmless

_OPENING = re.compile(r"\s*(`{3,}(?!.*`)|~{3,})\s*\{?\.?(\w*)")
_NESTED = re.compile(r"\s*(?:(?:>|[-*+]|\d+[.)])\s*)+(?:`{3,}|~{3,})\s*\{?\.?(?i:mermaid|plantuml|puml)\b")
"""The start of a diagram in the first line of a quotation or a list."""
_OTHER_MERMAID = re.compile(
    r"\s*(?:graph|flowchart|classDiagram|stateDiagram|erDiagram|requirementDiagram|C4\w+|gantt|pie|gitGraph"
    r"|journey|mindmap|timeline|quadrantChart|sankey|xychart|block|packet|architecture|kanban|radar|treemap)\b",
    re.MULTILINE,
)
_OTHER_PLANTUML = re.compile(r"\s*@start(?!uml\b)")
"""How diagrams begin that have no messages."""


def read_markdown(text: str, found: Diagrams) -> None:
    """Add the sequence diagrams of a page to `found`, in order, and their errors.

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


def _fences(text: str, found: Diagrams) -> Iterator[tuple[str, int, str]]:
    """The blocks of a page: the language, the number of the first line, and the text."""
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
        yield language, number + 1, "\n".join(body)


def parse_recorded(text: str, assuming: Assumptions = EVERY) -> NamedProgram:
    """The program that a trace or spans record.  Raises InputError, with the place."""
    return parse_spans(text, assuming) if is_otlp(text) else parse_trace(text)


DIAGRAMS: dict[str, Callable[[str, Diagrams], None]] = {
    **dict.fromkeys((".mmd", ".mermaid"), read_mermaid),
    **dict.fromkeys((".puml", ".plantuml", ".pu"), read_plantuml),
    **dict.fromkeys((".md", ".markdown"), read_markdown),
}
RECORDED: dict[str, Callable[[str], NamedProgram]] = {".jsonl": parse_recorded, ".json": parse_spans}
"""The readers, by suffix.  Files with other suffixes have program text."""

ARCHIVE, LOG = ".otf2", ".log"
"""The suffix of an OTF2 archive's main file, and the suffix of a log for ShiViz."""


def is_archive(file: str) -> bool:
    """Whether a file with this name is an archive of an MPI program.

    >>> is_archive("run/traces.otf2"), is_archive("run/traces.def")
    (True, False)
    """
    return PurePath(file).suffix.lower() == ARCHIVE


def is_log(file: str) -> bool:
    """Whether a file with this name is a log for ShiViz.

    >>> is_log("run.shiviz.log"), is_log("run.txt")
    (True, False)
    """
    return PurePath(file).suffix.lower() == LOG


def begins_trace(line: str, file: str) -> bool:
    """Whether a file with this name and first line has events, one a line, rather than spans.

    >>> begins_trace('{"host": "a"}', "a.jsonl"), begins_trace('{"resourceSpans": []}', "a.jsonl")
    (True, False)
    """
    if RECORDED.get(PurePath(file).suffix.lower()) is not parse_recorded:
        return False
    try:
        document = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(document, dict) and RESOURCES not in document


def is_spans(text: str, file: str) -> bool:
    """Whether the text of a file is an export of spans.

    >>> is_spans("{}", "a.json"), is_spans('{"resourceSpans": []}', "a.jsonl"), is_spans("{}", "a.jsonl")
    (True, True, False)
    """
    suffix = PurePath(file).suffix.lower()
    return RECORDED.get(suffix) is parse_spans or (suffix == ".jsonl" and is_otlp(text))


def read_named(
    text: str, file: str = "", spans: Callable[[str], NamedProgram] = parse_spans
) -> NamedProgram | None:
    """The program of a text that names processes; None if the text has numbers for processes.

    `file` is the name of the text's file.  `spans` reads spans of OpenTelemetry.  Raises InputError, with the
    line.

    >>> read_named("mt client->server").names, read_named("mt 1->2")
    (('client', 'server'), None)
    """
    suffix = PurePath(file).suffix.lower()
    if suffix in DIAGRAMS:
        return Diagrams(DIAGRAMS[suffix], text).program()
    if is_spans(text, file):
        return spans(text)
    if suffix in RECORDED:
        return RECORDED[suffix](text)
    return parse_named(text) if is_named(text) else None


def read_protocol(text: str | Trace, file: str = "") -> DrawnProtocol | None:
    """The protocol of a file of diagrams, or of a trace with phases.

    None for a diagram that is a single layer, and for all other files.  Raises InputError, with the line.

    >>> drawn = read_protocol("sequenceDiagram\\nopt late\\nA->>B: x\\nend", "a.mmd")
    >>> drawn.layers, drawn.expression
    ({'line 3': 'mt A->B'}, ('or', 0, ('then',)))
    """
    if isinstance(text, Trace):
        return text.protocol()
    reader = DIAGRAMS.get(PurePath(file).suffix.lower())
    return Diagrams(reader, text).protocol() if reader else None


def title_of(text: str, file: str) -> str:
    """The title of the diagram in a file; empty without one.  Raises InputError.

    >>> title_of("sequenceDiagram\\ntitle Write\\nA->>B: x", "a.mmd"), title_of("mt A->B", "a.txt")
    ('Write', '')
    """
    reader = DIAGRAMS.get(PurePath(file).suffix.lower())
    return Diagrams(reader, text).title if reader else ""


_TWO_LINES = re.compile(r"(\S+) (\{.*\})\s*")
_ONE_LINE = re.compile(r'(\S+) ".*" (\{.*\})\s*')
BEFORE, BEHIND, WITHIN = range(3)
"""The place of an event's description, relative to the line with the event's clock."""
PATTERNS = {
    "": BEFORE,
    r"(?<event>.*)\n(?<host>\S*) (?<clock>{.*})": BEFORE,
    r"(?<host>\S*) (?<clock>{.*})\n(?<event>.*)": BEHIND,
    r'(?<host>\S*) "(?<event>.*)" (?<clock>{.*})': WITHIN,
}


def read_log(text: str) -> Trace:
    r"""The trace in a log.  Raises InputError, with the line.

    >>> log = r'''(?<event>.*)\n(?<host>\S*) (?<clock>{.*})
    ...
    ... asks
    ... client {"client": 1}
    ... is asked
    ... server {"server": 1, "client": 1}'''
    >>> [str(event) for event in read_log(log).program().events]
    ['snd 1->2', 'rcv 2<-1']
    """
    pattern, separator, *lines = [*text.split("\n"), ""]
    if separator.strip():
        raise InputError(
            "line 2: the log has several executions: write each in a file of its own, without this line"
        )
    return clocked_trace(with_kinds(list(_logged(lines, _place(pattern.strip())))))


def _place(pattern: str) -> int:
    """The place of the descriptions in a log.  Raises InputError for an unknown pattern."""
    found = PATTERNS.get(re.sub(r"\\([{}])", r"\1", pattern).replace(r"\w+", r"\S*"))
    if found is None:
        known = "' or '".join(filter(None, PATTERNS))
        raise InputError(f"line 1: '{harmless(pattern[:60])}' is not a known pattern: write '{known}'")
    return found


def _logged(lines: list[str], place: int) -> Iterator[Clocked]:
    """The events, without their kinds.  Raises InputError."""
    described: int | None = None
    """The line of a description without its event, or of an event without its description."""
    for number, line in enumerate(lines, 3):
        found = (_ONE_LINE if place == WITHIN else _TWO_LINES).fullmatch(line)
        if found:
            host = require_name(found[1], f"line {number}: ")
            clock = clock_of(number, strict_json(found[2], f"line {number}: "))
            yield Clocked(number, host, "", clock)
            described = number if place == BEHIND else None
        elif line.strip():
            if place == WITHIN or (described is not None) != (place == BEHIND):
                raise InputError(f"line {number}: '{harmless(line[:40])}' belongs to no event with a clock")
            described = number if place == BEFORE else None
    if place == BEFORE and described is not None:
        raise InputError(f"line {described}: this description has no event with a clock")
