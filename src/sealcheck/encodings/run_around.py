"""A run around an interval, as a formula.

The interval has a given *shape*: which kinds of events each process performs in it.  Values, the
matching and the order are left to the solver, and so is what happens before and after.
What is outside is a small model: see `surroundings`.
"""

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import assert_never

from pysmt.fnode import FNode
from pysmt.shortcuts import INT, LT, TRUE, Equals, Implies, Int, Ite, Not, Or, Plus, Symbol

from sealcheck.encodings import fifo
from sealcheck.encodings.runs import at_most_one
from sealcheck.encodings.surroundings import (
    End,
    Match,
    Outside,
    Shape,
    comes_first,
    earliest,
    is_inside,
    latest,
    lost_send,
    named,
    possible_matches,
)
from sealcheck.programs.events import Channel, Event, channels
from sealcheck.programs.global_runs import Frontier
from sealcheck.programs.runs import Place
from sealcheck.programs.semantics import PAPER, ChannelModel, CutReading, Semantics

Variables = tuple[tuple[int, tuple[str, ...]], ...]
"""Processes with the names of their variables."""


class RunAround:
    """A run around an interval of a given shape."""

    def __init__(
        self,
        shape: Shape,
        variables: Variables,
        semantics: Semantics = PAPER,
        *,
        starts_silent: bool = False,
    ) -> None:
        """Lay out the events; where the interval `starts_silent`, no message crosses its start."""
        self.shape, self.variables, self.semantics = shape, dict(variables), semantics
        self.processes = range(1, len(shape) + 1)
        self.start: Frontier = (0,) * len(shape)
        self.end: Frontier = tuple(map(len, shape))
        used = {event.channel for share in shape for event in share if event is not None}
        self.channels = sorted({*channels(len(shape), self_channels=semantics.self_channels), *used})
        self.places = [Place(p, k) for p in self.processes for k in range(1, len(shape[p - 1]) + 1)]
        every = possible_matches(shape, self.channels)
        self.matches = [match for match in every if not (starts_silent and match.crosses(self.start))]

    def event(self, place: Place) -> Event | None:
        """The event at a place of the interval."""
        return self.shape[place.process - 1][place.position - 1]

    def lost(self, channel: Channel) -> FNode:
        """That a message was sent on the channel before the interval, which is never received."""
        return Symbol(f"lost{channel}")

    def state(self, process: int, position: int, name: str) -> FNode:
        """The value of a variable after so many events of the interval."""
        return Symbol(f"state:{process}.{position}.{name}", INT)

    def content(self, place: Place) -> FNode:
        """What the message that is sent or received there holds."""
        return Symbol(f"content:{named(place)}", INT)

    def time(self, of: str) -> FNode:
        """When an event inside, or one of the cuts at a process, is reached, in an interleaving."""
        return Symbol(f"time:{of}", INT)

    @cached_property
    def axioms(self) -> tuple[FNode, ...]:
        """That this is a run of the model."""
        into: dict[Place, list[FNode]] = {place: [] for place in self.places}
        for match in self.matches:
            for end in (match.receive, match.send):
                if isinstance(end, Place):
                    into[end].append(match.symbol)
        receives = [place for place in self.places if self._is_receive(place)]
        return (
            *(Or(into[place]) for place in receives),
            *map(at_most_one, into.values()),
            *self._local_order(),
            *self._messages(),
            # Where there are no variables, nobody looks at what a receive got.
            *(self._contents() if self.variables else ()),
            *self._in_model(),
        )

    def _in_model(self) -> Iterator[FNode]:
        """What the channel model asks of runs beside that."""
        match self.semantics.model:
            case ChannelModel.REL:
                pass
            case ChannelModel.REL_FIFO:
                for channel in self.channels:
                    yield from self._fifo(channel)
            case other:
                assert_never(other)

    def _is_receive(self, place: Place) -> bool:
        """Whether a message is received there."""
        event = self.event(place)
        return event is not None and not event.is_send

    def _local_order(self) -> Iterator[FNode]:
        """The cut c, the events inside, the cut d: process by process."""
        for process, events in zip(self.processes, self.shape, strict=True):
            inside = [f"{process}.{position}" for position in range(1, len(events) + 1)]
            line = map(self.time, [f"c{process}", *inside, f"d{process}"])
            yield from (LT(first, second) for first, second in pairwise(line))

    def _messages(self) -> Iterator[FNode]:
        """What is received was sent before."""
        for match in self.matches:
            sent, received = earliest(match.send), latest(match.receive)
            if sent is not None and received is not None:
                yield Implies(match.symbol, LT(self.time(sent), self.time(received)))

    def _contents(self) -> Iterator[FNode]:
        """What is received is what was sent."""
        for match in self.matches:
            if isinstance(match.receive, Place) and isinstance(match.send, Place):
                same = Equals(self.content(match.receive), self.content(match.send))
                yield Implies(match.symbol, same)

    def _fifo(self, channel: Channel) -> Iterator[FNode]:
        """Messages of the channel are received in the order in which they were sent."""
        matches = [match for match in self.matches if match.channel == channel]
        return fifo.in_order(
            {(match.receive, match.send): match.symbol for match in matches},
            {m.send: self._happens(m) for m in matches} | {lost_send(channel): self.lost(channel)},
            comes_first,
        )

    def _happens(self, match: Match) -> FNode:
        """That the send of a match happens; outside the interval it is there for the match alone."""
        return match.symbol if isinstance(match.send, Outside) else TRUE()

    def _unreceived(self, channel: Channel) -> Iterator[tuple[End, FNode]]:
        """The sends on the channel that may stay without a receive, each with when that is so."""
        yield lost_send(channel), self.lost(channel)
        for place in self.places:
            event = self.event(place)
            if event is not None and event.is_send and event.channel == channel:
                yield place, Not(Or(m.symbol for m in self.matches if m.send == place))

    @cached_property
    def outside(self) -> FNode:
        """How many events there are outside the interval."""
        ends = ((match.symbol, end) for match in self.matches for end in (match.receive, match.send))
        there = [symbol for symbol, end in ends if isinstance(end, Outside)] + [
            *map(self.lost, self.channels)
        ]
        return Plus([Ite(symbol, Int(1), Int(0)) for symbol in there] + [Int(0)])

    def is_silent(
        self, c: Frontier, only: Channel | None = None, *, reading: CutReading | None = None
    ) -> FNode:
        """The silent cut, by default in the interval's reading; or that one channel is empty so far."""
        asked = self.channels if only is None else [only]
        crossing = [m.symbol for m in self.matches if m.channel in asked and m.crosses(c)]
        match reading or self.semantics.reading:
            case CutReading.MATCHING:
                return Not(Or(crossing))
            case CutReading.EMPTY:
                left = (pair for channel in asked for pair in self._unreceived(channel))
                return Not(Or(crossing + [is_lost for send, is_lost in left if is_inside(send, c)]))
            case other:
                assert_never(other)
