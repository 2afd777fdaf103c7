"""Boundaries between layers: messages inserted there, what processes hear by them, and unmet requirements.

An event *reaches* another event if a causal path leads to it. A *requirement* says that a layer's last
receive on a channel must reach the next send on the channel in a later layer. A process has *heard* of this
receive if the receive reaches the process's next event. Messages inserted at a boundary let more processes
hear of receives. A layer may leave messages on channels, but must not deadlock when it runs alone.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate
from operator import or_
from typing import NamedTuple

from sealcheck.algorithms.phases import ROUNDS
from sealcheck.algorithms.signature import Heard, Signature, bits, look_back, signature, through
from sealcheck.programs.phases import Phases
from sealcheck.programs.straight_line import Channel, StraightLine

Plan = tuple[tuple[Channel, ...], ...]
"""For each boundary, the transmissions that are inserted there, in order."""

Tagged = frozenset[Channel]
"""Channels with tags. All requirements on these channels are met."""

NO_TAGS: Tagged = frozenset()


class Unmet(NamedTuple):
    """An unmet requirement: no path leads from a process that has heard of the receive to the next send."""

    channel: Channel
    boundary: int
    """The boundary just before the next send."""
    heard: int
    targets: int
    """A mask of the processes whose start of the next layer reaches the next send."""


class Boundaries:
    """The boundaries after each layer. The last layer has a boundary only if something may follow it."""

    def __init__(self, phases: Phases, tagged: Tagged = NO_TAGS) -> None:
        self.phases = phases
        self.tagged = tagged
        """Channels that have tags in any case."""
        self.layers = [_signature(layer) for layer in phases.layers]
        left = list(accumulate((frozenset(layer.imbalance) for layer in phases.layers), or_))
        self.left_over = left[-1:] * len(left) if phases.repeat else left
        """For each boundary, the channels on which an earlier layer leaves a message."""
        self.rounds = ROUNDS if phases.repeat else 1
        self.count = len(self.layers) - (not (phases.repeat or phases.open))
        self.passes = 0
        """The work of `unmet` so far. One unit is one pass over one layer of few processes."""
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
        """The requirements that a plan leaves unmet, in the order of time. O(layers * n^2)."""
        self.passes += self._pass
        tagged |= self.tagged
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
                if channel in self.left_over[at] or not may_tell(heard, own, channel):
                    yield Unmet(channel, at, heard.get(channel, 0), 1 << (channel.sender - 1))
                tell(heard, own, channel)
            if self.phases.open and turn == self.rounds * len(self.layers) - 1:
                ends = ((channel, 1 << (channel.sender - 1)) for channel in heard)
                yield from (Unmet(c, at, heard[c], end) for c, end in ends if not heard[c] & end)
            heard |= own

    def interfering(self, plan: Plan) -> Tagged:
        """The channels with unmet requirements. With tags on these channels, the plan keeps layers apart."""
        return frozenset(each.channel for each in self.unmet(plan))


def _signature(layer: StraightLine) -> Signature:
    """The signature of a layer. Messages that the layer leaves over teach no process anything."""
    if layer.is_balanced:
        return signature(layer)
    left = Counter(layer.imbalance)
    shares = []
    for share in layer.shares:
        kept = []
        for event in reversed(share):
            if event.is_send and left[event.channel]:
                left[event.channel] -= 1
            else:
                kept.append(event)
        shares.append(tuple(reversed(kept)))
    received = signature(StraightLine(tuple(shares)))
    return replace(received, sends=look_back(layer).masks)


def may_tell(heard: Heard, own: Heard, channel: Channel) -> bool:
    """Whether no earlier layer can take a message that is sent on the channel at a boundary.

    All messages at one boundary belong to one layer, so a receive there may take any of them.

    >>> [may_tell({Channel(1, 2): 0b10}, {}, channel) for channel in (Channel(1, 2), Channel(2, 1))]
    [False, True]
    """
    return channel in own or channel not in heard or bool(heard[channel] >> (channel.sender - 1) & 1)


def tell(heard: Heard, own: Heard, channel: Channel) -> None:
    """Send a message on a channel. The receiver hears of all receives of which the sender has heard.

    The receive of this message is added to `own`.

    >>> heard, own = {Channel(1, 2): 0b10}, {}
    >>> tell(heard, own, Channel(2, 1))
    >>> heard, own
    ({Channel(sender=1, receiver=2): 3}, {Channel(sender=2, receiver=1): 1})
    """
    by, to = (1 << (end - 1) for end in channel)
    for known in (heard, own):
        for other, mask in known.items():
            if mask & by:
                known[other] = mask | to
    heard.pop(channel, None)
    own[channel] = to


def in_common(n: int, heard: Heard, own: Heard) -> list[int]:
    """For each process k, a mask of the processes that have heard of all receives of which k has heard.

    A message from k to such a process is useless.

    >>> [list(bits(mask)) for mask in in_common(2, {Channel(1, 2): 0b10}, {})[1:]]
    [[1, 2], [2]]
    """
    common = [(1 << n) - 1] * (n + 1)
    for mask in {*heard.values(), *own.values()}:
        for process in bits(mask):
            common[process] &= mask
    return common


def longer(plan: Plan, boundary: int, added: tuple[Channel, ...]) -> Plan:
    """The plan with more transmissions at one boundary.

    >>> longer(((), (Channel(1, 2),)), 0, (Channel(2, 1),))
    ((Channel(sender=2, receiver=1),), (Channel(sender=1, receiver=2),))
    """
    return (*plan[:boundary], plan[boundary] + added, *plan[boundary + 1 :])


def size(plan: Plan) -> int:
    """The number of messages that a plan inserts."""
    return sum(map(len, plan))
