"""Questions whether layers stay apart: from arguments, a line of a batch, or the page of ``sealcheck play``.

A layer is a program.  Layers follow each other without barriers.  They stay apart if, in every execution,
each receive takes a message of its own layer.  The paper's channels lose nothing, and deliver in any order.
Ports (docs/ports.md) may lose or duplicate messages, or keep their order.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from os.path import isdir
from pathlib import Path, PurePath
from typing import Any, NamedTuple

from sealcheck.cli import inputs
from sealcheck.cli.archives import Archives, is_job
from sealcheck.drawing.making import LATER
from sealcheck.errors import InputError, blaming
from sealcheck.language.diagrams import DrawnProtocol
from sealcheck.language.names import Names
from sealcheck.language.ports import Declared, Layer, is_over_ports, parse_protocol_file, used_port
from sealcheck.language.readers import is_archive, read_protocol, title_of
from sealcheck.language.recordings import EVERY, Assumptions
from sealcheck.operations.phases import staying_apart
from sealcheck.operations.ports import each_transport, staying_apart_over_ports
from sealcheck.operations.result import Result
from sealcheck.programs.phases import Phases
from sealcheck.programs.straight_line import StraightLine

PROTOCOL = ".phases"


class Question(NamedTuple):
    """A question about layers."""

    ask: Callable[[], Result]
    names: Names
    said: str
    """What the question is called in reports: its layers, or its file."""

    def answer(self) -> tuple[Result, Names]:
        """The answer to the question, and the names of the processes.  Raises InputError."""
        with self.names.blamed():
            return self.ask(), self.names


class Plain(NamedTuple):
    """Programs over the paper's channels, not yet parsed."""

    programs: Mapping[str, str | StraightLine]
    n: int | None
    names: Names

    def parsed(self) -> list[StraightLine]:
        """The programs.  Raises InputError."""
        return inputs.parse_programs(self.programs, self.n)


class Given(NamedTuple):
    """The options of a question.  A line of a batch may override some options."""

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
    is_one_of_many: bool = False
    """Whether there are several questions.  An option then may have no effect on some questions."""
    folder: Path | None = None
    """The folder of the batch or protocol file.  Names of files in this file are relative to the folder."""

    @property
    def is_over_ports(self) -> bool:
        """Whether any option is about ports."""
        options = self.order, self.transport, self.ports, self.transports, self.search, self.every
        return any(map(bool, options))

    def question(self, layers: Sequence[str], n: int | None) -> Question:
        """The question about the layers in the arguments of the command line."""
        if any(layer.startswith("@") and layer.endswith(PROTOCOL) for layer in layers):
            if len(layers) > 1:
                raise InputError("a protocol file has all layers: give only this file")
            file = self._found_from(layers[0]).removeprefix("@")
            given = self._replace(folder=Path(file).parent)
            return given.of_protocol(inputs.read_input(file), file, n, PurePath(file).stem)
        sources = {f"layer {k}": self._found_from(text) for k, text in enumerate(layers, 1)}
        texts, files = inputs.written(sources, self.archives, alone=len(layers) == 1)
        return self.of_texts(texts, files, layers, n)

    def of_texts(
        self, texts: Mapping[str, inputs.Text], files: Mapping[str, str], layers: Sequence[str], n: int | None
    ) -> Question:
        """The question about the layers in `texts`.

        The keys of `texts` are names for error messages.  `files` has the files of some layers.
        """
        if not self.is_one_of_many:
            inputs.require_assumed(texts, files, self.assuming)
        titles = layer_titles(texts, files)
        given = zip(titles, layers, strict=True)
        said = " | ".join(title if layer.startswith("@") else layer for title, layer in given)
        for name, file in files.items() if len(layers) == 1 else ():
            with blaming(name):
                drawn = read_protocol(texts[name], file)
            if drawn is not None:
                return self._over_ports(self._drawn(drawn, n), said)
        read = self.read(texts, files, titles, n)
        if isinstance(read, Declared):
            return self._over_ports(read, said)
        return Question(lambda: self._plain(read.parsed(), read.names, titles), read.names, said)

    def read(
        self, texts: Mapping[str, inputs.Text], files: Mapping[str, str], titles: Sequence[str], n: int | None
    ) -> "Declared | Plain":
        """Read the layers with these titles: over ports if a text or an option needs ports.

        `files` has the files of some layers.  Raises InputError.
        """
        if inputs.have_ports(texts, files):
            ported, processes = inputs.over_ports(texts, files, self.assuming)
            return replace(self._declared(ported, titles, n), processes=processes)
        programs, n, names = inputs.numbered(texts, files, n)
        if self.is_over_ports:
            ported = {name: inputs.as_layer(program) for name, program in programs.items()}
            return replace(self._declared(ported, titles, n), names=names)
        return Plain(programs, n, names)

    def _found_from(self, layer: str) -> str:
        """The text of a layer.  If it names a file, the name is made relative to the current folder."""
        if self.folder is None:
            return layer
        if layer.removeprefix("@").strip() == inputs.STANDARD_INPUT:
            raise InputError("only a layer of the command line can be standard input: name a file")
        return f"@{self.folder / layer[1:].strip()}" if layer.startswith("@") else layer

    def said(self, fields: dict[str, Any]) -> "Given":
        """These options, after a line of a batch has overridden some.  Raises InputError."""
        given = self
        for key in fields.keys() & _LINE.keys():
            value: Any = inputs.field_of(fields, key, *_LINE[key])
            if key == "ports":
                inputs.require_words(value)
            given = given._replace(**{key: value})
        return given

    def line(self, fields: dict[str, Any], n: int | None) -> tuple[Result, Names]:
        """The answer to a line of a batch."""
        inputs.require_known(fields, ["layers", *_LINE, "protocol"])
        given = self.said(fields)
        protocol = None
        if "protocol" in fields:
            texts = inputs.field_of(fields, "layers", dict, "an object of program texts")
            titles = list(texts)
            protocol = inputs.field_of(fields, "protocol", str, "an expression of layers")
            texts = inputs.layers_of({"layers": list(texts.values())})
        else:
            texts = inputs.layers_of({"layers": fields["layers"]} if "layers" in fields else {})
            titles = list(texts)
        of_files = any(text.startswith("@") for text in texts.values())
        if protocol is not None and of_files:
            declared = given._read(dict(zip(titles, texts.values(), strict=True)), n)
            return given._over_ports(replace(declared, protocol=protocol)).answer()
        if of_files:
            return given.question(list(texts.values()), n).answer()
        if protocol is None and not given.is_over_ports and not any(map(is_over_ports, texts.values())):
            programs, names = inputs.named_programs(texts, n)
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

    def of_protocol(self, text: str, name: str, n: int | None, said: str = "") -> Question:
        """The question in the `text` of a protocol file with this `name`.

        In the text, names of files are relative to `folder`.  Raises InputError if the text is wrong, or if
        it names a file but `folder` is None.
        """
        _ = self._declared({}, (), n).every  # options first: the file is not to blame for them
        with blaming(name):
            question = self._over_ports(self._declarations(text, n), said)
        return question._replace(ask=partial(_blaming, name, question.ask))

    def _declarations(self, text: str, n: int | None) -> Declared:
        found = parse_protocol_file(text)
        for title, layer in found.layers.items() if self.folder is None else ():
            if layer == inputs.STANDARD_INPUT or layer.startswith("@"):
                raise InputError(f"layer {title}: there are no files here: write the program itself")
        declared = self._read(found.layers, n)
        return replace(
            declared,
            protocol=found.protocol,
            transport=self.transport or ("" if self.order else found.transport),
            ports={**found.ports, **self.ports},
            processes=[*dict.fromkeys([*found.processes, *declared.processes])],
            called=[f"layer {title}" for title in found.layers],
            begins=found.begins,
        )

    def _read(self, layers: Mapping[str, str], n: int | None) -> Declared:
        """Read the layers of a protocol.  Each layer is program text or ``@FILE``."""
        sources = {}
        for title, text in layers.items():
            with blaming(f"layer {title}"):
                sources[f"layer {title}"] = self._found_from(text)
        texts, files = inputs.written(sources, self.archives)
        if not self.is_one_of_many:
            inputs.require_assumed(texts, files, self.assuming)
        ported, processes = inputs.over_ports(texts, files, self.assuming)
        return replace(self._declared(ported, list(layers), n), processes=processes)

    def _drawn(self, drawn: DrawnProtocol, n: int | None) -> Declared:
        found = self._replace(repeat=False)._declared(drawn.layers, list(drawn.layers), n)
        protocol = ("any", drawn.expression) if self.repeat else drawn.expression
        return replace(found, protocol=protocol, processes=drawn.processes)

    def _over_ports(self, declared: Declared, said: str = "") -> Question:
        about, names = declared.read()
        if self.transports:
            if self.order or self.transport:
                raise InputError("--transports asks about each transport: leave out the order and transport")
            own = [used_port(port, names, about.used) for port in declared.ports]
            return Question(lambda: each_transport(about, names, own), names, said)
        question = partial(staying_apart_over_ports, about, declared.titles, names)
        return Question(lambda: question(document=self.document, every_run=self.every), names, said)


def _blaming(name: str, ask: Callable[[], Result]) -> Result:
    with blaming(name):
        return ask()


_LINE: dict[str, tuple[Any, str]] = {
    "repeat": (bool, "true or false"),
    "open": (bool, "true or false"),
    "search": (bool, "true or false"),
    "order": (str, "bag or fifo"),
    "transport": (str, "the name of a transport"),
    "ports": (dict, "an object of lists of words"),
}
"""The keys of a batch line that override options, with the types of their values."""


def layer_titles(texts: Mapping[str, inputs.Text], files: Mapping[str, str]) -> list[str]:
    """The names of layers, all different.  `files` has the files of some layers.  Raises InputError.

    - A layer in a diagram has the title of the diagram.
    - An archive, or a training job, has the name of its folder.
    - A layer in another file, or in a diagram without a title, has the name of the file.
    - Any other layer has a number as its name.

    If names are equal, numbers are added to them.

    >>> texts = dict.fromkeys(["layer 1", "layer 2", "layer 3"], "mt 1->2")
    >>> layer_titles(texts, {"layer 1": "a/write.txt", "layer 3": "b/write.txt"})
    ['write 1', 'layer 2', 'write 2']
    """
    wanted = []
    for name, text in texts.items():
        with blaming(name):
            wanted.append(_title(text, files.get(name, inputs.STANDARD_INPUT)))
    own = [title or f"layer {number}" for number, title in enumerate(wanted, 1)]
    return _different(own)


def _title(text: inputs.Text, file: str) -> str:
    """The name of the layer in a file.  Empty if only the layer's number can name it.  Raises InputError."""
    if file == inputs.STANDARD_INPUT:
        return ""
    own = PurePath(file).parent.name if is_archive(file) or (is_job(file) and not isdir(file)) else ""
    found = (title_of(text, file) if isinstance(text, str) else own, PurePath(file).stem)
    return next((each.strip() for each in found if each.strip() and each.isprintable()), "")


def _different(titles: Sequence[str]) -> list[str]:
    """The titles, with numbers added to equal titles, and to `LATER` (it names events after all layers)."""
    shared = Counter([*titles, LATER])
    taken = {title for title in titles if shared[title] == 1}
    found = []
    for title in titles:
        if shared[title] > 1:
            title = next(each for k in count(1) if (each := f"{title} {k}") not in taken)
            taken.add(title)
        found.append(title)
    return found
