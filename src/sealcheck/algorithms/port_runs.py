"""Construct and shorten runs in which layers over ports interfere.

*Layers* are programs that each process runs one after the other. A *word* is a sequence of layers that a
protocol allows. A *port* holds messages until its *reader*, a process, receives them. A receive is *wrong* if
it takes a message of another layer or round. A port is a *root cause* if, in some run, the first wrong
receive is on this port.
"""

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from sealcheck.programs.ports import Port, PortEvent
from sealcheck.programs.protocol import PortPhases
from sealcheck.programs.runs import Place
from sealcheck.programs.straight_line import Kind

MOST_SHORTENED = 200
"""The most runs that are played to find a shorter run."""
MOST_SENDERS = 10
"""The most senders of the wrong message that are tried."""


class Located(NamedTuple):
    """An event of a word: the number of its layer, from 0, its process, and its position there, from 1."""

    at: int
    process: int
    position: int


class PortRun(NamedTuple):
    """The beginning of an execution. Its last event is a wrong receive."""

    order: tuple[Place, ...]
    """The events in the order in which they happen. Positions count from the start of the first layer."""
    matching: dict[Place, Place]
    receive: Place
    send: Place


class Crossing(NamedTuple):
    """The place of a wrong receive in a word, and the message that it takes."""

    word: tuple[int, ...]
    at: int
    """The number of the receive's layer in the word; the word's length if the receive is after all layers."""
    position: int
    """The position of the receive in its layer, from 1."""
    senders: int
    """The possible senders of the message, as a mask."""
    source: int
    """The number of the send's layer in the word; the word's length if the send is after all layers."""

    @property
    def sender(self) -> int:
        """The first of the possible senders."""
        return (self.senders & -self.senders).bit_length()

    def size(self) -> tuple[int, tuple[int, ...]]:
        """A key for sorting: shorter words come first."""
        return len(self.word), self.word


@dataclass(frozen=True)
class PortInterferes:
    """Why a port is a root cause: a run that ends with a wrong receive on the port."""

    about: PortPhases
    port: Port
    crossing: Crossing
    given: PortRun | None = None
    """The run, if a search has found it."""

    @classmethod
    def of_run(cls, about: PortPhases, word: tuple[int, ...], run: PortRun) -> "PortInterferes":
        """The root cause that a run shows. `word` has the run's layers, as occurrences in the protocol."""
        at, process, position = _located(about, word, run.receive)
        port, _ = about.resolved[about.protocol.layers[word[at]]][process - 1][position - 1]
        sender, source = 1 << run.send.process - 1, _located(about, word, run.send).at
        return cls(about, port, Crossing(word, at, position, sender, source), run)

    @property
    def word(self) -> tuple[int, ...]:
        """The layers of the run in sequence, as occurrences in the protocol."""
        return self.crossing.word

    @property
    def later(self) -> PortEvent | None:
        """The receive, or the send, that comes after all layers; None if both are in layers."""
        if self.crossing.at == len(self.word):
            return PortEvent(Kind.RECEIVE, self.port.sender, self.port.reader, self.port.tag)
        if self.crossing.source == len(self.word):
            return PortEvent(Kind.SEND, self.crossing.sender, self.port.reader, self.port.tag)
        return None

    @cached_property
    def run(self) -> PortRun:
        """The run, with only those events that the receive and the send need. O(events of the word)."""
        return self.given or _run(self.about, self.port, self.crossing)

    def shortened(self) -> "PortInterferes":
        """A run that ends with an earlier receive, if possible: the first of the layer's receives on the port
        that can take a wrong message.

        The wrong message may have several possible senders. Of the first `MOST_SENDERS`, the method chooses
        the one that gives the shortest run. It returns self if a search has found the run, if the receive is
        after all layers, or if the port duplicates.
        """
        word, at, last, senders, _ = self.crossing
        if self.given or at == len(word) or self.about.guarantee(self.port).duplicating:
            return self
        share = self.about.resolved[self.about.protocol.layers[word[at]]][self.port.reader - 1]
        earlier = [k for k, event in enumerate(share[: last - 1], 1) if event == (self.port, Kind.RECEIVE)]
        single = [1 << k for k in range(self.about.n) if senders >> k & 1][:MOST_SENDERS]
        for position in earlier[: MOST_SHORTENED // len(single)]:
            crossings = [self.crossing._replace(position=position, senders=sender) for sender in single]
            possible = [found for each in crossings if (found := replace(self, crossing=each))._is_possible()]
            if possible:
                return min(possible, key=lambda found: len(found.run.order))
        return self

    def _is_possible(self) -> bool:
        """Whether all events before the receive and the send happen, and the port's order allows the run."""
        order, matching, receive, send = self.run
        happened = set(order)
        before = [Place(end.process, k) for end in (receive, send) for k in range(1, end.position + 1)]
        if not happened.issuperset(before):
            return False
        if not self.about.guarantee(self.port).keeps_order:
            return True
        kinds = [
            event
            for each in self.word
            for event in self.about.resolved[self.about.protocol.layers[each]][send.process - 1]
        ]
        wanted = self.port, Kind.SEND
        sent = [k for k, event in enumerate(kinds[: send.position - 1], 1) if event == wanted]
        return {Place(send.process, k) for k in sent} <= set(matching.values())

    def located(self, place: Place) -> Located:
        """The number of an event's layer in the word, and its position there. An event after all layers, such
        as `later`, has the number after the last layer's.
        """
        return _located(self.about, self.word, place)

    @property
    def layers(self) -> tuple[int, int]:
        """The number of the receive's layer in the word, and the number of the send's layer."""
        return self.crossing.at, self.crossing.source


def _run(about: PortPhases, port: Port, crossing: Crossing) -> PortRun:
    reader, sender = port.reader, crossing.sender
    play = Play(about, crossing.word)
    at = len(play.flat[reader - 1])
    if crossing.at < len(crossing.word):
        layers = about.of_word(crossing.word[: crossing.at])
        at = sum(len(layer.shares[reader - 1]) for layer in layers)
    receive = Place(reader, at + crossing.position)
    if about.guarantee(port).keeps_order:  # take the sender's messages before r, if possible
        for place in play.places(Kind.RECEIVE, reader, port, crossing.at):
            if place.position < receive.position:
                play.on(reader, place.position - 1)
                play.take(place, sender)
    play.on(reader, receive.position - 1)
    following = Place(sender, len(play.flat[sender - 1]) + 1)
    send = next(play.places(Kind.SEND, sender, port, crossing.source), following)
    needed = play.needed(send, Place(reader, receive.position - 1))
    order = [place for place in play.order if place.position <= needed[place.process - 1]]
    order += [send] if send == following else []
    matching = {place: play.matching[place] for place in order if place in play.matching}
    return PortRun((*order, receive), matching | {receive: send}, receive, send)


def _located(about: PortPhases, word: Sequence[int], place: Place) -> Located:
    position = place.position
    for at, layer in enumerate(about.of_word(word)):
        length = len(layer.shares[place.process - 1])
        if position <= length:
            return Located(at, place.process, position)
        position -= length
    return Located(len(word), place.process, position)


class Play:
    """Play layers in sequence. Each receive takes a message of its own layer, by default the oldest."""

    def __init__(self, about: PortPhases, word: Sequence[int]) -> None:
        layers = [about.resolved[about.protocol.layers[each]] for each in word]
        self.flat = [
            [(port, at, kind) for at, layer in enumerate(layers) for port, kind in layer[process]]
            for process in range(about.n)
        ]
        """For each process, its events: port, number of the layer, and kind."""
        self.order: list[Place] = []
        self.matching: dict[Place, Place] = {}
        self._copied = {port for port in about.used if about.guarantee(port).duplicating}
        self._done = [0] * about.n
        self._held: defaultdict[tuple[Port, int], deque[Place]] = defaultdict(deque)
        self._going = [*range(1, about.n + 1)]

    def places(self, kind: Kind, process: int, port: Port, at: int) -> Iterator[Place]:
        """The events of a process on a port, of one kind, in the layer with the number `at`."""
        wanted = port, at, kind
        return (Place(process, k) for k, event in enumerate(self.flat[process - 1], 1) if event == wanted)

    def on(self, holder: int, stop: int) -> None:
        """Let every process go on as far as it can, but let `holder` do no event after its event number
        `stop`.
        """
        self._going.append(holder)
        while self._going:
            process = self._going.pop()
            end = stop if process == holder else len(self.flat[process - 1])
            while self._done[process - 1] < end and self._does(process):
                pass

    def _does(self, process: int) -> bool:
        """Let a process do its next event, and return whether the event can happen."""
        port, at, kind = self.flat[process - 1][self._done[process - 1]]
        held = self._held[port, at]
        place = Place(process, self._done[process - 1] + 1)
        if kind is Kind.SEND:
            held.append(place)
            self._going.append(port.reader)
        elif not held:
            return False
        else:
            self.matching[place] = held[0] if port in self._copied else held.popleft()
        self.order.append(place)
        self._done[process - 1] += 1
        return True

    def take(self, place: Place, sender: int) -> None:
        """Let a receive take the oldest message of `sender` or, if there is none, of any sender."""
        port, at, _ = self.flat[place.process - 1][place.position - 1]
        held = self._held[port, at]
        first = next((sent for sent in held if sent.process == sender), held[0])
        held.remove(first)
        held.appendleft(first)
        self._does(place.process)

    def needed(self, *places: Place) -> list[int]:
        """For each process, the number of events that the events at `places` need, including themselves."""
        needed = [0] * len(self.flat)
        going = list(places)
        while going:
            process, position = going.pop()
            for at in range(needed[process - 1] + 1, min(position, self._done[process - 1]) + 1):
                if source := self.matching.get(Place(process, at)):
                    going.append(source)
            needed[process - 1] = max(needed[process - 1], min(position, self._done[process - 1]))
        return needed
