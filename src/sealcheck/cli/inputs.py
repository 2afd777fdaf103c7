"""Programs as the user gives them: program text, ``@file``, or ``-`` for standard input."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple, assert_never

from sealcheck.errors import InputError
from sealcheck.language.names import NUMBERS, NamedProgram, Names, together
from sealcheck.language.parser import parse_over, parse_straight_line, require_process_count
from sealcheck.language.readers import read_named
from sealcheck.programs.straight_line import StraightLine
from sealcheck.programs.syntax import (
    Assignment,
    Choice,
    Cut,
    Eps,
    Guard,
    Layering,
    Program,
    Receive,
    Repetition,
    Send,
)
from sealcheck.support.files import require_current_folder
from sealcheck.words import counted

MAX_BYTES = 64 * 2**20
"""Of one program text; room for several million statements."""

STANDARD_INPUT = "-"


def folder(option: str, name: str) -> Path:
    """The folder that an option names.  Raises InputError if it names none, or there can be none."""
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


class Texts(NamedTuple):
    """Program texts, with numbers for processes."""

    texts: dict[str, str]
    n: int | None
    """The number of processes, if it is given."""
    names: Names
    """What the processes are called."""


def read_texts(sources: Mapping[str, str], n: int | None) -> Texts:
    """The program texts that arguments stand for.

    `sources` maps the name of each argument to what the user wrote.  Programs over named processes are
    written with numbers.  Raises InputError if one cannot be read.
    """
    texts, files = _texts(sources)
    if not (named := _named(texts, files)):
        return Texts(texts, n, NUMBERS)
    programs, names = _together(texts, named, n)
    return Texts(dict(zip(texts, map(str, programs), strict=True)), len(names.listed), names)


def read_named_programs(sources: Mapping[str, str], n: int | None) -> tuple[list[StraightLine], Names]:
    """The programs, and what their processes are called: all by numbers, or all by names.

    Raises InputError as `read_texts` does, and where a text is not a straight-line program.
    """
    return named_programs(*_texts(sources), n)


def named_programs(
    texts: Mapping[str, str], files: Mapping[str, str], n: int | None
) -> tuple[list[StraightLine], Names]:
    """The same of texts, some of which may be from files."""
    named = _named(texts, files)
    return _together(texts, named, n) if named else (parse_programs(texts, n), NUMBERS)


def _named(texts: Mapping[str, str], files: Mapping[str, str]) -> dict[str, NamedProgram]:
    """Those of the programs that are over named processes."""
    named: dict[str, NamedProgram] = {}
    for name, text in texts.items():
        with _blaming(name):
            program = read_named(text, files.get(name, ""))
        if program is not None:
            named[name] = program
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
            if not self_channels and (own := next(_to_itself(program), None)):
                raise InputError(f"process {own} uses a channel to itself: see --self-channels")
        programs.append(program)
        widest = max(widest, processes)
    return programs, widest


def _to_itself(program: Program) -> Iterator[int]:
    """The processes that send to, or receive from, themselves."""
    match program:
        case Send(sender, receiver) | Receive(receiver, sender):
            yield from [sender] if sender == receiver else []
        case Layering(parts) | Choice(parts):
            for part in parts:
                yield from _to_itself(part)
        case Repetition(body):
            yield from _to_itself(body)
        case Eps() | Assignment() | Guard() | Cut():
            pass
        case _:
            assert_never(program)


def _texts(sources: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
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
            texts[called], files[called] = _content(called, content), file
        else:
            with _blaming(name):
                _require_text(source)
            texts[name] = source
    return texts, files


def _require_text(argument: str) -> None:
    """Raise InputError where bytes could not be decoded, for which Python puts surrogates."""
    if any("\udc80" <= letter <= "\udcff" for letter in argument):
        encoding = sys.getfilesystemencoding()
        raise InputError(
            f"the argument is not text in the encoding of the locale, {encoding}: use a UTF-8 locale"
        )


def _content(called: str, content: bytes) -> str:
    with _blaming(called):
        text = decoded(content)
    if not text.strip():
        raise InputError(f"{called} is empty (the empty program is written eps)")
    return text


def parse_programs(texts: Mapping[str, str], n: int | None) -> list[StraightLine]:
    """The straight-line programs, all over the processes 1..n.

    Without `n`, the largest process named in any of them is the last.  Raises InputError,
    naming the program, where a text is not one.

    >>> [program.n for program in parse_programs({"P": "mt 1->2", "Q": "mt 2->3"}, None)]
    [3, 3]
    """
    if n is not None:
        require_process_count(n)
    programs = [_parse(name, text, n) for name, text in texts.items()]
    widest = max(program.n for program in programs)
    return [StraightLine(program.shares + ((),) * (widest - program.n)) for program in programs]


def _parse(name: str, text: str, n: int | None) -> StraightLine:
    with _blaming(name):
        return parse_straight_line(text, n)


@contextmanager
def _blaming(name: str) -> Iterator[None]:
    """Start the message of any InputError with the name of the program."""
    try:
        yield
    except InputError as error:
        raise error.about(name) from None
