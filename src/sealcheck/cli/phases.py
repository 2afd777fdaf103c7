"""``sealcheck phases``: decide whether layers stay apart.

A *layer* is a program.  Layers follow each other without barriers.  They stay apart if, in every execution,
each receive takes a message of its own layer.
"""

import json as json_format
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import asdict, dataclass, replace
from functools import partial
from glob import glob, has_magic
from importlib.util import find_spec
from io import StringIO
from os.path import exists, getsize, isdir, isfile
from pathlib import Path
from time import monotonic
from typing import Annotated, Any

import typer

from sealcheck.cli import options
from sealcheck.cli.archives import Archives
from sealcheck.cli.command import N, NotAssuming, SelfChannels, answer_lines, answer_once, batch_option
from sealcheck.cli.inputs import STANDARD_INPUT
from sealcheck.cli.layers import PROTOCOL, Given, Question
from sealcheck.cli.output import (
    Case,
    answer_case,
    remark,
    remark_again,
    write,
    write_as_it_is,
    write_json,
    write_junit,
)
from sealcheck.errors import InputError, LimitReached
from sealcheck.language.mpi import Reading
from sealcheck.language.names import NUMBERS
from sealcheck.language.readers import ARCHIVE, DIAGRAMS, RECORDED
from sealcheck.language.recordings import assumptions_but
from sealcheck.operations.phases import PHASES_KEYS
from sealcheck.operations.result import Code, unknown
from sealcheck.support.files import require_place
from sealcheck.support.processes import Limits, cores
from sealcheck.words import counted, harmless

SUITE = "sealcheck phases"

Layers = Annotated[
    list[str] | None,
    options.argument(
        "LAYER",
        "Layers in order, each as program text, @FILE, or - for standard input; or one protocol file,"
        " @FILE.phases.",
    ),
]
Repeat = Annotated[bool, typer.Option("--repeat", help="Repeat the layers for any number of rounds.")]
Open = Annotated[bool, typer.Option("--open", help="Allow any program after the layers.")]
Transports = Annotated[
    bool, typer.Option("--transports", help="Print a table of the answers for all transports.")
]
Search = Annotated[
    bool,
    typer.Option(
        "--search",
        help="Search all executions. Needed if two receives can compete for some messages, but not for all.",
    ),
]
All = Annotated[bool, typer.Option("--all", help="Print an execution for each root cause.")]
Each = Annotated[
    bool,
    typer.Option(
        "--each", help="Treat each file as a separate question; arguments are files, folders, patterns."
    ),
]
EachMaster = Annotated[
    str | None,
    options.master_option(
        "Spark master for --each. [default: all cores of this machine, if there is much to do]"
    ),
]
Out = Annotated[
    Path | None,
    options.option("--out", "FILE", "Picture of the answer. The suffix chooses the format, as in draw."),
]
BatchOfLayers = Annotated[str | None, batch_option('{"name": "write", "layers": ["@write.mmd", "mt 2->1"]}')]


def phases(
    layers: Layers = None,
    repeat: Repeat = False,
    open: Open = False,
    order: options.Order = "",
    port: options.OnePort = None,
    transport: options.Transport = "",
    transports: Transports = False,
    search: Search = False,
    every: All = False,
    n: N = None,
    self_channels: SelfChannels = False,
    not_assuming: NotAssuming = None,
    any_source: options.AnySource = None,
    split_at: options.SplitAt = None,
    seconds: options.Seconds = options.SECONDS,
    memory: options.Memory = options.MIB,
    json: options.Json = False,
    batch: BatchOfLayers = None,
    each: Each = False,
    master: EachMaster = None,
    junit: options.JUnit = None,
    out: Out = None,
) -> None:
    """May each of these layers start without a barrier after the one before it?

    A layer is a program. A process starts its part of a layer as soon as it has finished its part of the
    layer before. The answer is yes if, in every execution, each receive takes a message of its own layer.

    Messages may have tags, receives may take from any source, and channels may keep order, lose messages or
    duplicate them. If any of these applies, the layers are over ports.

    A yes comes with its reason. If the layers are not over ports, causal chains show that messages of later
    layers are sent too late to be taken. A no comes with an execution for each root cause. A channel or port
    is a root cause if, in some execution, the first receive that takes a message of another layer or round is
    on this channel or port.
    """
    _require_one_source(layers, batch, master, each=each)
    if out is not None:
        _require_picture(out, is_one=batch is None and not each and not transports)
    if junit is not None:
        require_place(junit)
    ports, assuming = options.guarantees(port or ()), assumptions_but(not_assuming or ())
    limits = Limits(seconds, memory)
    reading = Reading(frozenset(any_source or ()), frozenset(split_at or ()))
    given = Given(repeat, open, order, transport, ports, self_channels, search, every, transports)
    given = given._replace(document=json or batch is not None, assuming=assuming)
    given = given._replace(archives=Archives(reading, limits, assuming))
    cases: list[Case] = []
    asking = _Asking(given, n, limits, json, cases if junit is not None else None, out)
    with _reported(junit, cases, batch or " | ".join(layers or [])):
        if batch is not None:
            code = asking.lines(batch)
        elif each:
            code, found = answer_each(files_of(layers or []), asking.of_file, json=json, master=master)
            cases += found
        else:
            code = asking.of_layers(layers or [])
    raise typer.Exit(code)


@contextmanager
def _reported(junit: Path | None, cases: list[Case], said: str) -> Iterator[None]:
    """Write the cases to the file `junit`, if it is given.  An InputError adds a case named `said`."""
    try:
        yield
    except InputError as error:
        if junit is not None:
            write_junit(junit, SUITE, [*cases, answer_case(said, Code.BAD_INPUT, f"bad input: {error}")])
        raise
    if junit is not None:
        write_junit(junit, SUITE, cases)


def _require_one_source(
    layers: Sequence[str] | None, batch: str | None, master: str | None, *, each: bool
) -> None:
    if batch is not None and layers:
        raise InputError("give either --batch or layers, not both")
    if each and batch is not None:
        raise InputError("give either --batch or --each, not both")
    if batch is None and not layers:
        raise InputError("no layers: give at least one (or --batch)")
    if master is not None and not each:
        raise InputError("--master is for many files: give --each, too")


def _require_picture(out: Path, *, is_one: bool) -> None:
    from sealcheck.drawing.drawing import require_format

    if not is_one:
        raise InputError("--out draws one answer: leave out --batch, --each and --transports")
    if out == Path():
        raise InputError("--out is empty: name a file")
    require_format(out.suffix)
    require_place(out)


@dataclass(frozen=True)
class _Asking:
    """The options for asking questions and for using their answers."""

    given: Given
    n: int | None
    limits: Limits
    json: bool
    cases: list[Case] | None
    out: Path | None

    def lines(self, batch: str) -> Code:
        """Answer the lines of a batch."""
        folder = Path() if batch == STANDARD_INPUT else Path(batch).parent
        given = self.given._replace(folder=folder, is_one_of_many=True)
        ask, told = given.line, self._told if self.cases is not None else None
        return answer_lines(ask, batch, self.n, otherwise=_OTHERWISE, limits=self.limits, told=told)

    def of_file(self, file: str, cases: list[Case]) -> Code:
        """Answer the question in a file, and add its test case to `cases`."""
        given = self.given._replace(is_one_of_many=True)
        asking = replace(self, given=given, cases=None if self.cases is None else cases)
        try:
            return asking.of_layers([f"@{file}"], file)
        except InputError as error:
            asking._told(file, Code.BAD_INPUT, f"bad input: {error}")
            if self.json:
                write_json({"name": file, "error": str(error)})
            remark("\n".join([str(error), *getattr(error, "__notes__", ())]), also="\n")
            return Code.BAD_INPUT

    def of_layers(self, layers: Sequence[str], name: str = "") -> Code:
        """Print the answer to one question.  Raises InputError."""
        try:
            question = self.given.question(layers, self.n)
        except LimitReached as limit:
            question = Question(partial(_OTHERWISE, str(limit)), NUMBERS, " | ".join(layers))

        def told(name: str, code: Code, said: str) -> None:
            self._told(name or question.said, code, said)

        return answer_once(
            question.ask,
            otherwise=_OTHERWISE,
            limits=self.limits,
            json=self.json,
            names=question.names,
            told=told if self.cases is not None else None,
            out=self.out,
            name=name,
        )

    def _told(self, name: str, code: Code, said: str) -> None:
        if self.cases is not None:
            self.cases.append(answer_case(name, code, said))


_OTHERWISE = partial(unknown, PHASES_KEYS)


SUFFIXES = {PROTOCOL, ARCHIVE, *DIAGRAMS, *RECORDED}
"""The suffixes of files that count as questions if a folder is given."""
WORDS = {Code.YES: "yes", Code.NO: "no", Code.UNKNOWN: "unknown", Code.BAD_INPUT: "error"}
MUCH_WORK = 60.0
"""If the estimated work takes more seconds than this, use Spark, although its start takes ten seconds."""
SECONDS_OF_A_FILE, BYTES_IN_A_SECOND = 0.05, 10_000_000
"""The estimate of work: the seconds for each file, and the number of bytes that take a second."""

Answer = Callable[[str, list[Case]], Code]
"""A function that prints the answer about a file, and adds its test case to a list."""


def files_of(arguments: Sequence[str]) -> list[str]:
    """The files that arguments stand for: FILE, @FILE, a folder, or a pattern.

    A folder stands for its files with a suffix in `SUFFIXES`.  A pattern stands for the files that match it.
    Raises InputError if no file is found.
    """
    found: list[str] = []
    for name in (each.removeprefix("@") for each in arguments):
        if not name:
            raise InputError("an argument is empty: name a file, a folder or a pattern")
        if isdir(name):
            files = _in_folder(name)
        elif has_magic(name) and not exists(name):
            files = [file for file in sorted(glob(name, recursive=True)) if not isdir(file)]
        else:
            files = [name]
        if not files:
            raise InputError(f"there is no file in '{name}': name a file, a folder or a pattern")
        found += files
    return found


def _in_folder(folder: str) -> list[str]:
    """The files of a folder that have questions.  A remark says how many entries are left out."""
    try:
        here = sorted(Path(folder).iterdir())
    except OSError as error:
        raise InputError(f"cannot read {folder!r}: {error.strerror}") from None
    files = [str(file) for file in here if file.suffix.lower() in SUFFIXES and isfile(file)]
    if others := len(here) - len(files):
        kinds = ", ".join(sorted(SUFFIXES))
        remark(f"left out of {folder}: {counted(others, 'entry', 'entries')} (read are {kinds})")
    return files


def answer_each(
    files: Sequence[str], answer: Answer, *, json: bool, master: str | None
) -> tuple[Code, list[Case]]:
    """Print the answer about each file, in order, and then the counts of answers.

    Spark distributes the files if `master` is given, or if the estimated work exceeds `MUCH_WORK`.
    Returns the exit code and the test cases.
    """
    if master is not None or _is_much(files):
        verdicts, cases = _on_spark(files, answer, master, json=json)
    else:
        verdicts, cases = _in_a_loop(files, answer, json=json)
    if len(files) > 1 and not json:
        kinds = [f"{word} {verdicts[word]}" for word in WORDS.values() if word in verdicts]
        write(f"\n{counted(len(files), 'file')}: {', '.join(kinds)}")
    codes = [code for code, word in WORDS.items() if word in verdicts]
    return (Code.BAD_INPUT if Code.BAD_INPUT in codes else max(codes)), cases


Asked = tuple[Mapping[str, int], list[Case]]


def _in_a_loop(files: Sequence[str], answer: Answer, *, json: bool) -> Asked:
    verdicts, cases = Counter[str](), list[Case]()
    for number, file in enumerate(files):
        _name(file, number, json=json)
        verdicts[WORDS[answer(file, cases)]] += 1
    return verdicts, cases


def _on_spark(files: Sequence[str], answer: Answer, master: str | None, *, json: bool) -> Asked:
    from sealcheck.spark_sweeps.many_files import answers
    from sealcheck.spark_sweeps.progress import progress_bar
    from sealcheck.spark_sweeps.session import spark_session

    with progress_bar("phases") as follow, spark_session(master, "sealcheck phases") as spark:
        rows, verdicts = answers(spark, files, partial(_row, answer), follow)
    cases: list[Case] = []
    for number, (file, row) in enumerate(zip(files, rows, strict=True)):
        _name(file, number, json=json)
        if row["answer"]:
            write_as_it_is(row["answer"].removesuffix("\n"))
        remark_again(row["remarks"])
        cases += [Case(**each) for each in json_format.loads(row["cases"])]
    return verdicts, cases


def _row(answer: Answer, file: str) -> dict[str, Any]:
    """The columns of `many_files.ANSWERS` about a file."""
    cases: list[Case] = []
    begun = monotonic()
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        code = answer(file, cases)
    return {
        "verdict": WORDS[code],
        "answer": out.getvalue(),
        "remarks": err.getvalue(),
        "cases": json_format.dumps([asdict(case) for case in cases]),
        "seconds": monotonic() - begun,
        "error": err.getvalue().partition("\n")[0] if code is Code.BAD_INPUT else None,
    }


def _name(file: str, number: int, *, json: bool) -> None:
    if not json:
        name = harmless(file, also="")
        write(f"\n{name}:" if number else f"{name}:")


def _is_much(files: Sequence[str]) -> bool:
    if len(files) == 1 or cores() == 1 or not find_spec("pyspark"):
        return False
    size = sum(getsize(file) for file in files if isfile(file))
    return len(files) * SECONDS_OF_A_FILE + size / BYTES_IN_A_SECOND > MUCH_WORK
