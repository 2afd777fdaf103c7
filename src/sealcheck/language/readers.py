"""Readers of texts over named processes, by the suffix of the file."""

import json
from collections.abc import Callable
from pathlib import PurePath

from sealcheck.language.assumptions import EVERY, Assumptions
from sealcheck.language.diagrams import Diagrams, DrawnProtocol
from sealcheck.language.markdown import read_markdown
from sealcheck.language.mermaid import read_mermaid
from sealcheck.language.names import NamedProgram, is_named, parse_named
from sealcheck.language.otlp import RESOURCES, is_otlp
from sealcheck.language.plantuml import read_plantuml
from sealcheck.language.spans import parse_spans
from sealcheck.language.traces import Trace, parse_trace


def parse_recorded(text: str, assuming: Assumptions = EVERY) -> NamedProgram:
    """The program of a recorded trace, one event a line, or as spans.  Raises InputError, with the place."""
    return parse_spans(text, assuming) if is_otlp(text) else parse_trace(text)


DIAGRAMS: dict[str, Callable[[str, Diagrams], None]] = {
    **dict.fromkeys((".mmd", ".mermaid"), read_mermaid),
    **dict.fromkeys((".puml", ".plantuml", ".pu"), read_plantuml),
    **dict.fromkeys((".md", ".markdown"), read_markdown),
}
RECORDED: dict[str, Callable[[str], NamedProgram]] = {".jsonl": parse_recorded, ".json": parse_spans}
"""By suffix; other files have program text."""

ARCHIVE, LOG = ".otf2", ".log"
"""Of the file that names the others of an archive; of a log for ShiViz."""


def is_archive(file: str) -> bool:
    """Whether a file of this name is an archive of an MPI program.

    >>> is_archive("run/traces.otf2"), is_archive("run/traces.def")
    (True, False)
    """
    return PurePath(file).suffix.lower() == ARCHIVE


def is_log(file: str) -> bool:
    """Whether a file of this name is a log for ShiViz.

    >>> is_log("run.shiviz.log"), is_log("run.txt")
    (True, False)
    """
    return PurePath(file).suffix.lower() == LOG


def begins_trace(line: str, file: str) -> bool:
    """Whether a file of this name with this first line has an event a line, and is no export of spans.

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
    """Whether a text, of a file, is one of spans.

    >>> is_spans("{}", "a.json"), is_spans('{"resourceSpans": []}', "a.jsonl"), is_spans("{}", "a.jsonl")
    (True, True, False)
    """
    suffix = PurePath(file).suffix.lower()
    return RECORDED.get(suffix) is parse_spans or (suffix == ".jsonl" and is_otlp(text))


def read_named(
    text: str, file: str = "", spans: Callable[[str], NamedProgram] = parse_spans
) -> NamedProgram | None:
    """The program over named processes that a text denotes, perhaps of a file; None if it numbers them.

    `spans` reads those of OpenTelemetry.  Raises InputError, with the line.

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
    """The protocol that several diagrams draw, or one with blocks or dividers, or a trace with phases.

    None for all other files.  Raises InputError, with the line.

    >>> drawn = read_protocol("sequenceDiagram\\nopt late\\nA->>B: x\\nend", "a.mmd")
    >>> drawn.layers, drawn.expression
    ({'line 3': 'mt A->B'}, ('or', 0, ('then',)))
    """
    if isinstance(text, Trace):
        return text.protocol()
    reader = DIAGRAMS.get(PurePath(file).suffix.lower())
    return Diagrams(reader, text).protocol() if reader else None


def title_of(text: str, file: str) -> str:
    """The title of the diagram in a file; empty if it has none, or is no diagram.  Raises InputError.

    >>> title_of("sequenceDiagram\\ntitle Write\\nA->>B: x", "a.mmd"), title_of("mt A->B", "a.txt")
    ('Write', '')
    """
    reader = DIAGRAMS.get(PurePath(file).suffix.lower())
    return Diagrams(reader, text).title if reader else ""
