"""Naive implementations of the targets about sealing and phases: what processes know and can tell others.

A *target* is a question that implementations can be tested against.
"""

from collections.abc import Iterable

from benchmarks.corpus.causality import Causality, Channel, Order, Program


class Sealing(Causality):
    """Targets decided by the events before the next send on a channel."""

    def closed_channels(self, p: Program) -> list[Channel]:
        """The unused channels, and those whose last receive happens before some event of the sender."""
        order = self.before(p)
        if self.fault == "unused channels are open":
            return [c for c in self.used(p) if self.is_closed(p, order, c)]
        return [c for c in self.channels(p) if c not in self.used(p) or self.is_closed(p, order, c)]

    def is_closed(self, p: Program, order: Order, channel: Channel) -> bool:
        """Whether the channel's sender knows, at P's end, that P's receives on the channel are over."""
        knower = channel[1] if self.fault == "the receiver has to know" else channel[0]
        return self.reaches_process(p, order, self.last_receive(p, channel), knower)

    def is_seal(self, p: Program, q: Program) -> bool:
        """Whether each last receive of P on a channel is before Q's first send on that channel.

        If Q does not send on the channel, the receive must be before some event of the sender in P;Q.
        """
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
        """Whether P's last receive on the channel happens before anything is sent on it in Q or later."""
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


class Phases(Sealing):
    """Whether each layer is sealed, as in is-seal, by the next one that sends."""

    def phases(self, *layers: Program) -> bool:
        """Whether each layer's last receive on a channel is before the next send on it in a later layer."""
        if self.fault == "as if anything followed":
            return all(
                self.knows_by(layer, self.together(layers[k + 1 :]), c)
                for k, layer in enumerate(layers)
                for c in self.used(layer)
            )
        followed = enumerate(layers[:1] if self.fault == "only the first layer" else layers[:-1])
        return all(self.is_safe(layers, k, c) for k, layer in followed for c in self.used(layer))

    def together(self, layers: Iterable[Program]) -> Program:
        """The layers as one program; without layers, a program without processes."""
        return [[event for share in shares for event in share] for shares in zip(*layers, strict=True)]

    def is_safe(self, layers: tuple[Program, ...], k: int, channel: Channel) -> bool:
        """Whether layer k's last receive on the channel is before the first send on it in a later layer."""
        sending = [m for m in range(k + 1, len(layers)) if self.on(layers[m], "snd", channel)]
        match self.fault:
            case "only neighbouring layers":
                sending = [m for m in sending if m == k + 1]
            case "only the last layer":
                sending = [m for m in sending if m == len(layers) - 1]
            case "the layer that sends last":
                sending = sending[-1:]
        if not sending:
            return True
        m = sending[0]
        if self.fault == "what is between does not count":
            layers, k, m = (layers[k], layers[m]), 0, 1
        (own, at), i = self.last_receive(layers[k], channel), channel[0]
        last = own, at + sum(len(layer[own - 1]) for layer in layers[:k])
        sends = [place[1] for place in self.on(layers[m], "snd", channel)]
        if self.fault == "the layer's last send":
            sends = sends[-1:]
        if self.fault == "the layer's first event of the sender":
            sends = [0]
        first = i, sends[0] + sum(len(layer[i - 1]) for layer in layers[:m])
        return self.at_or_before(self.before(self.together(layers)), last, first)


class Knowledge(Sealing):
    """For each process, the channels on which it knows P's receives to be over."""

    def known(self, p: Program) -> list[set[Channel]]:
        """For each process, the channels on which it knows P's receives to be over, at P's end."""
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
        """The knowledge that processes can reach, and the messages that spread it."""
        known, used = self.known(p), self.used(p)
        sent: list[Channel] = []
        changed, rounds = True, 0
        while changed and not (self.fault == "one round" and rounds == 1):
            changed, rounds = False, rounds + 1
            for i, j in self.channels(p):
                told = (self.known(p) if self.fault == "knowledge of one's own only" else known)[i - 1]
                if self.may_send(known, (i, j), used) and not told <= known[j - 1]:
                    known[j - 1] |= told
                    sent.append((i, j))
                    changed = True
        return known, sent


SLOW_FROM = 4
"""The smallest number of processes for which the search for a shortest seal takes too long."""


class Seals(Knowledge):
    """Targets about seals, found by letting processes tell each other what they know."""

    def sealable(self, p: Program) -> bool:
        """Whether all processes can come to know enough."""
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
        """Messages that tell all processes enough."""
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
        """The answer, by trying all sequences of messages, shorter sequences first."""
        used = self.used(p)
        if len(p) >= SLOW_FROM:
            raise NotImplementedError(f"more than {SLOW_FROM - 1} processes")
        if self.lacks(self.saturated(p)[0], used):
            return 0 if self.fault == "0 if there is none" else None
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
        """The possible states of knowledge after one more message that tells its receiver something new."""
        for i, j in self.channels(p):
            if self.may_send(known, (i, j), used) and not known[i - 1] <= known[j - 1]:
                yield [of | known[i - 1] if k == j else of for k, of in enumerate(known, 1)]
