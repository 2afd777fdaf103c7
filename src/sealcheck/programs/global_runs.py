"""Runs of the whole language: local runs with data, and a matching function (section 2).

A run of the paper goes on for ever; a finite piece of it is enough for a finite interval, because
nothing that a program says about r[c,d] depends on an event that is neither in (r,d) nor
matched with one in it.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, assert_never

from sealcheck.errors import InputError
from sealcheck.programs.events import Channel, Event
from sealcheck.programs.runs import Place
from sealcheck.programs.semantics import ChannelModel

Frontier = tuple[int, ...]
"""A cut of a run, as the number of events of each process in it: the paper's family (c_i).

The statement ≀ of programs is `syntax.Cut`.
"""

LocalState = Mapping[str, int]
"""The values of a process's variables; the communication history follows from the events."""


class LocalEvent(NamedTuple):
    """A transition of one process: a send or receive of `content`, or, without `event`, internal."""

    event: Event | None = None
    content: int = 0


@dataclass(frozen=True)
class GlobalRun:
    """Local runs and a matching.

    `events[i - 1]` are the events of process i, `states[i - 1]` its local states, one more than
    events; variables that a state leaves out are 0.  `matching` maps receives to sends.
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
        """The places of the sends, or of the receives, on a channel, in their process's order."""
        process = channel.sender if sends else channel.receiver
        return [
            Place(process, position)
            for position, local in enumerate(self.events[process - 1], 1)
            if local.event is not None and local.event.is_send == sends and local.event.channel == channel
        ]

    def interleaving(self) -> tuple[Place, ...]:
        """An order in which the events can happen.

        There is one exactly if Lamport's relation has no cycle (section 2).  Raises InputError, naming
        an event on a cycle, where it has one.  Receives must be matched with sends of the run, or
        not at all.  O(n * events).

        >>> from sealcheck.programs.events import rcv, snd
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
        """Whoever is stuck waits for someone who is stuck; that leads into a cycle, if not at once."""
        visited: set[int] = set()
        while process not in visited:
            visited.add(process)
            process = self.matching[Place(process, done[process - 1] + 1)].process
        return Place(process, done[process - 1] + 1)

    def check(self, model: ChannelModel = ChannelModel.REL) -> None:
        """Raise InputError, naming the first thing wrong, unless this is a run of the model.

        Local states are free, as in the paper: a run is any sequence of them.  Only occurrence
        asks how an event changes the state.  O(n * events) and sorting the matching.

        >>> from sealcheck.programs.events import rcv
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
            raise InputError("the matching is about events that are no receives of the run")
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
            raise InputError(f"{named} is matched to an event that is no send")
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
    """The interval r[c,d] of a run."""

    run: GlobalRun
    c: Frontier
    d: Frontier
