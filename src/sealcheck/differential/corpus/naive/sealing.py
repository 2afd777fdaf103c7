"""The targets closed-channels and is-seal, naively."""

from sealcheck.differential.corpus.naive.causality import Causality, Order
from sealcheck.differential.corpus.naive.events import Channel, Program


class Sealing(Causality):
    """By what happens before the next send on a channel."""

    def closed_channels(self, p: Program) -> list[Channel]:
        """The last receive is before some event of the sender; or there is none."""
        order = self.before(p)
        if self.fault == "unused channels are open":
            return [c for c in self.used(p) if self.is_closed(p, order, c)]
        return [c for c in self.channels(p) if c not in self.used(p) or self.is_closed(p, order, c)]

    def is_closed(self, p: Program, order: Order, channel: Channel) -> bool:
        """Whether the sender knows at P's end that P's receives on it are over."""
        knower = channel[1] if self.fault == "the receiver has to know" else channel[0]
        return self.reaches_process(p, order, self.last_receive(p, channel), knower)

    def is_seal(self, p: Program, q: Program) -> bool:
        """P's last receive is before Q's first send, or before something of the sender in P;Q."""
        match self.fault:
            case "an empty Q seals" if not any(q):
                return True
            case "an empty Q never seals" if not any(q):
                return False
            case "an idle process prevents it" if any(not a + b for a, b in zip(p, q, strict=True)):
                return False
            case "Q before P":
                p, q = q, p
            case "Q by itself":
                return all(self.knows_by(q, [], c) for c in self.used(p))
        return all(self.knows_by(p, q, c) for c in self.used(p))

    def knows_by(self, p: Program, q: Program, channel: Channel) -> bool:
        """Whether P's last receive on the channel happens before what Q sends on it, and anything later."""
        q = q or [[] for _ in p]
        if not self.on(p, "rcv", channel):
            return False
        both = [a + b for a, b in zip(p, q, strict=True)]
        order, last, (i, j) = self.before(both), self.last_receive(p, channel), channel
        if self.fault == "the receiver has to know":
            i = j
        offset = len(p[i - 1])
        sends = [offset + at for _, at in self.on(q, "snd", channel)] if i != j else []
        match self.fault:
            case "Q's last send":
                sends = sends[-1:]
            case "only the end of the sender":
                sends = []
            case "only where Q sends" if not sends:
                return True
            case "never where Q sends" if sends:
                return False
            case "Q's first event of the sender" if q[i - 1]:
                sends = [offset]
            case "Q's first send of the sender":
                sends = [offset + at for at, event in enumerate(q[i - 1]) if event[0] == "snd"]
            case "the first send of P;Q":
                sends = [at for _, at in self.on(both, "snd", channel)]
        if sends:
            return self.at_or_before(order, last, (i, sends[0]))
        return self.reaches_process(both, order, last, i)
