"""Slow oracles for the graph algorithms, written from the paper's definitions (section `sec:rel`).

networkx closes the program graph with its dummy nodes. Sealing, and the knowledge that transmissions spread,
are read off the closed graph.
"""

from collections.abc import Iterable
from functools import lru_cache, reduce
from itertools import pairwise
from operator import or_

import networkx as nx

from sealcheck.algorithms.signature import Signature
from sealcheck.programs.runs import Place
from sealcheck.programs.straight_line import Channel, Event, StraightLine, mt

FIRST, LAST = "first", "last"
Node = Place | tuple[str, int]


def places_of(program: StraightLine, event: Event) -> list[Place]:
    """The places of an event in the program: the k'th place is that of its k'th occurrence."""
    share = program.shares[event.process - 1]
    return [Place(event.process, at) for at, other in enumerate(share, 1) if other == event]


def used_channels(program: StraightLine) -> list[Channel]:
    return sorted({event.channel for share in program.shares for event in share if event.is_send})


def message_pairs(program: StraightLine) -> list[tuple[Place, Place]]:
    """The k'th send with the k'th receive of each channel."""
    ends = [[places_of(program, event) for event in mt(*channel)] for channel in used_channels(program)]
    return [pair for sends, receives in ends for pair in zip(sends, receives, strict=False)]


def is_chain(program: StraightLine, places: Iterable[Place]) -> bool:
    """Whether each place comes before the next, at one process or as the two ends of a message."""
    messages = set(message_pairs(program))
    return all((a.process == b.process and a < b) or (a, b) in messages for a, b in pairwise(places))


def program_graph(program: StraightLine) -> nx.DiGraph:
    """The program graph: events, Fd_i and Ld_i; successors at a process, and matching in FIFO order."""
    graph = nx.DiGraph()
    for process, share in enumerate(program.shares, 1):
        events = [Place(process, at) for at in range(1, len(share) + 1)]
        nx.add_path(graph, [(FIRST, process), *events, (LAST, process)])
    graph.add_edges_from(message_pairs(program))
    return graph


@lru_cache(maxsize=256)
def closure(program: StraightLine) -> frozenset[tuple[Node, Node]]:
    """E+, the irreflexive transitive closure of the program graph."""
    return frozenset(nx.transitive_closure(program_graph(program), reflexive=False).edges)


def processes(mask: int) -> set[int]:
    return {bit + 1 for bit in range(mask.bit_length()) if mask >> bit & 1}


def open_channels(program: StraightLine) -> list[Channel]:
    """The channels whose last receive does not reach Ld of the sender."""
    last = {channel: places_of(program, mt(*channel)[1])[-1] for channel in used_channels(program)}
    return [c for c, place in last.items() if (place, (LAST, c.sender)) not in closure(program)]


def unsealed(p: StraightLine, q: StraightLine) -> list[Channel]:
    """The channels of P on which a later message can come too early, by the graph of P;Q.

    P's last receive does not precede Q's first message on such a channel. If Q sends none there, it does not
    precede the end of the sender's part of P;Q.
    """
    both = p.then(q)
    found = []
    for channel in used_channels(p):
        send, receive = mt(*channel)
        sent = len(places_of(p, send))
        later: list[Node] = [*places_of(both, send)[sent:], (LAST, channel.sender)]
        if (places_of(both, receive)[sent - 1], later[0]) not in closure(both):
            found.append(channel)
    return found


def knowledge(p: StraightLine, sent: Iterable[Channel] = ()) -> dict[Channel, set[int]]:
    """For each open channel of P, the processes that know it to be safe after P and these transmissions.

    Process k knows a channel if P's last receive on the channel precedes Ld_k.
    """
    both = p.then(StraightLine.of(p.n, [event for channel in sent for event in mt(*channel)]))
    last = {channel: places_of(p, mt(*channel)[1])[-1] for channel in open_channels(p)}
    everyone = range(1, p.n + 1)
    return {c: {k for k in everyone if (place, (LAST, k)) in closure(both)} for c, place in last.items()}


def compose(first: Signature, second: Signature) -> Signature:
    """The signature of P;Q from those of P and Q (`Signature-Compose`)."""

    def through(mask: int, table: tuple[int, ...]) -> int:
        return reduce(or_, (table[k - 1] for k in processes(mask)), 0)

    receives = {channel: through(mask, second.ends) for channel, mask in first.receives.items()}
    sends = {channel: through(mask, first.starts) for channel, mask in second.sends.items()}
    return Signature(
        first.n,
        receives | second.receives,
        sends | first.sends,
        tuple(through(mask, second.ends) for mask in first.ends),
    )
