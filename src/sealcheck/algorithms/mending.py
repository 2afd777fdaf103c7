"""What would keep layers apart: few acknowledgments between them, or few channels with tags.

**Acknowledgments** are programs that are inserted at the boundaries between layers, and after the last one
where the layers are repeated or anything may follow.  Each is a layer of its own, so it stays apart from
the others; but from what follows all layers, the last one need not be kept apart: no program could be
(`th:TCCbadforREL`), and as with a seal it is what is before it that matters.

Their messages may as well be received at once: that only adds paths to the program graph.  So a plan says for
each boundary which transmissions there are, in order.  All that matters of the layers is in their signatures:
carried along is, for each channel, which processes have heard that its last receive is over.

**Fewest.**  Each requirement that is not met needs an acknowledgment that the receive can reach the sender
of, and one whose receiver can reach the next send.  Requirements for which these are different processes,
or boundaries, need different messages: a lower bound.  A plan that is found step by step gives an upper
one.  Where they differ, all plans in between are gone through, up to `MOST_STEPS`, for up to
`MOST_SEARCHED` processes.  What is proposed is a plan with the fewest messages of all plans if `is_fewest`;
otherwise it is a small one, and `at_least` so many are needed.

**Tags.**  If the messages on a channel say which layer, and which round, they are of, and a receive only
takes its own, then the channel falls into one channel for each layer, and nothing changes for the others:
message edges are as they were.  So exactly the channels on which layers interfere need one: no fewer do,
and these are enough.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sealcheck.algorithms.phases import ROUNDS, Decision, decide
from sealcheck.algorithms.sealability import transmitting
from sealcheck.algorithms.signature import Signature, signature
from sealcheck.errors import Disagreement
from sealcheck.programs.events import Channel, channels
from sealcheck.programs.phases import Phases
from sealcheck.programs.straight_line import StraightLine

MOST_STEPS = 20_000
"""So many beginnings of plans are looked at in search for the fewest; fewer where each takes long."""

MOST_SEARCHED = 12
"""With more processes, acknowledgments are looked for on channels only that the layers have no use for."""

MOST_PASSES = 50_000
"""So many layers are gone through while acknowledgments are added one after the other."""

PRUNED = 60
"""Plans of up to so many acknowledgments are rid of what they can do without."""

Heard = dict[Channel, int]
"""For each channel that was received on, the processes that have heard that its last receive is over."""

Plan = tuple[tuple[Channel, ...], ...]
"""For each boundary the transmissions that are inserted there."""


@dataclass(frozen=True)
class Mending:
    """What would keep the layers apart."""

    acknowledgments: tuple[StraightLine, ...] | None
    """A program for each boundary; None where none was found, or there can be none."""
    at_least: int
    """No plan has fewer messages."""
    tags: tuple[Channel, ...] | None
    """The channels that need a tag; None where a layer takes another one's messages even in order."""
    reason: str = ""
    """Why there are no acknowledgments, where that is known."""

    @property
    def messages(self) -> int | None:
        """How many messages the acknowledgments have."""
        return None if self.acknowledgments is None else sum(each.messages for each in self.acknowledgments)

    @property
    def is_fewest(self) -> bool:
        """Whether it is known that no acknowledgments have fewer messages."""
        return self.messages == self.at_least


def mend(decision: Decision) -> Mending:
    """What would keep the layers apart that were decided on.

    Raises Disagreement where the layers with the acknowledgments do not stay apart.  Time: a pass over the
    signatures of the layers, O(layers * n^2), for each acknowledgment, and the search of `MOST_STEPS`.

    >>> from sealcheck.programs.events import mt
    >>> once = StraightLine.of(2, mt(1, 2))
    >>> found = mend(decide(Phases((once, once))))
    >>> [str(each) for each in found.acknowledgments], found.is_fewest
    (['mt 2->1'], True)
    """
    phases = decision.rounds.phases
    if any(found.is_in_order for found in decision.interfering):
        reason = "a layer takes messages of another even where channels deliver in order"
        return Mending(None, 0, None, reason)
    tags = tuple(found.channel for found in decision.interfering)
    if not all(layer.is_balanced for layer in phases.layers):
        return Mending(None, 0, tags, "a layer sends messages that nobody receives")
    search = Search(phases)
    plan, at_least = search.run()
    if plan is None:
        hopeless = "no acknowledgments can: their own messages would be taken for those of a layer"
        return Mending(None, at_least, tags, hopeless if search.is_hopeless else "")
    added = tuple(transmitting(phases.n, each) for each in plan)
    if not stay_apart(phases, added):
        raise Disagreement(f"{' | '.join(map(str, added))} were found to keep layers apart, but do not")
    return Mending(added, at_least, tags)


def stay_apart(phases: Phases, added: Sequence[StraightLine]) -> bool:
    """Whether layers with acknowledgments after each of them stay apart, as `phases` decides.

    After the last layer there may be none.  What follows all layers may interfere with the last ones.
    """
    missing = len(phases.layers) - len(added)
    padded = [*added, *[StraightLine.of(phases.n)] * missing]
    both = tuple(part for pair in zip(phases.layers, padded, strict=True) for part in pair)
    if phases.repeat and not decide(Phases(both, repeat=True)).is_safe:
        return False
    decision = decide(Phases(both, open=phases.open))
    return all(decision.rounds.owner(each.receive) == len(both) - 1 for each in decision.interfering)


class Unmet(NamedTuple):
    """A requirement that is not met: nobody who has heard that a receive is over leads to the next send."""

    boundary: int
    """The one right before the next send."""
    heard: int
    targets: int
    """Those of whose presents at the boundary the send knows."""


class Search:
    """The search for a plan for balanced layers."""

    def __init__(self, phases: Phases) -> None:
        self.phases = phases
        self.layers = [signature(layer) for layer in phases.layers]
        self.rounds = ROUNDS if phases.repeat else 1
        ends_in_boundary = phases.repeat or phases.open
        self.boundaries = len(self.layers) - (not ends_in_boundary)
        self.is_hopeless = False
        """Whether the search has gone through all plans, and there is none."""
        self.steps = 0
        self._step = 1 + self.phases.n**2 // 16  # how much one weighs
        self._everybody = range(1, phases.n + 1)
        self.passes = 0
        self._pass = self.rounds * len(self.layers) * (1 + self.phases.n**2 // 64)
        self._sent_upto, self._received_from = self._uses()
        self._seen: set[object] = set()
        self._failed: dict[object, int] = {}

    def run(self) -> tuple[Plan | None, int]:
        """A plan, if one is found, and how many messages any plan has at least."""
        nothing: Plan = ((),) * self.boundaries
        at_least = self._lower_bound()
        small = self._step_by_step(nothing)
        most = None if small is None else sum(map(len, small))
        few = self.phases.n <= MOST_SEARCHED
        while few and (most is None or at_least < most) and self.steps < MOST_STEPS:
            self._failed.clear()
            seen = len(self._seen)
            found = self._deepen(nothing, 0, {}, at_least)
            if found is not None:
                return found, at_least
            if self.steps >= MOST_STEPS:
                break
            if len(self._seen) == seen and not self.phases.repeat:  # where one more message leads, others did
                self.is_hopeless = True
                return None, at_least
            at_least += 1
        return small, at_least

    def _uses(self) -> tuple[dict[Channel, int], dict[Channel, int]]:
        """Up to which layer a channel is sent on, and from which boundary on it was received on."""
        sent = {channel: at for at, layer in enumerate(self.layers) for channel in layer.sends}
        received = {
            channel: at for at, layer in reversed([*enumerate(self.layers)]) for channel in layer.receives
        }
        if self.phases.repeat:
            return dict.fromkeys(sent, len(self.layers)), dict.fromkeys(received, -1)
        return sent, {channel: at - 1 for channel, at in received.items()}

    def unmet(self, plan: Plan) -> Iterator[Unmet]:
        """What is not met with a plan, in the order of time."""
        heard: Heard = {}
        self.passes += self._pass
        for turn in range(self.rounds * len(self.layers)):
            at = turn % len(self.layers)
            layer = self.layers[at]
            for channel, targets in layer.sends.items():
                if channel in heard and not heard[channel] & targets:
                    yield Unmet((at - 1) % len(self.layers), heard[channel], targets)
            heard, own = _through(heard, layer), Heard()
            for channel in plan[at] if at < len(plan) else ():
                if not _may_tell(heard, own, channel):
                    yield Unmet(at, heard[channel], 1 << (channel.sender - 1))
                _tell(heard, own, channel)
            if self.phases.open and turn == self.rounds * len(self.layers) - 1:
                yield from self._left(at, heard)
            heard |= own

    def _left(self, at: int, heard: Heard) -> Iterator[Unmet]:
        """What the senders do not know in the end."""
        for channel, mask in heard.items():
            target = 1 << (channel.sender - 1)
            if not mask & target:
                yield Unmet(at, mask, target)

    def _step_by_step(self, plan: Plan) -> Plan | None:
        """Add what is missing, boundary by boundary, as long as something is and there is a way."""
        while self.passes < MOST_PASSES:
            unmet = list(self.unmet(plan))
            if not unmet:
                return self._without_idle(plan)
            there: defaultdict[int, list[Unmet]] = defaultdict(list)
            for each in unmet:
                there[each.boundary].append(each)
            added = {boundary: self._direct(needs) for boundary, needs in there.items()}
            if not any(added.values()) and self.phases.n <= MOST_SEARCHED:
                first = unmet[0]
                added = {first.boundary: self._relayed(first) or self._tried(plan, first, len(unmet))}
            if not any(added.values()) or max(map(len, plan)) > self.phases.n**2:
                return None
            for boundary, transmissions in added.items():
                plan = _longer(plan, boundary, transmissions)
        return None

    def _is_free(self, boundary: int, channel: Channel) -> bool:
        """Whether no layer before the boundary receives on the channel, and none sends on it afterwards."""
        used_before = self._received_from.get(channel, boundary) < boundary
        return not used_before and self._sent_upto.get(channel, boundary) <= boundary

    def _direct(self, needs: Sequence[Unmet]) -> tuple[Channel, ...]:
        """Messages on free channels, from who has heard to who has to, each the most useful one."""
        added: list[Channel] = []
        left = list(needs)
        while left and (channel := self._most_useful(left)):
            added.append(channel)
            by, to = (1 << (end - 1) for end in channel)
            left = [each for each in left if not (each.heard & by and each.targets & to)]
        return tuple(added)

    def _most_useful(self, needs: Sequence[Unmet]) -> Channel | None:
        """Of the receivers, one that helps as many as possible; and of its senders."""
        to = Counter(v for each in needs for v in _members(each.targets))
        for v, _ in sorted(to.items(), key=lambda item: (-item[1], item[0])):
            free = self._free_senders(needs[0].boundary, v)
            told = (each.heard & free for each in needs if each.targets >> (v - 1) & 1)
            by = Counter(u for heard in told if heard for u in _members(heard))
            if by:
                return Channel(min(by, key=lambda u: (-by[u], u)), v)
        return None

    def _free_senders(self, boundary: int, v: int) -> int:
        return _union(
            1 << (u - 1) for u in self._everybody if u != v and self._is_free(boundary, Channel(u, v))
        )

    def _relayed(self, need: Unmet) -> tuple[Channel, ...]:
        """A shortest sequence of messages on free channels from who has heard to who has to."""
        ways: dict[int, tuple[Channel, ...]] = dict.fromkeys(_members(need.heard), ())
        pending = list(ways)
        for u in pending:  # grows as it is gone through
            if need.targets >> (u - 1) & 1:
                return ways[u]
            for v in range(1, self.phases.n + 1):
                if v not in ways and self._is_free(need.boundary, Channel(u, v)):
                    ways[v] = (*ways[u], Channel(u, v))
                    pending.append(v)
        return ()

    def _tried(self, plan: Plan, need: Unmet, unmet: int) -> tuple[Channel, ...]:
        """One message, on any channel, with which less is not met than so much."""
        pairs = ((u, v) for u in _members(need.heard) for v in range(1, self.phases.n + 1) if u != v)
        for u, v in pairs:
            if self.passes > MOST_PASSES:
                break
            if sum(1 for _ in self.unmet(_longer(plan, need.boundary, (Channel(u, v),)))) < unmet:
                return (Channel(u, v),)
        return ()

    def _without_idle(self, plan: Plan) -> Plan:
        """Leave out, last first, what the others can do without."""
        if sum(map(len, plan)) > PRUNED:
            return plan
        for boundary in reversed(range(len(plan))):
            for index in reversed(range(len(plan[boundary]))):
                there = plan[boundary][:index] + plan[boundary][index + 1 :]
                fewer = (*plan[:boundary], there, *plan[boundary + 1 :])
                if not any(self.unmet(fewer)):
                    plan = fewer
        return plan

    def _deepen(self, plan: Plan, at: int, heard: Heard, left: int) -> Plan | None:
        """A plan that goes on like this one from right before layer `at`, with so many more messages."""
        layer = self.layers[at]
        if any(c in heard and not heard[c] & targets for c, targets in layer.sends.items()):
            return None
        return self._at_boundary(plan, at, _through(heard, layer), {}, left)

    def _at_boundary(self, plan: Plan, at: int, heard: Heard, own: Heard, left: int) -> Plan | None:
        """The same, from the boundary after layer `at`, where acknowledgments so far made `own`."""
        self.steps += self._step
        state = at, frozenset(heard.items()), frozenset(own.items())
        if self.steps > MOST_STEPS or (not self.phases.repeat and self._failed.get(state, -1) >= left):
            return None
        self._seen.add(state)
        found = self._go_on(plan, at, heard | own, left)
        if found is not None or at >= len(plan) or not left:
            return found
        common = _common(self.phases.n, heard, own)
        for channel in channels(self.phases.n):
            news = not common[channel.sender] >> (channel.receiver - 1) & 1
            if _may_tell(heard, own, channel) and (self.phases.repeat or news):
                then, made = dict(heard), dict(own)
                _tell(then, made, channel)
                found = self._at_boundary(_longer(plan, at, (channel,)), at, then, made, left - 1)
                if found is not None:
                    return found
        self._failed[state] = left
        return None

    def _go_on(self, plan: Plan, at: int, heard: Heard, left: int) -> Plan | None:
        if at + 1 < len(self.layers):
            return self._deepen(plan, at + 1, heard, left)
        return None if any(self.unmet(plan)) else plan

    def _lower_bound(self) -> int:
        """How many messages are needed to tell, and by whom they have to be sent."""
        tellers: list[frozenset[tuple[int, int]]] = []
        told: list[frozenset[tuple[int, int]]] = []
        for turn, channel, mask in self._received():
            sent_at, targets = self._next_send(turn, channel)
            if sent_at is None:
                continue
            heard = self._forward(turn, mask, sent_at)
            if heard[-1] & targets:
                continue
            tellers.append(self._pairs(turn, heard))
            told.append(self._pairs(turn, self._backward(turn, targets, sent_at)))
        return max(_packed(tellers), _packed(told))

    def _received(self) -> Iterator[tuple[int, Channel, int]]:
        for turn, layer in enumerate(self.layers):
            for channel, mask in layer.receives.items():
                yield turn, channel, mask

    def _next_send(self, turn: int, channel: Channel) -> tuple[int | None, int]:
        """In which turn the channel is sent on next, and from where that send is reached; or the end."""
        turns = self.rounds * len(self.layers)
        for later in range(turn + 1, turns):
            targets = self.layers[later % len(self.layers)].sends.get(channel)
            if targets is not None:
                return later, targets
        return (len(self.layers), 1 << (channel.sender - 1)) if self.phases.open else (None, 0)

    def _forward(self, turn: int, mask: int, sent_at: int) -> list[int]:
        """Who has heard, at each boundary from the one after a turn."""
        found = [mask]
        for later in range(turn + 1, sent_at):
            ends = self.layers[later % len(self.layers)].ends
            found.append(_union(ends[u - 1] for u in _members(found[-1])))
        return found

    def _backward(self, turn: int, targets: int, sent_at: int) -> list[int]:
        """Whose present leads to the send, at each boundary from the one after a turn."""
        found = [targets]
        for later in reversed(range(turn + 1, sent_at)):
            ends = self.layers[later % len(self.layers)].ends
            found.append(_union(1 << k for k, ending in enumerate(ends) if ending & found[-1]))
        return found[::-1]

    def _pairs(self, turn: int, masks: Sequence[int]) -> frozenset[tuple[int, int]]:
        """The boundaries with the processes of the mask there."""
        return frozenset(
            ((turn + offset) % len(self.layers), process)
            for offset, mask in enumerate(masks)
            for process in _members(mask)
        )


def _packed(sets: Sequence[frozenset[tuple[int, int]]]) -> int:
    """Of how many of the sets, chosen smallest first, no two have anything in common."""
    used: set[tuple[int, int]] = set()
    count = 0
    for each in sorted(set(sets), key=len):
        if used.isdisjoint(each):
            used |= each
            count += 1
    return count


def _through(heard: Heard, layer: Signature) -> Heard:
    """What is heard after a layer."""
    spread = {mask: _union(layer.ends[u - 1] for u in _members(mask)) for mask in set(heard.values())}
    return {channel: spread[mask] for channel, mask in heard.items()} | layer.receives


def _may_tell(heard: Heard, own: Heard, channel: Channel) -> bool:
    """Whether the message cannot be taken by a layer before; those at the same boundary are one layer."""
    return channel in own or channel not in heard or bool(heard[channel] >> (channel.sender - 1) & 1)


def _common(n: int, heard: Heard, own: Heard) -> list[int]:
    """For each process, those who have heard of all that it has: telling them teaches nothing.

    A message that teaches nothing is never of use.  What it acknowledges, its sender has heard of, and so
    has the next send of the same process.
    """
    common = [(1 << n) - 1] * (n + 1)
    for mask in {*heard.values(), *own.values()}:
        for process in _members(mask):
            common[process] &= mask
    return common


def _longer(plan: Plan, boundary: int, added: tuple[Channel, ...]) -> Plan:
    """The plan with more transmissions at a boundary."""
    return (*plan[:boundary], plan[boundary] + added, *plan[boundary + 1 :])


def _tell(heard: Heard, own: Heard, channel: Channel) -> None:
    """What is heard after a message: the receiver hears what the sender has, and of this message."""
    by, to = (1 << (end - 1) for end in channel)
    for known in (heard, own):
        for other, mask in known.items():
            if mask & by:
                known[other] = mask | to
    heard.pop(channel, None)
    own[channel] = to


def _members(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length()
        mask ^= low


def _union(masks: Iterator[int]) -> int:
    found = 0
    for mask in masks:
        found |= mask
    return found
