"""The protocol of questions to implementations: each line is a JSON object, in UTF-8.

A question is ``{"v": 1, "seq": 7, "question": "is-seal", "n": 2, "p": {…}, "q": {…}}``.  A program has a
text, and the events of each process, so that implementations need no parser.  A question about layers over
ports has the keys ``"layers": [{…}, …], "ports": {"2<-*:job": ["fifo"]}, "repeat": false, "open": false``
instead of ``p`` and ``q``.

An answer is one of these:

- ``{"seq": 7, "result": …}``, with a result of the type in the question's schema
- ``{"seq": 7, "skipped": WHY}``
- ``{"seq": 7, "error": WHY}``
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sealcheck.errors import InputError
from sealcheck.language.parser import parse_straight_line
from sealcheck.language.ports import parse_layers
from sealcheck.programs.phases import OPEN, REPEAT
from sealcheck.programs.ports import PortProgram
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.instance import TAKEN_OVER_PORTS, Instance, processes_document, program_text
from sealcheck.support.strict_json import strict_json

VERSION = 1
SHOWN = 80
"""The most characters shown of a line that is not an answer."""


class Processes(list[list[tuple[Any, ...]]]):
    """The events of each process, in order: ``("snd", to)`` or ``("rcv", from)``. ``str()`` gives the text.

    Over ports, events are ``("snd", to, tag)`` or ``("rcv", from, tag)``. ``"*"`` stands for any source, and
    ``""`` for no tag.

    >>> from sealcheck.programs.straight_line import mt
    >>> p = Processes.of(StraightLine.of(2, mt(1, 2)))
    >>> list(p), p.n, str(p)
    ([[('snd', 2)], [('rcv', 1)]], 2, 'mt 1->2')
    >>> p
    processes('mt 1->2', n=2)
    """

    def __init__(
        self, shares: Iterable[Iterable[Iterable[object]]], program: StraightLine | PortProgram | str
    ) -> None:
        super().__init__([tuple(event) for event in share] for share in shares)
        self._program = program

    @classmethod
    def of(cls, program: StraightLine | PortProgram) -> "Processes":
        """This program.  O(events)."""
        return cls(processes_document(program), program)

    @property
    def n(self) -> int:
        """The number of processes, idle ones included."""
        return len(self)

    @property
    def ports(self) -> frozenset[str]:
        """The ports on which the program receives, each written like the receives on it.  O(events).

        >>> _, _, (layer,) = parse_layers({"layer 1": "mt 1->2; snd 1->3:x; rcv 3<-*:x"}, None)
        >>> sorted(Processes.of(layer).ports)
        ['2<-1', '3<-*:x']
        """
        return frozenset(
            f"{reader}<-{source}" + "".join(f":{tag}" for tag in tags if tag)
            for reader, share in enumerate(self, 1)
            for kind, source, *tags in share
            if kind == "rcv"
        )

    def __str__(self) -> str:  # most functions do not want the text, which costs as much as all else here
        return self._program if isinstance(self._program, str) else program_text(self._program)

    def __repr__(self) -> str:
        ports = ", ports=True" if any(len(event) > 2 for share in self for event in share) else ""
        return f"processes({str(self)!r}, n={self.n}{ports})"


@dataclass(frozen=True)
class Result:
    """An answer: a JSON value whose type has not yet been checked."""

    value: Any


@dataclass(frozen=True)
class Skipped:
    """The implementation skips the question. A skipped question never counts as agreement."""

    why: str


@dataclass(frozen=True)
class Failed:
    """The implementation reports an error."""

    why: str


class GarbageError(Exception):
    """A line is not an answer to the question. The message gives the reason."""


def request(question: str, takes: Sequence[str], instance: Instance, number: int) -> bytes:
    """The line that asks a question about an instance.

    >>> from sealcheck.programs.straight_line import mt
    >>> line = request("sealable", ["p"], Instance.of(StraightLine.of(2, mt(1, 2))), 7).decode()
    >>> print(line[:58], line[58:], sep="\\n")  # doctest: +NORMALIZE_WHITESPACE
    {"v": 1, "seq": 7, "question": "sealable", "n": 2, "p": {"
    text": "mt 1->2", "processes": [[["snd", 2]], [["rcv", 1]]]}}
    """
    asked = {"v": VERSION, "seq": number, "question": question, "n": instance.n}
    return json.dumps(asked | programs_document(takes, instance)).encode() + b"\n"


def arguments(takes: Sequence[str], instance: Instance) -> dict[str, Any]:
    """The arguments of a function for an instance, by name."""
    if tuple(takes) != TAKEN_OVER_PORTS:
        return {n: Processes.of(p) for n, p in zip(takes, instance.straight, strict=True)}
    layers = [Processes.of(program) for program in instance.over_ports]
    ports = {port: words.split(", ") for port, words in instance.said.items()}
    given = layers, ports, REPEAT in instance.flags, OPEN in instance.flags
    return dict(zip(takes, given, strict=True))


def programs_document(takes: Sequence[str], instance: Instance) -> dict[str, Any]:
    """The arguments as JSON. Each program is an object with its text and its processes."""
    return _written(takes, instance, lambda given: {"text": str(given), "processes": given})


def read_argument(document: Any) -> Any:
    """The argument of a function, read from JSON that `programs_document` wrote."""
    if isinstance(document, list):
        return [*map(read_argument, document)]
    if isinstance(document, dict) and "processes" in document:
        return Processes(document["processes"], document["text"])
    return document


def texts_document(takes: Sequence[str], instance: Instance) -> dict[str, Any]:
    """The arguments as JSON; programs are texts."""
    return _written(takes, instance, str)


def _written(takes: Sequence[str], instance: Instance, program: Callable[[Processes], Any]) -> dict[str, Any]:
    def each(given: Any) -> Any:
        if isinstance(given, Processes):
            return program(given)
        return [*map(each, given)] if isinstance(given, list) else given

    return {name: each(given) for name, given in arguments(takes, instance).items()}


def read_instance(takes: Sequence[str], n: int, document: Mapping[str, Any]) -> Instance:
    """The instance in a document that `texts_document` wrote.

    Raises KeyError, ValueError, TypeError or InputError if the document is not an instance.

    >>> given = {"layers": ["mt 1->2"], "ports": {"2<-1": ["fifo"]}, "repeat": True, "open": False}
    >>> instance = read_instance(TAKEN_OVER_PORTS, 2, given)
    >>> str(instance), texts_document(TAKEN_OVER_PORTS, instance) == given
    ('mt 1->2   (2<-1=fifo)   (repeat)', True)
    """
    given = [document[name] for name in takes]
    if tuple(takes) != TAKEN_OVER_PORTS:
        return Instance.of(*(parse_straight_line(text, n) for text in given))
    texts, ports, repeat, open = given
    _, _, layers = parse_layers({f"layer {k}": text for k, text in enumerate(texts, 1)}, n)
    flags = [f"{port}={', '.join(words)}" for port, words in ports.items()]
    flags += [OPEN] * open + [REPEAT] * repeat
    return Instance(n, tuple(layers), tuple(sorted(flags)))


def reply(line: bytes, number: int) -> Result | Skipped | Failed:
    """The answer in a line.  Raises GarbageError if the line does not answer the question with this number.

    >>> reply(b'{"seq": 7, "result": false}', 7)
    Result(value=False)
    >>> reply(b'{"seq": 6, "result": false}', 7)
    Traceback (most recent call last):
    sealcheck.differential.protocol.GarbageError: it answered question 6 when it was asked question 7
    """
    try:
        said = strict_json(line)
    except InputError as reason:
        raise GarbageError(f"this line is not JSON: {_shown(line)} ({reason})") from None
    if not isinstance(said, dict):
        raise GarbageError(f"this is not a JSON object: {_shown(line)}")
    if type(said.get("seq")) is not int:
        raise GarbageError(f"this answer has no whole number as its 'seq': {_shown(line)}")
    if said["seq"] != number:
        raise GarbageError(f"it answered question {said['seq']} when it was asked question {number}")
    match sorted(said.keys() - {"seq"}):
        case ["result"]:
            return Result(said["result"])
        case ["skipped"] if isinstance(said["skipped"], str):
            return Skipped(said["skipped"])
        case ["error"] if isinstance(said["error"], str):
            return Failed(said["error"])
        case _:
            raise GarbageError(
                f"besides 'seq' an answer has 'result', or a text as 'skipped' or 'error': {_shown(line)}"
            )


def _shown(line: bytes) -> str:
    text = line.decode("utf-8", errors="backslashreplace").strip()
    return repr(text if len(text) <= SHOWN else f"{text[:SHOWN]}…")
