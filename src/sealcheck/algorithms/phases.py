"""Do layers in sequence stay apart?  No receive of one takes a message of another, in any execution.

Let C be the layers in sequence, a program that does not deadlock; its layers need not be balanced.  The same
layer in another round is another layer.

*Root causes.* A channel c is a **root cause** if C has the following beginning of a run: every receive on
another channel takes a message of its own layer, and some receive on c takes a message of another layer.
**The layers stay apart exactly if no channel is a root cause:** the first wrong receive of a run is on one.
Conversely, C does not deadlock, so a beginning of a run can go on to the end.  Other channels may go wrong in
consequence.

*Tags.*  On some channels, T, let each message say which layer it is of, and each receive take its own only.
**Then layers stay apart exactly if T has all root causes:** the first wrong receive is on a root cause
outside T. Conversely, the beginning of a run that makes c a root cause is possible with tags on any channels
but c.

*The graph* G joins successive events of a process and, in each layer, the k'th send on a channel with the
k'th receive on it; no edge leads to an earlier layer.  An event *can happen* if the event before it in its
process can and, if it is a receive, there is a send that G joins it with, and that can.  A receive *can be
waited at* if the event before it can happen.

(1) Consider beginnings of runs in which every receive takes a message of its own layer. A set of events is
the set of one of these exactly if its events can happen and it is closed under predecessors in G.  For before
the k'th receive on a channel in a layer takes a message of that layer, k of these were sent.  Conversely, in
any order that respects G, k messages are sent before the k'th receive, and k - 1 are taken.

**c is a root cause exactly if a receive r on it can be waited at, a send s on it of another layer can happen,
and either**
  (later) s is of a later layer, and r does not reach s in G, **or**
  (left over) s is the k'th send on c in an earlier layer, which has fewer than k receives on c.

*Necessary.*  Take the first wrong receive r on c. By (1), the events before it form a closed set A of events
that can happen. A does not have r, but has all earlier events of r's process.  Its message is of another
layer, M, of which A has more sends on c than receives on c, say k - 1, as these all take messages of M.  So
the k'th send of M on c is in A: s.  If M is later, r does not reach s, or A would have it.  If M is earlier,
its receives on c come before r, so A has all of them: k - 1.

*Sufficient.*  Let M be the layer of s, s the k'th send of M on c.  Let A be the set of all events that reach
s or the event before r, these two included.  It is closed, can happen, and is without r.  By (1) it is the
beginning of a run in which all take messages of their own layer.  It has fewer than k receives of M on c: if
M is later, the k'th comes after r; if M is earlier, there is none.  So a message of M is on c, and r can take
it.

*Which events are examined.* In each layer, the last receive on c that can be waited at, with the first later
send: an earlier receive reaches all that this receive reaches, and if this send is reached or cannot happen,
the same holds for a later send. Besides, the first receive after a message that is left over.

*Layers repeated.* **Two rounds suffice.** Take a beginning of a run as in the definition of a root cause: its
last receive r, in round t, takes a message of round u.  Drop all events of rounds other than t and u.  Every
other receive takes a message of its own round, so the rest is a beginning of a run of two rounds (of one if
t = u).  Conversely, a beginning of a run of two rounds is also one of any larger number of rounds.

*Anything may follow.*  The later events are one more layer, R. If s is in R, the sender's end can happen, and
r does not reach it; then it is enough that R is this send. If r is in R, the receiver's end can happen, and a
message of C is left over; then it is enough that R is this receive: no layer has more receives on c than
sends, so C;R does not deadlock.  More rounds are one thing that may follow: then R is the second of two
rounds.

*Balanced layers.*  G is the program graph of C, and (left over) is impossible.  If G has an event before
another one, so has every run (fact (1) of `sealcheck.kernel`).  So on a channel that is not a root cause, no
receive takes a message of a later layer, in any run. Nor does it take one of an earlier layer: then some
receive of a layer up to that one would take a message of a later layer.  So no channel goes wrong only in
consequence of another: the root causes are all channels that go wrong.

Source: the definition of a CCL in section 3, of each layer in the composition of all of them.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from sealcheck.algorithms.clocks import Causality, Clock
from sealcheck.algorithms.sealing import Chain
from sealcheck.algorithms.signature import Heard, signature, through
from sealcheck.programs.phases import Phases, Rounds
from sealcheck.programs.runs import Place, Run
from sealcheck.programs.straight_line import Channel, Event, StraightLine, mt

ROUNDS = 2
"""The number of rounds of repeated layers that have all root causes."""


_Ends = tuple[Place, Place]
"""A receive, and the send whose message it takes."""


@dataclass(frozen=True)
class RootCause:
    """Why `channel` is a root cause: `receive` can take the message of `send`, which is of another layer.

    Unlike `sealcheck.algorithms.sealing.Interferes`, `run` ends with that receive, and until then all
    receives take messages of their own layer; the receive is of any layer, or of what follows all of them.
    """

    causality: Causality
    rounds: Rounds
    channel: Channel
    receive: Place
    send: Place

    @cached_property
    def later(self) -> StraightLine:
        """The events that follow the layers: none, one send, or one receive."""
        ends = self.causality.ends
        after = [event for event, place in self._ends() if place.position > ends[place.process - 1].position]
        return StraightLine.of(self.rounds.phases.n, after)

    def _ends(self) -> Iterator[tuple[Event, Place]]:
        return zip(mt(*self.channel), (self.send, self.receive), strict=True)

    @property
    def is_in_order(self) -> bool:
        """Whether this happens also if the channel delivers messages in order.

        Yes if the message is the first of those left over, or the receive's layer has no message for it.
        """
        is_left_over = self.rounds.owner(self.send) < self.rounds.owner(self.receive)
        return is_left_over or self.causality.source(self.receive) is None

    @cached_property
    def upto(self) -> Clock:
        """The number of events of each process before `receive`: all that it or `send` waits for.  O(n).

        All of them take messages of their own layer.
        """
        before = Place(self.receive.process, self.receive.position - 1)
        return tuple(map(max, self._past(self.send), self._past(before)))

    @cached_property
    def run(self) -> Run:
        """The run, cut down to `receive` and the events before it.

        It is a run of a beginning of each process's share, and can go on to the end, because the layers do
        not deadlock.  Until `receive`, all receives take messages of their own layer.  O(n * events of the
        run), sorting aside.
        """
        needed = self._past(self.send)
        first = self._listed((0,) * len(needed), needed)
        order = [*first, *self._listed(needed, self.upto), self.receive]
        source = self.causality.source
        matching = {place: send for place in order if (send := source(place)) is not None}
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
        places = [
            Place(process, position)
            for process, (first, last) in enumerate(zip(done, upto, strict=True), 1)
            for position in range(first + 1, last + 1)
        ]
        return sorted(places, key=self.causality.rank)


@dataclass(frozen=True)
class Decision:
    """The root causes, each with a run; and chains that show why other channels are not."""

    rounds: Rounds
    """The layers that were decided on."""
    causality: Causality
    needs: tuple["Need", ...]
    """The requirements, all met, on the channels that are not root causes."""
    interfering: tuple[RootCause, ...]
    """The root causes."""

    @property
    def is_safe(self) -> bool:
        """Whether the layers stay apart."""
        return not self.interfering

    def chain(self, number: int) -> Chain:
        """The chain for the need of that number.  O(n log events)."""
        return _chain(self.causality, self.needs[number])

    @property
    def chains(self) -> tuple[Chain, ...]:
        """One chain for each need."""
        return tuple(map(self.chain, range(len(self.needs))))


class Need(NamedTuple):
    """A requirement: a layer's last receive on a channel reaches the next send on it, or the sender's end."""

    channel: Channel
    layer: int
    receive: Place
    target: Place
    to_send: bool


def decide(phases: Phases) -> Decision:
    """Which channels are root causes.

    The layers may be unbalanced and use self-channels.  Raises DeadlockError if the composition
    deadlocks.  O(events * n).  Source: CCLs, in section 3.

    >>> there, back = (StraightLine.of(2, mt(*channel)) for channel in ((1, 2), (2, 1)))
    >>> [decide(Phases(layers)).is_safe for layers in ((there, back, there), (there, there))]
    [True, False]
    >>> lopsided = StraightLine.of(2, [*mt(1, 2), *mt(2, 1), mt(1, 2)[0]])
    >>> [str(found.channel) for found in decide(Phases((lopsided,), repeat=True)).interfering]
    ['1->2']
    """
    rounds = phases.rounds(ROUNDS if phases.repeat and not phases.open else 1)
    causality = Causality(rounds.layers)
    if not causality.is_whole:
        phases.once.linearization  # noqa: B018 - evaluated for the exception
    wrong: list[RootCause] = []
    met: list[Need] = []
    for channel, uses in sorted(_uses(rounds, causality.reached).items()):
        needs = list(_needs(rounds, causality, channel, uses))
        unmet = (_crossing(need) for need in needs if not causality.reaches(need.receive, need.target))
        if ends := _left_over(rounds, causality, channel, uses) or next(unmet, None):
            wrong.append(RootCause(causality, rounds, channel, *ends))
        else:
            met += needs
    return Decision(rounds, causality, tuple(sorted(met, key=lambda need: need[1::-1])), tuple(wrong))


class _Uses(NamedTuple):
    """For each layer that uses a channel, the positions of its sends and of its receives there."""

    sends: "dict[int, array[int]]"
    receives: "dict[int, array[int]]"


def _uses(rounds: Rounds, reached: Clock) -> dict[Channel, _Uses]:
    """The sends that can happen on each channel, and the receives that can be waited at."""
    found: defaultdict[Channel, _Uses] = defaultdict(lambda: _Uses({}, {}))
    for share, owners, done in zip(rounds.program.shares, rounds.owners, reached, strict=True):
        channels = {event: event.channel for event in set(share)}
        for position, (event, owner) in enumerate(zip(share[: done + 1], owners, strict=False), 1):
            positions = found[channels[event]][event.kind]
            if owner not in positions:
                positions[owner] = array("i")
            positions[owner].append(position)
    return found


def _left_over(rounds: Rounds, causality: Causality, channel: Channel, uses: _Uses) -> _Ends | None:
    """The first message that is left over, and the next receive on the channel; None if there is none."""
    sender, receiver = channel
    end = causality.ends[receiver - 1].position
    for layer, sent in uses.sends.items():
        taken = uses.receives.get(layer, ())
        if len(sent) > len(taken):
            later = next((places[0] for at, places in uses.receives.items() if at > layer), None)
            if later is None and rounds.phases.open and causality.reached[receiver - 1] == end:
                later = end + 1
            return None if later is None else (Place(receiver, later), Place(sender, sent[len(taken)]))
    return None


def _needs(rounds: Rounds, causality: Causality, channel: Channel, uses: _Uses) -> Iterator[Need]:
    """The requirements, one for each layer of the first round that receives on the channel."""
    sender, receiver = channel
    following = list(uses.sends)
    end = causality.ends[sender - 1]
    may_go_on = rounds.phases.open and causality.reached[sender - 1] == end.position
    nth = 0
    for layer, receives in uses.receives.items():
        while nth < len(following) and following[nth] <= layer:
            nth += 1
        send = Place(sender, uses.sends[following[nth]][0]) if nth < len(following) else None
        if layer < len(rounds.phases.layers) and (send or may_go_on):
            yield Need(channel, layer, Place(receiver, receives[-1]), send or end, to_send=send is not None)


def _crossing(need: Need) -> _Ends:
    """The receive and the send of the message that it can take."""
    after = Place(need.target.process, need.target.position + 1)
    return need.receive, need.target if need.to_send else after


def _chain(causality: Causality, need: Need) -> Chain:
    """The chain to a send, or to the sender's first event that may stand for its end."""
    places = causality.chain(need.receive, need.target)
    if not need.to_send and len(places) > 1 and places[-2].process == places[-1].process:
        places = places[:-1]
    return Chain(need.channel, places, need.to_send, need.layer)


def interfering_by_signatures(phases: Phases) -> frozenset[Channel]:
    """The root causes in balanced layers, from their signatures alone.

    A mask for each channel, carried from layer to layer, holds the processes that have heard that the last
    receive on the channel is over.  The next layer that sends there must send from one of these.  Raises
    DeadlockError if a layer deadlocks.  O(events * n / wordsize + layers * n^2 * n / wordsize).  Source:
    CCLs, in section 3; signatures, in section `sec:rel`.

    >>> there, back = (StraightLine.of(2, mt(*channel)) for channel in ((1, 2), (2, 1)))
    >>> print(*interfering_by_signatures(Phases((there, there, back))))
    1->2
    """
    layers = [signature(layer) for layer in phases.layers]
    heard: Heard = {}
    wrong: set[Channel] = set()
    for layer in layers * (ROUNDS if phases.repeat else 1):
        for channel, informed in layer.sends.items():
            if channel in heard and not heard[channel] & informed:
                wrong.add(channel)
        heard = through(heard, layer)
    if phases.open:
        wrong.update(channel for channel, mask in heard.items() if not mask >> (channel.sender - 1) & 1)
    return frozenset(wrong)
