"""Graphs with their nodes as text, so that what a procedure returns can be compared with the truth.

Nodes are called as the transcriptions call them: ``fst 1``, ``lst 1``, in a program graph
``snd 1->2 #1`` for the first such event, in a signature ``snd 1->2``.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, product

import networkx as nx

from sealcheck.algorithms.as_printed.nodes import occurrences
from sealcheck.algorithms.as_printed.sig import sig_repaired
from sealcheck.algorithms.program_graph import Edge
from sealcheck.programs.events import Event
from sealcheck.programs.runs import Place
from sealcheck.programs.straight_line import StraightLine
from sealcheck.theorems.matching_functions import events

Pair = tuple[str, str]

WRONG_RECEIVE = (
    "Line 5 of Program-Graph joins the k'th snd i->j to the k'th rcv i<-j, a receive by the sender;"
    " it should say rcv j<-i."
)
"""The slip of Program-Graph, which spoils all that call it."""


@dataclass(frozen=True)
class Named:
    """The nodes and the edges of a graph."""

    nodes: frozenset[str]
    edges: frozenset[Pair]

    @classmethod
    def of(cls, graph: nx.DiGraph) -> "Named":
        """The graph that a transcribed procedure returns.  O(nodes + edges)."""
        return cls(frozenset(map(str, graph)), frozenset((str(e), str(f)) for e, f in graph.edges))


sig_of = lru_cache(maxsize=512)(sig_repaired)
"""The transcription of Sig with its callee mended, remembered: it is asked of the same programs again."""


def graph_of(program: StraightLine, messages: Iterable[Edge]) -> Named:
    """The program graph (section 4) with these message edges.  O(events + n).

    >>> from sealcheck.programs.events import mt
    >>> len(graph_of(StraightLine.of(2, mt(1, 2)), []).edges)
    4
    """
    name = {
        place: str(occurrence)
        for place, occurrence in zip(events(program), occurrences(program), strict=True)
    }
    edges = {(name[send], name[receive]) for send, receive in messages}
    nodes: set[str] = set()
    for process, share in enumerate(program.shares, 1):
        own = [name[Place(process, position)] for position in range(1, len(share) + 1)]
        path = [f"fst {process}", *own, f"lst {process}"]
        nodes.update(path)
        edges.update(pairwise(path))
    return Named(frozenset(nodes), frozenset(edges))


def signature_of(program: StraightLine, causal: Iterable[Edge]) -> Named:
    """sig(P) as the text of section 4 defines it, from the causal pairs of P's events.

    Of the dummy nodes, of the first send and of the last receive on each channel, those are left
    that no closed channel rules out, with all causal edges between them.  O(pairs + n^4).

    >>> from sealcheck.programs.events import mt
    >>> sorted(signature_of(StraightLine.of(1), []).edges)
    [('fst 1', 'lst 1')]
    """
    happening = events(program)
    first: dict[Event, Place] = {}
    last: dict[Event, Place] = {}
    for place, event in happening.items():
        first.setdefault(event, place)
        last[event] = place
    kept = {event: (first if event.is_send else last)[event] for event in first}
    edges = set(_with_dummies(program, frozenset(causal), kept))
    nodes = {f"{end} {process}" for end in ("fst", "lst") for process in range(1, program.n + 1)}
    for event in kept:
        to_send, from_receive = (f"fst {event.receiver}", str(event)), (str(event), f"lst {event.sender}")
        if (to_send if event.is_send else from_receive) not in edges:
            nodes.add(str(event))
    return Named(frozenset(nodes), frozenset((e, f) for e, f in edges if e in nodes and f in nodes))


def _with_dummies(program: StraightLine, causal: frozenset[Edge], kept: dict[Event, Place]) -> Iterator[Pair]:
    """The causal pairs of the dummy nodes and the events that are kept."""
    same_or_after = causal | {(place, place) for place in events(program)}
    for e, f in product(kept, repeat=2):
        if (kept[e], kept[f]) in causal:
            yield str(e), str(f)
    for e, (process, share) in product(kept, enumerate(program.shares, 1)):
        own = [Place(process, position) for position in range(1, len(share) + 1)]
        if any((place, kept[e]) in same_or_after for place in own):
            yield f"fst {process}", str(e)
        if any((kept[e], place) in same_or_after for place in own):
            yield str(e), f"lst {process}"
    for process in range(1, program.n + 1):
        yield f"fst {process}", f"lst {process}"
    for earlier, later in same_or_after:
        yield f"fst {earlier.process}", f"lst {later.process}"


def differences(answer: Named, truth: Named) -> Iterator[str]:
    """What is wrong with a graph, one sentence for each node and edge.

    >>> from sealcheck.programs.events import mt
    >>> p = StraightLine.of(2, mt(1, 2))
    >>> print(*differences(graph_of(p, []), graph_of(p, [(Place(1, 1), Place(2, 1))])))
    The edge from snd 1->2 #1 to rcv 2<-1 #1 is missing.
    """
    yield from (f"The node {node} is missing." for node in sorted(truth.nodes - answer.nodes))
    yield from (
        f"There is a node {node} that should not be there." for node in sorted(answer.nodes - truth.nodes)
    )
    yield from (f"The edge from {e} to {f} is missing." for e, f in sorted(truth.edges - answer.edges))
    yield from (
        f"There is an edge from {e} to {f} that should not be there."
        for e, f in sorted(answer.edges - truth.edges)
    )
