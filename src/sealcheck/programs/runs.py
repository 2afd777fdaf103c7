"""Runs of straight-line programs: a matching function and an interleaving of its events.

A run in the paper is one local run per process plus the matching function delta, such that
Lamport's relation is acyclic.  That relation is acyclic exactly when the events can be put in
one order that respects every process and puts each send before the receive it is matched
with, so such an order is kept as the evidence.
"""

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from sealcheck.errors import InputError
from sealcheck.programs.events import Channel, Event, Kind
from sealcheck.programs.straight_line import StraightLine


class Place(NamedTuple):
    """The `position`-th event (from 1) of the share of `process`."""

    process: int
    position: int


def events(program: StraightLine) -> dict[Place, Event]:
    """The events of a program by their places.

    >>> from sealcheck.programs.events import mt
    >>> {place: str(event) for place, event in events(StraightLine.of(2, mt(1, 2))).items()}
    {Place(process=1, position=1): 'snd 1->2', Place(process=2, position=1): 'rcv 2<-1'}
    """
    return {
        Place(process, position): event
        for process, share in enumerate(program.shares, 1)
        for position, event in enumerate(share, 1)
    }


@dataclass(frozen=True)
class Run:
    """A run in which exactly the events of `program` happen.

    `matching` maps every receive to a send; `order` lists all events in an order in which
    they can happen.
    """

    program: StraightLine
    order: tuple[Place, ...]
    matching: dict[Place, Place]

    def event(self, place: Place) -> Event:
        """The event at a place.  Raises InputError if there is none."""
        if 1 <= place.process <= self.program.n:
            share = self.program.shares[place.process - 1]
            if 1 <= place.position <= len(share):
                return share[place.position - 1]
        raise InputError(f"the program has no event {place.position} at process {place.process}")

    def check(self) -> None:
        """Raise InputError, naming the first thing wrong, unless this is a run.

        >>> from sealcheck.programs.events import mt
        >>> twice = StraightLine.of(2, mt(1, 2) + mt(1, 2))
        >>> order = (Place(1, 1), Place(1, 2), Place(2, 1), Place(2, 2))
        >>> Run(twice, order, {Place(2, 1): Place(1, 2), Place(2, 2): Place(1, 1)}).check()
        >>> Run(twice, order, {Place(2, 1): Place(1, 2)}).check()
        Traceback (most recent call last):
        ...
        sealcheck.errors.InputError: receive 2 of process 2 is not matched
        """
        reached = [0] * self.program.n
        sent: set[Place] = set()
        for place in self.order:
            event = self.event(place)
            if place.position != reached[place.process - 1] + 1:
                raise InputError(f"event {place.position} of process {place.process} is out of order")
            reached[place.process - 1] += 1
            if event.is_send:
                sent.add(place)
            else:
                self._check_receive(place, event, sent)
        for process, share in enumerate(self.program.shares, 1):
            if reached[process - 1] != len(share):
                raise InputError(f"the order leaves out events of process {process}")
        if not self.matching.keys() <= set(self.order):
            raise InputError("the matching is about events that the program does not have")
        if any(self.event(place).is_send for place in self.matching):
            raise InputError("the matching matches a send, not a receive")
        if len(set(self.matching.values())) != len(self.matching):
            raise InputError("two receives are matched to the same send")

    def _check_receive(self, place: Place, event: Event, sent: set[Place]) -> None:
        if place not in self.matching:
            raise InputError(f"receive {place.position} of process {place.process} is not matched")
        source = self.matching[place]
        if self.event(source) != event._replace(kind=Kind.SEND):
            raise InputError(f"'{event}' is matched to '{self.event(source)}'")
        if source not in sent:
            raise InputError(f"'{event}' happens before the send it is matched to")


def fifo_run(program: StraightLine) -> Run:
    """The run of a balanced program in which every channel delivers its messages in order.

    Raises DeadlockError if the program deadlocks.  Linear time.

    >>> from sealcheck.programs.events import mt
    >>> fifo_run(StraightLine.of(2, mt(1, 2))).matching
    {Place(process=2, position=1): Place(process=1, position=1)}
    """
    reached = [0] * program.n
    order: list[Place] = []
    waiting: dict[Channel, deque[Place]] = defaultdict(deque)
    matching: dict[Place, Place] = {}
    for event in program.linearization:
        reached[event.process - 1] += 1
        place = Place(event.process, reached[event.process - 1])
        order.append(place)
        if event.is_send:
            waiting[event.channel].append(place)
        else:
            matching[place] = waiting[event.channel].popleft()
    return Run(program, tuple(order), matching)


def interferes_with(run: Run, program: StraightLine) -> Place | None:
    """The first receive of `program`, the first layer of `run`, that takes a later layer's message.

    None if all communication of `program` stays inside it.  Receives of later layers that take
    a message of `program` count as well.
    """
    lengths = [len(share) for share in program.shares]
    for place in run.order:
        if place in run.matching:
            source = run.matching[place]
            inside = place.position <= lengths[place.process - 1]
            if inside != (source.position <= lengths[source.process - 1]):
                return place
    return None


Contents = Mapping[Channel, tuple[int, ...]]
"""The numbers of the messages in each channel that holds any."""


@dataclass(frozen=True)
class Step:
    """One event of a run."""

    place: Place
    event: Event
    message: int
    """The number of the message that is sent or taken, in the order of sending."""
    contents: Contents
    """The messages on their way after the event."""


def steps(run: Run) -> Iterator[Step]:
    """The events of a run in its order.  O(events * messages on their way).

    >>> from sealcheck.programs.events import mt
    >>> for step in steps(fifo_run(StraightLine.of(2, mt(1, 2)))):
    ...     print(step.event, step.message, {str(channel): held for channel, held in step.contents.items()})
    snd 1->2 1 {'1->2': (1,)}
    rcv 2<-1 1 {}
    """
    number: dict[Place, int] = {}
    contents: dict[Channel, tuple[int, ...]] = {}
    for place in run.order:
        event = run.event(place)
        held = contents.pop(event.channel, ())
        if event.is_send:
            number[place] = len(number) + 1
            message, held = number[place], (*held, number[place])
        else:
            message = number[run.matching[place]]
            held = tuple(other for other in held if other != message)
        if held:
            contents[event.channel] = held
        yield Step(place, event, message, dict(sorted(contents.items())))
