"""``sealcheck phases``: layers over channels, over ports, and in protocols."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePath
from typing import Annotated, Any, NamedTuple

import typer

from sealcheck.cli.archives import AnySource, Archives, SplitAt
from sealcheck.cli.command import (
    N,
    NotAssuming,
    SelfChannels,
    answer_lines,
    answer_once,
    batch_option,
    field_of,
    layers_of,
    require_known,
)
from sealcheck.cli.each import PROTOCOL, answer_each, files_of
from sealcheck.cli.inputs import (
    STANDARD_INPUT,
    Text,
    as_layer,
    have_ports,
    named_programs,
    numbered,
    over_ports,
    parse_programs,
    read_input,
    written,
)
from sealcheck.cli.junit import Case, answer_case, write_junit
from sealcheck.cli.options import (
    MIB,
    SECONDS,
    Json,
    JUnit,
    Memory,
    OnePort,
    Order,
    Seconds,
    Transport,
    argument,
    guarantee,
    master_option,
    option,
)
from sealcheck.cli.output import remark, write_json
from sealcheck.cli.titles import layer_titles
from sealcheck.errors import InputError
from sealcheck.language.assumptions import EVERY, Assumptions, assumptions_but
from sealcheck.language.diagrams import DrawnProtocol
from sealcheck.language.mpi import Reading
from sealcheck.language.names import Names
from sealcheck.language.ports import Declared, Layer, is_over_ports, parse_protocol_file
from sealcheck.language.readers import read_protocol
from sealcheck.operations.phases import PHASES_KEYS, staying_apart
from sealcheck.operations.ports import each_transport, staying_apart_over_ports
from sealcheck.operations.result import Code, Result, unknown
from sealcheck.programs.phases import Phases
from sealcheck.programs.straight_line import StraightLine
from sealcheck.support.files import require_writable
from sealcheck.support.processes import Limits

SUITE = "sealcheck phases"
"""The name of the answers on build servers."""

Layers = Annotated[
    list[str] | None,
    argument("LAYER", "Layers, in order: program text, @FILE, or -; or one protocol file, @FILE.phases."),
]
Repeat = Annotated[bool, typer.Option("--repeat", help="Any number of rounds of the layers.")]
Open = Annotated[bool, typer.Option("--open", help="Any program after the layers.")]
Transports = Annotated[bool, typer.Option("--transports", help="A table: the answer for each transport.")]
Search = Annotated[bool, typer.Option("--search", help="Receives may overlap: all executions are searched.")]
All = Annotated[bool, typer.Option("--all", help="An execution for each root cause.")]
Each = Annotated[
    bool,
    typer.Option("--each", help="Arguments are files that are questions of their own, folders or patterns."),
]
EachMaster = Annotated[
    str | None,
    master_option("Spark master for --each. [default: all cores of this machine, if there is much to do]"),
]
Out = Annotated[
    Path | None,
    option("--out", "FILE", "Picture of the answer; the suffix is the format, as for draw."),
]
BatchOfLayers = Annotated[str | None, batch_option('{"name": "write", "layers": ["@write.mmd", "mt 2->1"]}')]


def phases(
    layers: Layers = None,
    repeat: Repeat = False,
    open: Open = False,
    order: Order = "",
    port: OnePort = None,
    transport: Transport = "",
    transports: Transports = False,
    search: Search = False,
    every: All = False,
    n: N = None,
    self_channels: SelfChannels = False,
    not_assuming: NotAssuming = None,
    any_source: AnySource = None,
    split_at: SplitAt = None,
    seconds: Seconds = SECONDS,
    memory: Memory = MIB,
    json: Json = False,
    batch: BatchOfLayers = None,
    each: Each = False,
    master: EachMaster = None,
    junit: JUnit = None,
    out: Out = None,
) -> None:
    """May each of these layers start without a barrier after the one before it?

    Yes if no receive of one layer takes a message of another in any execution, however slow or fast
    processes and channels are. The evidence comes with it: for each layer and channel a causal chain, or
    for each root cause an execution up to the receive that takes a wrong message. A root cause is a channel
    on which that can happen although all other channels deliver to the right layer and round. Messages may
    have tags, receives may take from any source, and channels may keep order, lose or duplicate.
    """
    _require_one_source(layers, batch, each=each)
    if master is not None and not each:
        raise InputError("--master is for many files: give --each, too")
    if out is not None:
        _require_picture(out, is_one=batch is None and not each and not transports)
    given = Given(repeat, open, order, transport, dict(map(guarantee, port or ())), self_channels, search)
    given = given._replace(every=every, transports=transports, document=json or batch is not None)
    given = given._replace(assuming=assumptions_but(not_assuming or ()))
    limits = Limits(seconds, memory)
    reading = Reading(frozenset(any_source or ()), frozenset(split_at or ()))
    given = given._replace(archives=Archives(reading, limits))
    cases: list[Case] = []
    asking = _Asking(given, n, limits, json, cases if junit is not None else None, out)
    try:
        if batch is not None:
            code = asking.lines(batch)
        elif each:
            code, found = answer_each(files_of(layers or []), asking.of_file, json=json, master=master)
            cases += found
        else:
            code = asking.once(given.question(layers or [], n))
    except InputError as error:
        if junit is not None:
            cases.append(
                answer_case(batch or " | ".join(layers or []), Code.BAD_INPUT, f"bad input: {error}")
            )
            write_junit(junit, SUITE, cases)
        raise
    if junit is not None:
        write_junit(junit, SUITE, cases)
    raise typer.Exit(code)


def _require_one_source(layers: Sequence[str] | None, batch: str | None, *, each: bool) -> None:
    """Raise InputError unless there are either layers or a batch."""
    if batch is not None and layers:
        raise InputError("give either --batch or layers, not both")
    if each and batch is not None:
        raise InputError("give either --batch or --each, not both")
    if batch is None and not layers:
        raise InputError("no layers: give at least one (or --batch)")


def _require_picture(out: Path, *, is_one: bool) -> None:
    """Raise InputError if the file cannot be a picture, or the answer will have none."""
    from sealcheck.drawing.drawing import require_format

    if not is_one:
        raise InputError("--out draws one answer: leave out --batch, --each and --transports")
    if out == Path():
        raise InputError("--out is empty: name a file")
    require_format(out.suffix)
    require_writable(out)


class Question(NamedTuple):
    """A question about layers."""

    ask: Callable[[], Result]
    names: Names
    """Those of the processes."""
    said: str
    """The question in reports: its layers, or its file."""

    def answer(self) -> tuple[Result, Names]:
        """The answer, and the names of the processes.  Raises InputError, with these."""
        with self.names.blamed():
            return self.ask(), self.names


class Plain(NamedTuple):
    """Programs over the paper's channels, before they are parsed."""

    programs: Mapping[str, str | StraightLine]
    n: int | None
    names: Names

    def parsed(self) -> list[StraightLine]:
        """The programs.  Raises InputError."""
        return parse_programs(self.programs, self.n)


class Given(NamedTuple):
    """What the options say, of which a line of a batch may say otherwise."""

    repeat: bool
    open: bool
    order: str
    transport: str
    ports: Mapping[str, Sequence[str]]
    self_channels: bool
    search: bool = False
    every: bool = False
    transports: bool = False
    document: bool = True
    assuming: Assumptions = EVERY
    archives: Archives | None = None
    folder: Path | None = None
    """The folder of the batch, or of the protocol file, in which files are named."""

    @property
    def is_over_ports(self) -> bool:
        """Whether anything is said of ports."""
        options = self.order, self.transport, self.ports, self.transports, self.search, self.every
        return any(map(bool, options))

    def question(self, layers: Sequence[str], n: int | None) -> Question:
        """The question about layers as they are given on the command line."""
        if any(layer.startswith("@") and layer.endswith(PROTOCOL) for layer in layers):
            if len(layers) > 1:
                raise InputError("a protocol file has all layers: give nothing else")
            file = self._found_from(layers[0]).removeprefix("@")
            return self._over_ports(self._file(file, n), PurePath(file).stem)
        sources = {f"layer {k}": self._found_from(text) for k, text in enumerate(layers, 1)}
        texts, files = written(sources, self.archives, alone=len(layers) == 1)
        titles = layer_titles(texts, files)
        given = zip(titles, layers, strict=True)
        said = " | ".join(title if layer.startswith("@") else layer for title, layer in given)
        for name, file in files.items() if len(layers) == 1 else ():
            try:
                drawn = read_protocol(texts[name], file)
            except InputError as error:
                raise error.about(name) from None
            if drawn is not None:
                return self._over_ports(self._drawn(drawn, n), said)
        read = self.read(texts, files, titles, n)
        if isinstance(read, Declared):
            return self._over_ports(read, said)
        return Question(lambda: self._plain(read.parsed(), read.names, titles), read.names, said)

    def read(
        self, texts: Mapping[str, Text], files: Mapping[str, str], titles: Sequence[str], n: int | None
    ) -> "Declared | Plain":
        """Programs with these titles, some of them from files: over ports, or over the paper's channels."""
        if have_ports(texts, files):
            ported, processes = over_ports(texts, files, self.assuming)
            return replace(self._declared(ported, titles, n), processes=processes)
        programs, n, names = numbered(texts, files, n)
        if self.is_over_ports:
            ported = {name: as_layer(program) for name, program in programs.items()}
            return replace(self._declared(ported, titles, n), names=names)
        return Plain(programs, n, names)

    def _found_from(self, layer: str) -> str:
        """A layer as the command line has it; a file is found from the folder of the batch or protocol file.

        Raises InputError if one of these has a layer from standard input.
        """
        if self.folder is None:
            return layer
        if layer.removeprefix("@").strip() == STANDARD_INPUT:
            raise InputError("only a layer of the command line can be standard input: name a file")
        return f"@{self.folder / layer[1:].strip()}" if layer.startswith("@") else layer

    def said(self, fields: dict[str, Any]) -> "Given":
        """The same, unless a line of a batch says otherwise.  Raises InputError."""
        given = self
        for key in fields.keys() & _LINE.keys():
            value: Any = field_of(fields, key, *_LINE[key])
            given = given._replace(**{key: value})
        return given

    def line(self, fields: dict[str, Any], n: int | None) -> tuple[Result, Names]:
        """The answer about a line of a batch."""
        require_known(fields, ["layers", *_LINE, "protocol"])
        given = self.said(fields)
        if "protocol" in fields:
            texts = field_of(fields, "layers", dict, "an object of program texts")
            titles, protocol = list(texts), field_of(fields, "protocol", str, "an expression of layers")
            texts = layers_of({"layers": list(texts.values())})
        else:
            texts, protocol = layers_of({"layers": fields["layers"]} if "layers" in fields else {}), None
            titles = list(texts)
        of_files = any(text.startswith("@") for text in texts.values())
        if protocol is not None and of_files:
            declared = given._read(dict(zip(titles, texts.values(), strict=True)), n)
            return given._over_ports(replace(declared, protocol=protocol)).answer()
        if of_files:
            return given.question(list(texts.values()), n).answer()
        if protocol is None and not given.is_over_ports and not any(map(is_over_ports, texts.values())):
            programs, names = named_programs(texts, n)
            with names.blamed():
                return given._plain(programs, names), names
        declared = given._declared(dict(zip(titles, texts.values(), strict=True)), titles, n)
        return given._over_ports(replace(declared, protocol=protocol)).answer()

    def _plain(self, programs: Sequence[StraightLine], names: Names, titles: Sequence[str] = ()) -> Result:
        about = Phases(tuple(programs), self.repeat, self.open, tuple(titles))
        return staying_apart(about, names, self_channels=self.self_channels, document=self.document)

    def _declared(self, texts: Mapping[str, Layer], titles: Sequence[str], n: int | None) -> Declared:
        if self.self_channels:
            raise InputError("--self-channels is not supported over ports")
        return Declared(
            texts,
            titles,
            repeat=self.repeat,
            open=self.open,
            n=n,
            order=self.order,
            transport=self.transport,
            ports=self.ports,
            search=self.search,
        )

    def _file(self, name: str, n: int | None) -> Declared:
        """What a protocol file declares; layers in other files are found from its folder."""
        try:
            found = parse_protocol_file(read_input(name))
        except InputError as error:
            raise error.about(name) from None
        declared = self._replace(folder=Path(name).parent)._read(found.layers, n)
        return replace(
            declared,
            protocol=found.protocol,
            transport=self.transport or ("" if self.order else found.transport),
            ports={**found.ports, **self.ports},
            processes=[*dict.fromkeys([*found.processes, *declared.processes])],
        )

    def _read(self, layers: Mapping[str, str], n: int | None) -> Declared:
        """Layers with names, program text or ``@FILE``."""
        sources = {f"layer {title}": self._found_from(text) for title, text in layers.items()}
        texts, files = written(sources, self.archives)
        ported, processes = over_ports(texts, files, self.assuming)
        return replace(self._declared(ported, list(layers), n), processes=processes)

    def _drawn(self, drawn: DrawnProtocol, n: int | None) -> Declared:
        """What a file with several layers declares, perhaps any number of times."""
        found = self._replace(repeat=False)._declared(drawn.layers, list(drawn.layers), n)
        protocol = ("any", drawn.expression) if self.repeat else drawn.expression
        return replace(found, protocol=protocol, processes=drawn.processes)

    def _over_ports(self, declared: Declared, said: str = "") -> Question:
        about, names = declared.read()
        if self.transports:
            return Question(lambda: each_transport(about, names), names, said)
        question = partial(staying_apart_over_ports, about, declared.titles, names)
        return Question(lambda: question(document=self.document, every_run=self.every), names, said)


@dataclass(frozen=True)
class _Asking:
    """How questions are asked, and what becomes of their answers."""

    given: Given
    n: int | None
    limits: Limits
    json: bool
    cases: list[Case] | None
    """For build servers, if wanted."""
    out: Path | None

    def lines(self, batch: str) -> Code:
        """The lines of a batch."""
        folder = Path() if batch == STANDARD_INPUT else Path(batch).parent
        ask, told = self.given._replace(folder=folder).line, self._told if self.cases is not None else None
        return answer_lines(ask, batch, self.n, otherwise=_OTHERWISE, limits=self.limits, told=told)

    def of_file(self, file: str, cases: list[Case]) -> Code:
        """A file that is a question of its own, and its case, if there are any."""
        asking = replace(self, cases=None if self.cases is None else cases)
        try:
            return asking.once(self.given.question([f"@{file}"], self.n), file)
        except InputError as error:
            asking._told(file, Code.BAD_INPUT, f"bad input: {error}")
            if self.json:
                write_json({"name": file, "error": str(error)})
            remark("\n".join([str(error), *getattr(error, "__notes__", ())]), also="\n")
            return Code.BAD_INPUT

    def once(self, question: Question, name: str = "") -> Code:
        """One question; JSON has the name, if there is one."""

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
"""The answer if a limit is hit."""

_LINE: dict[str, tuple[Any, str]] = {
    "repeat": (bool, "true or false"),
    "open": (bool, "true or false"),
    "search": (bool, "true or false"),
    "order": (str, "bag or fifo"),
    "transport": (str, "the name of a transport"),
    "ports": (dict, "an object of lists of words"),
}
"""The keys of a line that say what options say, with the types of their values."""
