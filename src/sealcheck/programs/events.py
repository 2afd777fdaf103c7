"""Communication events and the channels they use.

Processes are numbered from 1, as in the paper.  An event here is a *statement* of a
program (``snd`` or ``rcv`` without data: sealing of straight-line programs does not depend
on contents, because a receive accepts whatever value the message carries).
"""

from enum import IntEnum
from typing import NamedTuple


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
