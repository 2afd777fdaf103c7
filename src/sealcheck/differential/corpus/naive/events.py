"""The events of programs, and the channels that these use."""

Program = list[list[tuple[str, int]]]
Channel = tuple[int, int]
Place = tuple[int, int]
"""The process, and the position in its share, from 0."""


class Events:
    """What everything else is made of; with the fault, which is empty where there is none."""

    def __init__(self, fault: str = "") -> None:
        self.fault = fault

    def channel(self, place: Place, event: tuple[str, int]) -> Channel:
        """The sender and the receiver."""
        kind, other = event
        own = place[0]
        channel = (own, other) if kind == "snd" else (other, own)
        if self.fault == "channels have no direction":
            return (min(channel), max(channel))
        if self.fault == "a channel is its sender":
            return (channel[0], 0)
        if self.fault == "a channel is its receiver":
            return (0, channel[1])
        return channel

    def places(self, p: Program) -> dict[Place, tuple[str, int]]:
        """All events."""
        return {(k, at): event for k, share in enumerate(p, 1) for at, event in enumerate(share)}

    def on(self, p: Program, kind: str, channel: Channel) -> list[Place]:
        """The sends or receives on a channel, in the order of their process."""
        i, j = channel
        own, other = (i, j) if kind == "snd" else (j, i)
        return [(own, at) for at, event in enumerate(p[own - 1]) if event == (kind, other)]

    def channels(self, p: Program) -> list[Channel]:
        """All channels between two processes."""
        every = [(i, j) for i in range(1, len(p) + 1) for j in range(1, len(p) + 1) if i != j]
        if self.fault == "only upward channels":
            return [c for c in every if c[0] < c[1]]
        if self.fault == "no channel 3->1":
            return [c for c in every if c != (3, 1)]
        if self.fault == "only channels of neighbours":
            return [c for c in every if abs(c[0] - c[1]) == 1]
        if self.fault == "no channels of the last process":
            return [c for c in every if len(p) < 3 or len(p) not in c]
        return every

    def used(self, p: Program) -> list[Channel]:
        """The channels on which P receives."""
        return [c for c in self.channels(p) if self.on(p, "rcv", c)]
