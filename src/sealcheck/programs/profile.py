"""What of a program decides how it can be sealed: who has heard of its last receives when it ends."""

from collections.abc import Mapping
from dataclasses import dataclass

from sealcheck.programs.events import Channel


@dataclass(frozen=True, order=True)
class Profile:
    """For each channel that is received on, who has heard of the last receive there when the program ends.

    It is conceivable, whether or not a program has it.  Source: sealability (section 4).
    """

    heard: tuple[tuple[Channel, int], ...]
    """The channels, and for each the processes as a mask: bit k - 1 stands for process k."""

    @classmethod
    def of(cls, masks: Mapping[Channel, int]) -> "Profile":
        """The profile with these masks of processes."""
        return cls(tuple(sorted(masks.items())))

    @property
    def masks(self) -> dict[Channel, int]:
        """The processes as masks, by channel."""
        return dict(self.heard)

    @property
    def informed(self) -> dict[Channel, frozenset[int]]:
        """The processes, by channel.

        >>> Profile.of({Channel(1, 2): 0b10}).informed
        {Channel(sender=1, receiver=2): frozenset({2})}
        """
        return {channel: frozenset(_processes(mask)) for channel, mask in self.heard}

    def __str__(self) -> str:
        channels = (f"{c} heard by {', '.join(map(str, _processes(mask)))}" for c, mask in self.heard)
        return "; ".join(channels) or "no receives"


def _processes(mask: int) -> list[int]:
    return [bit + 1 for bit in range(mask.bit_length()) if mask >> bit & 1]
