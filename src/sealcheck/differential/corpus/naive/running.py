"""The target deadlock-free, naively: the program is run."""

from sealcheck.differential.corpus.naive.events import Channel, Events, Program


class Running(Events):
    """What runs programs."""

    def deadlock_free(self, p: Program) -> bool:
        """By running it."""
        at, moved = [0] * len(p), True
        waiting: dict[Channel, int] = {}
        while moved:
            moved = False
            for k, share in enumerate(p, 1):
                while at[k - 1] < len(share):
                    kind, other = share[at[k - 1]]
                    channel = self.channel((k, 0), (kind, other))
                    if kind == "rcv" and self.blocks(waiting.get(channel, 0)):
                        break
                    waiting[channel] = waiting.get(channel, 0) + (1 if kind == "snd" else self.taken())
                    at[k - 1] += 1
                    moved = True
                    if self.fault == "one event a turn, one turn":
                        break
            if self.fault in ("one turn", "one event a turn, one turn"):
                break
            if self.fault == "two turns" and sum(at) > sum(map(len, p)) // 2:
                moved = False
        if self.fault == "only the first process":
            return at[0] == len(p[0])
        if self.fault == "some process ends":
            return any(reached == len(share) for reached, share in zip(at, p, strict=True))
        if self.fault == "balanced is enough":
            return True
        return all(reached == len(share) for reached, share in zip(at, p, strict=True))

    def blocks(self, messages: int) -> bool:
        """Whether a receive has to wait."""
        return messages < 0 if self.fault == "one message is always there" else messages <= 0

    def taken(self) -> int:
        """What a receive does to the number of messages."""
        return 0 if self.fault == "messages stay on their channel" else -1
