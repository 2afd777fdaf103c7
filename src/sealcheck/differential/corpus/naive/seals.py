"""The targets sealable, seal and minimal-seal, naively."""

from collections.abc import Iterable

from sealcheck.differential.corpus.naive.events import Channel, Program
from sealcheck.differential.corpus.naive.knowledge import Knowledge

SLOW_FROM = 4
"""With so many processes, the search for a shortest seal takes too long."""


class Seals(Knowledge):
    """By telling others what one knows."""

    def sealable(self, p: Program) -> bool:
        """Whether everybody can come to know enough."""
        match self.fault:
            case "only what is sealed by eps":
                return not self.lacks(self.known(p), self.used(p))
            case "all is sealable":
                return True
            case "connected, as printed":
                return self.is_connected(p)
        return not self.lacks(self.saturated(p)[0], self.used(p))

    def is_connected(self, p: Program) -> bool:
        """Whether the undirected graph of closed channels is connected."""
        closed = self.closed_channels(p)
        group, size = {1}, 0
        while len(group) > size:
            size = len(group)
            group |= {k for c in closed for k in c if group & set(c)}
        return len(group) == len(p)

    def seal(self, p: Program) -> str | None:
        """Messages that tell everybody enough."""
        known, sent = self.saturated(p)
        used = self.used(p)
        if self.lacks(known, used):
            return "eps" if self.fault == "eps where there is none" else None
        match self.fault:
            case "null where eps would do" if not self.lacks(self.known(p), used):
                return None
            case "the messages backwards":
                sent = sent[::-1]
            case "without the last message":
                sent = sent[:-1]
            case "without the first message":
                sent = sent[1:]
            case "each message to the sender":
                sent = [(j, i) for i, j in sent]
            case "all acknowledge":
                sent = [(j, i) for i, j in used if (i, j) not in self.known(p)[i - 1]]
            case "sends without receives":
                return "; ".join(f"snd {i}->{j}" for i, j in sent) or "eps"
            case "all sends first":
                sends = [f"snd {i}->{j}" for i, j in sent]
                return "; ".join([*sends, *(f"rcv {j}<-{i}" for i, j in sent)]) or "eps"
        return "; ".join(f"mt {i}->{j}" for i, j in sent) or "eps"

    def minimal_seal(self, p: Program) -> int | None:
        """By trying all sequences of messages, shorter ones first."""
        used = self.used(p)
        if len(p) >= SLOW_FROM:
            raise NotImplementedError(f"more than {SLOW_FROM - 1} processes")
        if self.lacks(self.saturated(p)[0], used):
            return 0 if self.fault == "0 where there is none" else None
        match self.fault:
            case "whatever saturation sends":
                return len(self.saturated(p)[1])
            case "a message for each open channel":
                known = self.known(p)
                return sum((i, j) not in known[i - 1] for i, j in used)
            case "3n - 4":
                return max(0, 3 * len(p) - 4) if self.lacks(self.known(p), used) else 0
        states, messages = [self.known(p)], 0
        while all(self.lacks(known, used) for known in states):
            states = [after for known in states for after in self.after(known, p, used)]
            messages += 1
        if self.fault == "null for 0":
            return messages or None
        return min(messages, 2) if self.fault == "two are always enough" else messages

    def after(
        self, known: list[set[Channel]], p: Program, used: list[Channel]
    ) -> Iterable[list[set[Channel]]]:
        """What is known after one more message that teaches somebody something."""
        for i, j in self.channels(p):
            if self.may_send(known, (i, j), used) and not known[i - 1] <= known[j - 1]:
                yield [of | known[i - 1] if k == j else of for k, of in enumerate(known, 1)]
