"""Who has heard that receives are over, as sets of processes in bit masks, and how messages spread it."""

from collections.abc import Iterator

from sealcheck.algorithms.signature import Signature
from sealcheck.programs.straight_line import Channel

Heard = dict[Channel, int]
"""For each channel that was received on, the processes that have heard that its last receive is over."""


def through(heard: Heard, layer: Signature) -> Heard:
    """The knowledge after a layer.

    >>> from sealcheck.algorithms.signature import signature
    >>> from sealcheck.programs.straight_line import mt
    >>> from sealcheck.programs.straight_line import StraightLine
    >>> answered = through({Channel(1, 2): 0b10}, signature(StraightLine.of(2, mt(2, 1))))
    >>> [(str(channel), list(members(mask))) for channel, mask in answered.items()]
    [('1->2', [1, 2]), ('2->1', [1])]
    """
    spread = {mask: union(layer.ends[u - 1] for u in members(mask)) for mask in set(heard.values())}
    return {channel: spread[mask] for channel, mask in heard.items()} | layer.receives


def may_tell(heard: Heard, own: Heard, channel: Channel) -> bool:
    """Whether no earlier layer can take a message on the channel; those at one boundary are of one layer.

    >>> [may_tell({Channel(1, 2): 0b10}, {}, channel) for channel in (Channel(1, 2), Channel(2, 1))]
    [False, True]
    """
    return channel in own or channel not in heard or bool(heard[channel] >> (channel.sender - 1) & 1)


def tell(heard: Heard, own: Heard, channel: Channel) -> None:
    """Add what a message on the channel tells: its receiver hears what the sender has, and of this message.

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
    """For each process, those who have heard of all that it has: telling them teaches nothing.

    A message that teaches nothing is never of use.  What it acknowledges, its sender has heard of, and so
    has the next send of the same process.

    >>> [list(members(mask)) for mask in in_common(2, {Channel(1, 2): 0b10}, {})[1:]]
    [[1, 2], [2]]
    """
    common = [(1 << n) - 1] * (n + 1)
    for mask in {*heard.values(), *own.values()}:
        for process in members(mask):
            common[process] &= mask
    return common


def members(mask: int) -> Iterator[int]:
    """The processes of a mask.

    >>> list(members(0b101))
    [1, 3]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length()
        mask ^= low


def union(masks: Iterator[int]) -> int:
    """The processes that are in any of the masks."""
    found = 0
    for mask in masks:
        found |= mask
    return found
