"""The instance of a question: programs over the same processes."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import permutations
from typing import Any

from sealcheck.language.names import NUMBERS
from sealcheck.language.parser import parse
from sealcheck.language.ports import parse_layers, parse_port
from sealcheck.language.printer import show
from sealcheck.programs.port_space import Renaming
from sealcheck.programs.ports import ANY, Overlap, PortProgram, Ports
from sealcheck.programs.straight_line import DeadlockError, Share, StraightLine, rcv, snd
from sealcheck.programs.syntax import Program, Send, nodes

NAMES = "PQRSTU"
"""The names of the programs of an instance."""

TAKEN_OVER_PORTS = ("layers", "ports", "repeat", "open")
"""The keys of a request about layers over ports."""


@dataclass(frozen=True, order=True)
class Instance:
    """Programs over the processes 1..n, called P, Q and so on.

    The programs are straight-line programs, programs over ports or, for questions about the whole language,
    syntax trees.
    """

    n: int
    programs: "tuple[AnyProgram, ...]"
    flags: tuple[str, ...] = ()
    """Further properties that the question defines, for example that the layers are repeated."""

    @classmethod
    def of(cls, *programs: StraightLine, flags: tuple[str, ...] = ()) -> "Instance":
        """The instance made of these straight-line programs, which must have the same n."""
        return cls(programs[0].n, programs, flags)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.n, self.programs, self.flags))

    def __reduce__(self) -> tuple[object, ...]:
        # The cached hash is left out, because it is wrong in a process that is not a fork of this one.
        return Instance, (self.n, self.programs, self.flags)

    @property
    def straight(self) -> tuple[StraightLine, ...]:
        """The programs, all of which must be straight-line."""
        return tuple(_straight(program) for program in self.programs)

    @property
    def over_ports(self) -> tuple[PortProgram, ...]:
        """The programs as programs over ports. Channels of straight-line programs become ports."""
        return tuple(_over_ports(program) for program in self.programs)

    @property
    def p(self) -> StraightLine:
        """The first program, which must be straight-line."""
        return _straight(self.programs[0])

    @property
    def q(self) -> StraightLine:
        """The second program, which must be straight-line."""
        return _straight(self.programs[1])

    @property
    def messages(self) -> int:
        """The number of messages of all programs together."""
        return sum(map(_messages, self.programs))

    @property
    def said(self) -> dict[str, str]:
        """The flags of the form KEY=VALUE: the guarantees of ports, and the protocol.

        >>> Instance(2, (), ("2<-1=fifo, lossy", "repeat")).said
        {'2<-1': 'fifo, lossy'}
        """
        return dict(flag.split("=", 1) for flag in self.flags if "=" in flag)

    def canonical(self) -> "Instance":
        """The smallest of the instances that `renamings` lists.  O(n! * events)."""
        if self.is_over_ports:
            return min(self._renamed_over_ports())
        return Instance.of(*map(StraightLine, min(self._renamed())), flags=self.flags)

    def renamings(self) -> "list[Instance]":
        """The different instances that result from renaming processes.  O(n! * events)."""
        if self.is_over_ports:
            return sorted(self._renamed_over_ports())
        return [Instance.of(*map(StraightLine, each), flags=self.flags) for each in sorted(self._renamed())]

    @property
    def is_over_ports(self) -> bool:
        """Whether some program is a program over ports."""
        return any(isinstance(program, PortProgram) for program in self.programs)

    @property
    def orbit_size(self) -> int:
        """The number of instances that `renamings` lists.  O(n! * events)."""
        return len(self.renamings() if self.is_over_ports else self._renamed())

    def renamed_over_ports(self, renaming: Renaming) -> "Instance":
        """This instance over ports, renamed. Ports in flags are renamed, too."""
        flags = [flag for flag in self.flags if "=" not in flag]
        for key, value in self.said.items():
            flags.append(f"{renaming.port(parse_port(key, NUMBERS)) if '<-' in key else key}={value}")
        return Instance(self.n, tuple(map(renaming.program, self.over_ports)), tuple(sorted(flags)))

    def _renamed_over_ports(self) -> "set[Instance]":
        orders = permutations(range(1, self.n + 1))
        return {self.renamed_over_ports(Renaming((ANY, *order), swaps=False)) for order in orders}

    def _renamed(self) -> set[tuple[tuple[Share, ...], ...]]:
        renamings = permutations(range(1, self.n + 1))
        return {tuple(p.renamed(r).shares for p in self.straight) for r in renamings}

    @property
    def size(self) -> tuple[int, int, int, int, str]:
        """The key for ordering counterexamples: processes, messages, messages of P, text."""
        text = str(self)
        return self.n, self.messages, _messages(self.programs[0]), len(text), text

    @property
    def texts(self) -> tuple[str, ...]:
        """The programs as texts."""
        return tuple(map(program_text, self.programs))

    def to_json(self) -> list[Any]:
        """n, the programs, and the flags.

        A straight-line program is a list of events for each process: j is a send to j, and -j is a receive
        from j. A program over ports is an object with a text. Any other program is a text.

        >>> from sealcheck.programs.straight_line import mt
        >>> Instance.of(StraightLine.of(2, mt(1, 2))).to_json()
        [2, [[[2], [-1]]], []]
        >>> from sealcheck.language.ports import parse_layers
        >>> n, _, layers = parse_layers({"P": "snd 1->2:x; rcv 2<-*:x"}, None)
        >>> Instance(n, tuple(layers), ("2<-*:x=fifo",)).to_json()
        [2, [{'over ports': 'snd 1->2:x; rcv 2<-*:x'}], ['2<-*:x=fifo']]
        """
        return [self.n, list(map(_to_json, self.programs)), list(self.flags)]

    @classmethod
    def from_json(cls, document: list[Any]) -> "Instance":
        """The instance of a document that `to_json` makes."""
        n, programs, flags = document
        return cls(n, tuple(_from_json(program, n) for program in programs), tuple(flags))

    def __str__(self) -> str:
        flags = "".join(f"   ({flag})" for flag in self.flags)
        if len(self.programs) == 1:
            return self.texts[0] + flags
        return "   ".join(f"{name} = {text}" for name, text in zip(NAMES, self.texts, strict=False)) + flags


AnyProgram = StraightLine | PortProgram | Program
OVER_PORTS = "over ports"
"""The key of a program over ports in JSON."""


def _straight(program: AnyProgram) -> StraightLine:
    assert isinstance(program, StraightLine)
    return program


def _over_ports(program: AnyProgram) -> PortProgram:
    if isinstance(program, StraightLine):
        return PortProgram.plain(program)
    assert isinstance(program, PortProgram)
    return program


def program_text(program: AnyProgram) -> str:
    """The text of a program. Over ports, events are in an order in which they can happen."""
    if isinstance(program, PortProgram):
        return _told(program)
    return str(program) if isinstance(program, StraightLine) else show(program)


@lru_cache(maxsize=10_000)
def _told(program: PortProgram) -> str:
    """The text of a program. Cached: many instances combine few layers."""
    try:
        return program.told(Ports.among([program]))
    except (DeadlockError, Overlap):
        return str(program)


def _to_json(program: AnyProgram) -> list[list[int]] | dict[str, str] | str:
    if isinstance(program, PortProgram):
        return {OVER_PORTS: str(program)}
    if not isinstance(program, StraightLine):
        return show(program)
    return [[e.receiver if e.is_send else -e.sender for e in share] for share in program.shares]


def _from_json(document: list[list[int]] | dict[str, str] | str, n: int) -> AnyProgram:
    if isinstance(document, dict):
        _, _, (program,) = parse_layers(document, n)
        return program
    if isinstance(document, str):
        return _parsed(document)
    return StraightLine(
        tuple(
            tuple(snd(process, other) if other > 0 else rcv(process, -other) for other in share)
            for process, share in enumerate(document, 1)
        )
    )


@lru_cache(maxsize=4096)
def _parsed(text: str) -> Program:
    """A program of the whole language. Cached: an audit asks many questions about a program."""
    return parse(text)


def _messages(program: AnyProgram) -> int:
    if isinstance(program, StraightLine | PortProgram):
        return program.messages
    return sum(isinstance(node, Send) for node in nodes(program))


def processes_document(program: StraightLine | PortProgram) -> Sequence[Sequence[tuple[Any, ...]]]:
    """The events of each process, as in requests. Over ports, events have tags.

    >>> _, _, (layer,) = parse_layers({"P": "snd 1->2:x; rcv 2<-*:x"}, None)
    >>> processes_document(layer)
    [[('snd', 2, 'x')], [('rcv', '*', 'x')]]
    """
    if isinstance(program, StraightLine):
        return program.partners
    return [
        [
            ("snd", event.receiver, event.tag) if event.is_send else ("rcv", event.sender or "*", event.tag)
            for event in share
        ]
        for share in program.shares
    ]
