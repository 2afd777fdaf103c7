"""What there is around an interval: which messages can cross its ends, as a small model.

An outside event matters only if it is matched with an event inside, or with one on the other side of the
interval, or is a message that is never received (that only the reading EMPTY of the cut sees).  Leave out
all other outside events of a run: receives stay matched, happens-before only loses elements, FIFO order
is kept (which speaks of pairs of messages), every cut of the interval is silent exactly if it was; so the
same programs occur over the same interval.  Of messages that cross the whole interval one in each
direction and channel is enough, and likewise of lost ones, since a cut only asks if there are any.
An event inside is matched at most once.  So there is an earlier and a later partner for every event
inside, and for every channel one message across, one back across, and one lost.

When these events happen need not be asked.  A process may as well do its earlier sends before all
else, and its later receives last; its earlier receives right before the cut c, and its later sends right
after d.  What comes before an event only gets less by that: see `earliest` and `latest`.  Among the
events of one kind the order is free, and chosen so that FIFO is kept: see `comes_first`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pysmt.fnode import FNode
from pysmt.shortcuts import Symbol

from sealcheck.programs.events import Channel, Event, rcv, snd
from sealcheck.programs.global_runs import Frontier
from sealcheck.programs.runs import Place

Shape = tuple[tuple[Event | None, ...], ...]
"""For each process the events that it performs in the interval; None is an internal one."""


@dataclass(frozen=True)
class Outside:
    """An event before or after the interval."""

    name: str
    event: Event
    earlier: bool

    @property
    def process(self) -> int:
        """The process that performs it."""
        return self.event.process


End = Place | Outside
"""A send or a receive, inside the interval or outside."""


@dataclass(frozen=True)
class Match:
    """A receive and a send that may be matched."""

    name: str
    channel: Channel
    receive: End
    send: End

    @property
    def symbol(self) -> FNode:
        """That they are matched."""
        return Symbol(f"match:{self.name}")

    def crosses(self, c: Frontier) -> bool:
        """Whether of the two events one is in the cut, and the other is not."""
        return is_inside(self.receive, c) != is_inside(self.send, c)


def is_inside(end: End, c: Frontier) -> bool:
    """Whether an event is in a cut of the interval."""
    return end.earlier if isinstance(end, Outside) else end.position <= c[end.process - 1]


def possible_matches(shape: Shape, channels: Sequence[Channel]) -> Iterator[Match]:
    """All that may be matched, in an interval of this shape and around it.

    >>> from sealcheck.programs.events import mt
    >>> send, receive = mt(1, 2)
    >>> [match.name for match in possible_matches(((send,), (receive,)), [send.channel])]
    ['earlier:1.1', 'later:1.1', 'earlier:2.1', 'later:2.1', '2.1=1.1', 'across1->2', 'back1->2']
    """
    communicating = [
        (Place(process, position), event)
        for process, share in enumerate(shape, 1)
        for position, event in enumerate(share, 1)
        if event is not None
    ]
    for place, event in communicating:
        for when, earlier in (("earlier", True), ("later", False)):
            i, j = event.channel
            partner = Outside(f"{when}:{named(place)}", rcv(j, i) if event.is_send else snd(i, j), earlier)
            receive, send = (partner, place) if event.is_send else (place, partner)
            yield Match(partner.name, event.channel, receive, send)
        for other, sent in communicating:
            if not event.is_send and sent.is_send and sent.channel == event.channel:
                yield Match(f"{named(place)}={named(other)}", event.channel, place, other)
    for i, j in channels:
        for name, sent_earlier in (("across", True), ("back", False)):
            receiving = Outside(f"{name}:r{i}->{j}", rcv(j, i), not sent_earlier)
            sending = Outside(f"{name}:s{i}->{j}", snd(i, j), sent_earlier)
            yield Match(f"{name}{i}->{j}", Channel(i, j), receiving, sending)


def lost_send(channel: Channel) -> Outside:
    """The send of a message before the interval that is never received, if there is one."""
    return Outside(f"lost{channel}", snd(*channel), True)


def comes_first(first: End, second: End) -> bool:
    """Whether, of two sends of a process, or of two receives, the first may come first."""
    return rank(first) <= rank(second)


def rank(end: End) -> tuple[int, int]:
    """Where an event stands in its process: earlier, at a position of the interval, or later."""
    if isinstance(end, Outside):
        return (0, 0) if end.earlier else (2, 0)
    return 1, end.position


def earliest(send: End) -> str | None:
    """What a send can come right after; None if it may come before everything else."""
    if isinstance(send, Outside):
        return None if send.earlier else f"d{send.process}"
    return named(send)


def latest(receive: End) -> str | None:
    """What a receive can come right before; None if it may come after everything else."""
    if isinstance(receive, Outside):
        return f"c{receive.process}" if receive.earlier else None
    return named(receive)


def named(place: Place) -> str:
    """The name of a place of the interval."""
    return f"{place.process}.{place.position}"
