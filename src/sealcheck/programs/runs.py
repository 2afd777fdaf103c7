"""Runs of straight-line programs, step by step, and runs of the whole language, with data.

In the paper, a run consists of a local run of each process, and a matching of receives with sends (delta).
Lamport's relation must be acyclic: the events must have an order that agrees with each process and has each
send before its receive. In this module, a run includes such an order.

In the paper, runs are infinite. In this module, a run is a finite piece of a run of the paper. A *cut* splits
the events of each process into those before and those after the cut. A finite piece is enough to decide
whether a program occurs between two cuts c and d. The answer depends only on the events before d, and on the
sends and receives that are matched with these events.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, assert_never

from sealcheck.errors import InputError
from sealcheck.programs.semantics import ChannelModel
from sealcheck.programs.straight_line import Channel, Event, Kind, StraightLine


class Place(NamedTuple):
    """The `position`-th event (from 1) of the share of `process`."""

    process: int
    position: int


def events(program: StraightLine) -> dict[Place, Event]:
    """The events of a program by their places.

    >>> from sealcheck.programs.straight_line import mt
    >>> {place: str(event) for place, event in events(StraightLine.of(2, mt(1, 2))).items()}
    {Place(process=1, position=1): 'snd 1->2', Place(process=2, position=1): 'rcv 2<-1'}
    """
    return {
        Place(process, position): event
        for process, share in enumerate(program.shares, 1)
        for position, event in enumerate(share, 1)
    }


def last_receives(program: StraightLine) -> dict[Channel, Place]:
    """The last receive on each channel. O(events)."""
    return {event.channel: place for place, event in events(program).items() if not event.is_send}


@dataclass(frozen=True)
class Run:
    """A run in which exactly the events of `program` happen.

    `matching` maps each receive to a send. `order` lists all events in an order in which they can happen.
    """

    program: StraightLine
    order: tuple[Place, ...]
    matching: dict[Place, Place]

    def event(self, place: Place) -> Event:
        """The event at a place.  Raises InputError if the program has none."""
        if 1 <= place.process <= self.program.n:
            share = self.program.shares[place.process - 1]
            if 1 <= place.position <= len(share):
                return share[place.position - 1]
        raise InputError(f"the program has no event {place.position} at process {place.process}")

    def check(self) -> None:
        """Raise InputError, with the first fault, if this is not a run.

        >>> from sealcheck.programs.straight_line import mt
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
    """The run of a balanced program in which every channel delivers its messages in order. Linear time.

    Raises DeadlockError if the program deadlocks.

    >>> from sealcheck.programs.straight_line import mt
    >>> fifo_run(StraightLine.of(2, mt(1, 2))).matching
    {Place(process=2, position=1): Place(process=1, position=1)}
    """
    reached = [0] * program.n
    order: list[Place] = []
    for event in program.linearization:
        reached[event.process - 1] += 1
        order.append(Place(event.process, reached[event.process - 1]))
    return oldest_first(program, order, {})


def oldest_first(program: StraightLine, order: Iterable[Place], chosen: Mapping[Place, Place]) -> Run:
    """The run with this order. A receive takes the message that `chosen` gives for it, or else the oldest.

    `chosen` maps receives to sends. O(events).
    """
    places = tuple(order)
    waiting: defaultdict[Channel, deque[Place]] = defaultdict(deque)
    matching = dict(chosen)
    reserved = set(chosen.values())
    for place in places:
        event = program.shares[place.process - 1][place.position - 1]
        if event.is_send and place not in reserved:
            waiting[event.channel].append(place)
        elif not event.is_send and place not in chosen:
            matching[place] = waiting[event.channel].popleft()
    return Run(program, places, matching)


def interferes_with(run: Run, program: StraightLine) -> Place | None:
    """The first receive in `run` whose message crosses the end of `program`, the first layer of `run`.

    A message crosses if only one of its ends is in `program`. None if no message crosses.
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
"""The numbers of the messages that each channel holds. Empty channels are left out."""


@dataclass(frozen=True)
class Step:
    """One event of a run."""

    place: Place
    event: Event
    message: int
    """The number of the message, in the order of sending."""
    contents: Contents
    """The messages under way after the event."""

    @property
    def verb(self) -> str:
        """What the event does with the message."""
        return "sends" if self.event.is_send else "takes"


def steps(run: Run) -> Iterator[Step]:
    """The events of a run, in order. O(events * messages in transit).

    >>> from sealcheck.programs.straight_line import mt
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


Frontier = tuple[int, ...]
"""A cut of a run: for each process, the number of its events before the cut (the paper's family (c_i)).

The statement ≀ of programs is `syntax.Cut`.
"""

LocalState = Mapping[str, int]
"""The values of a process's variables. The communication history is left out: it follows from the events."""


class LocalEvent(NamedTuple):
    """A transition of one process: a send or receive of `content`. An internal transition has no `event`."""

    event: Event | None = None
    content: int = 0


@dataclass(frozen=True)
class GlobalRun:
    """Local runs and a matching.

    `events[i - 1]` are the events of process i. `states[i - 1]` are its local states: one before each event,
    and one at the end. Variables that a state leaves out are 0. `matching` maps receives to sends.
    """

    events: tuple[tuple[LocalEvent, ...], ...]
    states: tuple[tuple[LocalState, ...], ...]
    matching: Mapping[Place, Place]

    @property
    def n(self) -> int:
        """The number of processes."""
        return len(self.events)

    def at(self, place: Place) -> LocalEvent:
        """The event at a place."""
        return self.events[place.process - 1][place.position - 1]

    def places(self, channel: Channel, *, sends: bool) -> list[Place]:
        """The sends, or the receives, on a channel, in order."""
        process = channel.sender if sends else channel.receiver
        return [
            Place(process, position)
            for position, local in enumerate(self.events[process - 1], 1)
            if local.event is not None and local.event.is_send == sends and local.event.channel == channel
        ]

    def interleaving(self) -> tuple[Place, ...]:
        """An order in which the events can happen. O(n * events).

        Every matched receive must be matched with a send of the run. Raises InputError, with an event on a
        cycle, if Lamport's relation has a cycle (section 2).

        >>> from sealcheck.programs.straight_line import rcv, snd
        >>> receiving, sending = (LocalEvent(rcv(1, 2)),), (LocalEvent(snd(2, 1)),)
        >>> GlobalRun((receiving, sending), (({}, {}),) * 2, {Place(1, 1): Place(2, 1)}).interleaving()
        (Place(process=2, position=1), Place(process=1, position=1))
        """
        done = [0] * self.n
        order: list[Place] = []
        happened: set[Place] = set()
        moved = True
        while moved:
            moved = False
            for process in range(1, self.n + 1):
                while done[process - 1] < len(self.events[process - 1]):
                    place = Place(process, done[process - 1] + 1)
                    if place in self.matching and self.matching[place] not in happened:
                        break
                    order.append(place)
                    happened.add(place)
                    done[process - 1] += 1
                    moved = True
        for process, events in enumerate(self.events, 1):
            if done[process - 1] < len(events):
                cyclic = self._on_a_cycle(process, done)
                raise InputError(f"event {cyclic.position} of process {cyclic.process} happens before itself")
        return tuple(order)

    def _on_a_cycle(self, process: int, done: list[int]) -> Place:
        """An event on a cycle of Lamport's relation. Stuck processes wait for each other in such a cycle."""
        visited: set[int] = set()
        while process not in visited:
            visited.add(process)
            process = self.matching[Place(process, done[process - 1] + 1)].process
        return Place(process, done[process - 1] + 1)

    def check(self, model: ChannelModel = ChannelModel.REL) -> None:
        """Raise InputError, with the first fault, if this is not a run of the model.

        A run may have any local states, as in the paper. O(n * events), plus sorting the matching.

        >>> from sealcheck.programs.straight_line import rcv
        >>> GlobalRun(((), (LocalEvent(rcv(2, 1)),)), (({},), ({}, {})), {}).check()
        Traceback (most recent call last):
        ...
        sealcheck.errors.InputError: receive 1 of process 2 is not matched
        """
        if [len(states) for states in self.states] != [len(events) + 1 for events in self.events]:
            raise InputError("every process must have one local state more than it has events")
        taken: set[Place] = set()
        for process, events in enumerate(self.events, 1):
            for position, local in enumerate(events, 1):
                if local.event is not None:
                    self._check_owner(Place(process, position), local.event)
                    if not local.event.is_send:
                        self._check_receive(Place(process, position), local, taken)
        if len(taken) != len(self.matching):
            raise InputError("the matching is about events that are not receives of the run")
        self.interleaving()
        match model:
            case ChannelModel.REL:
                pass
            case ChannelModel.REL_FIFO:
                self._check_order()
            case other:
                assert_never(other)

    def _check_owner(self, place: Place, event: Event) -> None:
        if event.process != place.process:
            named = f"event {place.position} of process {place.process}"
            raise InputError(f"{named} is '{event}', an event of process {event.process}")
        for end in event.channel:
            if not 1 <= end <= self.n:
                raise InputError(f"'{event}' names process {end}, but the processes are 1..{self.n}")

    def _check_receive(self, place: Place, local: LocalEvent, taken: set[Place]) -> None:
        named = f"receive {place.position} of process {place.process}"
        if place not in self.matching:
            raise InputError(f"{named} is not matched")
        source = self.matching[place]
        if not (
            1 <= source.process <= self.n and 1 <= source.position <= len(self.events[source.process - 1])
        ):
            raise InputError(f"{named} is matched to an event that does not exist")
        sent = self.at(source)
        if sent.event is None or local.event is None or not sent.event.is_send:
            raise InputError(f"{named} is matched to an event that is not a send")
        if sent.event.channel != local.event.channel:
            raise InputError(f"{named} is matched to a send on {sent.event.channel}")
        if sent.content != local.content:
            raise InputError(f"{named} gets {local.content}, but {sent.content} was sent")
        if source in taken:
            raise InputError(f"{named} takes a message that another receive takes")
        taken.add(source)

    def _check_order(self) -> None:
        # The k'th receive takes the k'th send, rather than "no overtaking": see ChannelModel.REL_FIFO.
        received: dict[Channel, list[Place]] = defaultdict(list)
        for place in sorted(self.matching):
            event = self.at(place).event
            assert event is not None
            received[event.channel].append(place)
        for channel, receives in received.items():
            sends = self.places(channel, sends=True)
            for number, place in enumerate(receives):
                if self.matching[place] != sends[number]:
                    raise InputError(f"receive {number + 1} on {channel} does not take message {number + 1}")


class Interval(NamedTuple):
    """The interval r[c,d] of a run, from the cut c to the cut d."""

    run: GlobalRun
    c: Frontier
    d: Frontier
