"""Runs of the whole language: local runs with data, and a matching function (section 2).

A run of the paper goes on for ever; a finite piece of it is enough for a finite interval,
because nothing that a program says about r[c,d] depends on events that are not matched with
an event in (r,d).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from sealcheck.errors import InputError
from sealcheck.programs.events import Channel, Event
from sealcheck.programs.runs import Place

Cut = tuple[int, ...]
"""How many events of each process are in the cut: the paper's family (c_i)."""

LocalState = Mapping[str, int]
"""The values of a process's variables; the communication history follows from the events."""


class Model(Enum):
    """A set of runs."""

    REL = "rel"
    """A receive takes any message of its channel."""
    REL_FIFO = "rel-fifo"
    """The k'th receive on a channel takes the k'th message sent on it."""


class CutReading(Enum):
    """What the silent cut says; the paper has both."""

    MATCHING = "matching"
    """No communication event in the cut is matched with one outside (the formal clause)."""
    EMPTY = "empty"
    """All channels are empty (in words): no message is under way, or will never be received, either."""


@dataclass(frozen=True, slots=True)
class LocalEvent:
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

    def check(self, model: Model = Model.REL) -> None:
        """Raise InputError, naming the first thing wrong, unless this is a run of the model."""
        raise NotImplementedError
