"""The content of a picture: a run, its layers, and the important events.

Layers are programs that follow each other without barriers. In a run that goes wrong, a receive of one layer
takes a message of another layer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property
from itertools import chain, groupby

from sealcheck.language.names import NUMBERS, Names
from sealcheck.programs.runs import Place, Run
from sealcheck.programs.straight_line import Event


@dataclass(frozen=True)
class Chain:
    """A causal chain: each event is followed by a later event of its process, or by its message's receive."""

    places: tuple[Place, ...]
    to_end: bool
    """Whether the chain goes on to the end of its last process."""


@dataclass(frozen=True)
class Picture:
    """A run with its layers. The picture of a program has the run in which channels deliver in order."""

    run: Run
    layers: tuple[str, ...]
    """The names of the layers, in order."""
    owners: dict[Place, int]
    """The index of each event's layer in `layers`."""
    title: str
    description: str
    _: KW_ONLY
    names: Names = NUMBERS
    wrong: Place | None = None
    """The receive that takes a message of another layer, if there is one."""
    chains: tuple[Chain, ...] = ()
    open: frozenset[Place] = field(default_factory=frozenset)
    """The last receive on each channel on which the program can take a message that is sent later."""
    called: dict[Place, str] = field(default_factory=dict)
    """Texts next to events, in place of message numbers."""
    texts: dict[Place, str] = field(default_factory=dict)
    """The program text of events over ports, with tags and any source."""
    is_program: bool = False
    """Whether the picture is of a program. If so, each process has dummy nodes at its beginning and end."""
    left_out: frozenset[int] = frozenset()
    """The processes that are not drawn, because none of their events is drawn."""

    @cached_property
    def steps(self) -> dict[Place, int]:
        """The number of each event in the run, from 1."""
        return {place: step for step, place in enumerate(self.run.order, 1)}

    @cached_property
    def receives(self) -> dict[Place, Place]:
        """For each send whose message is received, the receive that takes it."""
        return {send: receive for receive, send in self.run.matching.items()}

    @cached_property
    def numbers(self) -> dict[Place, int]:
        """The number of each event's message, in the order of sending."""
        shares = self.run.program.shares
        sends = [place for place in self.run.order if shares[place.process - 1][place.position - 1].is_send]
        number = {send: k for k, send in enumerate(sends, 1)}
        return number | {receive: number[send] for receive, send in self.run.matching.items()}

    def beside(self, place: Place) -> str:
        """The text beside an event."""
        return self.called.get(place) or str(self.numbers[place])

    def event(self, place: Place) -> Event:
        """The event at a place."""
        return self.run.event(place)

    def said(self, place: Place) -> str:
        """The event at a place as program text."""
        return self.texts.get(place) or self.names.event(self.event(place))

    def layer(self, place: Place) -> str:
        """The name of the layer that an event belongs to."""
        return self.layers[self.owners[place]]

    def partner(self, place: Place) -> Place | None:
        """The other end of the event's message, if there is one."""
        return self.run.matching.get(place) or self.receives.get(place)

    @cached_property
    def processes(self) -> tuple[int, ...]:
        """The drawn processes: all processes of a small program, otherwise the processes with events."""
        active = self.active
        few = range(1, self.run.program.n + 1)
        return tuple(few) if self.is_program and len(few) <= MOST_IDLE else active or tuple(few)[:MOST_IDLE]

    @property
    def active(self) -> tuple[int, ...]:
        """The processes that have events and are drawn."""
        shares = enumerate(self.run.program.shares, 1)
        return tuple(number for number, share in shares if share and number not in self.left_out)

    @cached_property
    def chain_steps(self) -> frozenset[tuple[Place, Place]]:
        """The steps of all chains."""
        pairs = (pair for chain in self.chains for pair in zip(chain.places, chain.places[1:], strict=False))
        return frozenset(pairs)


KEPT = 0.6
"""If a run has more than `most` events, this share of `most` is kept."""

MOST_IDLE = 8
"""Idle processes are drawn if a program has at most this many processes."""


@dataclass(frozen=True)
class Folded:
    """Consecutive events that the picture leaves out; `count` is their number."""

    count: int


Shown = Sequence[Place | Folded]


def folded(picture: Picture, most: int | None) -> Shown:
    """The events to draw, in order, with `Folded` in place of events left out.

    All events are drawn if `most` is None, or if there are at most `most` events. Otherwise only some events
    are drawn, the most important first:

    - the wrong message, the message that should have been taken, and the causal chains
    - the neighbours of these events
    - the first and the last events of the run

    A `Folded` stands for at least three events.

    >>> from sealcheck import program
    >>> picture = program(50 * "mt 1->2;").draw().picture
    >>> len(folded(picture, None)), [each.count for each in folded(picture, 20) if isinstance(each, Folded)]
    (100, [88])
    """
    order = picture.run.order
    if most is None or len(order) <= most:
        return order
    keep: dict[Place, None] = {}
    for place in _by_weight(picture):
        if len(keep) >= KEPT * most:
            break
        for end in filter(None, (place, picture.partner(place))):
            keep[end] = None
    found: list[Place | Folded] = []
    for is_kept, group in groupby(order, keep.__contains__):
        places = list(group)
        found += places if is_kept or len(places) < 3 else [Folded(len(places))]
    return found


def narrowed(picture: Picture, shown: Shown) -> Picture:
    """The picture without the processes that have no event in `shown`.

    The picture is unchanged if few processes have events.

    >>> from sealcheck import program
    >>> picture = program("; ".join(f"mt 1->{k}" for k in range(2, 61))).draw().picture
    >>> len(picture.processes), len(narrowed(picture, folded(picture, 20)).processes)
    (60, 7)
    """
    drawn = {each.process for each in shown if isinstance(each, Place)}
    if len(drawn) == len(picture.active) or len(picture.active) <= MOST_IDLE:
        return picture
    return replace(picture, left_out=frozenset(picture.active) - drawn)


def _due(picture: Picture, receive: Place) -> list[Place]:
    """The send whose message the receive would take if the channel kept order, if there is such a send."""
    event = picture.event(receive)
    nth = picture.run.program.shares[receive.process - 1][: receive.position].count(event)
    sender = picture.run.program.shares[event.sender - 1]
    sends = [at for at, other in enumerate(sender, 1) if other.is_send and other.channel == event.channel]
    return [Place(event.sender, at) for at in sends[nth - 1 : nth]]


def _by_weight(picture: Picture) -> Iterator[Place]:
    """All events, the most important first. An event may occur twice."""
    order, shares = picture.run.order, picture.run.program.shares
    core: list[Place] = []
    if picture.wrong is not None:
        core += [picture.wrong, picture.run.matching[picture.wrong]]
        core += _due(picture, picture.wrong)
    ends = (place for chain in picture.chains for place in (chain.places[0], chain.places[-1]))
    core += [*ends, *(place for chain in picture.chains for place in chain.places)]
    beside = (
        near
        for place in core
        for near in (place._replace(position=place.position - 1), place._replace(position=place.position + 1))
        if 1 <= near.position <= len(shares[near.process - 1])
    )
    return chain(core, beside, chain.from_iterable(zip(order, reversed(order), strict=True)))
