"""Program text with tags and receives from any source, and files of protocols.

A *port* holds messages until its process, the *reader*, receives them.  All messages come from one sender, or
they may come from any.  All have the same tag, or none has a tag.

A tag is written after the receiver: ``snd 1->2:halo``.  A receive from any source has ``*`` in place of the
sender: ``rcv 2<-*:job``.  Text over ports is straight-line and has no data.

A *layer* is a program.  Other layers may precede and follow it without a barrier.  A *protocol* is a regular
expression of layers.  A protocol file declares layers, their protocol, and the guarantees of ports, such as
``fifo``.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from typing import Any, NamedTuple, cast

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedInput, UnexpectedToken

from sealcheck.errors import InputError, blaming
from sealcheck.language.messages import abridged, error_at, pointing
from sealcheck.language.names import NUMBERS, NamedProgram, Names, require_name, statements, without_comment
from sealcheck.language.parser import MAX_PROCESSES, position
from sealcheck.programs.ports import ANY, Guarantee, Port, PortEvent, PortProgram, Ports, transport
from sealcheck.programs.protocol import NOTHING, Expression, PortPhases, Protocol
from sealcheck.programs.straight_line import Event, Kind, StraightLine

_PROCESS = r'([^\W\d]\w*|"[^"]+"|[0-9]+)'
_TAG = r"(?:\s*:\s*([A-Za-z0-9_-]+))?"
_SEND = re.compile(rf"(mt|snd)\s+{_PROCESS}\s*->\s*{_PROCESS}{_TAG}")
_RECEIVE = re.compile(rf"(rcv)\s+{_PROCESS}\s*<-\s*(?:{_PROCESS}|\*){_TAG}")
_PORTED = re.compile(r'"[^"]*"|#.*|(<-\s*\*|(?:->|<-)\s*(?:\w+|"[^"]*")\s*:(?!=))')
"""Group 1 is a tag or the sign for any source.  Names and comments match, too, but without a group."""
_PORT = re.compile(rf"{_PROCESS}\s*<-\s*(?:{_PROCESS}|\*){_TAG}")


def is_over_ports(text: str) -> bool:
    """Whether a text has a tag, or a receive from any source.

    >>> is_over_ports("snd 1->2:halo"), is_over_ports("rcv 2<-*"), is_over_ports("mt 1->2; 1.x := 2")
    (True, True, False)
    """
    return any(found[1] for line in text.split("\n") for found in _PORTED.finditer(line))


def require_channels(text: str) -> None:
    """Raise InputError if a text has a tag, or a receive from any source."""
    if is_over_ports(text):
        raise InputError("only phases and decide support tags and receives from any source")


class Statement(NamedTuple):
    """A send, a receive, or a transmission, as written."""

    word: str
    sender: str
    """``*``: any."""
    receiver: str
    tag: str


Beginning = tuple[int, int]
"""The line and column of a file at which a text of one line begins."""


def parse_statements(text: str, begins: Beginning = (1, 1)) -> list[Statement]:
    """The statements of a text.  Raises InputError, with line and column.

    >>> parse_statements("snd a->b:x; rcv b<-*:x  # both")[1]
    Statement(word='rcv', sender='*', receiver='b', tag='x')
    >>> try:
    ...     parse_statements("mt 1->2; rcv 2<-1:")
    ... except InputError as error:
    ...     print(error)
    line 1, column 10: 'rcv 2<-1:' is not a statement such as snd 1->2:halo, rcv 2<-*:halo, or mt 1->2
    """
    found = []
    for line, column, statement in statements(text):
        if sent := _SEND.fullmatch(statement):
            found.append(Statement(sent[1], sent[2], sent[3], sent[4] or ""))
        elif taken := _RECEIVE.fullmatch(statement):
            found.append(Statement(taken[1], taken[3] or "*", taken[2], taken[4] or ""))
        elif statement != "eps":
            wrong = f"'{abridged(statement)}' is not a statement such as {_SUCH}"
            first, before = begins[0] - 1, begins[1] - 1
            raise pointing(error_at(line + first, column + before, wrong), text, line, column)
    return found


_SUCH = "snd 1->2:halo, rcv 2<-*:halo, or mt 1->2"


@dataclass(frozen=True)
class EventLayer:
    """A layer given by its events; process k is the k-th of `processes`."""

    processes: tuple[str, ...]
    """The processes: their numbers, or their names in quotes, as in program text."""
    events: Sequence[PortEvent]
    transport: str = ""
    """The transport of the messages; empty if it is unknown."""

    @classmethod
    def named(cls, names: Iterable[str], events: Sequence[PortEvent], transport: str = "") -> "EventLayer":
        """The events of processes with these names."""
        return cls(tuple(f'"{name}"' for name in names), events, transport)

    @classmethod
    def of(cls, program: NamedProgram | StraightLine) -> "EventLayer":
        """The events of a program over channels."""
        if isinstance(program, NamedProgram):
            return cls.named(program.names, _ported(program.events))
        return cls(tuple(map(str, range(1, program.n + 1))), _ported(chain(*program.shares)))


def _ported(events: Iterable[Event]) -> list[PortEvent]:
    each_once = cache(PortEvent)
    return [each_once(*event) for event in events]


Layer = str | EventLayer
"""A layer as program text, or as events of a recording."""


class Processes:
    """The numbers of processes.  A text has either numbers or names for all processes."""

    def __init__(self, declared: Iterable[str] = ()) -> None:
        self._numbers = {name: number for number, name in enumerate(declared, 1)}
        self._largest = 0

    def number(self, written: str) -> int:
        """The number of a process.  Raises InputError if the text has both numbers and names."""
        if not written[0].isdecimal():
            name = require_name(written.strip('"'))
            if self._largest:
                raise InputError(f"{name!r} is a name, but process {self._largest} a number: {_ALIKE}")
            return self._numbers.setdefault(name, len(self._numbers) + 1)
        if written in self._numbers:
            raise InputError(
                f"{written} is a number, but also a name: write the name in quotes, or use no names"
            )
        if self._numbers:
            raise InputError(f"{written} is a number, but {next(iter(self._numbers))!r} a name: {_ALIKE}")
        if len(written) > 6 or not 1 <= int(written) <= MAX_PROCESSES:
            raise InputError(f"processes are numbered 1 to {MAX_PROCESSES}, not {abridged(written)}")
        self._largest = max(self._largest, int(written))
        return int(written)

    def names(self, n: int | None) -> tuple[int, Names]:
        """The number of processes, and their names.  Raises InputError if `n` is too small."""
        named = len(self._numbers) or self._largest or 1
        if n is not None and n < named:
            raise InputError(
                f"process {named} is named, but n is {n}"
                if self._largest
                else f"{named} processes are named, but n is {n}"
            )
        names = Names(tuple(self._numbers)) if self._numbers else NUMBERS
        return n or named, names.widened(n or named) if self._numbers else names

    def of_layer(self, layer: Layer, begins: Beginning = (1, 1)) -> list[PortEvent]:
        """The events of a layer, from left to right.  Raises InputError; for text, with line and column."""
        if isinstance(layer, str):
            return [*self.events(parse_statements(layer, begins))]
        numbers = [ANY, *map(self.number, layer.processes)]
        renamed = {}
        for event in set(layer.events):
            kind, sender, receiver, tag = event
            if sender == receiver:
                raise _sends_to_itself(layer.processes[sender - 1].strip('"'))
            renamed[event] = PortEvent(kind, numbers[sender], numbers[receiver], tag)
        return [renamed[event] for event in layer.events]

    def events(self, statements: Iterable[Statement]) -> Iterator[PortEvent]:
        """The events of statements, from left to right.  Raises InputError if a process sends to itself."""
        for word, sender, receiver, tag in statements:
            by, to = (ANY if each == "*" else self.number(each) for each in (sender, receiver))
            if by == to:
                raise _sends_to_itself(receiver)
            if word != "rcv":
                yield PortEvent(Kind.SEND, by, to, tag)
            if word != "snd":
                yield PortEvent(Kind.RECEIVE, by, to, tag)


def _sends_to_itself(process: str) -> InputError:
    return InputError(f"process {process} sends to itself: over ports, that is not supported")


_ALIKE = "give all processes numbers, or all names"


def parse_layers(
    layers: Mapping[str, Layer],
    n: int | None,
    declared: Iterable[str] = (),
    begins: Mapping[str, Beginning] | None = None,
) -> tuple[int, Names, list[PortProgram]]:
    """The number of processes, their names, and the layers.  Raises InputError, with the layer.

    >>> from sealcheck.programs.ports import Ports
    >>> n, names, layers = parse_layers({"layer 1": "snd a->b:x; rcv b<-*:x"}, None)
    >>> n, layers[0].told(Ports.among(layers), names.process)
    (2, 'snd a->b:x; rcv b<-*:x')
    """
    processes = Processes(declared)
    events = []
    for name, layer in layers.items():
        with blaming(name):
            events.append(processes.of_layer(layer, (begins or {}).get(name, (1, 1))))
    count, names = processes.names(n)
    return count, names, [PortProgram.of(count, each) for each in events]


def parse_port(text: str, names: Names) -> Port:
    """The port of a text such as ``2<-*:job``.  Raises InputError.

    >>> parse_port("2<-*:job", NUMBERS)
    Port(reader=2, sender=0, tag='job')
    """
    found = _PORT.fullmatch(text.strip())
    if not found:
        raise InputError(
            f"'{abridged(text)}' is not a port: write it as its receives, such as 2<-1:halo or 2<-*"
        )
    reader, sender, tag = found.groups()
    processes = Processes(names.listed)
    by, to = processes.number(reader), ANY if sender is None else processes.number(sender)
    if not text.strip()[0].isdecimal() and max(by, to) > len(names.listed):
        raise InputError(f"port '{text.strip()}' names a process that no layer names")
    return Port(by, to, tag or "")


def used_port(text: str, names: Names, used: Iterable[Port]) -> Port:
    """The port of a text: as answers print one of the ports `used`, or as `parse_port` reads it."""
    printed = [port for port in used if names.port(port) == text.strip()]
    return printed[0] if len(printed) == 1 else parse_port(text, names)


_EXPRESSION = r"""
start: choice
choice: sequence ("|" sequence)*
sequence: repeated*
?repeated: NAME -> layer | "(" choice ")" | repeated SIGN -> repetition
SIGN: "*" | "+" | "?"
NAME: /[A-Za-z0-9_-]+/
%ignore /[ \t]+/
"""


class _Expressions(Transformer[Token, Expression]):
    """Callbacks for the grammar of expressions.  Layers become their indices."""

    def __init__(self, layers: Mapping[str, int], begins: Beginning) -> None:
        super().__init__()
        self._layers, self._begins = layers, begins

    def start(self, children: list[Expression]) -> Expression:
        """The whole expression."""
        return children[0]

    def choice(self, children: list[Expression]) -> Expression:
        """A choice of one of several expressions."""
        return ("or", *children) if len(children) > 1 else children[0]

    def sequence(self, children: list[Expression]) -> Expression:
        """Several expressions, one after the other."""
        return ("then", *children) if len(children) != 1 else children[0]

    def layer(self, children: list[Token]) -> Expression:
        """A layer by its name."""
        (name,) = children
        if name not in self._layers:
            (line, first), (_, column) = self._begins, position(name)
            raise error_at(line, first + column - 1, f"there is no layer '{abridged(name)}'")
        return self._layers[name]

    def repetition(self, children: list[Any]) -> Expression:
        """An expression with ``*``, ``+`` or ``?``."""
        inner, sign = children
        return ("or", inner, NOTHING) if sign == "?" else ("any" if sign == "*" else "some", inner)


def parse_expression(text: str, layers: Sequence[str], begins: Beginning = (1, 1)) -> Expression:
    """The regular expression of a text.  Raises InputError, with line and column.

    >>> parse_expression("A (B | C)* A?", ["A", "B", "C"])
    ('then', 0, ('any', ('or', 1, 2)), ('or', 0, ('then',)))
    """
    nested = text.count("(") + len(_SECOND_SIGN.findall(text))
    if len(text) > MOST_LETTERS or nested > MOST_NESTED:
        raise InputError(
            f"the protocol is longer than {MOST_LETTERS} letters, or nested more than {MOST_NESTED} deep"
        )
    callbacks = _Expressions({name: number for number, name in enumerate(layers)}, begins)
    try:
        return cast(Expression, Lark(_EXPRESSION, parser="lalr", transformer=callbacks).parse(text))
    except UnexpectedInput as error:
        at = (
            len(text)
            if isinstance(error, UnexpectedToken) and error.token.type == "$END"
            else error.column - 1
        )
        found = f"'{text[at]}'" if at < len(text) else "the end"
        expected = "a layer, '|', '*', '+', '?' or parentheses"
        raise error_at(begins[0], begins[1] + at, f"expected {expected}, found {found}") from None


MOST_LETTERS, MOST_NESTED = 10_000, 50
"""The limits of a protocol's expression."""
_SECOND_SIGN = re.compile(r"(?<=[*+?])[ \t]*[*+?]")
"""Two repetition signs, such as ``*+``.  They count as nesting, as parentheses do."""


@dataclass
class ProtocolFile:
    """The declarations of a protocol file, as written."""

    processes: list[str] = field(default_factory=list)
    ports: dict[str, tuple[str, ...]] = field(default_factory=dict)
    transport: str = ""
    layers: dict[str, str] = field(default_factory=dict)
    """Program text, or ``@FILE``, by the name of the layer."""
    protocol: str | None = None
    begins: dict[str, Beginning] = field(default_factory=dict)
    """Where each layer and the protocol begin, by the name in error messages."""


def parse_protocol_file(text: str) -> ProtocolFile:
    """The declarations of a protocol file, as written.  Raises InputError, with the line.

    >>> found = parse_protocol_file("port 2<-*:job: fifo\\nlayer A: snd 1->2; rcv 2<-*\\nprotocol: A*")
    >>> found.ports, found.layers, found.protocol
    ({'2<-*:job': ('fifo',)}, {'A': 'snd 1->2; rcv 2<-*'}, 'A*')
    """
    found = ProtocolFile()
    for number, whole in enumerate(text.split("\n"), 1):
        line = without_comment(whole).rstrip()
        if not line:
            continue
        with blaming(f"line {number}"):
            what = _declare(found, line.strip())
        found.begins[what] = number, len(line) - len(line.partition(":")[2].lstrip()) + 1
    if not found.layers:
        raise InputError("the file declares no layer: write 'layer NAME: PROGRAM'")
    if found.protocol is None:
        raise InputError("the file has no line 'protocol: EXPRESSION'")
    return found


def _declare(found: ProtocolFile, line: str) -> str:
    """Read a declaration, and return the declared name.  Raises InputError."""
    key, _, rest = line.partition(":")
    word, _, name = key.strip().partition(" ")
    value, name = rest.strip(), name.strip()
    if word == "port":
        port, _, words = line.removeprefix("port").rpartition(":")
        _once(port.strip() in found.ports, f"port {port.strip()}")
        found.ports[port.strip()] = tuple(each.strip() for each in words.split(","))
    elif word == "layer" and re.fullmatch(r"[A-Za-z0-9_-]+", name):
        _once(name in found.layers, f"layer {name}")
        found.layers[name] = value
    elif word == "processes" and not name:
        _once(bool(found.processes), "processes")
        found.processes = [require_name(each.strip().strip('"')) for each in value.split(",")]
        if len(set(found.processes)) < len(found.processes):
            raise InputError("a process is declared twice")
    elif word == "transport" and not name:
        _once(bool(found.transport), "transport")
        transport(value)  # it must be known
        found.transport = value
    elif word == "protocol" and not name:
        _once(found.protocol is not None, "protocol")
        found.protocol = value
    else:
        known = "'processes:', 'port PORT:', 'transport:', 'layer NAME:' or 'protocol:'"
        raise InputError(f"'{abridged(line)}' is not a declaration: begin with {known}")
    return f"{word} {name}".strip()


def _once(is_known: bool, what: str) -> None:
    if is_known:
        raise InputError(f"{what}: declared twice")


@dataclass(frozen=True)
class Declared:
    """The user's description of layers over ports: the layers, the protocol, and the guarantees."""

    layers: Mapping[str, Layer]
    """By the names that error messages use."""
    titles: Sequence[str]
    """The names that the protocol uses for the layers."""
    protocol: str | Expression | None = None
    repeat: bool = False
    open: bool = False
    n: int | None = None
    order: str = ""
    """The order of ports without a declared guarantee: bag or fifo."""
    transport: str = ""
    """The transport of ports without a declared guarantee."""
    ports: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The guarantees of single ports."""
    processes: Sequence[str] = ()
    """The names of processes 1, 2 and so on.  After them come the processes that only layers name."""
    names: Names = NUMBERS
    """The names of processes, if the layers have numbers for processes."""
    search: bool = False
    """Whether two receives of a process may overlap (take some messages in common, but not all)."""
    called: Sequence[str] = ()
    """The names of the layers in error messages; by default numbers."""
    begins: Mapping[str, Beginning] = field(default_factory=dict)
    """Where in a file each layer and the protocol begin, by the name in error messages."""

    def read(self) -> tuple[PortPhases, Names]:
        """The layers, and the names of processes.  Raises InputError, or Overlap if receives overlap.

        >>> about, names = Declared({"layer 1": "mt a->b:x"}, ["layer 1"], ports={"b<-a:x": ["fifo"]}).read()
        >>> print(names.port(about.used[0]), about.guarantee(about.used[0]))
        b<-a:x fifo
        """
        _, found, layers = parse_layers(self.layers, self.n, self.processes, self.begins)
        names = self.names if self.names.listed else found
        if self.protocol is None:
            protocol = Protocol.sequence(len(layers), repeat=self.repeat)
        elif self.repeat:
            raise InputError("the protocol has its own repetitions: leave out --repeat")
        elif not isinstance(self.protocol, str):
            protocol = Protocol.of(self.protocol)
        else:
            begins = self.begins.get("protocol", (1, 1))
            with blaming("protocol"):
                protocol = Protocol.of(parse_expression(self.protocol, self.titles, begins))
                left_out = set(range(len(layers))).difference(protocol.layers)
                if left_out:
                    raise InputError(f"it leaves out layer '{self.titles[min(left_out)]}': name each layer")
        every = self.every
        with names.blamed():
            used = Ports.among(layers, overlapping=self.search).used(layers)
        given: dict[Port, Guarantee] = {}
        for text, words in self.ports.items():
            port = used_port(text, names, used)
            with blaming(f"port {text.strip()}"):
                guarantee = Guarantee.of(words)
            if port not in used:
                known = ", ".join(map(names.port, used)) or "none"
                raise InputError(f"no layer uses port {text.strip()}; ports are: {known}")
            if port in given:  # with other blanks
                raise InputError(f"port {text.strip()}: its guarantee is given twice")
            given[port] = guarantee
        given = {port: every for port in used if any(every)} | given
        with names.blamed():
            called = tuple(self.called)
            return PortPhases(tuple(layers), protocol, given, self.open, self.search, called), names

    @property
    def every(self) -> Guarantee:
        """The guarantee of ports without a declared guarantee.  Raises InputError."""
        if self.order and self.transport:
            raise InputError("give the order of ports, or a transport, not both")
        recorded = (layer.transport for layer in self.layers.values() if isinstance(layer, EventLayer))
        name = self.transport or ("" if self.order else next(filter(None, recorded), ""))
        return transport(name) if name else Guarantee.of([self.order or "bag"])


def recorded_phases(certificate: Mapping[str, Any]) -> PortPhases:
    """The layers of a certificate that the kernel has accepted; in sequence if there is no protocol."""
    texts = {str(number): text for number, text in enumerate(certificate["layers"], 1)}
    _, _, layers = parse_layers(texts, certificate["n"])
    given = {parse_port(port, NUMBERS): Guarantee.of(words) for port, words in certificate["ports"].items()}
    protocol = Protocol.sequence(len(layers))
    if "protocol" in certificate:
        protocol = Protocol.of(_from_one(certificate["protocol"]))
    is_searched = certificate["kind"] == "port-search"
    return PortPhases(tuple(layers), protocol, given, certificate.get("open", False), is_searched)


def _from_one(node: Any) -> Expression:
    """The expression for a node of a certificate.  Certificates number layers from 1."""
    return node - 1 if isinstance(node, int) else (node[0], *map(_from_one, node[1:]))
