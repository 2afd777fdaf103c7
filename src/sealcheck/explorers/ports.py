"""Explore executions of layers over ports, step by step, without causality.

- A *port* holds messages until one process receives them.
- *Layers* are programs that run in sequence. A *protocol* allows some sequences of layers, which are its
*words*.
- A port is a *root cause* if a receive on it can take a message of another layer, while all receives on other
ports take messages of their own layer.

A state has the position of each process, and the messages that wait in each port. A receive takes any message
that its port may deliver. A send happens as soon as it can, because a delay only leaves receives fewer
messages to take. This module does not rely on the theorems behind `phases`: that counting messages is enough,
and that few rounds are enough.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from sealcheck.errors import LimitReached
from sealcheck.programs.ports import Guarantee, Port, PortEvent, PortProgram
from sealcheck.programs.protocol import PortPhases
from sealcheck.programs.runs import Place
from sealcheck.programs.straight_line import Kind

MOST_STATES = 200_000
"""The most states that one exploration visits."""


class Message(NamedTuple):
    """A message that waits in a port."""

    sender: int
    receiver: int
    tag: str
    number: int
    """The number of events that the sender had done before the send."""
    layer: int


State = tuple[tuple[int, ...], tuple[Message, ...]]
_Done = tuple[Place, Message | None]
"""An event, and the message that it takes if it is a receive."""
_Before = tuple[State, _Done | None] | None
"""The state before, and the event that led on from it (None if a message was lost). None for the start."""
Events = list[list[tuple[PortEvent, int]]]
"""For each process, its events, each with the number of the event's layer."""


class Explored(NamedTuple):
    """The result of an exploration of layers in sequence."""

    wrong: "WrongReceive | None"
    """The beginning of an execution up to its first wrong receive, if the exploration found one."""
    completes: bool
    """Whether some execution goes through all layers. Only known if there is no wrong receive."""
    stuck: frozenset[PortEvent]
    """The receives that can wait forever. Empty if there is a wrong receive."""


class WrongReceive(NamedTuple):
    """The beginning of an execution. Its last event is a receive that takes a message of another layer."""

    order: tuple[Place, ...]
    """The events in the order in which they happen. Positions count from the start of the first layer."""
    matching: dict[Place, Place]


def wrong_ports(about: PortPhases, most: int) -> frozenset[Port]:
    """The ports that are root causes in words of at most `most` layers.

    Events after the layers count as one more layer. Raises LimitReached if there are too many states.
    """
    found = set()
    for word in about.beginnings(most):
        found |= {port for port in about.used if explore(about, word, untagged=frozenset({port})).wrong}
    return frozenset(found)


def goes_wrong(about: PortPhases, most: int) -> bool:
    """Whether some receive takes a message of another layer, in a word of at most `most` layers.

    Raises LimitReached if there are too many states.
    """
    used = frozenset(about.used)
    return any(explore(about, word, untagged=used).wrong for word in about.beginnings(most))


def explore(about: PortPhases, layers: Sequence[PortProgram], *, untagged: frozenset[Port]) -> Explored:
    """Explore all executions of layers in sequence, until a receive takes a message of another layer.

    Only receives on the ports in `untagged` can take messages of other layers. On other ports, messages carry
    their layer as a tag, and receives take only messages of their own layer. Raises LimitReached if there are
    too many states.
    """
    events: Events = [
        [(event, at) for at, layer in enumerate(layers) for event in layer.shares[process]]
        for process in range(about.n)
    ]
    start: State = (0,) * about.n, ()
    before: dict[State, _Before] = {start: None}
    going = deque([start])
    completes, stuck = False, set[PortEvent]()
    while going:
        here = going.popleft()
        nexts = [share[at][0] for share, at in zip(events, here[0], strict=True) if at < len(share)]
        completes |= not nexts
        steps = list(_steps(about, events, here, untagged))
        stuck |= set() if steps else set(nexts)
        for place, message, contents in steps:
            if message and message.layer != events[place.process - 1][place.position - 1][1]:
                return Explored(_traced(before, here, (place, message)), completes, frozenset())
            done = tuple(at + (k == place.process) for k, at in enumerate(here[0], 1))
            if (new := (done, contents)) not in before:
                before[new] = here, (place, message)
                going.append(new)
        for lost in _lost(about, here[1]):
            if (new := (here[0], lost)) not in before:
                before[new] = here, None
                going.append(new)
        if len(before) > MOST_STATES:
            raise LimitReached(f"more than {MOST_STATES:,} states")
    return Explored(None, completes, frozenset(stuck))


def _steps(
    about: PortPhases, events: Events, here: State, untagged: frozenset[Port]
) -> Iterator[tuple[Place, Message | None, tuple[Message, ...]]]:
    """The next events, each with the message that it takes, if any, and the messages that wait after it."""
    done, waiting = here
    going = [k for k, at in enumerate(done) if at < len(events[k])]
    for process in going:
        event, layer = events[process][done[process]]
        if event.is_send:
            message = Message(event.sender, event.receiver, event.tag, done[process], layer)
            yield Place(process + 1, done[process] + 1), None, tuple(sorted((*waiting, message)))
            return
    for process in going:
        event, layer = events[process][done[process]]
        port = about.ports.of(event)
        guarantee = about.guarantee(port)
        for message in _deliverable(event, None if port in untagged else layer, waiting, guarantee):
            for contents in _taken(waiting, message, guarantee):
                yield Place(process + 1, done[process] + 1), message, contents


def _traced(before: "Mapping[State, _Before]", end: State, last: "_Done") -> WrongReceive:
    """The beginning of an execution that ends with `last`, without events that it does not need."""
    way = [last]
    at = before[end]
    while at is not None:
        state, step = at
        way += [step] if step else []
        at = before[state]
    matching = {place: Place(m.sender, m.number + 1) for place, m in way if m}
    needed = {last[0]}
    order = []
    for place, _ in way:  # from the last event to the first
        if place in needed:
            order.append(place)
            needed |= {Place(place.process, place.position - 1)} | {matching.get(place, place)}
    return WrongReceive(tuple(order[::-1]), {place: matching[place] for place in order if place in matching})


def _deliverable(
    receive: PortEvent, layer: int | None, waiting: Sequence[Message], guarantee: Guarantee
) -> list[Message]:
    """The messages that a receive may take. If a layer is given, only messages of this layer."""
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
    yield tuple(each for each in waiting if each != message)
    if guarantee.duplicating:
        yield waiting


def _lost(about: PortPhases, waiting: tuple[Message, ...]) -> Iterator[tuple[Message, ...]]:
    for message in waiting:
        send = PortEvent(Kind.SEND, message.sender, message.receiver, message.tag)
        if about.guarantee(about.ports.of(send)).lossy:
            yield tuple(each for each in waiting if each != message)
