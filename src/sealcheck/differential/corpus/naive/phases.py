"""The target phases, naively."""

from collections.abc import Iterable

from sealcheck.differential.corpus.naive.events import Channel, Program
from sealcheck.differential.corpus.naive.sealing import Sealing


class Phases(Sealing):
    """As is-seal, of each layer and the next one that sends."""

    def phases(self, *layers: Program) -> bool:
        """Each layer's last receive on a channel is before the next send of a later layer on it."""
        if self.fault == "as if anything followed":
            return all(
                self.knows_by(layer, self.together(layers[k + 1 :]), c)
                for k, layer in enumerate(layers)
                for c in self.used(layer)
            )
        followed = enumerate(layers[:1] if self.fault == "only the first layer" else layers[:-1])
        return all(self.is_safe(layers, k, c) for k, layer in followed for c in self.used(layer))

    def together(self, layers: Iterable[Program]) -> Program:
        """The layers as one program; of none, one of no process."""
        return [[event for share in shares for event in share] for shares in zip(*layers, strict=True)]

    def is_safe(self, layers: tuple[Program, ...], k: int, channel: Channel) -> bool:
        """Whether the layer's last receive on the channel is before the next send of a later layer on it."""
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
