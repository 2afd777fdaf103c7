"""The choices in a reading of the paper: channel model, silent cut, bound on repetitions, self-channels.

Code that depends on the channel model has a case for each model, or first calls a check with a case for each
model (`is_rel`). So if a model is added, the type checker names every place that must handle it. The same
holds for the readings of the silent cut.
"""

from dataclasses import dataclass
from enum import Enum
from typing import assert_never


class ChannelModel(Enum):
    """A set of runs."""

    REL = "rel"
    """A receive takes any message of its channel."""
    REL_FIFO = "rel-fifo"
    """The k'th receive on a channel takes the k'th message sent on it.

    So no message is skipped: if a message is never received, no later message of its channel is received.
    The condition for `REL` allows finitely many skipped messages. With skipped messages, the transmission
    ``mt 1->2`` would not keep later messages out: its receive could skip its own message and take a later
    message.
    """


class CutReading(Enum):
    """The two readings of the silent cut in the paper."""

    MATCHING = "matching"
    """No event before the cut is matched with an event after it: the paper's formal clause."""
    EMPTY = "empty"
    """No message is in transit, not even one that is never received: the paper's words."""


@dataclass(frozen=True)
class Semantics:
    """One reading of the paper.

    >>> print(Semantics(model=ChannelModel.REL_FIFO))
    rel-fifo/matching
    >>> print(Semantics(unroll=3, self_channels=True))
    rel/matching/unrolled 3 times/self-channels
    """

    model: ChannelModel = ChannelModel.REL
    reading: CutReading = CutReading.MATCHING
    unroll: int = 2
    """The most iterations of a repetition that are considered."""
    self_channels: bool = False
    """Whether a process may send to itself."""

    def __str__(self) -> str:
        parts = [self.model.value, self.reading.value]
        if self.unroll != Semantics.unroll:
            parts.append(f"unrolled {self.unroll} times")
        if self.self_channels:
            parts.append("self-channels")
        return "/".join(parts)


PAPER = Semantics()
"""The semantics of the paper's results: runs of Rel, the formal reading of the cut, no self-channels."""


def is_rel(semantics: Semantics) -> bool:
    """Whether the model is Rel, the only model that algorithms and the kernel support.

    >>> is_rel(Semantics()), is_rel(Semantics(model=ChannelModel.REL_FIFO))
    (True, False)
    """
    match semantics.model:
        case ChannelModel.REL:
            return True
        case ChannelModel.REL_FIFO:
            return False
        case other:
            assert_never(other)
