"""Standard output, standard error and tables in a terminal.

On a narrow terminal, each row of a table becomes several lines.
"""

import errno
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Self, TextIO
from xml.etree.ElementTree import Element, SubElement, tostring

from sealcheck.operations.result import Code
from sealcheck.support.files import write_file
from sealcheck.words import harmless, terminal_width, whole_words

if TYPE_CHECKING:
    from rich.text import Text


PATIENCE = 3.0
"""After this many seconds of waiting, a terminal shows the duration."""


class OutputLostError(Exception):
    """Standard output cannot be written; `reader_left` if its reader has gone."""

    def __init__(self, error: OSError) -> None:
        super().__init__(f"cannot write the answer: {error.strerror}")
        self.reader_left = error.errno == errno.EPIPE


class StandardOutput(TextIOWrapper):
    """Standard output on which a failed write raises OutputLostError."""

    _SETTINGS = ("encoding", "errors", "line_buffering", "write_through")

    @classmethod
    def instead_of(cls, stream: TextIOWrapper) -> Self:
        """A standard output in the place of `stream`.  Characters that cannot be encoded become escapes."""
        settings = {name: getattr(stream, name) for name in cls._SETTINGS}
        if settings["errors"] in ("strict", "surrogateescape"):
            settings["errors"] = "backslashreplace"
        return cls(stream.detach(), **settings)

    def write(self, text: str) -> int:
        """Raises OutputLostError."""
        with _lost():
            return super().write(text)

    def flush(self) -> None:
        """Raises OutputLostError."""
        with _lost():
            super().flush()


@contextmanager
def _lost() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputLostError(error) from None


def write(text: str) -> None:
    """Print a text at once, without control characters.  Raises OutputLostError."""
    write_as_it_is(harmless(text))


def write_json(document: object) -> None:
    """Print a JSON document on one line.  Raises OutputLostError."""
    write(json.dumps(document))


def write_as_it_is(text: str) -> None:
    """Print a trusted text, which may have colours, at once.  Raises OutputLostError."""
    with _lost():
        print(text, flush=True)


def remark(text: str, also: str = "") -> None:
    """Print a remark on standard error: one line, or more if `also` allows it."""
    try:
        print(f"sealcheck: {harmless(text, also)}", file=sys.stderr, flush=True)
    except OSError:
        discard(sys.stderr)


def remark_again(remarks: str) -> None:
    """Print remarks that another process has made."""
    try:
        print(remarks, end="", file=sys.stderr, flush=True)
    except OSError:
        discard(sys.stderr)


def discard(stream: TextIO) -> None:
    """Discard the buffer of a standard stream, so that Python does not write it on exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def code_of(verdicts: Iterable[str]) -> Code:
    """The exit code for several verdicts together.

    >>> [code_of(verdicts).name for verdicts in (["proved", "verified"], ["unknown", "refuted", "proved"])]
    ['YES', 'NO']
    """
    found = set(verdicts)
    for verdict, code in (("error", Code.BAD_INPUT), ("refuted", Code.NO), ("unknown", Code.UNKNOWN)):
        if verdict in found:
            return code
    return Code.YES


GAP = "  "


def print_table(left: Sequence[str], right: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table: first the left-aligned columns `left`, then the right-aligned columns `right`."""
    from rich.text import Text

    heading, *lines = table_lines(left, right, rows, terminal_width())
    write_styled(Text(harmless(heading), "bold"))
    for line in lines:
        write(line)


def table_lines(
    left: Sequence[str], right: Sequence[str], rows: Iterable[Sequence[object]], most: int | None
) -> list[str]:
    """The lines of a table; if a line would be longer than `most`, each value gets a line of its own.

    >>> table_lines(["kind"], ["n", "messages"], [("sealed", 3, 12)], None)
    ['kind    n  messages', 'sealed  3        12']
    >>> table_lines(["kind"], ["n", "messages"], [("sealed", 3, 12), ("open", 2, 1)], 12)
    ['kind: sealed', 'n: 3', 'messages: 12', '', 'kind: open', 'n: 2', 'messages: 1']
    """
    names = (*left, *right)
    cells = [names, *(tuple(map(str, row)) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    if most is not None and sum(widths) + len(GAP) * (len(widths) - 1) > most:
        blocks = ([f"{name}: {value}" for name, value in zip(names, row, strict=True)] for row in cells[1:])
        wrapped = [[line for value in block for line in whole_words(value, most)] for block in blocks]
        return [line for block in wrapped for line in ("", *block)][1:]
    aligned = (
        (cell.ljust(width) if place < len(left) else cell.rjust(width))
        for row in cells
        for place, (cell, width) in enumerate(zip(row, widths, strict=True))
    )
    return [GAP.join(line).rstrip() for line in zip(*[aligned] * len(names), strict=True)]


def write_styled(line: "Text") -> None:
    """Print a line, with colours if standard output is a terminal."""
    from rich.console import Console

    out = Console(highlight=False)
    with out.capture() as captured:
        out.print(line, soft_wrap=True, end="")
    write_as_it_is(captured.get().rstrip(" "))


@contextmanager
def row_counter(description: str) -> Iterator[Callable[[int], None]]:
    """A counter of rows whose total is not known."""
    from rich import progress as shown
    from rich.console import Console

    columns = (
        shown.TextColumn("{task.description}"),
        shown.SpinnerColumn(),
        shown.TextColumn("{task.completed:.0f} rows"),
        shown.TimeElapsedColumn(),
    )
    console = Console(stderr=True)
    with shown.Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(description, total=None)
        yield lambda rows: bar.update(task, completed=rows)


@contextmanager
def step_shown(description: str, *, in_logs: bool = False) -> Iterator[Callable[[str], None]]:
    """A function that shows the current step.

    On a terminal, a step overwrites the step before.  Elsewhere, each step is a line if `in_logs`, and hidden
    if not.
    """
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda step: remark(f"{description}: {step}") if in_logs else None
        return
    with console.status(description) as status:
        yield lambda step: status.update(f"{description}: {step}")


@contextmanager
def waiting_shown(description: str) -> Iterator[Callable[[], None]]:
    """A function to call often: during a long wait, it shows the duration on a terminal."""
    begun, shown_at = monotonic(), PATIENCE
    with ExitStack() as shown:
        show: Callable[[str], None] | None = None

        def tick() -> None:
            nonlocal show, shown_at
            seconds = monotonic() - begun
            if seconds >= shown_at:
                show = show or shown.enter_context(step_shown(description))
                show(f"{seconds:.0f} s")
                shown_at = seconds + 1

        yield tick


_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Case:
    """A test for a build server.

    A test without `failure`, `error` and `skipped` has passed.
    """

    name: str
    failure: str = ""
    detail: str = ""
    skipped: str = ""
    error: str = ""


def answer_case(name: str, code: Code, said: str) -> Case:
    """An answer as a test: no is a failure, bad input is an error, and unknown is skipped."""
    first, _, rest = said.partition("\n")
    match code:
        case Code.YES:
            return Case(name)
        case Code.NO:
            return Case(name, first, rest.lstrip("\n"))
        case Code.BAD_INPUT:
            return Case(name, error=first)
        case Code.UNKNOWN:
            return Case(name, skipped=first)


def write_junit(path: Path, suite: str, cases: Sequence[Case]) -> None:
    """Write one suite of tests.  Raises InputError if the file cannot be written."""
    counts = {
        "tests": len(cases),
        "failures": sum(bool(case.failure) for case in cases),
        "errors": sum(bool(case.error) for case in cases),
        "skipped": sum(bool(case.skipped) for case in cases),
    }
    top = Element("testsuite", {"name": suite} | {key: str(count) for key, count in counts.items()})
    for case in cases:
        element = SubElement(top, "testcase", classname=suite, name=_text(case.name))
        if case.failure:
            SubElement(element, "failure", message=_text(case.failure)).text = _text(case.detail)
        elif case.error:
            SubElement(element, "error", message=_text(case.error))
        elif case.skipped:
            SubElement(element, "skipped", message=_text(case.skipped))
    write_file(path, tostring(top, encoding="utf-8", xml_declaration=True) + b"\n")


def _text(text: str) -> str:
    return _NO_XML.sub("?", text)
