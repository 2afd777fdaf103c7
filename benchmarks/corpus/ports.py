"""Naive implementations of the targets about layers over ports.

For each port and layer, this code plays the events that can happen without the layer's last receive on the
port. A *word* is a sequence of layers.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import chain

from benchmarks.corpus.causality import Events

Layer = list[list[tuple[str, int | str, str]]]
Port = tuple[int, int | str, str]
"""The reader, the sender or ``*``, and the tag."""
Receive = tuple[int, int, int]
"""The number of the layer in the word, the process, and the position in its share of the layer, from 0."""


class PortLayers(Events):
    """A port interferes if a layer's last receive on it can take a later layer's message.

    Before the first such receive, every receive takes a message of its own layer.
    """

    shared: set[tuple[int, str]]
    """The readers with the tags that they receive from any source."""
    ports: dict[str, list[str]]

    def port_phases(self, layers: list[Layer], ports: dict[str, list[str]], repeat: bool, open: bool) -> bool:
        """No port interferes."""
        return not self.interfering_ports(layers, ports, repeat, open)

    def interfering_ports(
        self, layers: list[Layer], ports: dict[str, list[str]], repeat: bool, open: bool
    ) -> list[str]:
        """The interfering ports in one round, or in two with `repeat`; with `open`, anything may follow."""
        events = [(k, e) for p in layers for k, share in enumerate(p, 1) for e in share]
        self.shared = {(k, self.tag(tag)) for k, (kind, other, tag) in events if other == "*"}
        self.ports = ports
        match self.fault:
            case "one round only":
                repeat = False
            case "what may follow is forgotten":
                open = False
            case "as if anything followed":
                open = True
        words = [layers, layers * 2] if repeat else [layers]
        used = {
            self.port(k, event): f"{k}<-{event[1]}{event[2] and ':'}{event[2]}"
            for k, event in events
            if event[0] == "rcv"
        }
        return [
            name
            for port, name in sorted(used.items(), key=str)
            if any(self.interferes(word, port, name, open) for word in words)
        ]

    def tag(self, tag: str) -> str:
        """The tag, as far as it counts."""
        return "" if self.fault == "tags are ignored" else tag

    def port(self, k: int, event: tuple[str, int | str, str]) -> Port:
        """The port of an event of process k."""
        kind, other, tag = event
        reader, sender = (int(other), k) if kind == "snd" else (k, other)
        return reader, "*" if (reader, self.tag(tag)) in self.shared else sender, self.tag(tag)

    def occurrences(self, word: list[Layer], kind: str, port: Port) -> Iterator[Receive]:
        """The sends or receives on a port, layer by layer."""
        for m, layer in enumerate(word):
            for k, share in enumerate(layer, 1):
                for at, event in enumerate(share):
                    if event[0] == kind and self.port(k, event) == port:
                        yield m, k, at

    def interferes(self, word: list[Layer], port: Port, name: str, open: bool) -> bool:
        """Whether a receive on the port can take a message of a later layer."""
        words = self.ports.get(name, [])
        receives = [*self.occurrences(word, "rcv", port)]
        with_port = sorted({m for m, _, _ in receives})
        if "duplicating" in words and self.fault != "duplicates are forgotten":
            return open or len(with_port) > 1
        if self.fault == "only the first layer":
            with_port = [m for m in with_port if m == 0]
        for m in with_port:
            own = [place for place in receives if place[0] == m]
            last = own[0] if self.fault == "P's first receive" else own[-1]
            upto = self.without(word, last)
            for _, sender in self.late(word, port, upto, m, open=open):
                if self.fits(word, port, words, own, sender):
                    return True
        return False

    def late(
        self, word: list[Layer], port: Port, upto: list[int], m: int, *, open: bool
    ) -> Iterator[tuple[int, int]]:
        """The layers after layer m, each with the senders that have sent to the port in it."""
        before = [
            [sum(len(layer[k]) for layer in word[:at]) for k in range(len(word[0]))]
            for at in range(len(word) + 1)
        ]
        for at, k, position in self.occurrences(word, "snd", port):
            near = at == m + 1 or self.fault != "only neighbouring layers"
            if at > m and near and before[at][k - 1] + position < upto[k - 1]:
                yield at, k
        for k in range(1, len(upto) + 1) if open else ():
            if k != port[0] and port[1] in ("*", k) and upto[k - 1] == before[-1][k - 1]:
                yield len(word), k

    def fits(self, word: list[Layer], port: Port, words: list[str], own: list[Receive], sender: int) -> bool:
        """Whether the order of the port lets the layer's last receive take a later message of the sender."""
        is_lossy = "lossy" in words and self.fault != "loss is forgotten"
        sends = [place for place in self.occurrences(word, "snd", port) if place[0] == own[0][0]]
        of_sender = [place for place in sends if place[1] == sender]
        if self.fault == "only senders of the layer itself" and not of_sender:
            return False
        if "fifo" not in words or is_lossy or self.fault == "fifo is forgotten":
            return True
        others = len(sends) - len(of_sender)
        if self.fault == "fifo orders the whole port" or not others:
            return False
        if self.fault == "no receive is starved":
            return True
        for nth in range(others, len(own)):
            upto = self.without(word, own[nth - 1])
            start = sum(len(layer[sender - 1]) for layer in word[: own[0][0]])
            there = sum(start + at < upto[sender - 1] for _, _, at in of_sender)
            if there < nth - others + 1:
                return False
        return True

    def without(self, word: list[Layer], receive: Receive) -> list[int]:
        """How many events of each process can happen without that receive."""
        layer, process, position = receive
        shares = [
            [*chain.from_iterable([(m, event) for event in each[k]] for m, each in enumerate(word))]
            for k in range(len(word[0]))
        ]
        stop = sum(len(each[process - 1]) for each in word[:layer]) + position
        ends = [stop if k == process else len(share) for k, share in enumerate(shares, 1)]
        if self.fault == "nothing blocks":
            return ends
        if self.fault == "a layer begins when all have ended the one before":
            ends = [min(end, sum(len(each[k]) for each in word[: layer + 1])) for k, end in enumerate(ends)]
        at, moved = [0] * len(shares), True
        held: Counter[tuple[int, Port]] = Counter()
        while moved:
            moved = False
            for k, share in enumerate(shares, 1):
                while at[k - 1] < ends[k - 1]:
                    m, event = share[at[k - 1]]
                    port = self.port(k, event)
                    if event[0] == "rcv" and not held[m, port] and not self.is_there(event, process):
                        break
                    if event[0] == "snd" or not self.copies(port):
                        held[m, port] += 1 if event[0] == "snd" else -1
                    at[k - 1] += 1
                    moved = True
        return at

    def is_there(self, event: tuple[str, int | str, str], blocked: int) -> bool:
        """Whether the fault makes a receive find a message that is not there."""
        match self.fault:
            case "a process waits for the blocked one only":
                return event[1] not in ("*", blocked)
            case "any source is one sender":
                return event[1] == "*"
        return False

    def copies(self, port: Port) -> bool:
        """Whether the port may deliver a message again."""
        reader, sender, tag = port
        words = self.ports.get(f"{reader}<-{sender}{tag and ':'}{tag}", [])
        return "duplicating" in words and self.fault not in (
            "a copy is taken once",
            "duplicates are forgotten",
        )
