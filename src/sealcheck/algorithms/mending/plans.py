"""Find plans of messages to insert between layers: small plans step by step, and plans with fewest changes.

`sealcheck.algorithms.mending.boundaries` explains *plan*, *requirement* and *heard*. A *change* inserts one
message or, if tags are allowed, gives one channel a tag.

`StepByStep` adds messages for unmet requirements at each boundary, again and again until no requirement is
unmet. If that fails, `StepByStep` inserts barriers.

`AllPlans` tries all plans with a given number of changes. A channel gets a tag only if a requirement on this
channel is unmet.

The lower bound (`fewest_changes`) counts requirements that need different changes. To meet a requirement, two
messages are needed, which may be the same message:

- a message from a process that has heard of the receive;
- a message to a process from which a path leads to the next send.

Each requirement has two sets: the pairs (boundary, sender) and the pairs (boundary, receiver) of messages
that can help. If tags are allowed, a tag on the channel can replace these messages, so both sets also contain
the tag. Two requirements need different changes if their first sets are disjoint, or if their second sets
are.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import accumulate

from sealcheck.algorithms.mending.boundaries import (
    NO_TAGS,
    Boundaries,
    Plan,
    Tagged,
    Unmet,
    in_common,
    longer,
    may_tell,
    size,
    tell,
)
from sealcheck.algorithms.signature import Heard, bits, spread, through
from sealcheck.programs.straight_line import Channel, channels

MOST_SEARCHED = 12
"""The most processes for three costly searches: `_relayed`, `_tried` and `AllPlans`."""

MOST_PASSES = 50_000
"""The largest work, in units of `Boundaries.passes`, that `StepByStep` spends on adding acknowledgments."""

PRUNED = 60
"""The largest plan from which unnecessary acknowledgments are removed."""


class StepByStep:
    """The search for a plan, with tags on some channels."""

    def __init__(self, boundaries: Boundaries, tagged: Tagged = NO_TAGS) -> None:
        self.boundaries = boundaries
        self.tagged = tagged | boundaries.tagged
        self._everybody = range(1, boundaries.n + 1)
        self._most_passes = boundaries.passes + MOST_PASSES
        self._sent_upto, self._received_from = self._uses()

    def run(self) -> Plan | None:
        """A plan of single messages (`_added`) or, if that is not found, of barriers; None if neither is
        found.
        """
        plan = self._added()
        if plan is None:
            plan = self._barriers()
        return None if plan is None else self._without_idle(plan)

    def _added(self) -> Plan | None:
        """Add messages until no requirement is unmet; None if that fails."""
        plan = self.boundaries.nothing
        while self.boundaries.passes < self._most_passes:
            unmet = list(self.boundaries.unmet(plan, self.tagged))
            if not unmet:
                return plan
            there: defaultdict[int, list[Unmet]] = defaultdict(list)
            for each in unmet:
                there[each.boundary].append(each)
            added = {boundary: self._direct(needs) for boundary, needs in there.items()}
            if not any(added.values()) and self.boundaries.n <= MOST_SEARCHED:
                first = unmet[0]
                added = {first.boundary: self._relayed(first) or self._tried(plan, first, len(unmet))}
            if not any(added.values()) or max(map(len, plan)) > self.boundaries.n**2:
                return None
            for boundary, transmissions in added.items():
                plan = longer(plan, boundary, transmissions)
        return None

    def _barriers(self) -> Plan | None:
        """Insert a barrier at each boundary that has an unmet requirement."""
        plan = self.boundaries.nothing
        while unmet := next(self.boundaries.unmet(plan, self.tagged), None):
            barrier = () if plan[unmet.boundary] else self._barrier(unmet.boundary)
            if not barrier or self.boundaries.passes > self._most_passes:
                return None
            plan = longer(plan, unmet.boundary, barrier)
        return plan

    def _barrier(self, boundary: int) -> tuple[Channel, ...]:
        """A barrier: all processes tell a root, along a tree of free channels, and the root tells all
        processes.

        The result is empty if there is no tree whose channels are free in both directions.
        """
        parent = {1: 0}
        for u in (reached := [1]):  # grows as it is gone through
            for v in self._everybody:
                if v not in parent and all(
                    self._is_free(boundary, way) for way in (Channel(u, v), Channel(v, u))
                ):
                    parent[v] = u
                    reached.append(v)
        told = [Channel(parent[v], v) for v in reached[1:]]
        asked = [Channel(v, parent[v]) for v in reversed(reached[1:])]
        return (*asked, *told) if len(reached) == self.boundaries.n else ()

    def _uses(self) -> tuple[dict[Channel, int], dict[Channel, int]]:
        """For each channel: the last layer that sends on it, and the boundary before the first receive on it.

        If the layers are repeated, the values are such that `_is_free` is false for every used channel.
        """
        layers = self.boundaries.layers
        sent = {channel: at for at, layer in enumerate(layers) for channel in layer.sends}
        received = {channel: at for at, layer in reversed([*enumerate(layers)]) for channel in layer.receives}
        if self.boundaries.phases.repeat:
            return dict.fromkeys(sent, len(layers)), dict.fromkeys(received, -1)
        return sent, {channel: at - 1 for channel, at in received.items()}

    def _is_free(self, boundary: int, channel: Channel) -> bool:
        """Whether no layer before the boundary receives on the channel, and no layer after it sends on the
        channel."""
        if channel in self.tagged:
            return True
        if channel in self.boundaries.left_over[boundary]:
            return False
        used_before = self._received_from.get(channel, boundary) < boundary
        return not used_before and self._sent_upto.get(channel, boundary) <= boundary

    def _direct(self, needs: Sequence[Unmet]) -> tuple[Channel, ...]:
        """Messages on free channels, from processes that have heard of receives to processes that have to
        hear.
        """
        added: list[Channel] = []
        left = list(needs)
        while left and (channel := self._most_useful(left)):
            added.append(channel)
            by, to = (1 << (end - 1) for end in channel)
            left = [each for each in left if not (each.heard & by and each.targets & to)]
        return tuple(added)

    def _most_useful(self, needs: Sequence[Unmet]) -> Channel | None:
        """A free channel to the process that is a target of the most requirements. Its sender has heard of
        the receives of as many of these requirements as possible."""
        to = Counter(v for each in needs for v in bits(each.targets))
        for v, _ in sorted(to.items(), key=lambda item: (-item[1], item[0])):
            here = needs[0].boundary
            free = {u for u in self._everybody if u != v and self._is_free(here, Channel(u, v))}
            told = (each.heard for each in needs if each.targets >> (v - 1) & 1)
            by = Counter(u for heard in told for u in bits(heard) if u in free)
            if by:
                return Channel(min(by, key=lambda u: (-by[u], u)), v)
        return None

    def _relayed(self, need: Unmet) -> tuple[Channel, ...]:
        """A shortest way on free channels from a process that has heard to a process that has to hear."""
        ways: dict[int, tuple[Channel, ...]] = dict.fromkeys(bits(need.heard), ())
        pending = list(ways)
        for u in pending:  # grows as it is gone through
            if need.targets >> (u - 1) & 1:
                return ways[u]
            for v in self._everybody:
                if v not in ways and self._is_free(need.boundary, Channel(u, v)):
                    ways[v] = (*ways[u], Channel(u, v))
                    pending.append(v)
        return ()

    def _tried(self, plan: Plan, need: Unmet, unmet: int) -> tuple[Channel, ...]:
        """One message, on any channel, after which fewer than `unmet` requirements are unmet."""
        pairs = ((u, v) for u in bits(need.heard) for v in self._everybody if u != v)
        for u, v in pairs:
            if self.boundaries.passes > self._most_passes:
                break
            tried = longer(plan, need.boundary, (Channel(u, v),))
            if sum(1 for _ in self.boundaries.unmet(tried, self.tagged)) < unmet:
                return (Channel(u, v),)
        return ()

    def _without_idle(self, plan: Plan) -> Plan:
        """Leave out messages, one by one from the last, if the rest is enough."""
        if size(plan) > PRUNED:
            return plan
        for boundary in reversed(range(len(plan))):
            for index in reversed(range(len(plan[boundary]))):
                there = plan[boundary][:index] + plan[boundary][index + 1 :]
                fewer = (*plan[:boundary], there, *plan[boundary + 1 :])
                if not any(self.boundaries.unmet(fewer, self.tagged)):
                    plan = fewer
        return plan


Change = Channel | tuple[str, int, int]
"""A tag for a channel, a message from a process at a boundary, or a message to a process at a boundary."""

MOST_STEPS = 20_000
"""The most beginnings of plans that a search visits. With many processes, one beginning counts several times.
"""


def fewest_changes(boundaries: Boundaries, *, may_tag: bool) -> int:
    """A lower bound on the number of changes: messages and, if `may_tag`, channels with tags.

    >>> from sealcheck.programs.phases import Phases
    >>> from sealcheck.programs.straight_line import StraightLine, mt
    >>> once = StraightLine.of(2, mt(1, 2))
    >>> fewest_changes(Boundaries(Phases((once, once, once))), may_tag=False)
    2
    """
    return max(map(_packed, zip(*_gaps(boundaries, may_tag), strict=True)), default=0)


def _packed(sets: Sequence[frozenset[Change]]) -> int:
    """The number of pairwise disjoint sets, chosen greedily, smallest first."""
    used: set[Change] = set()
    count = 0
    for each in sorted(dict.fromkeys(sets), key=len):
        if used.isdisjoint(each):
            used |= each
            count += 1
    return count


def _gaps(boundaries: Boundaries, may_tag: bool) -> Iterator[tuple[frozenset[Change], frozenset[Change]]]:
    """For each requirement that is unmet without changes, its two sets of changes (see the module's text)."""
    layers = boundaries.layers
    for turn, layer in enumerate(layers):
        for channel, mask in layer.receives.items():
            sent_at, targets = _next_send(boundaries, turn, channel)
            if sent_at is None or channel in boundaries.tagged:
                continue
            between = [layers[later % len(layers)] for later in range(turn + 1, sent_at)]
            heard = [*accumulate((each.ends for each in between), spread, initial=mask)]
            if not heard[-1] & targets:
                leading = [*accumulate((each.starts for each in reversed(between)), spread, initial=targets)]
                tag = frozenset([channel] if may_tag else [])
                yield tag | _places(boundaries, turn, heard), tag | _places(boundaries, turn, leading[::-1])


def _next_send(boundaries: Boundaries, turn: int, channel: Channel) -> tuple[int | None, int]:
    """The turn of the next send on the channel, and a mask of the processes whose start reaches this send.

    If there is no such send, the sender's end counts as a send if anything may follow; if not, the turn is
    None.
    """
    layers = boundaries.layers
    for later in range(turn + 1, boundaries.rounds * len(layers)):
        targets = layers[later % len(layers)].sends.get(channel)
        if targets is not None:
            return later, targets
    return (len(layers), 1 << (channel.sender - 1)) if boundaries.phases.open else (None, 0)


def _places(boundaries: Boundaries, turn: int, masks: list[int]) -> frozenset[Change]:
    """The messages from or to a process in a mask; mask k is for the k'th boundary from `turn` on, from 0."""
    return frozenset(
        ("message", (turn + offset) % len(boundaries.layers), process)
        for offset, mask in enumerate(masks)
        for process in bits(mask)
    )


class AllPlans:
    """The search through all plans with a given number of changes."""

    def __init__(self, boundaries: Boundaries, *, may_tag: bool) -> None:
        self.boundaries = boundaries
        self.may_tag = may_tag
        self.is_exhausted = False
        """Whether plans with more changes cannot be enough, either."""
        self._steps = 0
        self._step = 1 + boundaries.n**2 // 16  # the weight of a step
        self._seen: set[object] = set()
        self._is_cut_off = False  # whether a plan could have gone on with more changes
        self._failed: dict[object, int] = {}

    @property
    def has_given_up(self) -> bool:
        """Whether the search has hit its limit."""
        return self._steps >= MOST_STEPS

    def with_changes(self, count: int) -> Plan | None:
        """A plan with at most `count` changes, or None. O(MOST_STEPS) passes through a layer."""
        self._failed.clear()
        self._is_cut_off = False
        seen = len(self._seen)
        found = self._deepen(self.boundaries.nothing, 0, {}, self.boundaries.tagged, count)
        # Either no plan could go on, or one more message reached no new state, and more will not, either.
        repeat = self.boundaries.phases.repeat
        is_complete = not self._is_cut_off or (len(self._seen) == seen and not repeat)
        self.is_exhausted = is_complete and not self.has_given_up
        return found

    def _deepen(self, plan: Plan, at: int, heard: Heard, tagged: Tagged, left: int) -> Plan | None:
        """A plan that extends `plan` from just before layer `at`, with at most `left` more changes."""
        layer = self.boundaries.layers[at]
        wrong = {c for c, targets in layer.sends.items() if c in heard and not heard[c] & targets}
        if wrong and (not self.may_tag or len(wrong) > left):
            self._is_cut_off |= self.may_tag
            return None
        tagged |= wrong
        after = _untagged(through(heard, layer), tagged)
        return self._at_boundary(plan, at, after, {}, tagged=tagged, left=left - len(wrong))

    def _at_boundary(
        self, plan: Plan, at: int, heard: Heard, own: Heard, *, tagged: Tagged, left: int
    ) -> Plan | None:
        """A plan that extends `plan` from the boundary after layer `at`, with at most `left` more changes.

        `own` says which processes have heard of the acknowledgments that `plan` has at this boundary.
        """
        self._steps += self._step
        state = at, frozenset(heard.items()), frozenset(own.items()), tagged
        repeat = self.boundaries.phases.repeat
        if self._steps > MOST_STEPS or (not repeat and self._failed.get(state, -1) >= left):
            return None
        self._seen.add(state)
        if at + 1 < len(self.boundaries.layers):
            found = self._deepen(plan, at + 1, heard | own, tagged, left)
        else:
            wrong = len(self.boundaries.interfering(plan) - tagged)
            found = plan if wrong <= (left if self.may_tag else 0) else None
        if found is not None or at >= len(plan):
            return found
        if not left:
            self._is_cut_off = True
            return None
        common = in_common(self.boundaries.n, heard, own)
        for channel in channels(self.boundaries.n):
            news = not common[channel.sender] >> (channel.receiver - 1) & 1
            if repeat or news:
                found = self._with(channel, plan, at, heard, own, tagged=tagged, left=left - 1)
                if found is not None:
                    return found
        self._failed[state] = left
        return None

    def _with(
        self, channel: Channel, plan: Plan, at: int, heard: Heard, own: Heard, *, tagged: Tagged, left: int
    ) -> Plan | None:
        """A plan that extends `plan` by a message on `channel` here, and at most `left` more changes."""
        is_safe = channel not in self.boundaries.left_over[at] and may_tell(heard, own, channel)
        if channel not in tagged and not is_safe:
            if not self.may_tag or not left:
                self._is_cut_off |= self.may_tag
                return None
            tagged, left = tagged | {channel}, left - 1
        then, made = dict(heard), dict(own)
        tell(then, made, channel)
        then, made = _untagged(then, tagged), _untagged(made, tagged)
        return self._at_boundary(longer(plan, at, (channel,)), at, then, made, tagged=tagged, left=left)


def _untagged(heard: Heard, tagged: Tagged) -> Heard:
    return {channel: mask for channel, mask in heard.items() if channel not in tagged} if tagged else heard
