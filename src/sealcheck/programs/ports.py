"""Channels of real systems: tags, receives from any source, and guarantees of ports.

A *port* belongs to one process, its reader, and holds messages until they are received. Each combination of
sender, receiver and tag (or no tag) has its own port, with one exception. If a process receives a tag from
any source, all messages to the process with this tag share one port. The same holds for messages without a
tag. A channel of the paper is a port of one sender, without a tag.

A port is a *bag*, which delivers in any order, or *fifo*, which keeps the order of each sender (as MPI and
actors do). A *lossy* port may lose messages. A *duplicating* port may deliver copies at any later time.

Two receives of a process *overlap* if they could take some messages in common, but not all (`Overlap`).
Receives that overlap share a port. At such a port, it is not enough to count the messages: which events can
happen depends on which messages are left.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from sealcheck.errors import InputError, blaming
from sealcheck.programs import straight_line
from sealcheck.programs.straight_line import DeadlockError, Kind, StraightLine
from sealcheck.words import counted, or_choose

ANY = 0
"""The sender in a receive from any source."""

Namer = Callable[[int], str]
"""Maps the number of a process to its name."""


class Port(NamedTuple):
    """A place where messages wait for `reader`: of one sender or any sender, with one tag or no tag.

    >>> print(Port(2, 1), Port(2, 1, "halo"), Port(2, ANY, "job"))
    2<-1 2<-1:halo 2<-*:job
    """

    reader: int
    sender: int
    tag: str = ""

    def __str__(self) -> str:
        return f"{self.reader}<-{self.sender or '*'}{tagged(self.tag)}"


class Guarantee(NamedTuple):
    """The guarantee of a port: by default, a bag without loss or duplicates.

    >>> print(Guarantee(), Guarantee.of(["fifo", "lossy"]))
    bag fifo, lossy
    >>> Guarantee.of(["fifo", "duplicating"])
    Traceback (most recent call last):
    sealcheck.errors.InputError: a port cannot be both fifo and duplicating: a late copy is out of order
    """

    fifo: bool = False
    lossy: bool = False
    duplicating: bool = False

    @classmethod
    def of(cls, words: Iterable[str]) -> "Guarantee":
        """The guarantee with these words. Raises InputError for unknown or conflicting words."""
        words = list(words)
        if unknown := next((word for word in words if word not in GUARANTEES), None):
            raise InputError(f"'{unknown[:20]}' is not a guarantee of a port: give {', '.join(GUARANTEES)}")
        if {"bag", "fifo"} <= set(words):
            raise InputError("a port cannot be both bag and fifo")
        if {"fifo", "duplicating"} <= set(words):
            raise InputError("a port cannot be both fifo and duplicating: a late copy is out of order")
        return cls(*(word in words for word in cls._fields))

    @property
    def words(self) -> list[str]:
        """The words of the guarantee."""
        return [] if not any(self) else [word for word in self._fields if getattr(self, word)]

    @property
    def keeps_order(self) -> bool:
        """Whether a sender's messages cannot overtake each other. A lost message counts as overtaken."""
        return self.fifo and not self.lossy

    def __str__(self) -> str:
        return ", ".join(self.words) or "bag"


GUARANTEES = ("bag", *Guarantee._fields)
BAG = Guarantee()
FIFO = Guarantee(fifo=True)


class PortEvent(NamedTuple):
    """A send, or a receive, perhaps from any source.

    >>> print(PortEvent(Kind.SEND, 1, 2, "halo"), PortEvent(Kind.RECEIVE, ANY, 2), sep="; ")
    snd 1->2:halo; rcv 2<-*
    """

    kind: Kind
    sender: int
    """ANY in a receive from any source."""
    receiver: int
    tag: str = ""

    @property
    def process(self) -> int:
        """The process that performs it."""
        return self.receiver if self.kind else self.sender

    @property
    def is_send(self) -> bool:
        """Whether it is a send."""
        return self.kind is Kind.SEND

    def takes(self, send: "PortEvent") -> bool:
        """Whether this receive accepts messages of that send."""
        return send[2:] == self[2:] and self.sender in (ANY, send.sender)

    def __str__(self) -> str:
        return self.told(str)

    def told(self, name: Namer) -> str:
        """The event as program text, with these names of processes."""
        if self.is_send:
            return f"snd {name(self.sender)}->{name(self.receiver)}{tagged(self.tag)}"
        sender = name(self.sender) if self.sender else "*"
        return f"rcv {name(self.receiver)}<-{sender}{tagged(self.tag)}"


def tagged(tag: str) -> str:
    """A tag as it is written."""
    return f":{tag}" if tag else ""


class Overlap(InputError):
    """Two receives of a process can take some messages in common, but not all."""


Shares = tuple[tuple[PortEvent, ...], ...]


@dataclass(frozen=True, order=True)
class PortProgram:
    """One sequence of events for each process; ``shares[p - 1]`` is the sequence of process p.

    >>> send, receive = PortEvent(Kind.SEND, 1, 2, "job"), PortEvent(Kind.RECEIVE, ANY, 2, "job")
    >>> print(PortProgram.of(2, [send, receive]))
    snd 1->2:job; rcv 2<-*:job
    """

    shares: Shares

    @classmethod
    def of(cls, n: int, events: Iterable[PortEvent] = ()) -> "PortProgram":
        """The program over the processes 1..n that layers the events from left to right."""
        shares: list[list[PortEvent]] = [[] for _ in range(n)]
        for event in events:
            kind, sender, receiver, _ = event
            shares[(receiver if kind else sender) - 1].append(event)
        return cls(tuple(map(tuple, shares)))

    @classmethod
    def plain(cls, program: StraightLine) -> "PortProgram":
        """A program of the paper: each channel is a port."""
        return cls(tuple(tuple(PortEvent(*event) for event in share) for share in program.shares))

    @property
    def n(self) -> int:
        """The number of processes."""
        return len(self.shares)

    @property
    def events(self) -> Iterator[PortEvent]:
        """All events, process by process."""
        return chain.from_iterable(self.shares)

    @property
    def messages(self) -> int:
        """The number of sends."""
        return sum(event.is_send for event in self.events)

    def linearization(self, ports: "Ports") -> list[PortEvent]:
        """The events in an order in which they can happen from empty ports. O(events).

        If a process waits for a message, the message is received as soon as it is sent. Raises DeadlockError,
        with the waiting receives, if not all events can happen.
        """
        order: list[PortEvent] = []
        port_of = ports.of_each(self)
        at, held = [0] * self.n, dict.fromkeys(port_of.values(), 0)
        waiting: dict[Port, int] = {}
        going = [*range(self.n, 0, -1)]
        while going:
            process = going.pop()
            share = self.shares[process - 1]
            for position in range(at[process - 1], len(share)):
                event = share[position]
                port = port_of[event]
                if event.kind is Kind.RECEIVE:
                    if not held[port]:
                        waiting[port] = process
                        break
                    held[port] -= 1
                else:
                    held[port] += 1
                at[process - 1] = position + 1
                order.append(event)
                if port in waiting and event.kind is Kind.SEND:
                    going += [process, waiting.pop(port)]
                    break
        if waiting:
            stuck = ", ".join(f"'rcv {port}'" for port in sorted(waiting))
            raise DeadlockError(f"the program deadlocks: {stuck} can never happen")
        return order

    def told(self, ports: "Ports", name: Namer = str) -> str:
        """The program as text, with these names of processes. The program must not deadlock.

        If receives overlap, the text has the events process by process.
        """
        return text(self.events if ports.overlap else self.linearization(ports), name)

    def __str__(self) -> str:
        return text(self.events)


def text(events: Iterable[PortEvent], name: Namer = str) -> str:
    """Events as program text. A send that is directly followed by a receive from its sender prints as ``mt``.

    >>> send, receive = PortEvent(Kind.SEND, 1, 2, "x"), PortEvent(Kind.RECEIVE, 1, 2, "x")
    >>> text([send, receive, send])
    'mt 1->2:x; snd 1->2:x'
    """
    return straight_line.text(events, lambda event: event.told(name))


@dataclass(frozen=True)
class Ports:
    """The port of each event, in programs that are used together."""

    shared: frozenset[tuple[int, str]]
    """Pairs of a reader and a tag that the reader receives from any source."""
    overlap: bool = False
    """Whether a receive on a shared port names its sender."""

    @classmethod
    def among(cls, programs: Sequence[PortProgram], *, overlapping: bool = False) -> "Ports":
        """The ports of the programs. Raises Overlap if receives overlap and `overlapping` is false.

        >>> named, any_source = PortEvent(Kind.RECEIVE, 1, 2), PortEvent(Kind.RECEIVE, ANY, 2)
        >>> try:
        ...     Ports.among([PortProgram.of(2, [named, any_source])])
        ... except Overlap as error:
        ...     print(str(error).partition(":")[0])
        'rcv 2<-1' and 'rcv 2<-*' overlap
        """
        events = set(chain.from_iterable(program.events for program in programs))
        receives = {event for event in events if not event.is_send}
        shared = frozenset((each.receiver, each.tag) for each in receives if each.sender == ANY)
        named = sorted(each for each in receives if each.sender != ANY)
        overlap = next((each for each in named if (each.receiver, each.tag) in shared), None)
        if overlap and not overlapping:
            other = overlap._replace(sender=ANY)
            raise Overlap(
                f"'{overlap}' and '{other}' overlap: they compete for messages. Use phases --search, or give"
                " one of them its own tag"
            )
        return cls(shared, overlap is not None)

    def of(self, event: PortEvent) -> Port:
        """The port that the event puts a message into, or takes one from."""
        _, sender, reader, tag = event
        return Port(reader, ANY if (reader, tag) in self.shared else sender, tag)

    def of_each(self, program: PortProgram) -> dict[PortEvent, Port]:
        """The port of each event of a program."""
        return {event: self.of(event) for event in set(program.events)}

    def used(self, programs: Iterable[PortProgram]) -> tuple[Port, ...]:
        """The ports that programs use, in order."""
        return tuple(sorted({port for program in programs for port in self.of_each(program).values()}))


def require_balanced(program: PortProgram, ports: Ports, name: str) -> None:
    """Raise InputError if a port has more sends than receives, or fewer, or if the program deadlocks.

    If receives overlap, deadlocks are not checked, because only a search could find them.
    """
    excess: Counter[Port] = Counter()
    for event, count in Counter(program.events).items():
        excess[ports.of(event)] += count if event.is_send else -count
    for port, count in sorted(excess.items()):
        if count:
            more, fewer = ("send", "receives") if count > 0 else ("receive", "sends")
            raise InputError(
                f"{name} is not balanced: port {port} has {counted(abs(count), f'more {more}')} than {fewer}"
            )
    with blaming(name):
        if not ports.overlap:
            program.linearization(ports)


COPYING = Guarantee(duplicating=True)
UNRELIABLE = Guarantee(lossy=True, duplicating=True)
TRANSPORTS: dict[str, Guarantee] = {
    "tcp": FIFO,
    "tcp-pool": BAG,
    "quic-streams": FIFO,
    "quic-stream-per-message": BAG,
    "quic-datagrams": UNRELIABLE,
    "sctp": FIFO,
    "sctp-unordered": BAG,
    "webrtc": FIFO,
    "webrtc-unordered": BAG,
    "webrtc-lossy": Guarantee(lossy=True),
    "udp": UNRELIABLE,
    "mpi": FIFO,
    "nccl": FIFO,
    "erlang": FIFO,
    "akka": Guarantee(fifo=True, lossy=True),
    "akka-at-least-once": COPYING,
    "grpc-calls": BAG,
    "grpc-stream": FIFO,
    "amqp": FIFO,
    "kafka": FIFO,
    "sqs": COPYING,
    "sqs-fifo": FIFO,
}
"""For each transport, the guarantee of its ports. docs/transports.md says what a port is, with sources."""


def transport(name: str) -> Guarantee:
    """The guarantee of a transport's ports. For an unknown transport, raises InputError with the known names.

    >>> print(transport("udp"))
    lossy, duplicating
    """
    if name not in TRANSPORTS:
        raise InputError(f"unknown transport '{name[:30]}': {or_choose(name, TRANSPORTS)}")
    return TRANSPORTS[name]
