"""Programs as values: read from text, diagrams or traces, composed, and written again."""

import re
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial, wraps
from inspect import Parameter, signature
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints
from warnings import warn

from sealcheck.errors import InputError
from sealcheck.language.mermaid import parse_mermaid
from sealcheck.language.names import NamedProgram, Names, is_named, parse_named
from sealcheck.language.names import together as over_all_names
from sealcheck.language.otlp import is_otlp
from sealcheck.language.parser import events_of, parse_over, parse_straight_line, require_process_count
from sealcheck.language.plantuml import parse_plantuml
from sealcheck.language.ports import require_channels
from sealcheck.language.printer import show
from sealcheck.language.recordings import assumptions_but, require_about
from sealcheck.language.spans import RecordedProgram, parse_spans
from sealcheck.language.traces import Trace, read_trace
from sealcheck.programs.space import Space
from sealcheck.programs.straight_line import StraightLine, unpacked
from sealcheck.programs.syntax import Program as Syntax
from sealcheck.programs.syntax import as_program, is_plain, is_straight_line, layered

if TYPE_CHECKING:
    from sealcheck.drawing.drawing import Drawing


P = ParamSpec("P")
R = TypeVar("R")

NO_PROCESS = "no process is named"
_SHOWN = 40
_WORDS = {
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    str: "a text",
    NoneType: "None",
    Callable: "a function",
    Mapping: "a mapping from texts to sequences of texts",
    Sequence: "a sequence of texts",
}


def typed(function: Callable[P, R]) -> Callable[P, R]:
    """Make a function raise TypeError unless its arguments have the types of its annotations.

    Truth values do not count as numbers.  Annotations that are neither classes nor in `_WORDS` are ignored.
    In messages of InputError, the name of a parameter, such as ``n``, replaces that of an option, such as
    ``--n``.

    >>> @typed
    ... def repeated(text: str, times: int = 1) -> str:
    ...     return text * times
    >>> repeated("a", True)
    Traceback (most recent call last):
    TypeError: repeated: times must be a whole number, not True
    """
    parameters = signature(function).parameters
    hints = cache(lambda: get_type_hints(function))

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        for name, value in signature(function).bind(*args, **kwargs).arguments.items():
            several = parameters[name].kind is Parameter.VAR_POSITIONAL
            for each in value if several else [value]:
                hint = hints().get(name, Any)  # self has none
                if not _is(each, hint):
                    said = f"must be {_words(hint)}, not {repr(each)[:_SHOWN]}"
                    raise TypeError(f"{function.__name__}: {name} {said}")
        try:
            return function(*args, **kwargs)
        except InputError as error:
            said = re.sub("(^|: )--([a-z]+)", partial(_as_parameter, parameters), str(error))
            if said == str(error):
                raise
            raise InputError(said) from None

    return checked


def _as_parameter(parameters: Container[str], option: re.Match[str]) -> str:
    return option[1] + option[2] if option[2] in parameters else option[0]


def as_call(function: Callable[..., Any], *given: str, **options: object) -> str:
    """A call of a function, as Python.  Options with their default values are left out.

    >>> as_call(program, "'mt 1->2'", n=3, names=())
    "program('mt 1->2', n=3)"
    """
    parameters = signature(function).parameters
    said = (f"{key}={value!r}" for key, value in options.items() if value != parameters[key].default)
    return f"{function.__name__}({', '.join([*given, *said])})"


def _is(value: object, hint: Any) -> bool:
    origin = get_origin(hint) or hint
    if origin in (Union, UnionType):
        return any(_is(value, each) for each in get_args(hint))
    if origin is Sequence:
        return isinstance(value, list | tuple) and all(_is(each, get_args(hint)[0]) for each in value)
    if origin is Mapping:
        key, kind = get_args(hint)
        return isinstance(value, Mapping) and all(_is(k, key) and _is(v, kind) for k, v in value.items())
    if origin is Callable:
        return callable(value)
    if origin is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if origin is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return origin is Any or not isinstance(origin, type) or isinstance(value, origin)


def _words(hint: Any) -> str:
    if get_origin(hint) in (Union, UnionType):
        return " or ".join(map(_words, get_args(hint)))
    return _WORDS.get(get_origin(hint) or hint) or f"a {hint.__name__}"


ProgramLike = Union[str, "Program"]


@dataclass(frozen=True, repr=False)
class Program:
    """A program over the processes 1..n.

    Two straight-line programs without data are equal if their processes have equal names and events.

    >>> there, back = program("mt 1->2"), program("mt 2->1")
    >>> there >> back
    program('mt 1->2; mt 2->1', n=2)
    >>> (there >> back).processes
    (('snd 1->2', 'rcv 1<-2'), ('rcv 2<-1', 'snd 2->1'))
    """

    n: int
    code: StraightLine | Syntax
    """For a straight-line program without data, its events.  For any other program, its syntax tree."""
    names: tuple[str, ...] = ()
    """The names of the processes 1, 2 and so on.  Empty if processes have only numbers."""

    @classmethod
    @typed
    def from_mermaid(cls, diagram: str) -> "Program":
        """The program of a Mermaid sequence diagram.  InputError names the line with the mistake.

        >>> Program.from_mermaid("sequenceDiagram\\n  client->>server: put")
        program('mt client->server', names=('client', 'server'))
        """
        return _named(parse_mermaid(diagram))

    @classmethod
    @typed
    def from_plantuml(cls, diagram: str) -> "Program":
        """The program of a PlantUML sequence diagram.  InputError names the line with the mistake."""
        return _named(parse_plantuml(diagram))

    @classmethod
    @typed
    def from_trace(cls, lines: str, *, not_assuming: Sequence[str] = ()) -> "Program":
        """The program of a recorded trace: one event as JSON on each line, or spans of OpenTelemetry.

        If spans leave the order of events open, a warning names the assumptions that were made about it.
        `not_assuming` lists assumptions that must not be made: ``answer-at-end``, ``own-clock``, or both.
        A call is left out, with a warning, if only one of its ends was recorded.

        Raises InputError if the trace is wrong, or has phases, tags or receives from any source.
        `layers_from_trace` reads traces with phases, tags or receives from any source.
        """
        recorded = _recorded(lines, not_assuming)
        if isinstance(recorded, Trace) and (recorded.over_ports or recorded.has_phases):
            why = recorded.over_ports or "its events have phases"
            raise InputError(f"{why}: Program.layers_from_trace reads them, for phases and seals")
        return _named(recorded.program() if isinstance(recorded, Trace) else recorded)

    @staticmethod
    @typed
    def layers_from_trace(lines: str, *, not_assuming: Sequence[str] = ()) -> tuple[str, ...]:
        """The layers of a recorded trace, or of spans, as texts for `phases` and `seals`.

        Each phase of the trace is a layer.  A trace without phases is one layer.  `not_assuming` and the
        warnings are as for `from_trace`.  Raises InputError if the trace is wrong.

        >>> lines = [
        ...     '{"host": "a", "event": "send", "message": "m", "to": "b", "tag": "job", "phase": "work"}',
        ...     '{"host": "b", "event": "receive", "message": "m", "from": "*", "phase": "work"}',
        ... ]
        >>> Program.layers_from_trace("\\n".join(lines))
        ('snd a->b:job; rcv b<-*:job',)
        """
        recorded = _recorded(lines, not_assuming)
        if not isinstance(recorded, Trace):
            return (recorded.over_ports,)
        if not recorded.names:
            raise InputError(NO_PROCESS)
        name = Names(recorded.names).quoted
        layers = recorded.layers.values()
        return tuple("; ".join(event.told(name) for event in events) or "eps" for events in layers)

    @classmethod
    def from_shares(cls, shares: Sequence[int]) -> "Program":
        """The program of a row of `sealcheck sweep`.  Its column `shares` has a number for each process.

        Raises InputError if the numbers do not describe a program.

        >>> Program.from_shares([1, 26, 4])
        program('mt 1->2; mt 2->3', n=3)
        """
        if len(shares) == 0:
            raise InputError("the list is empty: give a number for each process")
        program = unpacked(shares)
        return cls(program.n, program)

    @property
    def is_straight_line(self) -> bool:
        """Whether the program has no guard, cut, choice or repetition."""
        return isinstance(self.code, StraightLine) or is_straight_line(self.code)

    @property
    def straight_line(self) -> StraightLine:
        """The events of the program, without data.  Raises InputError if the program is not straight-line."""
        if isinstance(self.code, StraightLine):
            return self.code
        return parse_straight_line(str(self), self.n)  # its message names the offending part

    @property
    def syntax(self) -> Syntax:
        """The syntax tree of the program."""
        return as_program(self.code) if isinstance(self.code, StraightLine) else self.code

    @property
    def processes(self) -> tuple[tuple[str, ...], ...]:
        """The events of each process, as texts.  Raises InputError if the program is not straight-line."""
        names = Names(self.names)
        return tuple(tuple(map(names.event, share)) for share in self.straight_line.shares)

    @property
    def messages(self) -> int:
        """The number of messages of the program.  Raises InputError if the program is not straight-line."""
        return self.straight_line.messages

    @property
    def channels(self) -> frozenset[tuple[int, int]]:
        """The channels that the program uses, as pairs of a sender and a receiver.

        Raises InputError if the program is not straight-line.

        >>> sorted(program("mt 1->2; mt 3->1").channels)
        [(1, 2), (3, 1)]
        """
        return frozenset((i, j) for i, j in self.straight_line.used)

    def draw(self, *, everything: bool = False) -> "Drawing":
        """A picture of the program graph, with open channels marked.

        Large graphs are abridged.  With `everything`, no graph is abridged.

        Raises InputError if the program is not straight-line, or deadlocks.

        >>> print(program("mt 1->2").draw())
             1            2
             |            |
        P    o--1-->      |   snd 1->2  sends message 1
        P    |      --1-->o   rcv 2<-1  takes message 1 of P
        """
        from sealcheck.drawing.drawing import Drawing
        from sealcheck.drawing.making import of_program

        return Drawing(of_program({"P": self.straight_line}, Names(self.names)), everything=everything)

    def draw_signature(self) -> "Drawing":
        """A picture of the signature.  A thin line stands for a longer path in the program graph.

        Raises InputError if the program has no signature, or if the signature is too large.
        """
        from sealcheck.drawing.drawing import Drawing
        from sealcheck.drawing.signatures import SignaturePicture

        names = Names(self.names)
        with names.blamed():
            return Drawing(SignaturePicture(self.straight_line, names))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        if not self.is_straight_line or not self.straight_line.is_deadlock_free:
            return {"text/plain": repr(self)}
        return self.draw()._repr_mimebundle_() | {"text/plain": repr(self)}

    @typed
    def over(self, n: int) -> "Program":
        """The same program over the processes 1..n.  Raises InputError if the program has more processes."""
        require_process_count(n)
        if n < self.n:
            raise InputError(f"the program is over {self.n} processes, which is more than {n}")
        names = self.names and Names(self.names).widened(n).listed
        if isinstance(self.code, StraightLine):
            return Program(n, StraightLine(self.code.shares + ((),) * (n - self.n)), names)
        return Program(n, self.code)

    def __rshift__(self, later: ProgramLike) -> "Program":
        """Layering: each process goes from its part of this program straight on to its part of `later`."""
        first, second = together(self, later)
        if isinstance(first.code, StraightLine) and isinstance(second.code, StraightLine):
            return Program(first.n, first.code.then(second.code), first.names)
        return Program(first.n, layered(first.syntax, second.syntax))

    def __rrshift__(self, earlier: str) -> "Program":
        return program(earlier) >> self

    def __str__(self) -> str:
        if isinstance(self.code, StraightLine):
            return Names(self.names).events(self.code.as_written)
        return show(self.code)

    def __repr__(self) -> str:
        over = f"names={self.names}" if self.names else f"n={self.n}"
        return f"program({str(self)!r}, {over})"


@typed
def program(text: ProgramLike, n: int | None = None, *, names: Sequence[str] = ()) -> Program:
    """The program of a text, over the processes 1..n.  By default, n is the largest process in the text.

    `names` may list the names of all processes, in the order of their numbers.  Idle processes have names,
    too.  InputError names the mistake in the text, and its place.

    >>> program("snd 1->2; rcv 2<-1"), program("mt client->server").names
    (program('mt 1->2', n=2), ('client', 'server'))
    >>> program("(mt 1->2)*").is_straight_line
    False
    """
    if names:
        if twice := [name for name, count in Counter(names).items() if count > 1]:
            raise InputError(f"names: '{twice[0]}' is given twice")
        found = together(Program(len(names), StraightLine.of(len(names)), tuple(names)), text)[1]
        return found if n is None else found.over(n)
    if isinstance(text, Program):
        return text if n is None else text.over(n)
    require_channels(text)
    if is_named(text):
        found = _named(parse_named(text))
        return found if n is None else found.over(n)
    syntax, processes = parse_over(text, n)
    return Program(processes, StraightLine.of(processes, events_of(syntax)) if is_plain(syntax) else syntax)


@typed
def together(*programs: ProgramLike) -> tuple[Program, ...]:
    """The programs, all over the same processes.  Equal names in two programs name the same process.

    Raises InputError if only some of the programs have names.

    >>> together("mt 1->2", "mt 2->3")[0].n
    3
    >>> together("mt a->b", "mt c->b")[1].straight_line.shares[2]
    (Event(kind=<Kind.SEND: 0>, sender=3, receiver=2),)
    """
    read = [program(each) for each in programs]
    if not any(each.names for each in read):
        widest = max(each.n for each in read)
        return tuple(each.over(widest) for each in read)
    if any(not each.names and str(each) != "eps" for each in read):
        raise InputError("some of the programs have names for their processes, and others have numbers")
    named = [NamedProgram(each.names, each.straight_line.as_written if each.names else ()) for each in read]
    straight, names = over_all_names(named)
    return tuple(Program(each.n, each, names.listed) for each in straight)


@typed
def all_programs(n: int, messages: int, *, canonical: bool = False) -> Iterator[Program]:
    """All balanced, deadlock-free straight-line programs over 1..n with exactly `messages` messages.

    With `canonical`, only canonical programs: of the programs that differ only by renaming processes, the
    least is canonical.  Raises InputError for a negative number.

    >>> list(all_programs(2, 1)), len(list(all_programs(2, 1, canonical=True)))
    ([program('mt 2->1', n=2), program('mt 1->2', n=2)], 1)
    """
    for found in Space(n, messages).programs():
        if found.is_canonical or not canonical:
            yield Program(n, found)


def _recorded(lines: str, not_assuming: Sequence[str]) -> RecordedProgram | Trace:
    """The program of a recorded run.  Warns of assumptions about spans, and of calls that are left out."""
    assuming, are_spans = assumptions_but(not_assuming), is_otlp(lines)
    require_about(assuming, spans=are_spans, jobs=False)
    if not are_spans:
        return read_trace(lines.split("\n"))
    recorded = parse_spans(lines, assuming)
    for line in recorded.remarks.lines():
        warn(line, stacklevel=4)
    return recorded


def _named(found: NamedProgram) -> Program:
    (straight,), names = over_all_names([found])
    if not names.listed:
        raise InputError(NO_PROCESS)
    return Program(straight.n, straight, names.listed)
