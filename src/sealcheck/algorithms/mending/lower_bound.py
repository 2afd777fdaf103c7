"""How many changes layers need at least that do not stay apart.

Each unmet requirement needs an acknowledgment from a process that has heard that the
receive is over, and one to a process whose present the next send knows; or, if tags are
allowed, it needs a tag.  Requirements for which these are different processes, boundaries and channels need
different changes.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from sealcheck.algorithms.mending.boundaries import Boundaries
from sealcheck.algorithms.reach import bits
from sealcheck.algorithms.signature import spread
from sealcheck.programs.straight_line import Channel

Change = Channel | tuple[str, int, int]
"""A tag for a channel; or a message, by the boundary and who sends, or receives, it."""


def fewest_changes(boundaries: Boundaries, *, may_tag: bool) -> int:
    """How many changes are needed at least: messages and, where that is allowed, channels with tags.

    >>> from sealcheck.programs.straight_line import mt
    >>> from sealcheck.programs.phases import Phases
    >>> from sealcheck.programs.straight_line import StraightLine
    >>> once = StraightLine.of(2, mt(1, 2))
    >>> fewest_changes(Boundaries(Phases((once, once, once))), may_tag=False)
    2
    """
    found = list(gaps(boundaries))
    tags = [{each.channel} if may_tag else () for each in found]
    return max(
        _packed([each.tellers.union(tag) for each, tag in zip(found, tags, strict=True)]),
        _packed([each.told.union(tag) for each, tag in zip(found, tags, strict=True)]),
    )


def _packed(sets: Sequence[frozenset[Change]]) -> int:
    """Of how many of the sets, chosen smallest first, no two have anything in common."""
    used: set[Change] = set()
    count = 0
    for each in sorted(set(sets), key=len):
        if used.isdisjoint(each):
            used |= each
            count += 1
    return count


class Gap(NamedTuple):
    """A requirement that is not met without acknowledgments, and the messages that could help."""

    channel: Channel
    tellers: frozenset[Change]
    """Those sent by who has heard that the receive is over."""
    told: frozenset[Change]
    """Those received by whose present the next send knows."""


def gaps(boundaries: Boundaries) -> Iterator[Gap]:
    """The requirements that are not met without acknowledgments."""
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
                yield Gap(channel, _places(boundaries, turn, heard), _places(boundaries, turn, leading[::-1]))


def _next_send(boundaries: Boundaries, turn: int, channel: Channel) -> tuple[int | None, int]:
    """In which turn the channel is sent on next, and from where that send is reached; or the end."""
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
