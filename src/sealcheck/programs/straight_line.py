"""Communication events, straight-line programs, and these programs packed as numbers.

Processes are numbered from 1, as in the paper. An event is a send or a receive without data. A straight-line
program has neither choices nor loops.

The *share* of a process is its part of a program. In the layering of two programs (the paper's bullet
operator), each process runs its share of the first program, and then directly its share of the second. The
order of events of different processes in the text does not matter. So a program is a tuple with one sequence
of events for each process.

**Packed** programs are used in compiled loops and in the rows of a sweep. A packed program is one number for
each process. Each event takes a fixed number of bits, which hold the event's code. The first event has the
highest bits.

- The partner of an event is the process to which it sends, or from which it receives.
- Let r be the partner's place (1..n-1) among all processes but the event's own.
- The code of a send is r. The code of a receive is r + n - 1. The code 0 stands for no event.
- So codes order the events of one process as `Event` does.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property, lru_cache
from itertools import chain, permutations
from typing import Any, NamedTuple, TypeVar

from sealcheck.errors import InputError, blaming
from sealcheck.words import counted


class Channel(NamedTuple):
    """The channel on which `sender` sends to `receiver`."""

    sender: int
    receiver: int

    def __str__(self) -> str:
        return f"{self.sender}->{self.receiver}"


class Kind(IntEnum):
    """Whether an event puts a message on its channel or takes one off."""

    SEND = 0
    RECEIVE = 1


class Event(NamedTuple):
    """A send or a receive on the channel `sender` -> `receiver`.

    >>> print(snd(1, 2), "and", rcv(2, 1))
    snd 1->2 and rcv 2<-1
    >>> snd(1, 2).process, rcv(2, 1).process
    (1, 2)
    """

    kind: Kind
    sender: int
    receiver: int

    @property
    def channel(self) -> Channel:
        """The channel the event uses."""
        return Channel(self.sender, self.receiver)

    @property
    def process(self) -> int:
        """The process that performs the event."""
        return self.receiver if self.kind else self.sender

    @property
    def is_send(self) -> bool:
        """Whether the event is a send."""
        return self.kind is Kind.SEND

    def __str__(self) -> str:
        if self.is_send:
            return f"snd {self.sender}->{self.receiver}"
        return f"rcv {self.receiver}<-{self.sender}"


def snd(sender: int, receiver: int) -> Event:
    """The statement snd^{i->j}."""
    return Event(Kind.SEND, sender, receiver)


def rcv(receiver: int, sender: int) -> Event:
    """The statement rcv^{j<-i}; the receiver comes first, as in the paper."""
    return Event(Kind.RECEIVE, sender, receiver)


def mt(sender: int, receiver: int) -> tuple[Event, Event]:
    """The message transmission mt^{i->j}: the send, then the receive.

    >>> [str(event) for event in mt(1, 2)]
    ['snd 1->2', 'rcv 2<-1']
    """
    return snd(sender, receiver), rcv(receiver, sender)


def channels(n: int, *, self_channels: bool = False) -> tuple[Channel, ...]:
    """All channels among processes 1..n, in lexicographic order.

    >>> [str(channel) for channel in channels(2)]
    ['1->2', '2->1']
    """
    processes = range(1, n + 1)
    return tuple(Channel(i, j) for i in processes for j in processes if i != j or self_channels)


Share = tuple[Event, ...]
Renaming = tuple[int, ...]
"""Process p is renamed to ``renaming[p - 1]``."""


class DeadlockError(InputError):
    """A process waits for a message that no process will send."""


@dataclass(frozen=True, order=True)
class StraightLine:
    """One sequence of events for each process; ``shares[p - 1]`` is the share of process p.

    >>> program = StraightLine.of(2, mt(1, 2) + mt(2, 1))
    >>> print(program)
    mt 1->2; mt 2->1
    >>> program.messages, program.is_balanced, program.is_deadlock_free
    (2, True, True)
    """

    shares: tuple[Share, ...]

    @classmethod
    def of(cls, n: int, events: Iterable[Event] = ()) -> "StraightLine":
        """The program over processes 1..n that layers `events` from left to right.

        Raises InputError if an event names a process outside 1..n.
        """
        shares: list[list[Event]] = [[] for _ in range(n)]
        for event in events:
            kind, sender, receiver = event
            if not (1 <= sender <= n and 1 <= receiver <= n):
                raise InputError(f"'{event}' names a process outside 1..{n}")
            shares[(receiver if kind else sender) - 1].append(event)
        return cls(tuple(map(tuple, shares)))

    @property
    def n(self) -> int:
        """The number of processes, idle ones included."""
        return len(self.shares)

    @cached_property
    def messages(self) -> int:
        """The number of sends."""
        return sum(event.is_send for share in self.shares for event in share)

    @property
    def length(self) -> int:
        """The number of events."""
        return sum(map(len, self.shares))

    @property
    def partners(self) -> list[list[tuple[str, int]]]:
        """For each process, the kind and the other process of each event, as in JSON.

        >>> StraightLine.of(2, mt(1, 2)).partners
        [[('snd', 2)], [('rcv', 1)]]
        """
        return [
            [("snd", e.receiver) if e.is_send else ("rcv", e.sender) for e in share] for share in self.shares
        ]

    @property
    def used(self) -> set[Channel]:
        """The channels of its events."""
        return {event.channel for share in self.shares for event in share}

    def then(self, later: "StraightLine") -> "StraightLine":
        """Layered composition, this program first; both must have the same processes.

        >>> print(StraightLine.of(2, [snd(1, 2)]).then(StraightLine.of(2, [rcv(2, 1)])))
        mt 1->2
        """
        if self.n != later.n:
            raise InputError(f"cannot layer a program over {self.n} processes with one over {later.n}")
        return StraightLine(tuple(a + b for a, b in zip(self.shares, later.shares, strict=True)))

    @cached_property
    def imbalance(self) -> dict[Channel, int]:
        """The number of sends minus the number of receives, for each channel on which the two differ."""
        excess: Counter[Channel] = Counter()
        for event, count in Counter(chain.from_iterable(self.shares)).items():
            excess[event.channel] += count if event.is_send else -count
        return {channel: count for channel, count in sorted(excess.items()) if count}

    @property
    def is_balanced(self) -> bool:
        """Whether every channel has as many sends as receives."""
        return not self.imbalance

    @property
    def is_deadlock_free(self) -> bool:
        """Whether every process gets through its share, if the program runs alone."""
        try:
            self.linearization  # noqa: B018 - evaluated for the exception
        except DeadlockError:
            return False
        return True

    @cached_property
    def linearization(self) -> tuple[Event, ...]:
        """The events in an order in which they can happen from empty channels. O(events).

        If a process waits for a message, the message is received as soon as it is sent. Raises DeadlockError,
        with the waiting receives, if not every event can happen. Which process goes next does not matter: a
        receive takes any message of its channel, so a process never stops another process that can go on.
        """
        if len(self.possible) < self.length:
            waiting = sorted(_Execution(self.shares).waiting)
            stuck = ", ".join(f"'{Event(Kind.RECEIVE, *c)}'" for c in waiting)
            raise DeadlockError(f"the program deadlocks: {stuck} can never happen")
        return self.possible

    @cached_property
    def possible(self) -> tuple[Event, ...]:
        """The events that can happen from empty channels, in an order in which they can happen. O(events).

        >>> [str(event) for event in StraightLine.of(2, [snd(1, 2), rcv(1, 2), snd(1, 2)]).possible]
        ['snd 1->2']
        """
        return tuple(_Execution(self.shares).order)

    def renamed(self, renaming: Renaming) -> "StraightLine":
        """The program with process p called ``renaming[p - 1]``.

        >>> print(StraightLine.of(2, mt(1, 2)).renamed((2, 1)))
        mt 2->1
        """
        new_name = _renamer(renaming)
        shares: list[Share] = [()] * self.n
        for process, share in enumerate(self.shares, 1):
            shares[renaming[process - 1] - 1] = tuple([new_name[event] for event in share])
        return StraightLine(tuple(shares))

    @property
    def is_canonical(self) -> bool:
        """Whether no renaming of processes gives a smaller program.  O(n! * events)."""
        return all(self.shares <= self.renamed(r).shares for r in permutations(range(1, self.n + 1)))

    def canonical(self) -> "StraightLine":
        """The least renaming of the program.  O(n! * events)."""
        return min(self.renamed(r) for r in permutations(range(1, self.n + 1)))

    @property
    def orbit_size(self) -> int:
        """The number of different programs that result from renaming processes. O(n! * events)."""
        return len({self.renamed(r).shares for r in permutations(range(1, self.n + 1))})

    @property
    def as_written(self) -> tuple[Event, ...]:
        """The events in an order in which they can happen. If not all can happen: process by process."""
        return self.linearization if self.is_deadlock_free else tuple(chain(*self.shares))

    def __str__(self) -> str:
        return text(self.as_written)


E = TypeVar("E", bound="tuple[Any, ...]")
"""Events over channels or over ports: tuples that begin with the kind."""


def text(events: Iterable[E], told: Callable[[E], str] = str) -> str:
    """The events as program text. A send directly followed by its receive prints as ``mt``.

    >>> text([snd(1, 2), *mt(2, 1), rcv(2, 1)])
    'snd 1->2; mt 2->1; rcv 2<-1'
    """
    statements: list[str] = []
    sent: E | None = None
    for event in events:
        kind = event[0]
        if sent is not None and kind is Kind.RECEIVE and sent[1:] == event[1:]:
            statements[-1] = "mt" + statements[-1][3:]
            sent = None
        else:
            statements.append(told(event))
            sent = event if kind is Kind.SEND else None
    return "; ".join(statements) or "eps"


class _Renamer(dict[Event, Event]):
    """Maps events to renamed events. It makes each renamed event only once, because sweeps rename often."""

    def __init__(self, renaming: Renaming) -> None:
        super().__init__()
        self.renaming = renaming

    def __missing__(self, event: Event) -> Event:
        kind, sender, receiver = event
        self[event] = Event(kind, self.renaming[sender - 1], self.renaming[receiver - 1])
        return self[event]


_renamer = lru_cache(maxsize=1024)(_Renamer)


def require_no_self_channels(program: StraightLine, name: str) -> None:
    """Raise InputError if a process sends to itself; the paper's algorithms assume i != j."""
    for share in program.shares:
        for event in share:
            if event.sender == event.receiver:
                allowed = "only --self-channels (self_channels=True) allows it"
                raise InputError(f"{name} uses the self-channel {event.channel}: {allowed}")


def require_balanced_straight_line(program: StraightLine, name: str, *, self_channels: bool = False) -> None:
    """Raise InputError, with the failed hypothesis, if `program` is not a deadlock-free BSL.

    The paper's results on sealing assume a balanced straight-line program (BSL) that does not deadlock, over
    channels between different processes. The paper calls this its General assumption.
    """
    if not self_channels:
        require_no_self_channels(program, name)
    for channel, excess in program.imbalance.items():
        more, fewer = ("send", "receives") if excess > 0 else ("receive", "sends")
        excessive = counted(abs(excess), f"more {more}")
        raise InputError(f"{name} is not balanced: channel {channel} has {excessive} than {fewer}")
    with blaming(name):
        program.linearization  # noqa: B018 - evaluated for the exception


class _Execution:
    """The events as they happen from empty channels, and the receives that wait forever."""

    def __init__(self, shares: Sequence[Share]) -> None:
        self.order: list[Event] = []
        self.waiting: dict[tuple[int, int], int] = {}
        """Each waiting process, by the channel that it waits for."""
        self._shares = shares
        self._done = [0] * len(shares)
        self._contents: Counter[tuple[int, int]] = Counter()
        self._runnable: list[int] = []
        for process in range(len(shares), 0, -1):
            self._put_back(process)
        while self._runnable:
            self._run(self._runnable.pop())

    def _put_back(self, process: int) -> None:
        """Mark a process as waiting for its next message, or as runnable."""
        share, at = self._shares[process - 1], self._done[process - 1]
        event = share[at] if at < len(share) else None
        if event and event.kind is Kind.RECEIVE and not self._contents[event.channel]:
            self.waiting[event.channel] = process
        else:
            self._runnable.append(process)

    def _run(self, process: int) -> None:
        """Run a process until it waits, or has sent an awaited message, whose receiver runs next."""
        share, contents = self._shares[process - 1], self._contents
        for at in range(self._done[process - 1], len(share)):
            kind, sender, receiver = event = share[at]
            channel = (sender, receiver)
            if kind is Kind.RECEIVE:
                if not contents[channel]:
                    self._done[process - 1] = at
                    self.waiting[channel] = process
                    return
                contents[channel] -= 1
                self.order.append(event)
                continue
            contents[channel] += 1
            self.order.append(event)
            if channel in self.waiting:
                self._done[process - 1] = at + 1
                woken = self.waiting.pop(channel)
                self._put_back(process)
                self._runnable.append(woken)
                return


def bits(n: int) -> int:
    """The number of bits of an event in a packed program of n processes, at least 3.

    >>> bits(2), bits(4), bits(5)
    (3, 3, 4)
    """
    return max(3, (2 * n - 2).bit_length())


def code_of(n: int, event: Event) -> int:
    """The code of an event in the share of its process.

    >>> code_of(3, snd(2, 1)), code_of(3, snd(2, 3)), code_of(3, rcv(2, 1)), code_of(3, rcv(2, 3))
    (1, 2, 3, 4)
    """
    other = event.receiver if event.is_send else event.sender
    rank = other - (other > event.process)
    return rank if event.is_send else rank + n - 1


def packed(program: StraightLine) -> tuple[int, ...]:
    """The packed form of a program in which no process sends to itself. O(events).

    >>> [oct(number) for number in packed(StraightLine.of(3, mt(1, 2) + mt(2, 3)))]
    ['0o1', '0o32', '0o4']
    """
    numbers = []
    for share in program.shares:
        number = 0
        for event in share:
            number = number << bits(program.n) | code_of(program.n, event)
        numbers.append(number)
    return tuple(numbers)


def unpacked(numbers: Sequence[int]) -> StraightLine:
    """The program with this packed form. O(events).

    Raises InputError if a number contains a code that no event has.

    >>> print(unpacked([0o1, 0o32, 0o4]))
    mt 1->2; mt 2->3
    """
    return StraightLine(tuple(_share(len(numbers), p, number) for p, number in enumerate(numbers, 1)))


def _share(n: int, process: int, number: int) -> tuple[Event, ...]:
    found: list[Event] = []
    left = number
    while left > 0:
        left, code = divmod(left, 1 << bits(n))
        if not 1 <= code <= 2 * n - 2:
            raise InputError(f"{number} packs no events of one of {n} processes: {code} is not a code")
        rank = (code - 1) % (n - 1) + 1
        other = rank + (rank >= process)
        found.append(snd(process, other) if code < n else rcv(process, other))
    if left < 0:
        raise InputError(f"{number} packs no events: it is negative")
    return tuple(reversed(found))
