"""Do layers in sequence stay apart?  No receive of one takes a message of another, in any execution.

Let C be the layers in sequence, a program that does not deadlock; its layers need not be balanced.  Number
the sends on a channel c from 1 in the order of C, and the receives; there are T of these.
(1) An event happens before another in every run exactly if the program graph of C has a path between them,
whose message edges go from the k'th send to the k'th receive (`sealcheck.kernel`).

**No receive on c takes a message of another layer, in any run of C, exactly if**
  (M) for each k <= T, the k'th send and the k'th receive on c belong to the same layer, and
  (R) each layer's last receive on c reaches the next send on c of a later layer, if there is one.

*Necessary.*  (M): in the run in which channels deliver in order, the k'th receive takes the k'th message.
(R): say that r, the p'th receive, does not reach s, the q'th send, of a later layer.  By (M), q > p.  Let
all that reaches s happen first, then what r waits for, then let r take the message of s.  All other receives
so far take the message of their own number, which is not q: receives after r were not needed for s, or r
would reach it.  C does not deadlock, so any beginning of a run goes on to its end.

*Sufficient.*  Suppose that a receive takes a message of a later layer.  It comes no later than its layer's
last receive on c, which reaches the first send of a later layer, which comes no later than the send of the
message; so by (1) the receive happens before its own send.  Suppose instead that the p'th receive takes the
message q of an earlier layer B.  By (M), the receives of B and earlier layers have numbers 1..t for some t
with q <= t < p, and the sends after t belong to later layers.  None of the receives 1..t takes q, so one of
them takes a message after t: of a later layer, which was ruled out.

*Layers repeated.*  **Two rounds tell.**  Let C;C meet (M) and (R).  If C receives on c at all, it sends
there as often as it receives: less would deadlock, more would give the first receive of the second round a
message of the first.  So in any number of rounds (M) holds again, round by round, and message edges stay in
their round.  Let r be in round t.  C sends on c, since it receives there and does not deadlock, so the next
send is in round t or t + 1, and so is any path to it: edges never lead to an earlier round.  These two
rounds have the same graph as C;C, so (R) holds again.

*Anything may follow.*  A later program may begin with a receive, or a send, on any channel.  So on each c,
C must leave no message over; and where no later layer sends on c, the layer's last receive must reach the
end of the sender: the present of that process, when C is done.  That is enough by the same proof, all that
follows being one more layer.  It is enough for any number of rounds, too: these are one of the things that
may follow.

Source: the definition of a CCL in section 3, of each layer in the composition of all of them.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from sealcheck.algorithms.clocks import Causality, Clock
from sealcheck.algorithms.signature import signature
from sealcheck.programs.events import Channel, Event, mt
from sealcheck.programs.phases import Phases, Rounds
from sealcheck.programs.runs import Place, Run
from sealcheck.programs.straight_line import StraightLine

ROUNDS = 2
"""How many rounds of layers that are repeated have to be looked at."""


class Chain(NamedTuple):
    """A causal chain from a layer's last receive on a channel to what follows on it.

    `places` are events of the rounds that were looked at.  The last one is the next send on the channel if
    `to_send`; otherwise it belongs to the sender, and whatever may follow comes after it.
    """

    channel: Channel
    layer: int
    """Its index in the layers of all rounds."""
    places: tuple[Place, ...]
    to_send: bool


@dataclass(frozen=True)
class Interferes:
    """In some run of the layers, `receive` takes the message of `send`, which is of another layer."""

    causality: Causality
    rounds: Rounds
    channel: Channel
    receive: Place
    send: Place

    @cached_property
    def later(self) -> StraightLine:
        """What follows the layers: nothing, one send, or one receive."""
        ends = self.causality.ends
        after = [event for event, place in self._ends() if place.position > ends[place.process - 1].position]
        return StraightLine.of(self.rounds.phases.n, after)

    def _ends(self) -> Iterator[tuple[Event, Place]]:
        return zip(mt(*self.channel), (self.send, self.receive), strict=True)

    @property
    def is_in_order(self) -> bool:
        """Whether that is what happens where the channel delivers messages in order, too."""
        return self.causality.source.get(self.receive, self.send) == self.send

    @cached_property
    def upto(self) -> Clock:
        """How many events of each process happen before `receive`: all that it or `send` waits for.  O(n)."""
        before = Place(self.receive.process, self.receive.position - 1)
        return tuple(map(max, self._past(self.send), self._past(before)))

    @cached_property
    def run(self) -> Run:
        """The run, cut down to what happens before `receive`, and that.

        It is a run of the beginning of each process's share; the layers do not deadlock, so it goes on to the
        end.  O(n * events of the run), sorting aside.
        """
        needed = self._past(self.send)
        first = self._listed((0,) * len(needed), needed)
        order = [*first, *self._listed(needed, self.upto), self.receive]
        source = self.causality.source
        matching = {place: source[place] for place in order if place in source}
        matching[self.receive] = self.send
        lengths = [*self.upto]
        lengths[self.receive.process - 1] += 1
        whole = self.rounds.program.then(self.later)
        begun = tuple(share[:length] for share, length in zip(whole.shares, lengths, strict=True))
        return Run(StraightLine(begun), tuple(order), matching)

    def _past(self, place: Place) -> Clock:
        """The clock of a place, which may be the first one after the end of its process."""
        end = self.causality.ends[place.process - 1]
        if place.position <= end.position:
            return self.causality.clock(place)
        known = self.causality.clock(end)
        return (*known[: place.process - 1], place.position, *known[place.process :])

    def _listed(self, done: Clock, upto: Clock) -> list[Place]:
        """The events of each process after so many, up to so many, in an order in which they can happen."""
        rank = self.causality.rank
        places = [
            Place(process, position)
            for process, (first, last) in enumerate(zip(done, upto, strict=True), 1)
            for position in range(first + 1, last + 1)
        ]
        return sorted(places, key=lambda place: rank.get(place, len(rank)))


@dataclass(frozen=True)
class Decision:
    """On which channels layers stay apart, and why; and how they do not on the others."""

    rounds: Rounds
    """What was looked at."""
    causality: Causality
    needs: tuple["Need", ...]
    """What has to be reached, and is, on the channels on which layers stay apart."""
    interfering: tuple[Interferes, ...]
    """One run for each channel on which they do not: the one that goes wrong in the earliest layer."""

    @property
    def is_safe(self) -> bool:
        """Whether the layers stay apart on all channels."""
        return not self.interfering

    def chain(self, number: int) -> Chain:
        """The chain for the need of that number.  O(n log events)."""
        return _chain(self.causality, self.needs[number])

    @property
    def chains(self) -> tuple[Chain, ...]:
        """One chain for each need."""
        return tuple(map(self.chain, range(len(self.needs))))


class Need(NamedTuple):
    """That a layer's last receive on a channel reaches the next send, or, for None, the sender's end."""

    channel: Channel
    layer: int
    receive: Place
    send: Place | None


def decide(phases: Phases) -> Decision:
    """Whether the layers stay apart, channel by channel.

    The layers may be unbalanced and use self-channels.  Raises DeadlockError where the composition
    deadlocks.  O(events * n).  Source: CCLs, in section 3.

    >>> there, back = (StraightLine.of(2, mt(*channel)) for channel in ((1, 2), (2, 1)))
    >>> [decide(Phases(layers)).is_safe for layers in ((there, back, there), (there, there))]
    [True, False]
    """
    rounds = phases.rounds(ROUNDS if phases.repeat and not phases.open else 1)
    causality = Causality(rounds.program)
    wrong: dict[Channel, Interferes] = {}
    needs: list[Need] = []
    for channel, uses in sorted(_uses(rounds.program).items()):
        if mismatch := _mismatch(rounds, uses):
            wrong[channel] = Interferes(causality, rounds, channel, *mismatch)
            continue
        for need in _needs(rounds, channel, uses):
            if causality.reaches(need.receive, _target(causality, need)):
                needs.append(need)
            elif channel not in wrong:
                wrong[channel] = _crossing(causality, rounds, need)
    met = sorted((need for need in needs if need.channel not in wrong), key=lambda need: need[1::-1])
    return Decision(rounds, causality, tuple(met), tuple(wrong[channel] for channel in sorted(wrong)))


class _Uses(NamedTuple):
    sends: list[Place]
    receives: list[Place]


def _uses(program: StraightLine) -> dict[Channel, _Uses]:
    """The sends and the receives on each channel, in order."""
    found: defaultdict[Channel, _Uses] = defaultdict(lambda: _Uses([], []))
    for process, share in enumerate(program.shares, 1):
        for position, event in enumerate(share, 1):
            found[event.channel][event.kind].append(Place(process, position))
    return found


def _mismatch(rounds: Rounds, uses: _Uses) -> tuple[Place, Place] | None:
    """The first receive whose message, if channels deliver in order, is of another layer; and its send."""
    for receive, send in zip(uses.receives, uses.sends, strict=False):
        if rounds.owner(receive) != rounds.owner(send):
            return receive, send
    if rounds.phases.open and len(uses.sends) > len(uses.receives):
        send = uses.sends[len(uses.receives)]
        receiver = rounds.program.shares[send.process - 1][send.position - 1].receiver
        return Place(receiver, len(rounds.program.shares[receiver - 1]) + 1), send
    return None


def _needs(rounds: Rounds, channel: Channel, uses: _Uses) -> Iterator[Need]:
    """What has to be reached, for each layer of the first round that receives on the channel."""
    last = {rounds.owner(receive): receive for receive in uses.receives}
    first = {rounds.owner(send): send for send in reversed(uses.sends)}
    following = sorted(first)
    nth = 0
    for layer, receive in last.items():
        while nth < len(following) and following[nth] <= layer:
            nth += 1
        send = first[following[nth]] if nth < len(following) else None
        if layer < len(rounds.phases.layers) and (send or rounds.phases.open):
            yield Need(channel, layer, receive, send)


def _target(causality: Causality, need: Need) -> Place:
    return need.send or causality.ends[need.channel.sender - 1]


def _crossing(causality: Causality, rounds: Rounds, need: Need) -> Interferes:
    end = causality.ends[need.channel.sender - 1]
    send = need.send or Place(end.process, end.position + 1)
    return Interferes(causality, rounds, need.channel, need.receive, send)


def _chain(causality: Causality, need: Need) -> Chain:
    """The chain to a send, or to the sender's first event that may stand for its end."""
    places = causality.chain(need.receive, _target(causality, need))
    if need.send is None and len(places) > 1 and places[-2].process == places[-1].process:
        places = places[:-1]
    return Chain(need.channel, need.layer, places, need.send is not None)


def interfering_by_signatures(phases: Phases) -> frozenset[Channel]:
    """The channels on which balanced layers interfere, from their signatures alone.

    Which processes have heard that the last receive on a channel is over is carried from layer to layer, as
    a mask for each channel; the next layer that sends there must send from one that has.  Raises
    DeadlockError where a layer deadlocks.  O(events * n / wordsize + layers * n^2 * n / wordsize).
    Source: CCLs, in section 3; signatures, in section `sec:rel`.

    >>> there, back = (StraightLine.of(2, mt(*channel)) for channel in ((1, 2), (2, 1)))
    >>> print(*interfering_by_signatures(Phases((there, there, back))))
    1->2
    """
    layers = [signature(layer) for layer in phases.layers]
    heard: dict[Channel, int] = {}
    wrong: set[Channel] = set()
    for layer in layers * (ROUNDS if phases.repeat else 1):
        for channel, informed in layer.sends.items():
            if channel in heard and not heard[channel] & informed:
                wrong.add(channel)
        spread = {mask: _spread(mask, layer.ends) for mask in set(heard.values())}
        heard = {channel: spread[mask] for channel, mask in heard.items()} | layer.receives
    if phases.open:
        wrong.update(channel for channel, mask in heard.items() if not mask >> (channel.sender - 1) & 1)
    return frozenset(wrong)


def _spread(mask: int, ends: tuple[int, ...]) -> int:
    """The processes to whose ends the starts of those in the mask lead."""
    reached = 0
    for process, ending in enumerate(ends):
        if mask >> process & 1:
            reached |= ending
    return reached
