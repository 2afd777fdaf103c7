"""Runs in which layers over ports interfere: play them, cut them down to the needed events, locate events."""

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
"""Runs that are looked at for a shorter one."""
MOST_SENDERS = 10
"""Senders of the wrong message that are tried."""


class Located(NamedTuple):
    """An event by its place in a word: `at` is the number of its layer there, from 0; then its process and
    position."""

    at: int
    process: int
    position: int


class PortRun(NamedTuple):
    """A beginning of an execution; its last event is a receive that takes a wrong message."""

    order: tuple[Place, ...]
    """Events in an order in which they happen, the receive last; positions count from the first layer on."""
    matching: dict[Place, Place]
    receive: Place
    send: Place


class Crossing(NamedTuple):
    """The place of a receive in a word, and the message that it takes."""

    word: tuple[int, ...]
    at: int
    """The number of the receive's layer in the word; its length if the receive follows."""
    position: int
    """The position of the receive in its layer, from 1."""
    senders: int
    """The possible senders of the message, as a mask."""
    source: int
    """The number of the send's layer in the word; its length if the send follows."""

    @property
    def sender(self) -> int:
        """The first of the senders."""
        return (self.senders & -self.senders).bit_length()

    def size(self) -> tuple[int, tuple[int, ...]]:
        """Shorter words first."""
        return len(self.word), self.word


@dataclass(frozen=True)
class PortInterferes:
    """Why a port is a root cause: a run in which one receive, on the port, takes another layer's message."""

    about: PortPhases
    port: Port
    crossing: Crossing
    given: PortRun | None = None
    """The run, if a search has found it."""

    @classmethod
    def of_run(cls, about: PortPhases, word: tuple[int, ...], run: PortRun) -> "PortInterferes":
        """The interference in a run of these occurrences of layers; the last event is the wrong receive."""
        at, process, position = _located(about, word, run.receive)
        port, _ = about.resolved[about.protocol.layers[word[at]]][process - 1][position - 1]
        sender, source = 1 << run.send.process - 1, _located(about, word, run.send).at
        return cls(about, port, Crossing(word, at, position, sender, source), run)

    @property
    def word(self) -> tuple[int, ...]:
        """Occurrences of layers; the run is one of these layers in sequence."""
        return self.crossing.word

    @property
    def later(self) -> PortEvent | None:
        """The event after all layers, if the receive or the send is one."""
        if self.crossing.at == len(self.word):
            return PortEvent(Kind.RECEIVE, self.port.sender, self.port.reader, self.port.tag)
        if self.crossing.source == len(self.word):
            return PortEvent(Kind.SEND, self.crossing.sender, self.port.reader, self.port.tag)
        return None

    @cached_property
    def run(self) -> PortRun:
        """The run, cut down to what the receive and the send need.  O(events of the word)."""
        return self.given or _run(self.about, self.port, self.crossing)

    def shortened(self) -> "PortInterferes":
        """The same port, with the earliest receive of the layer that can take a wrong message.

        If there are several senders, the first `MOST_SENDERS` of them are tried, and the one with the
        shortest run is taken. Plays a run for each receive and sender, at most `MOST_SHORTENED` runs.
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
        """Whether the run has all events before the send and the receive.

        If the port keeps order, the earlier messages of the sender to this port must also have been taken.
        """
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
        """An event by its layer in the word; an event of `later` is in a layer after the last one."""
        return _located(self.about, self.word, place)

    @property
    def layers(self) -> tuple[int, int]:
        """The numbers of the layers, in the word, of the receive and of the send."""
        return self.crossing.at, self.crossing.source


def _run(about: PortPhases, port: Port, crossing: Crossing) -> PortRun:
    reader, sender = port.reader, crossing.sender
    play = Play(about, crossing.word)
    at = len(play.flat[reader - 1])
    if crossing.at < len(crossing.word):
        layers = about.of_word(crossing.word[: crossing.at])
        at = sum(len(layer.shares[reader - 1]) for layer in layers)
    receive = Place(reader, at + crossing.position)
    if about.guarantee(port).keeps_order:  # those of the sender first, so that its next one can be taken
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
    """Layers in sequence, played: each receive takes a message of its own layer, by default the oldest."""

    def __init__(self, about: PortPhases, word: Sequence[int]) -> None:
        layers = [about.resolved[about.protocol.layers[each]] for each in word]
        self.flat = [
            [(port, at, kind) for at, layer in enumerate(layers) for port, kind in layer[process]]
            for process in range(about.n)
        ]
        """For each process its events, each as its port, the number of its layer, and its kind."""
        self.order: list[Place] = []
        self.matching: dict[Place, Place] = {}
        self._copied = {port for port in about.used if about.guarantee(port).duplicating}
        self._done = [0] * about.n
        self._held: defaultdict[tuple[Port, int], deque[Place]] = defaultdict(deque)
        self._going = [*range(1, about.n + 1)]

    def places(self, kind: Kind, process: int, port: Port, at: int) -> Iterator[Place]:
        """The events of a process of this kind on a port, in the layer of that number."""
        wanted = port, at, kind
        return (Place(process, k) for k, event in enumerate(self.flat[process - 1], 1) if event == wanted)

    def on(self, holder: int, stop: int) -> None:
        """Let all processes go on as far as they can, but the holder no further than `stop`. O(their
        events)."""
        self._going.append(holder)
        while self._going:
            process = self._going.pop()
            end = stop if process == holder else len(self.flat[process - 1])
            while self._done[process - 1] < end and self._does(process):
                pass

    def _does(self, process: int) -> bool:
        """The next event of a process, if it can happen."""
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
        """Let the receive at a place take the sender's oldest message or, if there is none, another
        sender's."""
        port, at, _ = self.flat[place.process - 1][place.position - 1]
        held = self._held[port, at]
        first = next((sent for sent in held if sent.process == sender), held[0])
        held.remove(first)
        held.appendleft(first)
        self._does(place.process)

    def needed(self, *places: Place) -> list[int]:
        """The number of events of each process that have to happen before all of these."""
        needed = [0] * len(self.flat)
        going = list(places)
        while going:
            process, position = going.pop()
            for at in range(needed[process - 1] + 1, min(position, self._done[process - 1]) + 1):
                if source := self.matching.get(Place(process, at)):
                    going.append(source)
            needed[process - 1] = max(needed[process - 1], min(position, self._done[process - 1]))
        return needed
