"""A small plan: missing messages are added, boundary by boundary; or all processes tell all."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from sealcheck.algorithms.mending.boundaries import NO_TAGS, Boundaries, Plan, Tagged, Unmet, longer, size
from sealcheck.algorithms.reach import bits
from sealcheck.programs.straight_line import Channel

MOST_SEARCHED = 12
"""With more processes, acknowledgments are looked for on channels only that the layers have no use for."""

MOST_PASSES = 50_000
"""The largest number of layers for which acknowledgments are added one after the other."""

PRUNED = 60
"""The largest plan from which superfluous acknowledgments are removed."""


class StepByStep:
    """The search for a plan, with tags on some channels."""

    def __init__(self, boundaries: Boundaries, tagged: Tagged = NO_TAGS) -> None:
        self.boundaries = boundaries
        self.tagged = tagged | boundaries.tagged
        self._everybody = range(1, boundaries.n + 1)
        self._most_passes = boundaries.passes + MOST_PASSES
        self._sent_upto, self._received_from = self._uses()

    def run(self) -> Plan | None:
        """The missing acknowledgments, or else barriers; without superfluous ones."""
        plan = self._added()
        if plan is None:
            plan = self._barriers()
        return None if plan is None else self._without_idle(plan)

    def _added(self) -> Plan | None:
        """Add missing acknowledgments, boundary by boundary, as long as this is possible."""
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
        """Insert a barrier wherever something is not met."""
        plan = self.boundaries.nothing
        while unmet := next(self.boundaries.unmet(plan, self.tagged), None):
            barrier = () if plan[unmet.boundary] else self._barrier(unmet.boundary)
            if not barrier or self.boundaries.passes > self._most_passes:
                return None
            plan = longer(plan, unmet.boundary, barrier)
        return plan

    def _barrier(self, boundary: int) -> tuple[Channel, ...]:
        """All processes tell one, and it tells all, along a tree whose channels are free in both directions.

        Nothing, if there is no such tree.
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
        """Up to which layer a channel is sent on, and from which boundary on it was received on."""
        layers = self.boundaries.layers
        sent = {channel: at for at, layer in enumerate(layers) for channel in layer.sends}
        received = {channel: at for at, layer in reversed([*enumerate(layers)]) for channel in layer.receives}
        if self.boundaries.phases.repeat:
            return dict.fromkeys(sent, len(layers)), dict.fromkeys(received, -1)
        return sent, {channel: at - 1 for channel, at in received.items()}

    def _is_free(self, boundary: int, channel: Channel) -> bool:
        """Whether no layer before the boundary receives on the channel, and none sends on it afterwards."""
        if channel in self.tagged:
            return True
        if channel in self.boundaries.left_over[boundary]:
            return False
        used_before = self._received_from.get(channel, boundary) < boundary
        return not used_before and self._sent_upto.get(channel, boundary) <= boundary

    def _direct(self, needs: Sequence[Unmet]) -> tuple[Channel, ...]:
        """The most useful messages on free channels, from processes that have heard to those that must."""
        added: list[Channel] = []
        left = list(needs)
        while left and (channel := self._most_useful(left)):
            added.append(channel)
            by, to = (1 << (end - 1) for end in channel)
            left = [each for each in left if not (each.heard & by and each.targets & to)]
        return tuple(added)

    def _most_useful(self, needs: Sequence[Unmet]) -> Channel | None:
        """The receiver that helps as many requirements as possible, and the best of its senders."""
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
        """A shortest sequence of messages on free channels from a process that has heard to one that must."""
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
        """One message, on any channel, that leaves fewer than so many requirements unmet."""
        pairs = ((u, v) for u in bits(need.heard) for v in self._everybody if u != v)
        for u, v in pairs:
            if self.boundaries.passes > self._most_passes:
                break
            tried = longer(plan, need.boundary, (Channel(u, v),))
            if sum(1 for _ in self.boundaries.unmet(tried, self.tagged)) < unmet:
                return (Channel(u, v),)
        return ()

    def _without_idle(self, plan: Plan) -> Plan:
        """Leave out, last first, each message that the others make unnecessary."""
        if size(plan) > PRUNED:
            return plan
        for boundary in reversed(range(len(plan))):
            for index in reversed(range(len(plan[boundary]))):
                there = plan[boundary][:index] + plan[boundary][index + 1 :]
                fewer = (*plan[:boundary], there, *plan[boundary + 1 :])
                if not any(self.boundaries.unmet(fewer, self.tagged)):
                    plan = fewer
        return plan
