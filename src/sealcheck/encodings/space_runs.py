"""Runs of symbolic programs in sequence, from a silent cut, and sends on any channel around them."""

from collections.abc import Sequence
from itertools import combinations

from pysmt.fnode import FNode
from pysmt.shortcuts import TRUE, And, Iff, Not, Or, Symbol

from sealcheck.encodings.order import ConsistentCut, Interleaving, Order, Relation
from sealcheck.encodings.program_space import SymbolicMessages, exactly_one, same_channel
from sealcheck.encodings.runs import Conditional, Skeleton, SymbolicRun


class SendOutside:
    """One send outside the interval, on any channel: before it (`E`) or after it (`L`)."""

    def __init__(self, name: str, n: int, *, self_channels: bool = False) -> None:
        self.name, self.processes = name, range(1, n + 1)
        self.self_channels = self_channels

    def at(self, process: int) -> FNode:
        """That `process` is the sender."""
        return Symbol(f"{self.name}@{process}")

    def to(self, process: int) -> FNode:
        """That `process` is the receiver."""
        return Symbol(f"{self.name}>{process}")

    def well_formed(self) -> FNode:
        """That there is one channel, between different processes unless self-channels are on."""
        return And(
            exactly_one([self.at(p) for p in self.processes]),
            exactly_one([self.to(p) for p in self.processes]),
            *(Not(And(self.at(p), self.to(p))) for p in self.processes if not self.self_channels),
        )

    def by(self, program: SymbolicMessages, event: str) -> FNode:
        """That the sender is the process of `event`."""
        return Or(And(self.at(p), program.at(event, p)) for p in self.processes)

    def on_channel_of(self, program: SymbolicMessages, a: int) -> FNode:
        """That the send is on the channel of message a of `program`."""
        return And(
            And(
                Iff(self.at(p), program.at(program.sends[a], p)),
                Iff(self.to(p), program.at(program.receives[a], p)),
            )
            for p in self.processes
        )


def skeleton(
    layers: Sequence[SymbolicMessages], earlier: Sequence[SendOutside], later: Sequence[SendOutside]
) -> Skeleton:
    """The events of a run of the layers in sequence, with sends before and after the interval."""
    successions = [succession for layer in layers for succession in layer.successions()]
    for first, second in combinations(layers, 2):
        successions += [
            Conditional(e, f, Or(And(first.at(e, p), second.at(f, p)) for p in first.processes))
            for e in first.events
            for f in second.events
        ]
    for layer in layers:
        for event in layer.events:
            successions += [Conditional(outside.name, event, outside.by(layer, event)) for outside in earlier]
            successions += [Conditional(event, outside.name, outside.by(layer, event)) for outside in later]
    candidates = [
        Conditional(p.receives[a], q.sends[b], TRUE() if (p, a) == (q, b) else same_channel(p, a, q, b))
        for p in layers
        for a in p.messages
        for q in layers
        for b in q.messages
    ] + [
        Conditional(p.receives[a], outside.name, outside.on_channel_of(p, a))
        for p in layers
        for a in p.messages
        for outside in (*earlier, *later)
    ]
    return Skeleton(
        tuple([s for layer in layers for s in layer.sends] + [o.name for o in (*earlier, *later)]),
        tuple(r for layer in layers for r in layer.receives),
        frozenset(outside.name for outside in earlier),
        tuple(successions),
        tuple(candidates),
    )


class SpaceRun:
    """The symbolic run of layered symbolic programs, from a silent cut, with later sends.

    Source: the definition of runs, in section 2.2.
    """

    def __init__(
        self,
        layers: Sequence[SymbolicMessages],
        order: type[Interleaving] | type[Relation] | type[ConsistentCut] = Interleaving,
        *,
        later_sends: int = 1,
    ) -> None:
        """Lay out the events; without acyclicity `order` must be a `Relation` or a `ConsistentCut`."""
        n, self_channels = layers[0].n, layers[0].self_channels
        self.layers = layers
        self.earlier = [SendOutside("E0", n, self_channels=self_channels)]
        self.later = [SendOutside(f"L{k}", n, self_channels=self_channels) for k in range(later_sends)]
        parts = skeleton(layers, self.earlier, self.later)
        self.order: Order = order("t", parts.events)
        self.run = SymbolicRun(parts, self.order)

    def well_formed(self) -> list[FNode]:
        """That the layers are programs and the outside sends have channels."""
        return [*(layer.well_formed() for layer in self.layers), *self.outside_well_formed()]

    def outside_well_formed(self) -> list[FNode]:
        """That the outside sends have channels."""
        return [send.well_formed() for send in (*self.earlier, *self.later)]
