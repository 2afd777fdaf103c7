"""Readers of texts over named processes, by the suffix of the file."""

from collections.abc import Callable
from pathlib import PurePath

from sealcheck.language.assumptions import EVERY, Assumptions
from sealcheck.language.diagrams import DrawnProtocol, drawn_protocol
from sealcheck.language.mermaid import parse_mermaid, read_mermaid
from sealcheck.language.names import NamedProgram, is_named, parse_named
from sealcheck.language.otlp import is_otlp
from sealcheck.language.plantuml import parse_plantuml, read_plantuml
from sealcheck.language.spans import parse_spans
from sealcheck.language.traces import parse_trace


def parse_recorded(text: str, assuming: Assumptions = EVERY) -> NamedProgram:
    """The program of a recorded trace, one event a line, or as spans.  Raises InputError, with the place."""
    return parse_spans(text, assuming) if is_otlp(text) else parse_trace(text)


READERS: dict[str, Callable[[str], NamedProgram]] = {
    ".mmd": parse_mermaid,
    ".puml": parse_plantuml,
    ".jsonl": parse_recorded,
    ".json": parse_spans,
}
"""By suffix; other files have program text."""


def is_spans(text: str, file: str) -> bool:
    """Whether a text, of a file, is one of spans.

    >>> is_spans("{}", "a.json"), is_spans('{"resourceSpans": []}', "a.jsonl"), is_spans("{}", "a.jsonl")
    (True, True, False)
    """
    suffix = PurePath(file).suffix.lower()
    return READERS.get(suffix) is parse_spans or (suffix == ".jsonl" and is_otlp(text))


def read_named(
    text: str, file: str = "", spans: Callable[[str], NamedProgram] = parse_spans
) -> NamedProgram | None:
    """The program over named processes that a text denotes, perhaps of a file; None if it numbers them.

    `spans` reads those of OpenTelemetry.  Raises InputError, with the line.

    >>> read_named("mt client->server").names, read_named("mt 1->2")
    (('client', 'server'), None)
    """
    reader = spans if is_spans(text, file) else READERS.get(PurePath(file).suffix.lower())
    if reader is not None:
        return reader(text)
    return parse_named(text) if is_named(text) else None


def read_protocol(text: str, file: str = "") -> DrawnProtocol | None:
    """The protocol that a diagram with blocks or dividers draws; None for all other files.

    Raises InputError, with the line.

    >>> drawn = read_protocol("sequenceDiagram\\nopt late\\nA->>B: x\\nend", "a.mmd")
    >>> drawn.layers, drawn.expression
    ({'line 3': 'mt A->B'}, ('or', 0, ('then',)))
    """
    reader = {".mmd": read_mermaid, ".puml": read_plantuml}.get(PurePath(file).suffix.lower())
    diagram = reader(text) if reader else None
    return drawn_protocol(diagram) if diagram and diagram.has_layers else None
