"""Readers of texts over named processes, by the suffix of the file."""

from collections.abc import Callable
from pathlib import PurePath

from sealcheck.language.diagrams import parse_mermaid, parse_plantuml
from sealcheck.language.names import NamedProgram, is_named, parse_named
from sealcheck.language.spans import is_otlp, parse_spans
from sealcheck.language.traces import parse_trace


def parse_recorded(text: str) -> NamedProgram:
    """The program of a recorded trace, one event a line, or as spans.  Raises InputError, with the place."""
    return parse_spans(text) if is_otlp(text) else parse_trace(text)


READERS: dict[str, Callable[[str], NamedProgram]] = {
    ".mmd": parse_mermaid,
    ".puml": parse_plantuml,
    ".jsonl": parse_recorded,
    ".json": parse_spans,
}
"""By suffix; other files have program text."""


def read_named(text: str, file: str = "") -> NamedProgram | None:
    """The program over named processes that a text denotes, perhaps of a file; None if it numbers them.

    Raises InputError, with the line.

    >>> read_named("mt client->server").names, read_named("mt 1->2")
    (('client', 'server'), None)
    """
    reader = READERS.get(PurePath(file).suffix.lower())
    if reader is not None:
        return reader(text)
    return parse_named(text) if is_named(text) else None
