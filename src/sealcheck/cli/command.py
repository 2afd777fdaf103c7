"""Options and replies of the commands about programs.

A command answers one question about the programs in its arguments.  Or it answers the questions of a *batch*:
a file with a question on each line.
"""

import json as json_format
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, BinaryIO, NamedTuple, NoReturn

import typer

from sealcheck.cli import inputs
from sealcheck.cli.options import argument, option, whole
from sealcheck.cli.output import remark, waiting_shown, write
from sealcheck.errors import InputError, LimitReached
from sealcheck.language.names import NUMBERS, Names
from sealcheck.language.recordings import Assumption, Assumptions, require_about
from sealcheck.operations.result import Code, Document, Result, unknown, with_names
from sealcheck.support.files import write_file
from sealcheck.support.processes import Bounded, Limits
from sealcheck.words import counted

_TEXT = "program text, @FILE, or - for standard input"


def program_argument(name: str, what: str) -> Any:
    """A program as an argument."""
    return argument(name, f"{what}: {_TEXT}.")


def batch_option(example: str) -> Any:
    """The option --batch, for a file of questions.  Its help shows `example`."""
    help = f"Questions as JSON lines, such as {example}, in FILE, or - for standard input;"
    return option("--batch", "FILE", f"{help} one answer per line, in the same order.")


P = Annotated[str | None, program_argument("P", "Program")]
Q = Annotated[str | None, program_argument("Q", "Second program")]
N = Annotated[int | None, whole("--n", "N", "Number of processes. [default: the highest in the programs]")]
SelfChannels = Annotated[
    bool, typer.Option("--self-channels", help="Allow messages from a process to itself.")
]
NotAssuming = Annotated[
    list[str] | None,
    option(
        "--not-assuming",
        "WORD",
        f"Assumption about recordings to drop: {', '.join(Assumption)}. Repeatable.",
    ),
]
Minimal = Annotated[bool, typer.Option("--minimal", help="A seal with as few messages as possible.")]
Batch = Annotated[str | None, batch_option('{"p": "mt 1->2", "q": "mt 2->1", "n": 3}')]

Told = Callable[[str, Code, str], None]
"""A function that is called for each answer, with the question's name, the exit code, and the text."""


class Said(NamedTuple):
    """An answer, as the command prints it."""

    code: Code
    text: str
    told: str
    name: str = ""
    picture: bytes | None = None


LONGEST_NAMED = 2**20
"""If a line with more bytes than this hits a limit, its answer has no name."""

MOST_SKIPPED = 256 * 2**20
"""The most bytes of a line that are skipped after the first ``inputs.MAX_BYTES``, to reach the next line."""


def given_programs(sources: Mapping[str, str | None], batch: str | None) -> dict[str, str]:
    """The programs in the arguments.  Empty if a batch is given.

    Raises InputError if a program is missing, or if programs and a batch are given.
    """
    given = {name: source for name, source in sources.items() if source is not None}
    if batch is not None and given:
        raise InputError(f"give either --batch or {' and '.join(sources)}, not both")
    if batch is None and (missing := [name for name in sources if name not in given]):
        raise InputError(f"the program {missing[0]} is missing: give it, or --batch FILE")
    return given


def respond(
    question: Callable[..., Result],
    sources: Mapping[str, str | None],
    keys: Sequence[str],
    n: int | None,
    limits: Limits,
    assuming: Assumptions,
    *,
    json: bool,
    batch: str | None,
) -> NoReturn:
    """Answer the question about the given programs, or the questions of a batch.  Then exit.

    `keys` are the keys of an answer in JSON.  Raises InputError if the arguments do not fit the question.
    """
    otherwise = partial(unknown, keys)

    def ask(fields: dict[str, Any], n: int | None) -> tuple[Result, Names]:
        programs, names = inputs.named_programs(inputs.texts_of(*sources)(fields), n)
        with names.blamed():
            return question(*programs, names=names), names

    if batch is not None:
        require_about(assuming, spans=False, jobs=False)  # lines are texts
    given = given_programs(sources, batch)
    if batch is not None:
        raise typer.Exit(answer_lines(ask, batch, n, otherwise=otherwise, limits=limits))
    texts, n, names = inputs.read_texts(given, n, assuming)

    def once() -> Result:
        return question(*inputs.parse_programs(texts, n), names=names)

    raise typer.Exit(answer_once(once, otherwise=otherwise, limits=limits, json=json, names=names))


def answer_once(
    question: Callable[[], Result],
    *,
    otherwise: Callable[[str], Result],
    limits: Limits,
    json: bool,
    names: Names = NUMBERS,
    told: Told | None = None,
    out: Path | None = None,
    name: str = "",
) -> Code:
    """Ask within limits, print the answer, and return the exit code.

    If a limit is hit, the answer is ``otherwise(reason)``.

    - If `out` is given and the answer has a picture, the picture is written to `out`.
    - If `name` is given, an answer in JSON begins with this name.
    - If `told` is given, it is called with the answer.
    """

    def shown(answer: Result) -> Said:
        said = answer.explain() if told or not json else ""
        text = json_format.dumps(_legend(name) | with_names(answer, names).to_json()) if json else said
        picture = answer.draw().content(out.suffix) if out and answer.picture else None
        return Said(answer.code, text, said, picture=picture)

    def asked(_: None) -> Said:
        return shown(question())

    try:
        with names.blamed(), waiting_shown("deciding") as tick, Bounded(asked, limits, tick) as bounded:
            given = bounded(None)
    except LimitReached as limit:
        given = shown(otherwise(str(limit)))
    if out and given.picture is None:
        remark(f"this answer has no picture: {out} is not written")
    elif out and given.picture is not None:
        write_file(out, given.picture)
    write(given.text)
    if told:
        told(name, given.code, given.told)
    return given.code


def answer_lines(
    ask: Callable[[dict[str, Any], int | None], tuple[Result, Names]],
    source: str,
    n: int | None,
    *,
    otherwise: Callable[[str], Result],
    limits: Limits,
    told: Told | None = None,
) -> Code:
    """Answer each line of a file, or of standard input (``-``), before the next line is read.

    A line is a JSON object.  `ask` gets this object and the number of processes: the `n` of the line or, if
    the line has no `n`, the argument `n`.  If a line has a name, its answer begins with the name.

    - If a line has an error, its answer is ``{"error": "…"}``.
    - If a line hits a limit, its answer is ``otherwise(reason)``.

    Returns the first of these codes that some answer has: BAD_INPUT, UNKNOWN (a limit was hit), NO, YES.
    Raises InputError if there are no lines.
    """

    def answered(line: bytes) -> Said:
        fields = inputs.object_of(inputs.decoded(line))
        name = _named(fields)
        fields.pop("name", None)
        try:
            own = inputs.field_of(fields, "n", int, "a whole number") if "n" in fields else n
            fields.pop("n", None)
            answer, names = ask(fields, own)
        except InputError as error:
            return _refused(error, name)
        document = _legend(name) | with_names(answer, names).to_json()
        return Said(answer.code, json_format.dumps(document), answer.explain() if told else "", name)

    code, number, bad, first_bad = Code.YES, 0, 0, 0
    with inputs.open_input(source) as stream, Bounded(answered, limits) as bounded:
        for number, line in enumerate(_lines(stream), 1):
            given = _attempt(bounded, line, otherwise)
            if given.code is Code.BAD_INPUT:
                bad, first_bad = bad + 1, first_bad or number
            code = max(code, given.code)
            write(given.text)
            if told:
                told(given.name or f"line {number}", given.code, given.told)
    if not number:
        where = "standard input" if source == inputs.STANDARD_INPUT else repr(source)
        raise InputError(f"{where} is empty: give --batch one question per line")
    if bad:
        share = f"{bad} of {counted(number, 'line')}"
        remark(f"{share} could not be answered, the first is line {first_bad}")
    return Code.BAD_INPUT if bad else code


def _attempt(answered: Callable[[bytes], Said], line: bytes, otherwise: Callable[[str], Result]) -> Said:
    try:
        return answered(line)
    except InputError as error:
        return _refused(error, "")
    except LimitReached as limit:
        unknown = otherwise(str(limit))
        name = _read_again(line) if len(line) <= LONGEST_NAMED else ""
        document = json_format.dumps(_legend(name) | unknown.document)
        return Said(unknown.code, document, unknown.explain(), name)


def _read_again(line: bytes) -> str:
    """The name of a line.  Empty if the line has no name, or cannot be read."""
    try:
        return _named(inputs.object_of(inputs.decoded(line)))
    except InputError:
        return ""


def _refused(error: InputError, name: str) -> Said:
    document = json_format.dumps(_legend(name) | {"error": str(error)})
    return Said(Code.BAD_INPUT, document, f"bad input: {error}", name)


def _legend(name: str) -> Document:
    return {"name": name} if name else {}


def _named(fields: dict[str, Any]) -> str:
    """The name of a line; empty without the key `name`.  Raises InputError if the key has a wrong value."""
    if "name" not in fields:
        return ""
    if not (name := inputs.field_of(fields, "name", str, "a name")):
        raise InputError("key 'name' must be a name, not an empty string")
    return name


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream.  A line of more than ``inputs.MAX_BYTES + 1`` bytes is cut to this length.

    Raises InputError if more than `MOST_SKIPPED` bytes of a line would have to be skipped.
    """
    while line := stream.readline(inputs.MAX_BYTES + 1):
        rest, skipped = line, 0
        while len(rest) > inputs.MAX_BYTES and not rest.endswith(b"\n"):
            rest = stream.readline(inputs.MAX_BYTES + 1)
            skipped += len(rest)
            if skipped > MOST_SKIPPED:
                raise InputError(f"a line is longer than {MOST_SKIPPED // 2**20} MiB")
        yield line
