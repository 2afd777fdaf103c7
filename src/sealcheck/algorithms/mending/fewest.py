"""The fewest changes: a lower bound, and all plans of that size and larger, until one is enough.

A change inserts one message or, if that is allowed, gives one channel a tag.  There is no choice of channels:
a channel with an unmet requirement needs a tag.

Each unmet requirement needs two changes, perhaps the same: an acknowledgment from a process that has heard
that the receive is over, and one to a process whose present the next send knows. If tags are allowed, a tag
is enough instead.  Requirements for which these are different processes, boundaries and channels need
different changes.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate

from sealcheck.algorithms.mending.boundaries import (
    Boundaries,
    Plan,
    Tagged,
    in_common,
    longer,
    may_tell,
    tell,
)
from sealcheck.algorithms.reach import bits
from sealcheck.algorithms.signature import Heard, spread, through
from sealcheck.programs.straight_line import Channel, channels

Change = Channel | tuple[str, int, int]
"""A tag for a channel; or a message, by its boundary and its sender, or its receiver."""

MOST_STEPS = 20_000
"""So many beginnings of plans are looked at in search for the fewest; fewer where each takes long."""


def fewest_changes(boundaries: Boundaries, *, may_tag: bool) -> int:
    """A lower bound for the number of changes: messages and, with `may_tag`, channels with tags.

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
    """For each requirement unmet without changes, the changes that could help, by sender and receiver."""
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
    """The turn of the next send on the channel, and where that send, or the end, is reached from."""
    layers = boundaries.layers
    for later in range(turn + 1, boundaries.rounds * len(layers)):
        targets = layers[later % len(layers)].sends.get(channel)
        if targets is not None:
            return later, targets
    return (len(layers), 1 << (channel.sender - 1)) if boundaries.phases.open else (None, 0)


def _places(boundaries: Boundaries, turn: int, masks: list[int]) -> frozenset[Change]:
    """The boundaries with the processes of the mask there."""
    return frozenset(
        ("message", (turn + offset) % len(boundaries.layers), process)
        for offset, mask in enumerate(masks)
        for process in bits(mask)
    )


class AllPlans:
    """The search through plans, with one change more each time."""

    def __init__(self, boundaries: Boundaries, *, may_tag: bool) -> None:
        self.boundaries = boundaries
        self.may_tag = may_tag
        self.is_exhausted = False
        """Whether no more changes can lead anywhere."""
        self._steps = 0
        self._step = 1 + boundaries.n**2 // 16  # how much one weighs
        self._seen: set[object] = set()
        self._is_cut_off = False  # whether a plan could have gone on with more changes
        self._failed: dict[object, int] = {}

    @property
    def has_given_up(self) -> bool:
        """Whether the search has become too long."""
        return self._steps >= MOST_STEPS

    def with_changes(self, count: int) -> Plan | None:
        """A plan with so many changes.  O(MOST_STEPS) passes through a layer."""
        self._failed.clear()
        self._is_cut_off = False
        seen = len(self._seen)
        found = self._deepen(self.boundaries.nothing, 0, {}, self.boundaries.tagged, count)
        # No plan could go on.  Or where one more message leads, fewer did: then no more will lead elsewhere.
        repeat = self.boundaries.phases.repeat
        is_complete = not self._is_cut_off or (len(self._seen) == seen and not repeat)
        self.is_exhausted = is_complete and not self.has_given_up
        return found

    def _deepen(self, plan: Plan, at: int, heard: Heard, tagged: Tagged, left: int) -> Plan | None:
        """A plan that extends this one from right before layer `at`, with so many more changes."""
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
        """The same, from the boundary after layer `at`, where acknowledgments so far made `own`."""
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
        """The same, with a message on a channel there, and so many more changes."""
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
