"""The user's input: programs and questions, as text, ``@file``, ``-`` (standard input), or JSON objects.

A file may have program text, a diagram or a trace (a recorded run).  A job consists of processes, its
*ranks*. Only ``phases`` takes recordings of jobs, which have a part for each rank.
"""

import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from io import BytesIO, UnsupportedOperation
from itertools import chain
from os import fstat
from pathlib import Path, PurePath
from typing import Any, BinaryIO, TypeVar

from sealcheck.cli.archives import Archives, is_job, is_recording
from sealcheck.cli.output import remark, step_shown
from sealcheck.errors import InputError, blaming
from sealcheck.language.names import NUMBERS, NamedProgram, Names, together
from sealcheck.language.otlp import instances
from sealcheck.language.parser import parse_over, parse_straight_line, require_process_count
from sealcheck.language.ports import EventLayer, Layer, is_over_ports, require_channels
from sealcheck.language.readers import (
    DIAGRAMS,
    RECORDED,
    begins_trace,
    is_archive,
    is_log,
    is_spans,
    read_log,
    read_named,
)
from sealcheck.language.recordings import EVERY, Assumptions, Remarks, require_about
from sealcheck.language.spans import RecordedProgram, parse_spans
from sealcheck.language.traces import Trace, read_trace
from sealcheck.language.training_jobs import require_all_ranks
from sealcheck.programs.straight_line import StraightLine
from sealcheck.programs.syntax import Program, communications
from sealcheck.support.files import require_current_folder
from sealcheck.support.strict_json import strict_json
from sealcheck.words import counted

MAX_BYTES = 64 * 2**20
"""The most bytes of a program text, or of a line."""
MAX_TRACE_BYTES = 4096 * 2**20
"""The most bytes of a recorded trace, which is read as a stream."""
LONG_TRACE = 8 * 2**20
"""A trace of this many bytes, or more, is read by compiled loops."""
BLOCK = 4 * 2**20
MUCH = 8 * 2**20
"""The number of bytes of a trace between two updates of the progress display."""

STANDARD_INPUT = "-"

NAMING = DIAGRAMS.keys() | RECORDED.keys()
"""The suffixes of diagrams and recordings.  Files with other suffixes have program text."""

Text = str | Trace
"""The content of an argument: a text, or a trace that has been read."""
Given = str | StraightLine


def folder(option: str, name: str) -> Path:
    """The folder that an option names.

    Raises InputError if the name is empty, or if the current folder has been deleted.
    """
    if not name:
        raise InputError(f"{option} is empty: name a folder")
    require_current_folder()
    return Path(name)


@contextmanager
def open_input(name: str) -> Iterator[BinaryIO]:
    """The stream of the named file; ``-`` is standard input.  Raises InputError if it cannot be read."""
    try:
        if name != STANDARD_INPUT:
            with _opened(name) as stream:
                yield stream
        elif sys.stdin is None:  # Python's way to say that it is closed
            raise InputError("standard input is closed")
        else:
            yield sys.stdin.buffer
    except OSError as error:
        raise InputError(f"cannot read {name!r}: {error.strerror}") from None


def _opened(name: str) -> BinaryIO:
    try:
        return open(name, "rb")
    except ValueError:  # U+0000, or half of a surrogate pair
        raise InputError(f"cannot read {name!r}: no file can have this name") from None


def read_input(name: str) -> str:
    """The text of a file; ``-`` is standard input.  Raises InputError if the text cannot be read."""
    with open_input(name) as stream:
        content = stream.read(MAX_BYTES + 1)
    with blaming(f"cannot read {name!r}"):
        return decoded(content)


def decoded(content: bytes, offset: int = 0) -> str:
    """The content as text.  Raises InputError if the content is too long or not UTF-8.

    `offset` is the place in the file at which the content begins.

    >>> decoded("é".encode("latin-1"))
    Traceback (most recent call last):
    sealcheck.errors.InputError: not UTF-8 text: wrong byte 0xe9 at offset 0
    """
    if len(content) > MAX_BYTES:
        raise InputError(f"longer than {MAX_BYTES // 2**20} MiB")
    try:
        return content.decode("utf-8" if offset else "utf-8-sig")
    except UnicodeDecodeError as error:
        wrong = error.object[error.start]
        at = offset + error.start
        raise InputError(f"not UTF-8 text: wrong byte {wrong:#04x} at offset {at}") from None


def read_texts(
    sources: Mapping[str, str], n: int | None, assuming: Assumptions = EVERY
) -> tuple[dict[str, Given], int | None, Names]:
    """The programs in the arguments, the number of processes, and the names of the processes.

    `sources` has the arguments by name.  If the processes have names, the programs are returned parsed, and
    the number of processes is the number of names.  Otherwise, the programs are returned as texts, with the
    argument `n`.  Raises InputError if a program cannot be read.
    """
    texts, files = written(sources)
    require_assumed(texts, files, assuming)
    return numbered(texts, files, n, assuming)


def numbered(
    texts: Mapping[str, Text], files: Mapping[str, str], n: int | None, assuming: Assumptions = EVERY
) -> tuple[dict[str, Given], int | None, Names]:
    """What `read_texts` returns, for texts that have been read.  `files` has the files of some texts."""
    if not (named := _named(texts, files, assuming)):
        return {name: text for name, text in texts.items() if isinstance(text, str)}, n, NUMBERS
    programs, names = _together(texts, named, n)
    return dict(zip(texts, programs, strict=True)), len(names.listed), names


def named_programs(texts: Mapping[str, str], n: int | None) -> tuple[list[StraightLine], Names]:
    """The programs in texts, and the names of their processes.

    Raises InputError if a text is wrong, or if only some of the texts name their processes.
    """
    named = _named(texts, {}, EVERY)
    return _together(texts, named, n) if named else (parse_programs(texts, n), NUMBERS)


def have_ports(texts: Mapping[str, Text], files: Mapping[str, str]) -> bool:
    """Whether a text or trace needs ports: because of tags, receives from any source, or spans."""

    def has_ports(name: str, text: Text) -> bool:
        if isinstance(text, Trace):
            return bool(text.over_ports)
        return is_spans(text, files.get(name, "")) or is_over_ports(text)

    return any(has_ports(name, text) for name, text in texts.items())


def require_assumed(texts: Mapping[str, Text], files: Mapping[str, str], assuming: Assumptions) -> None:
    """Raise InputError if the user has dropped an assumption that is not about any of the texts."""
    spans = any(isinstance(text, str) and is_spans(text, files.get(name, "")) for name, text in texts.items())
    require_about(assuming, spans=spans, jobs=any(map(is_job, files.values())))


def as_layer(program: Given) -> Layer:
    """A program as a layer over ports."""
    return program if isinstance(program, str) else EventLayer.of(program)


def over_ports(
    texts: Mapping[str, Text], files: Mapping[str, str], assuming: Assumptions
) -> tuple[dict[str, Layer], list[str]]:
    """The texts and traces as layers over ports, and the processes that files name.  Raises InputError."""
    found: dict[str, Layer] = {}
    of_files: dict[str, str] = {}
    for name, text in texts.items():
        if isinstance(text, Trace):
            with blaming(name):
                found[name] = text.event_layer()
        else:
            found[name] = text
            if PurePath(files.get(name, "")).suffix.lower() in NAMING:
                of_files[name] = text
    named = _named(of_files, files, assuming)
    for name, program in named.items():
        with blaming(name):
            if isinstance(program, RecordedProgram):
                found[name] = program.over_ports
            else:
                found[name] = EventLayer.of(program)
    read = [text if isinstance(text, Trace) else named.get(name) for name, text in texts.items()]
    return found, [*dict.fromkeys(process for each in read if each for process in each.names)]


def _named(
    texts: Mapping[str, Text], files: Mapping[str, str], assuming: Assumptions
) -> dict[str, NamedProgram]:
    """The programs whose processes have names.  Prints the assumptions about spans on standard error."""
    others: set[tuple[str, str]] = set()
    for name, text in texts.items():
        if isinstance(text, str) and is_spans(text, files.get(name, "")):
            with blaming(name):
                others |= instances(text)
    named: dict[str, NamedProgram] = {}
    spans = partial(parse_spans, assuming=assuming, others=others)
    for name, text in texts.items():
        with blaming(name):
            if isinstance(text, Trace):
                program: NamedProgram | None = text.program()
            else:
                file = files.get(name, "")
                if PurePath(file).suffix.lower() not in NAMING:
                    require_channels(text)
                program = read_named(text, file, spans)
        if program is not None:
            named[name] = program
    remarks = (program.remarks for program in named.values() if isinstance(program, RecordedProgram))
    for line in sum(remarks, Remarks()).lines():
        remark(line)
    return named


def _together(
    texts: Mapping[str, Text], named: dict[str, NamedProgram], n: int | None
) -> tuple[list[StraightLine], Names]:
    first = next(iter(named))
    for name, text in texts.items():
        if isinstance(text, Trace) or name in named:
            continue
        if any(parse_programs({name: text}, None)[0].shares):
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
    texts: Mapping[str, Given], n: int | None, *, self_channels: bool
) -> tuple[list[Program], int]:
    """Programs of the paper's whole language, and the number of processes.

    Without `n`, the number is that of the largest process in any program.  Raises InputError if a text is
    wrong, or uses a channel from a process to itself without `self_channels`.
    """
    programs, widest = [], n or 1
    for name, text in texts.items():
        with blaming(name):
            program, processes = parse_over(str(text), n)
            own = [each.sender for each in communications(program) if each.sender == each.receiver]
            if own and not self_channels:
                raise InputError(f"process {own[0]} uses a channel to itself: see --self-channels")
        programs.append(program)
        widest = max(widest, processes)
    return programs, widest


def written(
    sources: Mapping[str, str], archives: Archives | None = None, *, alone: bool = False
) -> tuple[dict[str, Text], dict[str, str]]:
    """The texts or traces of the arguments, and the files from which they were read.

    Both results have names for error messages as keys.  With `alone`, `sources` has only one layer.  A
    recording may then be split into several layers.

    Raises InputError if an argument cannot be read, or if an argument is a recording of a job but `archives`
    is None.  Raises LimitReached if reading a recording hits a limit.
    """
    if list(sources.values()).count(STANDARD_INPUT) > 1:
        raise InputError(f"only one of {' and '.join(sources)} can be read from standard input")
    texts: dict[str, Text] = {}
    files: dict[str, str] = {}
    recorded: dict[str, str] = {}
    for name, source in sources.items():
        if source == STANDARD_INPUT or source.startswith("@"):
            file = source.removeprefix("@")
            where = "standard input" if source == STANDARD_INPUT else file
            called = f"{name}: {where}"
            if source != STANDARD_INPUT and is_recording(file):
                if is_archive(file) or not is_job(file):
                    with blaming(name), open_input(file):  # it must be there
                        pass
                texts[called], recorded[called] = _RECORDING, file
            else:
                with blaming(name), open_input(file) as stream:
                    texts[called] = _content(stream, file, where)
            files[called] = file
            if isinstance(text := texts[called], str) and not text.strip():
                raise InputError(f"{called} is empty (the empty program is written eps)")
        elif any("\udc80" <= letter <= "\udcff" for letter in source):  # bytes that Python could not decode
            encoding = f"the encoding of the locale, {sys.getfilesystemencoding()}"
            raise InputError(f"{name}: the argument is not text in {encoding}: use a UTF-8 locale")
        else:
            texts[name] = source
    if any(map(is_log, files.values())):
        remark(
            "assumed: each message is received, and tells its receiver something new (clocks show no others)"
        )
    if archives is not None:
        texts |= archives.traces(recorded, alone=alone)
    elif recorded:
        called, file = next(iter(recorded.items()))
        what = "folders and patterns, as recordings of training jobs" if is_job(file) else "OTF2 archives"
        raise InputError(f"{called}: only sealcheck phases reads {what}")
    return texts, files


_RECORDING = "recording"
"""A text in the place of a recording's trace, until the trace is read."""


def read_content(content: bytes, file: str, name: str) -> Text:
    """The content of a file as a text or a trace.  Raises InputError."""
    with blaming(name):
        return _content(BytesIO(content), file, file)


def _content(stream: BinaryIO, file: str, where: str) -> Text:
    head: list[bytes] = []
    lines = iter(partial(stream.readline, MAX_BYTES + 1), b"")
    for line in lines:
        head.append(line)
        if line.strip():
            break
    with blaming(where):
        if head and begins_trace(decoded(head[-1]), file):
            return _trace(b"".join(head), stream, file)
        content = b"".join(head)
        content += stream.read(max(0, MAX_BYTES + 1 - len(content)))
        if len(content) > MAX_BYTES and PurePath(file).suffix.lower() in RECORDED:
            raise InputError(
                f"longer than {MAX_BYTES // 2**20} MiB: export a part of the run, with fewer spans"
            )
        if is_log(file):
            return read_log(decoded(content))
        require_all_ranks(content, file)
        return decoded(content)


def _trace(head: bytes, stream: BinaryIO, file: str) -> Trace:
    with suppress(UnsupportedOperation):  # a stream that is no file has no size
        _require_short(fstat(stream.fileno()).st_size)
    first = head + stream.read(max(0, LONG_TRACE - len(head)))
    first += b"" if first.endswith(b"\n") else stream.readline(MAX_BYTES + 1)
    if len(first) >= LONG_TRACE and (read_packed := _in_loops()):
        with closing(_shown(chain([first], _blocks(stream)), file)) as blocks:
            return read_packed(blocks, _decoded_line)
    lines = chain(BytesIO(first), iter(partial(stream.readline, MAX_BYTES + 1), b""))
    with closing(_decoded_lines(lines, file)) as trace:
        return read_trace(trace)


def _in_loops() -> "Callable[[Iterable[bytes], Callable[[bytes, int], str]], Trace] | None":
    """The function that reads long traces.  None in the small installation, which lacks it."""
    try:
        from sealcheck.language.packed_traces import read_packed
    except ImportError:
        return None
    return read_packed


def _blocks(stream: BinaryIO) -> Iterator[bytes]:
    while block := stream.read(BLOCK):
        yield block if block.endswith(b"\n") else block + stream.readline(MAX_BYTES + 1)


def _decoded_lines(lines: Iterable[bytes], file: str) -> Generator[str, None, None]:
    offset = 0
    for line in _shown(lines, file):
        yield _decoded_line(line, offset)
        offset += len(line)


def _decoded_line(line: bytes, offset: int) -> str:
    return line.decode() if line.isascii() and len(line) <= MAX_BYTES else decoded(line, offset)


def _require_short(size: int) -> None:
    if size > MAX_TRACE_BYTES:
        why = "give the trace of a part of the run, such as two phases"
        raise InputError(f"longer than {MAX_TRACE_BYTES // 2**20} MiB: {why}")


def _shown(parts: Iterable[bytes], file: str) -> Generator[bytes, None, None]:
    """The same parts of a trace.  A terminal shows how much of a long trace has been read."""
    size, shown_at = 0, MUCH
    with ExitStack() as shown:
        show: Callable[[str], None] | None = None
        for part in parts:
            yield part
            size += len(part)
            _require_short(size)
            if size >= shown_at:
                show = show or shown.enter_context(step_shown(f"reading {PurePath(file).name}"))
                show(f"{size // 2**20:,} MiB")
                shown_at = size + MUCH


def parse_programs(texts: Mapping[str, Given], n: int | None) -> list[StraightLine]:
    """The straight-line programs in these texts, all over the processes 1..n.

    Without `n`, n is the largest process in any of the texts.  InputError names the wrong text.

    >>> [program.n for program in parse_programs({"P": "mt 1->2", "Q": "mt 2->3"}, None)]
    [3, 3]
    """
    if n is not None:
        require_process_count(n)
    programs = []
    for name, text in texts.items():
        with blaming(name):
            programs.append(parse_straight_line(text, n) if isinstance(text, str) else text)
    widest = max(program.n for program in programs)
    return [StraightLine(program.shares + ((),) * (widest - program.n)) for program in programs]


T = TypeVar("T", str, bool, int, list[Any], dict[str, Any])

Texts = Callable[[dict[str, Any]], dict[str, str]]
"""A function that finds program texts, by name, in the fields of a line.  It raises InputError."""

_JSON_TYPES = {str: "a string", bool: "a truth value", int: "a number", float: "a decimal number"}
_JSON_TYPES |= {list: "an array", dict: "an object", type(None): "null"}


def texts_of(*names: str) -> Texts:
    """A function that finds the texts of these programs in a line.  The keys are the names in lower case.

    >>> texts_of("P", "Q")({"p": "eps", "q": "cut"})
    {'P': 'eps', 'Q': 'cut'}
    """

    def texts(fields: dict[str, Any]) -> dict[str, str]:
        require_known(fields, [name.lower() for name in names])
        return {name: field_of(fields, name.lower(), str, "a program text") for name in names}

    return texts


def layers_of(fields: dict[str, Any]) -> dict[str, str]:
    """Any number of program texts.

    >>> layers_of({"layers": ["mt 1->2", "eps"]})
    {'layer 1': 'mt 1->2', 'layer 2': 'eps'}
    """
    require_known(fields, ["layers"])
    layers = field_of(fields, "layers", list, "an array of program texts")
    if not layers:
        raise InputError("key 'layers' must be an array of program texts, at least one")
    for number, layer in enumerate(layers, 1):
        if not isinstance(layer, str):
            raise InputError(f"layers: item {number} must be a program text, not {_JSON_TYPES[type(layer)]}")
    return {f"layer {number}": layer for number, layer in enumerate(layers, 1)}


def require_known(fields: dict[str, Any], keys: Sequence[str]) -> None:
    """Raise InputError if `fields` has a key that is not in `keys`."""
    if unknown := next((key for key in fields if key not in keys), None):
        raise InputError(f"unknown key {unknown[:20]!r}")


def field_of(fields: dict[str, Any], key: str, kind: type[T], what: str) -> T:
    """The value of a field.  Raises InputError if the key is missing, or if the value is not a `kind`."""
    if key not in fields:
        raise InputError(f"key {key!r} is missing")
    value = fields[key]
    if type(value) is not kind:  # not isinstance: true is an int to Python
        raise InputError(f"key {key!r} must be {what}, not {_JSON_TYPES[type(value)]}")
    return value


def require_words(ports: Mapping[str, Any]) -> None:
    """Raise InputError if a port in the key ``ports`` of a line does not have a list of words."""
    for port, words in ports.items():
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise InputError(f'port {port[:20]}: give an array of words, such as ["fifo", "lossy"]')


def fields_of(request: str, known: Mapping[str, tuple[type, Any]]) -> dict[str, Any]:
    """The values of the fields of a request.

    `known` has the type and the default of each field.  Raises InputError if the request has another key, or
    a value of another type.
    """
    fields = object_of(request)
    require_known(fields, [*known])
    what = {str: "a text", bool: "true or false", int: "a whole number"}
    return {
        key: field_of(fields, key, kind, what[kind]) if key in fields else default
        for key, (kind, default) in known.items()
    }


def object_of(text: str) -> dict[str, Any]:
    """The fields of a line.  Raises InputError if the line is not a JSON object."""
    if not text.strip():
        raise InputError("the line is empty")
    fields = strict_json(text)
    if not isinstance(fields, dict):
        raise InputError(f"a question is a JSON object, not {_JSON_TYPES[type(fields)]}")
    return fields
