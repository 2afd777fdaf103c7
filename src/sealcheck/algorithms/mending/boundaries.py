"""Balanced layers with the boundaries between them: what is not met there, whatever is inserted."""

from collections.abc import Iterator
from typing import NamedTuple

from sealcheck.algorithms.mending.heard import Heard, may_tell, tell, through
from sealcheck.algorithms.phases import ROUNDS
from sealcheck.algorithms.signature import signature
from sealcheck.programs.events import Channel
from sealcheck.programs.phases import Phases

Plan = tuple[tuple[Channel, ...], ...]
"""For each boundary the transmissions that are inserted there."""

Tagged = frozenset[Channel]
"""Channels with tags: whatever is on these is met."""

NO_TAGS: Tagged = frozenset()


class Unmet(NamedTuple):
    """A requirement that is not met: the next send knows of nobody who has heard that a receive is over."""

    channel: Channel
    boundary: int
    """The one right before the next send."""
    heard: int
    targets: int
    """Those of whose presents at the boundary the send knows."""


class Boundaries:
    """The boundaries between balanced layers; one after the last, too, if something follows it."""

    def __init__(self, phases: Phases) -> None:
        self.phases = phases
        self.layers = [signature(layer) for layer in phases.layers]
        self.rounds = ROUNDS if phases.repeat else 1
        self.count = len(self.layers) - (not (phases.repeat or phases.open))
        self.passes = 0
        """How much work `unmet` was so far, in layers of few processes."""
        self._pass = self.rounds * len(self.layers) * (1 + phases.n**2 // 64)

    @property
    def n(self) -> int:
        """The number of processes."""
        return self.phases.n

    @property
    def nothing(self) -> Plan:
        """The plan that inserts nothing."""
        return ((),) * self.count

    def unmet(self, plan: Plan, tagged: Tagged = NO_TAGS) -> Iterator[Unmet]:
        """What is not met with a plan, in the order of time.  O(layers * n^2)."""
        self.passes += self._pass
        return (each for each in self._unmet(plan) if each.channel not in tagged)

    def _unmet(self, plan: Plan) -> Iterator[Unmet]:
        heard: Heard = {}
        for turn in range(self.rounds * len(self.layers)):
            at = turn % len(self.layers)
            layer = self.layers[at]
            for channel, targets in layer.sends.items():
                if channel in heard and not heard[channel] & targets:
                    yield Unmet(channel, (at - 1) % len(self.layers), heard[channel], targets)
            heard, own = through(heard, layer), Heard()
            for channel in plan[at] if at < len(plan) else ():
                if not may_tell(heard, own, channel):
                    yield Unmet(channel, at, heard[channel], 1 << (channel.sender - 1))
                tell(heard, own, channel)
            if self.phases.open and turn == self.rounds * len(self.layers) - 1:
                yield from _left(at, heard)
            heard |= own

    def interfering(self, plan: Plan) -> Tagged:
        """The channels on which something is not met with a plan: if they have tags, that is all."""
        return frozenset(each.channel for each in self.unmet(plan))


def _left(at: int, heard: Heard) -> Iterator[Unmet]:
    """What the senders do not know in the end."""
    for channel, mask in heard.items():
        target = 1 << (channel.sender - 1)
        if not mask & target:
            yield Unmet(channel, at, mask, target)


def longer(plan: Plan, boundary: int, added: tuple[Channel, ...]) -> Plan:
    """The plan with more transmissions at a boundary.

    >>> longer(((), (Channel(1, 2),)), 0, (Channel(2, 1),))
    ((Channel(sender=2, receiver=1),), (Channel(sender=1, receiver=2),))
    """
    return (*plan[:boundary], plan[boundary] + added, *plan[boundary + 1 :])


def size(plan: Plan) -> int:
    """How many messages a plan inserts."""
    return sum(map(len, plan))
