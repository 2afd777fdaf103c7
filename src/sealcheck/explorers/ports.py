"""What ports hold, step by step: every execution of layers in sequence, with no notion of causality.

A state says how far each process is, and which messages wait where.  A receive takes any message that its
port would deliver.  Nothing here knows that counting suffices, or which of several rounds can matter.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from sealcheck.errors import LimitReached
from sealcheck.programs.ports import Guarantee, Port, PortEvent, PortProgram
from sealcheck.programs.protocol import PortPhases
from sealcheck.programs.straight_line import Kind

MOST_STATES = 200_000
"""States that one exploration visits."""


class Message(NamedTuple):
    """A message that waits."""

    sender: int
    receiver: int
    tag: str
    number: int
    """How many events its sender had done."""
    layer: int


State = tuple[tuple[int, ...], tuple[Message, ...]]
Events = list[list[tuple[PortEvent, int]]]
"""For each process its events, each with the number of its layer."""


def wrong_ports(about: PortPhases, most: int) -> frozenset[Port]:
    """The root causes in words of at most so many layers, one of which may be what follows.

    Raises LimitReached if there are too many states.
    """
    found = set()
    for word in about.beginnings(most):
        found |= {port for port in about.used if _goes_wrong(about, word, untagged=frozenset({port}))}
    return frozenset(found)


def goes_wrong(about: PortPhases, most: int) -> bool:
    """Whether some receive takes a message of another layer in a word of at most so many layers.

    Raises LimitReached if there are too many states.
    """
    return any(_goes_wrong(about, word, untagged=frozenset(about.used)) for word in about.beginnings(most))


def _goes_wrong(about: PortPhases, layers: Sequence[PortProgram], *, untagged: frozenset[Port]) -> bool:
    """Whether a receive on one of these ports takes a message of another layer; other receives heed tags."""
    events: Events = [
        [(event, at) for at, layer in enumerate(layers) for event in layer.shares[process]]
        for process in range(about.n)
    ]
    start: State = (0,) * about.n, ()
    seen, going = {start}, [start]
    while going:
        done, waiting = going.pop()
        for process, share in enumerate(events):
            if done[process] == len(share):
                continue
            event, layer = share[done[process]]
            after = (*done[:process], done[process] + 1, *done[process + 1 :])
            if event.is_send:
                message = Message(event.sender, event.receiver, event.tag, done[process], layer)
                following = [tuple(sorted((*waiting, message)))]
            else:
                port = about.ports.of(event)
                guarantee = about.guarantee(port)
                taken = _deliverable(event, None if port in untagged else layer, waiting, guarantee)
                if any(message.layer != layer for message in taken):
                    return True
                following = [*chain.from_iterable(_taken(waiting, each, guarantee) for each in taken)]
            for contents in following:
                if (new := (after, contents)) not in seen:
                    seen.add(new)
                    going.append(new)
        for lost in _lost(about, waiting):
            if (new := (done, lost)) not in seen:
                seen.add(new)
                going.append(new)
        if len(seen) > MOST_STATES:
            raise LimitReached(f"more than {MOST_STATES:,} states")
    return False


def _deliverable(
    receive: PortEvent, layer: int | None, waiting: Sequence[Message], guarantee: Guarantee
) -> list[Message]:
    """The messages that a receive may take, only those of a layer if one is given."""
    here = [
        message
        for message in waiting
        if (message.receiver, message.tag) == (receive.receiver, receive.tag)
        and receive.sender in (0, message.sender)
        and layer in (None, message.layer)
    ]
    if not guarantee.fifo:
        return here
    return [m for m in here if not any(o.sender == m.sender and o.number < m.number for o in here)]


def _taken(
    waiting: tuple[Message, ...], message: Message, guarantee: Guarantee
) -> Iterator[tuple[Message, ...]]:
    """The messages that wait after one has been taken."""
    yield tuple(each for each in waiting if each != message)
    if guarantee.duplicating:
        yield waiting


def _lost(about: PortPhases, waiting: tuple[Message, ...]) -> Iterator[tuple[Message, ...]]:
    """The messages that wait after one has been lost."""
    for message in waiting:
        send = PortEvent(Kind.SEND, message.sender, message.receiver, message.tag)
        if about.guarantee(about.ports.of(send)).lossy:
            yield tuple(each for each in waiting if each != message)
