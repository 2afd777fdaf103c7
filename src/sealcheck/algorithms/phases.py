"""Decide whether layers in sequence stay apart: no receive takes a message of another layer, in any run.

*Layers* are programs that each process runs one after the other. Together they must not deadlock. Layers need
not be balanced (have as many sends as receives on each channel). The same layer in another round counts as
another layer.

A receive is *wrong* if it takes a message of another layer. A channel is a **root cause** if, in some run,
the first wrong receive is on this channel. The layers stay apart exactly if no channel is a root cause.

On a channel with *tags*, messages name their layers, and receives take only messages of their own layer. To
keep the layers apart, exactly the root causes need tags: wrong receives on other channels come only after a
wrong receive on a root cause.

Coq has proved the criterion below (`proofs/phases/RootCauses.v`) for layers with two properties: no layer
deadlocks by itself, and no layer receives more messages on a channel than it sends there.

*The graph* G has an edge from each event to the next event of its process. In each layer, G also has an edge
from the k'th send on a channel to the k'th receive on it. No edge leads to an earlier layer. An event *can
happen* if its predecessors in G can happen; a receive also needs an edge from a send. A process *can get to*
an event if the event before it in this process can happen.

(1) Let A be a set of events that can happen. Some run begins with exactly the events of A, without a wrong
    receive, if and only if A contains all predecessors of its events. *Only if:* the k'th receive of a layer
    on a channel needs k sends of the layer there. *If:* put A in an order that respects G. Before the k'th
    receive of a layer on a channel come k sends of the layer there, but only k - 1 receives. One message is
    left for the k'th receive.

**Criterion.** A channel c is a root cause exactly if there are a receive r and a send s on c, in different
layers, with three properties:

- The process of r can get to r.
- s can happen.
- s is *later* or *left over*.

*Later* means that s is of a later layer, and r does not reach s in G. *Left over* means that s is the k'th
send on c of an earlier layer, and this layer has fewer than k receives on c.

*Necessary.* Let r be the first wrong receive of a run, on c, and let A be the set of events before r in this
run. Let M be the layer whose message r takes, and let A have k - 1 receives of M on c. Then A has a k'th send
s of M on c, because r takes one more message of M. By (1), A contains all predecessors of its events.

- If M is a later layer, r does not reach s, because otherwise A would contain r.
- If M is an earlier layer, A contains all receives of M on c, and they are only k - 1. So s is left over.

*Sufficient.* Let M be the layer of s, and let s be the k'th send of M on c. Let A contain s, the event before
r, and all events that reach one of these two events. Since r reaches neither of them, A does not contain r.
By (1), a run can begin with A. Then fewer than k messages of M on c have been taken, because M's k'th receive
on c comes after r or does not exist. The k'th message of M on c is left, and r can take it.

*Which pairs are examined.* For each layer, the code examines one pair: the last of the layer's receives on c
that the receiver can get to, and the first send on c in a later layer. Other pairs add nothing: an earlier
receive reaches all that the last receive reaches, and the first send reaches all later sends on c. If a layer
leaves a message over on c, the code also examines the first receive on c in a later layer.

*Repeated layers.* Two rounds suffice. Let r, in round t, be the first wrong receive of a run, and let r's
message be of round u. Cut the run after r, and delete all events of other rounds than t and u. The receives
before r that remain still take messages of their own layers and rounds.

*Anything may follow.* The later events form one more layer, R. A single event of R makes c a root cause in
two more cases:

- The sender can get to its end, and a receive r on c does not reach this end. Then r can take a message that
  the sender sends in R.
- The receiver can get to its end, and a message is left over on c. Then the receiver can take this message in
  R. No layer has more receives on c than sends, because the receiver can do all its receives. So the message
  stays for R, and R does not deadlock.

If anything may follow, repetition adds no root cause, because R may consist of more rounds.

*Balanced layers.* If all layers are balanced, a channel that is not a root cause has no wrong receive in any
run. The reason: G is then the graph of fact (1) in `sealcheck.kernel`, so its order holds in every run. So no
receive on the channel takes a later layer's message. Each layer has as many messages as receives on the
channel, so no message of an earlier layer is left.

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

    `receive` may also come after all layers.
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

        True if the message is left over, or if `receive` would otherwise wait forever.
        """
        is_left_over = self.rounds.owner(self.send) < self.rounds.owner(self.receive)
        return is_left_over or self.causality.source(self.receive) is None

    @cached_property
    def upto(self) -> Clock:
        """For each process, the number of events that must happen before `receive` takes the message."""
        before = Place(self.receive.process, self.receive.position - 1)
        return tuple(map(max, self._past(self.send), self._past(before)))

    @cached_property
    def run(self) -> Run:
        """A run up to `receive`. All receives before `receive` take messages of their own layer.

        O(n * events of the run), plus sorting.
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
        """The clock of a place. The place may be one after the end of its process."""
        end = self.causality.ends[place.process - 1]
        if place.position <= end.position:
            return self.causality.clock(place)
        known = self.causality.clock(end)
        return (*known[: place.process - 1], place.position, *known[place.process :])

    def _listed(self, done: Clock, upto: Clock) -> list[Place]:
        """The events of each process after `done` and up to `upto`, in a possible order."""
        places = [
            Place(process, position)
            for process, (first, last) in enumerate(zip(done, upto, strict=True), 1)
            for position in range(first + 1, last + 1)
        ]
        return sorted(places, key=self.causality.rank)


@dataclass(frozen=True)
class Decision:
    """The root causes, each with a run; and causal chains that rule out the other channels."""

    rounds: Rounds
    """The layers, in one round or two."""
    causality: Causality
    needs: tuple["Need", ...]
    """The requirements for channels that are not root causes. All of them are met."""
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

    The target is the next send on the channel in a later layer. If there is no such send, the target is the
    sender's end.
    """

    channel: Channel
    layer: int
    receive: Place
    target: Place
    to_send: bool


def decide(phases: Phases) -> Decision:
    """Find the channels that are root causes.

    The layers may be unbalanced, and processes may send to themselves. Raises DeadlockError if the layers in
    sequence deadlock. O(events * n). Source: CCLs, in section 3.

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
    """The first message left over on the channel, by its send, and the first receive of a later layer, which
    can take the message. None if there is no such receive.
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
    """The chain for a need. A chain to the sender's end stops at the first event of the sender."""
    places = causality.chain(need.receive, need.target)
    if not need.to_send and len(places) > 1 and places[-2].process == places[-1].process:
        places = places[:-1]
    return Chain(need.channel, places, need.to_send, need.layer)


def interfering_by_signatures(phases: Phases) -> frozenset[Channel]:
    """The root causes in balanced layers, from their signatures alone.

    Suppose that a layer sends on a channel on which an earlier layer receives. The last of these earlier
    receives must reach the start of some process in this layer, and this start must reach the layer's first
    send on the channel. If no process links the two in this way, the channel is a root cause. If anything may
    follow, the last receive on each channel must also reach the end of the channel's sender.

    Raises DeadlockError if a layer deadlocks.

    O(events * n / wordsize + layers * n^2 * n / wordsize). Source: CCLs, in section 3; signatures, in section
    `sec:rel`.

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
