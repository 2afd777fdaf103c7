"""``sealcheck phases``: layers over channels, over ports, and in protocols."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

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
from sealcheck.cli.inputs import (
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
from sealcheck.cli.options import MIB, SECONDS, Json, JUnit, Memory, Seconds, argument, option
from sealcheck.errors import InputError
from sealcheck.language.assumptions import EVERY, Assumptions, assumptions_but
from sealcheck.language.diagrams import DrawnProtocol
from sealcheck.language.names import Names
from sealcheck.language.ports import Declared, Layer, is_over_ports, parse_protocol_file
from sealcheck.language.readers import read_protocol
from sealcheck.operations.phases import PHASES_KEYS, staying_apart
from sealcheck.operations.ports import each_transport, staying_apart_over_ports
from sealcheck.operations.result import Code, Result, unknown
from sealcheck.programs.phases import Phases
from sealcheck.programs.straight_line import StraightLine
from sealcheck.support.processes import Limits

SUITE = "sealcheck phases"
"""The name of the answers on build servers."""
PROTOCOL = ".phases"
"""The suffix of protocol files."""

Layers = Annotated[
    list[str] | None,
    argument("LAYER", "Layers, in order: program text, @FILE, or -; or one protocol file, @FILE.phases."),
]
Repeat = Annotated[bool, typer.Option("--repeat", help="Any number of rounds of the layers.")]
Open = Annotated[bool, typer.Option("--open", help="Any program after the layers.")]
Order = Annotated[str, option("--order", "ORDER", "Order of messages in ports: bag or fifo. [default: bag]")]
OnePort = Annotated[
    list[str] | None,
    option("--port", "PORT=WORDS", "Guarantee of one port, such as '2<-*:job=fifo,lossy'; several times."),
]
Transport = Annotated[str, option("--transport", "NAME", "Transport of all ports, such as tcp or mpi.")]
Transports = Annotated[bool, typer.Option("--transports", help="A table: the answer for each transport.")]
Search = Annotated[bool, typer.Option("--search", help="Receives may overlap: all executions are searched.")]
All = Annotated[bool, typer.Option("--all", help="An execution for each root cause.")]
BatchOfLayers = Annotated[str | None, batch_option('{"layers": ["mt 1->2", "mt 2->1"], "n": 3}')]


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
    seconds: Seconds = SECONDS,
    memory: Memory = MIB,
    json: Json = False,
    batch: BatchOfLayers = None,
    junit: JUnit = None,
) -> None:
    """May each of these layers start without a barrier after the one before it?

    Yes if no receive of one layer takes a message of another in any execution, however slow or fast
    processes and channels are. The evidence comes with it: for each layer and channel a causal chain, or
    for each root cause an execution up to the receive that takes a wrong message. A root cause is a channel
    on which that can happen although all other channels deliver to the right layer and round. Messages may
    have tags, receives may take from any source, and channels may keep order, lose or duplicate.
    """
    if batch is not None and layers:
        raise InputError("give either --batch or layers, not both")
    if batch is None and not layers:
        raise InputError("no layers: give at least one (or --batch)")
    given = _Given(repeat, open, order, transport, dict(map(_guarantee, port or ())), self_channels, search)
    given = given._replace(every=every, transports=transports, document=json or batch is not None)
    given = given._replace(assuming=assumptions_but(not_assuming or ()))
    cases: list[Case] = []

    def told(code: Code, said: str) -> None:
        name = " | ".join(layers) if layers else f"line {len(cases) + 1}"
        cases.append(answer_case(name, code, said))

    limits, heard = Limits(seconds, memory), told if junit is not None else None
    otherwise = partial(unknown, PHASES_KEYS)
    if batch is not None:
        code = answer_lines(given.line, batch, n, otherwise=otherwise, limits=limits, told=heard)
    else:
        question, names = given.arguments(layers or [], n)
        code = answer_once(question, otherwise=otherwise, limits=limits, json=json, names=names, told=heard)
    if junit is not None:
        write_junit(junit, SUITE, cases)
    raise typer.Exit(code)


class _Given(NamedTuple):
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

    @property
    def is_over_ports(self) -> bool:
        """Whether anything is said of ports."""
        options = self.order, self.transport, self.ports, self.transports, self.search, self.every
        return any(map(bool, options))

    def arguments(self, layers: Sequence[str], n: int | None) -> tuple[Callable[[], Result], Names]:
        """The question about layers as they are given on the command line, and the names of the processes."""
        if any(layer.startswith("@") and layer.endswith(PROTOCOL) for layer in layers):
            if len(layers) > 1:
                raise InputError("a protocol file has all layers: give nothing else")
            return self._over_ports(self._file(layers[0].removeprefix("@"), n))
        texts, files = written({f"layer {k}": text for k, text in enumerate(layers, 1)})
        for name, file in files.items() if len(layers) == 1 else ():
            try:
                drawn = read_protocol(texts[name], file)
            except InputError as error:
                raise error.about(name) from None
            if drawn is not None:
                return self._over_ports(self._drawn(drawn, n))
        titles = [f"layer {k}" for k in range(1, len(layers) + 1)]
        if have_ports(texts, files):
            ported, processes = over_ports(texts, files, self.assuming)
            return self._over_ports(replace(self._declared(ported, titles, n), processes=processes))
        programs, n, names = numbered(texts, files, n)
        if self.is_over_ports:
            ported = {name: as_layer(program) for name, program in programs.items()}
            return self._over_ports(replace(self._declared(ported, titles, n), names=names))
        return lambda: self._plain(parse_programs(programs, n), names), names

    def line(self, fields: dict[str, Any], n: int | None) -> tuple[Result, Names]:
        """The answer about a line of a batch."""
        require_known(fields, ["layers", *(key for key, _, _ in _LINE), "protocol"])
        given = self
        for key, kind, what in _LINE:
            if key in fields:
                value: Any = field_of(fields, key, kind, what)
                given = given._replace(**{key: value})
        if "protocol" in fields:
            texts = field_of(fields, "layers", dict, "an object of program texts")
            titles, protocol = list(texts), field_of(fields, "protocol", str, "an expression of layers")
            texts = layers_of({"layers": list(texts.values())})
        else:
            texts, protocol = layers_of({"layers": fields["layers"]} if "layers" in fields else {}), None
            titles = list(texts)
        if protocol is None and not given.is_over_ports and not any(map(is_over_ports, texts.values())):
            programs, names = named_programs(texts, n)
            with names.blamed():
                return given._plain(programs, names), names
        declared = given._declared(dict(zip(titles, texts.values(), strict=True)), titles, n)
        question, names = given._over_ports(replace(declared, protocol=protocol))
        return question(), names

    def _plain(self, programs: Sequence[StraightLine], names: Names) -> Result:
        about = Phases(tuple(programs), self.repeat, self.open)
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
        sources = {
            f"layer {title}": f"@{Path(name).parent / text[1:].strip()}" if text.startswith("@") else text
            for title, text in found.layers.items()
        }
        texts, files = written(sources)
        layers, processes = over_ports(texts, files, self.assuming)
        declared = self._declared(layers, list(found.layers), n)
        return replace(
            declared,
            protocol=found.protocol,
            transport=self.transport or ("" if self.order else found.transport),
            ports={**found.ports, **self.ports},
            processes=[*dict.fromkeys([*found.processes, *processes])],
        )

    def _drawn(self, drawn: DrawnProtocol, n: int | None) -> Declared:
        """What a file with several layers declares, perhaps any number of times."""
        found = self._replace(repeat=False)._declared(drawn.layers, list(drawn.layers), n)
        protocol = ("any", drawn.expression) if self.repeat else drawn.expression
        return replace(found, protocol=protocol, processes=drawn.processes)

    def _over_ports(self, declared: Declared) -> tuple[Callable[[], Result], Names]:
        about, names = declared.read()
        if self.transports:
            return lambda: each_transport(about, names), names
        question = partial(staying_apart_over_ports, about, declared.titles, names)
        return lambda: question(document=self.document, every_run=self.every), names


_LINE: tuple[tuple[str, Any, str], ...] = (
    ("repeat", bool, "true or false"),
    ("open", bool, "true or false"),
    ("search", bool, "true or false"),
    ("order", str, "bag or fifo"),
    ("transport", str, "the name of a transport"),
    ("ports", dict, "an object of lists of words"),
)
"""The keys of a line that say what options say, with the types of their values."""


def _guarantee(text: str) -> tuple[str, list[str]]:
    port, equals, words = text.partition("=")
    if not equals:
        raise InputError(f"--port takes a port and its guarantee, such as '2<-1=fifo', not '{text[:40]}'")
    return port, [word.strip() for word in words.split(",")]
