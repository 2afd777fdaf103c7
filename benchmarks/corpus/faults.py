"""The faults that the naive implementation can have, with the targets that they break.

A test shows that each fault changes an answer of every target for which it is listed.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from benchmarks.corpus.naive import Naive

GRAPH = ("program-graph",)
SIGNATURES = ("signature", "signature-compose")
SEALS = ("sealable", "minimal-seal", "seal")
ON_CAUSALITY = (*SIGNATURES, "closed-channels", "is-seal", "minimal-seal")
IN_TURNS = (*GRAPH, *SIGNATURES, "closed-channels", "minimal-seal", "seal", "phases")
IN_A_RUN = (*IN_TURNS, "is-seal")
PORTS = ("port-phases", "interfering-ports")
EVERYWHERE = (*GRAPH, *ON_CAUSALITY, "sealable", "seal")

FAULTS: dict[str, dict[str, tuple[str, ...]]] = {
    "k'th matching": {
        "every send reaches every receive": (*GRAPH, "is-seal", "phases"),
        "the first send reaches every receive": (*EVERYWHERE, "phases"),
        "only the first message": (*EVERYWHERE, "phases"),
        "only the last message": (*GRAPH, *SIGNATURES, "is-seal", "phases"),
        "the last message first": (*GRAPH, "is-seal", "phases"),
        "the newest message first": IN_A_RUN,
        "the newest message first, in turns": IN_TURNS,
        "receives learn what the latest message says": IN_A_RUN,
        "the k'th send reaches the next receive": (*EVERYWHERE, "phases"),
        "the next send reaches the k'th receive": (*EVERYWHERE, "phases"),
        "at most two messages": EVERYWHERE,
        "no message edges": (*EVERYWHERE, "phases"),
        "messages stay on their channel": ("deadlock-free",),
        "one message is always there": ("deadlock-free",),
    },
    "transitive acknowledgment": {
        "nothing is transitive": (*ON_CAUSALITY, "sealable", "seal", "phases"),
        "two steps at most": (*ON_CAUSALITY, "phases"),
        "four steps at most": ON_CAUSALITY,
        "causal chains are followed over at most three messages": (
            *SIGNATURES,
            "closed-channels",
            "is-seal",
            "phases",
        ),
        "no chain through a third process": (*ON_CAUSALITY, "phases"),
        "one round": SEALS,
        "knowledge of one's own only": SEALS,
        "a message for each open channel": ("minimal-seal",),
        "whatever saturation sends": ("minimal-seal",),
        "two are always enough": ("minimal-seal",),
        "all acknowledge": ("seal",),
        "the messages backwards": ("seal",),
    },
    "order within a process": {
        "processes have no order": (*EVERYWHERE, "phases"),
        "a send is not ordered after a send": (*GRAPH, *SIGNATURES, "closed-channels", "is-seal"),
        "a receive is not ordered after a receive": (*GRAPH, *ON_CAUSALITY),
        "messages go backwards": (*EVERYWHERE, "phases"),
        "one turn": ("deadlock-free",),
        "one event a turn, one turn": ("deadlock-free",),
        "two turns": ("deadlock-free",),
        "balanced is enough": ("deadlock-free",),
        "all sends first": ("seal",),
    },
    "last receive of P": {
        "P's first receive": (*ON_CAUSALITY, "sealable", "seal", "phases", *PORTS),
        "P's second receive at most": (*ON_CAUSALITY, "sealable", "seal"),
        "any event of the receiver": (*ON_CAUSALITY, "sealable", "seal", "phases"),
        "the receiver's last event": (*SIGNATURES, "closed-channels", "minimal-seal"),
    },
    "first send of Q": {
        "Q's last send": ("is-seal",),
        "only the end of the sender": ("is-seal",),
        "only where Q sends": ("is-seal",),
        "never where Q sends": ("is-seal",),
        "Q's first event of the sender": ("is-seal",),
        "Q's first send of the sender": ("is-seal",),
        "the first send of P;Q": ("is-seal",),
        "the last send of a channel": SIGNATURES,
        "a seal may send on any channel": SEALS,
        "a seal sends on unused channels only": SEALS,
        "a seal sends on used channels only": SEALS,
    },
    "knowledge of one's own": {
        "no event is before itself": (*SIGNATURES, *SEALS),
        "nobody knows of its own receives": SEALS,
        "somebody has to know": SEALS,
        "all have to know": ("minimal-seal",),
        "the process's last event must be a receive": ("closed-channels", "is-seal"),
    },
    "direction of a channel": {
        "channels have no direction": ("deadlock-free", *EVERYWHERE, "phases"),
        "a channel is its sender": ("deadlock-free", *GRAPH, *ON_CAUSALITY),
        "a channel is its receiver": ("deadlock-free", *GRAPH, *SIGNATURES),
        "only upward channels": (*ON_CAUSALITY, "sealable", "seal", "phases"),
        "no channel 3->1": (*ON_CAUSALITY, "sealable", "seal", "phases"),
        "only channels of neighbours": (*ON_CAUSALITY, "sealable", "seal", "phases"),
        "no channels of the last process": (*ON_CAUSALITY, "sealable", "seal", "phases"),
        "the receiver has to know": ("closed-channels", "is-seal", *SEALS),
        "each message to the sender": ("seal",),
    },
    "empty Q": {
        "an empty Q seals": ("is-seal",),
        "an empty Q never seals": ("is-seal",),
        "an empty Q changes all": ("signature-compose",),
    },
    "P and then Q": {
        "Q before P": ("is-seal", "signature-compose"),
        "Q by itself": ("is-seal",),
        "only P": ("signature-compose",),
    },
    "layers": {
        "as if anything followed": ("phases", *PORTS),
        "only the first layer": ("phases", *PORTS),
        "only neighbouring layers": ("phases", *PORTS),
        "what may follow is forgotten": PORTS,
        "one round only": PORTS,
        "only the last layer": ("phases",),
        "the layer that sends last": ("phases",),
        "what is between does not count": ("phases",),
        "the layer's last send": ("phases",),
        "the layer's first event of the sender": ("phases",),
    },
    "what blocks": {
        "nothing blocks": PORTS,
        "a process waits for the blocked one only": PORTS[1:],
        "a layer begins when all have ended the one before": PORTS,
    },
    "ports": {
        "tags are ignored": PORTS,
        "any source is one sender": PORTS,
        "only senders of the layer itself": PORTS,
    },
    "guarantees": {
        "fifo is forgotten": PORTS,
        "fifo orders the whole port": PORTS,
        "no receive is starved": PORTS,
        "loss is forgotten": PORTS,
        "duplicates are forgotten": PORTS,
        "a copy is taken once": PORTS[1:],
    },
    "idle process": {
        "an idle process prevents it": ("is-seal",),
        "an idle process knows all": ("minimal-seal", "seal"),
        "idle processes have no nodes": GRAPH,
        "no edge from first to last": GRAPH,
        "no edges between dummy nodes": SIGNATURES,
        "only the first process": ("deadlock-free",),
        "some process ends": ("deadlock-free",),
    },
    "nothing to seal, or nothing that seals": {
        "all is sealable": ("sealable",),
        "only what is sealed by eps": ("sealable",),
        "connected, as printed": ("sealable",),
        "null for 0": ("minimal-seal",),
        "0 if there is none": ("minimal-seal",),
        "3n - 4": ("minimal-seal",),
        "null where eps would do": ("seal",),
        "eps where there is none": ("seal",),
        "without the last message": ("seal",),
        "without the first message": ("seal",),
        "sends without receives": ("seal",),
        "unused channels are open": ("closed-channels",),
        "closed channels stay": SIGNATURES,
    },
}
"""For each class of faults, the faults with the targets that they break."""


@dataclass(frozen=True)
class Mutant:
    """A wrong implementation of a target."""

    target: str
    group: str
    """The class of its fault."""
    fault: str

    @property
    def function(self) -> Callable[..., Any]:
        """Its answer."""
        naive = Naive(self.fault)
        return lambda *programs: naive.answer(self.target, *programs)

    def __str__(self) -> str:
        return f"{self.target}: {self.fault}"


def mutants(target: str | None = None) -> Iterator[Mutant]:
    """All mutants, or those of a target."""
    for group, faults in FAULTS.items():
        for fault, targets in faults.items():
            for each in targets:
                if target in (None, each):
                    yield Mutant(each, group, fault)
