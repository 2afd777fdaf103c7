"""Signatures: the information about a balanced straight-line program that decides its sealing.

The paper's sig(P) is the transitive closure of the program graph, cut down to the dummy nodes
and the first send and last receive of each channel.  Sealing uses three kinds of its edges:
last receive -> Ld_k, Fd_k -> first send, and Fd_k -> Ld_i.  Each is a set of processes, kept
as a bit mask (bit k - 1 for process k).
"""

from dataclasses import dataclass
from functools import cached_property, reduce
from operator import or_

from sealcheck.algorithms.reach import bits, look_back, look_forward
from sealcheck.programs.straight_line import Channel, StraightLine


@dataclass(frozen=True)
class Signature:
    """The sealing signature of a balanced deadlock-free straight-line program.

    All channels that the program uses are kept, closed ones too; `open_channels` and
    `interfering_sends` are the event nodes that the paper keeps.  Source: signatures, in section `sec:rel`.
    """

    n: int
    receives: dict[Channel, int]
    """Channel -> the processes k with (last receive, Ld_k) in E+."""
    sends: dict[Channel, int]
    """Channel -> the processes k with (Fd_k, first send) in E+."""
    ends: tuple[int, ...]
    """``ends[k - 1]``: the processes i with (Fd_k, Ld_i) in E+."""

    @cached_property
    def open_channels(self) -> tuple[Channel, ...]:
        """The channels i->j whose last receive does not reach Ld_i, sorted."""
        reaches = self.receives.items()
        return tuple(sorted(channel for channel, mask in reaches if not mask >> (channel.sender - 1) & 1))

    @cached_property
    def interfering_sends(self) -> tuple[Channel, ...]:
        """The channels i->j whose first send Fd_j does not reach, sorted."""
        reaches = self.sends.items()
        return tuple(sorted(channel for channel, mask in reaches if not mask >> (channel.receiver - 1) & 1))

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """``starts[i - 1]``: the processes k with (Fd_k, Ld_i) in E+."""
        return tuple(sum(1 << k for k, mask in enumerate(self.ends) if mask >> i & 1) for i in range(self.n))


def signature(program: StraightLine) -> Signature:
    """The signature of a balanced straight-line program.  O(events * n / wordsize).

    Raises DeadlockError if the program deadlocks.  An unbalanced program has none; callers
    check that first.  Source: sig(P) (section 4).

    >>> from sealcheck.programs.straight_line import mt
    >>> [str(c) for c in signature(StraightLine.of(2, mt(1, 2))).open_channels]
    ['1->2']
    >>> [str(c) for c in signature(StraightLine.of(2, mt(1, 2) + mt(2, 1))).open_channels]
    ['2->1']
    """
    forward, back = look_forward(program), look_back(program)
    return Signature(program.n, forward.masks, back.masks, forward.ends)


Heard = dict[Channel, int]
"""For each channel that was received on, the processes that have heard that its last receive is over."""


def through(heard: Heard, layer: Signature) -> Heard:
    """Knowledge after one more layer.

    >>> from sealcheck.programs.straight_line import mt
    >>> answered = through({Channel(1, 2): 0b10}, signature(StraightLine.of(2, mt(2, 1))))
    >>> [(str(channel), list(bits(mask))) for channel, mask in answered.items()]
    [('1->2', [1, 2]), ('2->1', [1])]
    """
    after = {mask: spread(mask, layer.ends) for mask in set(heard.values())}
    return {channel: after[mask] for channel, mask in heard.items()} | layer.receives


def spread(mask: int, reached: tuple[int, ...]) -> int:
    """All processes that the processes of the mask reach; process k reaches those in ``reached[k - 1]``."""
    return reduce(or_, (reached[k - 1] for k in bits(mask)), 0)
