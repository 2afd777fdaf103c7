"""What processes know at the end of a program, and can tell each other."""

from sealcheck.differential.corpus.naive.events import Channel, Program
from sealcheck.differential.corpus.naive.sealing import Sealing


class Knowledge(Sealing):
    """For each process, the channels on which it knows P's receives to be over."""

    def known(self, p: Program) -> list[set[Channel]]:
        """For each process, the channels of which it knows that P's receives on them are over."""
        order = self.before(p)

        def knows(k: int, channel: Channel) -> bool:
            last = self.last_receive(p, channel)
            if k == channel[1] and self.fault == "nobody knows of its own receives":
                return any((last, (k, at)) in order for at in range(len(p[k - 1])))
            return self.reaches_process(p, order, last, k)

        return [{c for c in self.used(p) if knows(k, c)} for k in range(1, len(p) + 1)]

    def may_send(self, known: list[set[Channel]], channel: Channel, used: list[Channel]) -> bool:
        """Whether a seal may send on a channel."""
        i, j = channel
        match self.fault:
            case "a seal may send on any channel":
                return True
            case "a seal sends on unused channels only":
                return channel not in used
            case "a seal sends on used channels only":
                return channel in known[i - 1]
            case "the receiver has to know":
                return channel not in used or channel in known[j - 1]
        return channel not in used or channel in known[i - 1]

    def lacks(self, known: list[set[Channel]], used: list[Channel]) -> bool:
        """Whether some sender does not know enough."""
        if self.fault == "somebody has to know":
            return any(all(c not in of for of in known) for c in used)
        if self.fault == "all have to know":
            return any(c not in of for c in used for of in known)
        return any((i, j) not in known[i - 1] for i, j in used)

    def saturated(self, p: Program) -> tuple[list[set[Channel]], list[Channel]]:
        """What processes can come to know, and by which messages."""
        known, used = self.known(p), self.used(p)
        sent: list[Channel] = []
        changed, rounds = True, 0
        while changed and not (self.fault == "one round" and rounds == 1):
            changed, rounds = False, rounds + 1
            start = [set(of) for of in known]
            for i, j in self.channels(p):
                source = start if self.fault == "knowledge of one's own only" else known
                told = self.known(p)[i - 1] if self.fault == "knowledge of one's own only" else source[i - 1]
                if self.may_send(known, (i, j), used) and not told <= known[j - 1]:
                    known[j - 1] |= told
                    sent.append((i, j))
                    changed = True
        return known, sent
