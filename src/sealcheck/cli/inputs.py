"""Programs as the user gives them: program text, ``@file``, or ``-`` for standard input."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path, PurePath
from typing import BinaryIO

from sealcheck.cli.output import remark
from sealcheck.errors import InputError
from sealcheck.language.assumptions import EVERY, Assumptions, Remarks
from sealcheck.language.names import NUMBERS, NamedProgram, Names, together
from sealcheck.language.otlp import instances
from sealcheck.language.parser import parse_over, parse_straight_line, require_process_count
from sealcheck.language.readers import DIAGRAMS, RECORDED, is_spans, read_named
from sealcheck.language.spans import RecordedProgram, parse_spans
from sealcheck.programs.straight_line import StraightLine
from sealcheck.programs.syntax import Program, communications
from sealcheck.support.files import require_current_folder
from sealcheck.words import counted

MAX_BYTES = 64 * 2**20
"""Of one program text; room for several million statements."""

STANDARD_INPUT = "-"


def folder(option: str, name: str) -> Path:
    """The folder that an option names.  Raises InputError if it is empty, or the current folder is gone."""
    if not name:
        raise InputError(f"{option} is empty: name a folder")
    require_current_folder()
    return Path(name)


@contextmanager
def open_input(name: str) -> Iterator[BinaryIO]:
    """The named file, or standard input for ``-``.  Raises InputError if it can't be read."""
    try:
        if name != STANDARD_INPUT:
            with open(name, "rb") as stream:
                yield stream
        elif sys.stdin is None:  # Python's way to say that it is closed
            raise InputError("standard input is closed")
        else:
            yield sys.stdin.buffer
    except OSError as error:
        raise InputError(f"cannot read {name!r}: {error.strerror}") from None


def read_input(name: str) -> str:
    """The text of a file, or of standard input.  Raises InputError as `open_input` and `decoded` do."""
    with open_input(name) as stream:
        content = stream.read(MAX_BYTES + 1)
    try:
        return decoded(content)
    except InputError as error:
        raise InputError(f"cannot read {name!r}: {error}") from None


def decoded(content: bytes) -> str:
    """The content as text.  Raises InputError if it is too long or not UTF-8.

    >>> decoded("é".encode("latin-1"))
    Traceback (most recent call last):
    sealcheck.errors.InputError: not UTF-8 text: wrong byte 0xe9 at offset 0
    """
    if len(content) > MAX_BYTES:
        raise InputError(f"longer than {MAX_BYTES // 2**20} MiB")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        wrong = error.object[error.start]
        raise InputError(f"not UTF-8 text: wrong byte {wrong:#04x} at offset {error.start}") from None


def read_texts(
    sources: Mapping[str, str], n: int | None, assuming: Assumptions = EVERY
) -> tuple[dict[str, str], int | None, Names]:
    """The program texts that arguments stand for, the number of processes if it is known, and their names.

    `sources` maps the name of each argument to what the user wrote.  Programs over named processes are
    written with numbers.  What is assumed about spans is said.  Raises InputError if one cannot be read.
    """
    return numbered(*written(sources), n, assuming)


def numbered(
    texts: dict[str, str], files: Mapping[str, str], n: int | None, assuming: Assumptions = EVERY
) -> tuple[dict[str, str], int | None, Names]:
    """Program texts with numbers for processes, as `read_texts` has them; some texts are from files."""
    if not (named := _named(texts, files, assuming)):
        return texts, n, NUMBERS
    programs, names = _together(texts, named, n)
    return dict(zip(texts, map(str, programs), strict=True)), len(names.listed), names


def named_programs(texts: Mapping[str, str], n: int | None) -> tuple[list[StraightLine], Names]:
    """The programs of texts, and what their processes are called: all by numbers, or all by names.

    Raises InputError.
    """
    named = _named(texts, {}, EVERY)
    return _together(texts, named, n) if named else (parse_programs(texts, n), NUMBERS)


def over_ports(
    texts: Mapping[str, str], files: Mapping[str, str], assuming: Assumptions, *, always: bool = False
) -> tuple[dict[str, str], list[str]] | None:
    """The texts as program text over ports, and the names of processes; None if no file has spans.

    `always`, also without spans.  Raises InputError.
    """
    if not always and not any(is_spans(texts[name], file) for name, file in files.items()):
        return None
    suffixes = DIAGRAMS.keys() | RECORDED.keys()
    of_files = {key: texts[key] for key, file in files.items() if PurePath(file).suffix.lower() in suffixes}
    named = _named(of_files, files, assuming)
    found = dict(texts)
    for name, program in named.items():
        with _blaming(name):
            if isinstance(program, RecordedProgram):
                found[name] = program.over_ports
            else:
                found[name] = Names(program.names).events(program.events)
    return found, [*dict.fromkeys(process for program in named.values() for process in program.names)]


def _named(
    texts: Mapping[str, str], files: Mapping[str, str], assuming: Assumptions
) -> dict[str, NamedProgram]:
    """The programs with named processes.  What is assumed about spans, and left out, is said once."""
    others: set[tuple[str, str]] = set()
    for name, text in texts.items():
        if is_spans(text, files.get(name, "")):
            with _blaming(name):
                others |= instances(text)
    named: dict[str, NamedProgram] = {}
    for name, text in texts.items():
        with _blaming(name):
            spans = partial(parse_spans, assuming=assuming, others=others)
            program = read_named(text, files.get(name, ""), spans)
        if program is not None:
            named[name] = program
    remarks = (program.remarks for program in named.values() if isinstance(program, RecordedProgram))
    for line in sum(remarks, Remarks()).lines():
        remark(line)
    return named


def _together(
    texts: Mapping[str, str], named: dict[str, NamedProgram], n: int | None
) -> tuple[list[StraightLine], Names]:
    """The programs over all processes that are named; others may have none.  Raises InputError."""
    first = next(iter(named))
    for name in texts.keys() - named.keys():
        if any(parse_programs({name: texts[name]}, None)[0].shares):
            other = first.partition(":")[0]
            raise InputError(f"{name}: it numbers its processes, but {other} names them")
        named[name] = NamedProgram((), ())
    programs, names = together([named[name] for name in texts])
    if not names.listed:
        raise InputError(f"{first}: no process is named")
    if n is None:
        n = len(names.listed)
    require_process_count(n)
    if n < len(names.listed):
        raise InputError(f"{counted(len(names.listed), 'process is', 'processes are')} named, but n is {n}")
    idle = ((),) * (n - len(names.listed))
    return [StraightLine(program.shares + idle) for program in programs], names.widened(n)


def parse_any_programs(
    texts: Mapping[str, str], n: int | None, *, self_channels: bool
) -> tuple[list[Program], int]:
    """The programs of the whole language, and their number of processes.

    Without `n`, the largest process named in any of them is the last.  Raises InputError.
    """
    programs, widest = [], n or 1
    for name, text in texts.items():
        with _blaming(name):
            program, processes = parse_over(text, n)
            own = [each.sender for each in communications(program) if each.sender == each.receiver]
            if own and not self_channels:
                raise InputError(f"process {own[0]} uses a channel to itself: see --self-channels")
        programs.append(program)
        widest = max(widest, processes)
    return programs, widest


def written(sources: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """The texts, and the files that some are from, by what a message calls them: by argument and file."""
    if list(sources.values()).count(STANDARD_INPUT) > 1:
        raise InputError(f"only one of {' and '.join(sources)} can be read from standard input")
    texts: dict[str, str] = {}
    files: dict[str, str] = {}
    for name, source in sources.items():
        if source == STANDARD_INPUT or source.startswith("@"):
            file = source.removeprefix("@")
            called = f"{name}: {'standard input' if source == STANDARD_INPUT else file}"
            with _blaming(name), open_input(file) as stream:
                content = stream.read(MAX_BYTES + 1)
            with _blaming(called):
                texts[called], files[called] = decoded(content), file
            if not texts[called].strip():
                raise InputError(f"{called} is empty (the empty program is written eps)")
        elif any("\udc80" <= letter <= "\udcff" for letter in source):  # bytes that Python could not decode
            encoding = f"the encoding of the locale, {sys.getfilesystemencoding()}"
            raise InputError(f"{name}: the argument is not text in {encoding}: use a UTF-8 locale")
        else:
            texts[name] = source
    return texts, files


def parse_programs(texts: Mapping[str, str], n: int | None) -> list[StraightLine]:
    """The straight-line programs, all over the processes 1..n.

    Without `n`, the largest process named in any of them is the last.  Raises InputError,
    naming the program, if a text is not one.

    >>> [program.n for program in parse_programs({"P": "mt 1->2", "Q": "mt 2->3"}, None)]
    [3, 3]
    """
    if n is not None:
        require_process_count(n)
    programs = []
    for name, text in texts.items():
        with _blaming(name):
            programs.append(parse_straight_line(text, n))
    widest = max(program.n for program in programs)
    return [StraightLine(program.shares + ((),) * (widest - program.n)) for program in programs]


@contextmanager
def _blaming(name: str) -> Iterator[None]:
    """Start the message of any InputError with the name of the program."""
    try:
        yield
    except InputError as error:
        raise error.about(name) from None
