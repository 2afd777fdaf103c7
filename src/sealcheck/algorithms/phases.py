"""Decide whether layers in sequence stay apart: no receive takes a message of another layer in any execution.

Let C be the layers in sequence, a program that does not deadlock. The layers need not be balanced. The same
layer in another round counts as another layer. A receive is *wrong* if it takes a message of another layer.

*Root causes.* A channel c is a **root cause** if C has a beginning of a run with a wrong receive on c, and
without wrong receives on other channels. **The layers stay apart exactly if no channel is a root cause.** If
the layers do not stay apart, the first wrong receive of a run is on a root cause. Conversely, C does not
deadlock, so a beginning of a run with a wrong receive can go on to the end. A channel that is no root cause
may have wrong receives, too, but only after a wrong receive on another channel.

*Tags.* Let T be a set of channels. On these channels, let each message name its layer, and let each receive
take only messages of its own layer. **Then the layers stay apart exactly if T contains all root causes.** If
they do not stay apart, the first wrong receive is on a root cause outside T. Conversely, let c be a root
cause outside T. The beginning of a run that makes c a root cause is possible with tags on all other channels.

*The graph* G has an edge from each event to the next event of its process and, in each layer, from the k'th
send on a channel to the k'th receive on it. No edge leads to an earlier layer. An event *can happen* if the
event before it in its process can happen and, in addition, if it is a receive, G joins it with a send that
can happen. A process *can get to* a receive if the event before the receive in its process can happen.

(1) Consider beginnings of runs without wrong receives. A set of events is the set of events of such a
    beginning exactly if all its events can happen and it contains, with each event, the predecessors in G.
    Necessary: before the k'th receive on a channel in a layer takes a message of that layer, k such messages
    were sent. Sufficient: in any order that respects G, k messages are sent before the k'th receive, and only
    k - 1 of them are taken before it.

**c is a root cause exactly if a process can get to a receive r on c, a send s on c of another layer can
happen, and either**
  (later) s is of a later layer, and r does not reach s in G, **or**
  (left over) s is the k'th send on c in an earlier layer, which has fewer than k receives on c.

*Necessary.* Let r, on c, be the first wrong receive of a run, and let A be the set of the events before r in
the run. By (1), these events can happen, and A contains their predecessors in G. A contains all earlier
events of r's process, but not r. The message that r takes is of another layer, M. Let A have k - 1 receives
of M on c. Each of them takes a message of M, and r takes another one. So A has at least k sends of M on c;
call the k'th one s. If M is a later layer, r does not reach s, because otherwise A would contain r. If M is
an earlier layer, its receives on c come before r, so A contains all of them, and M has only k - 1 receives on
c.

*Sufficient.* Let M be the layer of s, and let s be the k'th send of M on c. Let A contain s, the event before
r, and all events that reach one of these two. The events of A can happen, and A does not contain r. By (1), A
is the set of events of a beginning of a run without wrong receives. A has fewer than k receives of M on c: if
M is later, the k'th receive comes after r; if M is earlier, there is no k'th receive. So a message of M is on
c, and r can take it.

*Which events are examined.* In each layer, the search examines the last receive on c to which a process can
get, with the first send on c in a later layer. Earlier receives reach every event that this receive reaches.
If this receive reaches this send, it reaches all sends after it; if this send cannot happen, neither can
those. The search also examines the first receive after a message that is left over.

*Layers repeated.* **Two rounds suffice.** Take a beginning of a run as in the definition of a root cause, and
let its last receive r, in round t, take a message of round u. Leave out all events of rounds other than t and
u. Every other receive takes a message of its own round, so the rest is a beginning of a run of two rounds (of
one round if t = u). Conversely, a beginning of a run of two rounds is also a beginning of a run of any larger
number of rounds.

*Anything may follow.* The later events are one more layer, R. If s is in R, c is a root cause exactly if the
sender can get to its end, and r does not reach this end. Then it is enough that R has this one send. If r is
in R, c is a root cause exactly if the receiver can get to its end, and a message of C is left over on c. Then
it is enough that R has this one receive. In that case no layer has more receives on c than sends, so C;R does
not deadlock. R may also consist of more rounds of the layers, so repetition adds no root cause.

*Balanced layers.* G is the program graph of C, and (left over) is impossible. If G orders two events, every
run orders them in the same way (fact (1) of `sealcheck.kernel`). So on a channel that is no root cause, no
receive takes a message of a later layer, in any run. No receive on it takes a message of an earlier layer M,
either: then some receive of M, or of a layer before M, would take a message of a later layer. So a channel is
a root cause exactly if it has a wrong receive in some run.

Source: the definition of a CCL in section 3, applied to each layer in the composition of all layers.
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
"""The number of rounds that suffices to find all root causes of repeated layers."""


_Ends = tuple[Place, Place]
"""A receive, and the send whose message it takes."""


@dataclass(frozen=True)
class RootCause:
    """Why `channel` is a root cause: `receive` can take the message of `send`, which is of another layer.

    `run` ends with `receive`, in contrast to `sealcheck.algorithms.sealing.Interferes`. All receives before
    it take messages of their own layer. `receive` is in one of the layers or follows them all.
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
        """Whether this run is also possible if the channel delivers messages in order.

        It is if the message is the first message left over, or if the receive would otherwise wait forever.
        """
        is_left_over = self.rounds.owner(self.send) < self.rounds.owner(self.receive)
        return is_left_over or self.causality.source(self.receive) is None

    @cached_property
    def upto(self) -> Clock:
        """For each process, the number of events that must happen before `receive` takes the message. O(n).

        All receives among these events take messages of their own layer.
        """
        before = Place(self.receive.process, self.receive.position - 1)
        return tuple(map(max, self._past(self.send), self._past(before)))

    @cached_property
    def run(self) -> Run:
        """The run, cut down to `receive` and the events before it.

        Each process does only the first `upto` events of its share. The run can go on to the end, because the
        layers do not deadlock. All receives before `receive` take messages of their own layer. O(n * events
        of the run), plus sorting.
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
        """The clock of a place; the place may be the first one after the end of its process."""
        end = self.causality.ends[place.process - 1]
        if place.position <= end.position:
            return self.causality.clock(place)
        known = self.causality.clock(end)
        return (*known[: place.process - 1], place.position, *known[place.process :])

    def _listed(self, done: Clock, upto: Clock) -> list[Place]:
        """The events of each process after `done` and up to `upto`, in an order in which they can happen."""
        places = [
            Place(process, position)
            for process, (first, last) in enumerate(zip(done, upto, strict=True), 1)
            for position in range(first + 1, last + 1)
        ]
        return sorted(places, key=self.causality.rank)


@dataclass(frozen=True)
class Decision:
    """The root causes, each with a run; and chains that show why the other channels are no root causes."""

    rounds: Rounds
    """The layers about which the decision is, in one round or two."""
    causality: Causality
    needs: tuple["Need", ...]
    """The requirements for channels that are no root causes. All of them are met."""
    interfering: tuple[RootCause, ...]
    """The root causes."""

    @property
    def is_safe(self) -> bool:
        """Whether the layers stay apart."""
        return not self.interfering

    def chain(self, number: int) -> Chain:
        """The chain for the need with this number, from 0. O(n log events)."""
        return _chain(self.causality, self.needs[number])

    @property
    def chains(self) -> tuple[Chain, ...]:
        """One chain for each need."""
        return tuple(map(self.chain, range(len(self.needs))))


class Need(NamedTuple):
    """A requirement: a layer's last receive on a channel reaches `target`.

    The target is the next send on the channel in a later layer or, without such a send, the sender's end.
    """

    channel: Channel
    layer: int
    receive: Place
    target: Place
    to_send: bool


def decide(phases: Phases) -> Decision:
    """Find the channels that are root causes.

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
    """For each layer that uses a channel, the positions of the layer's sends and receives there."""

    sends: "dict[int, array[int]]"
    receives: "dict[int, array[int]]"


def _uses(rounds: Rounds, reached: Clock) -> dict[Channel, _Uses]:
    """For each channel, the sends that can happen, and the receives to which their process can get."""
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
    """The next receive after the first message left over on the channel, and the send of that message.

    None if no message is left over, or if no receive comes after it.
    """
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
    """The requirements for a channel: at most one for each layer of the first round that receives on it."""
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
    """If a need is not met: its receive, and the send of the message that this receive can take."""
    after = Place(need.target.process, need.target.position + 1)
    return need.receive, need.target if need.to_send else after


def _chain(causality: Causality, need: Need) -> Chain:
    """The chain for a need. If it leads to the sender's end, it stops at the sender's first event on it."""
    places = causality.chain(need.receive, need.target)
    if not need.to_send and len(places) > 1 and places[-2].process == places[-1].process:
        places = places[:-1]
    return Chain(need.channel, places, need.to_send, need.layer)


def interfering_by_signatures(phases: Phases) -> frozenset[Channel]:
    """The root causes in balanced layers, from their signatures alone.

    For each channel, a mask has the processes that are reached by the last receive on the channel so far. The
    masks are updated from layer to layer. If a layer sends on the channel, its first send must be reached by
    the start of one of these processes; otherwise the channel is a root cause. Raises DeadlockError if a
    layer deadlocks. O(events * n / wordsize + layers * n^2 * n / wordsize). Source: CCLs, in section 3;
    signatures, in section `sec:rel`.

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
