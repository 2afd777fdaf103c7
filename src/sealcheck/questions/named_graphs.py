"""Graphs whose nodes are texts, so that they can be compared, and written down, whoever made them.

The dummy nodes in front of and behind process 1 are ``fst 1`` and ``lst 1``.  In a program graph
``snd 1->2 #1`` is the first such event; a signature has at most one, called ``snd 1->2``.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Protocol

from sealcheck.oracles.matching_functions import Edge
from sealcheck.programs.events import Event
from sealcheck.programs.runs import Place, events
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.answer_types import AnswerType

Pair = tuple[str, str]


class Graph(Protocol):
    """What of a graph of networkx is looked at here."""

    @property
    def nodes(self) -> Iterable[Hashable]:
        """Its nodes, each with a text of its own."""

    @property
    def edges(self) -> Iterable[tuple[Hashable, Hashable]]:
        """Its edges."""


@dataclass(frozen=True)
class Named:
    """The nodes and the edges of a graph."""

    nodes: frozenset[str]
    edges: frozenset[Pair]

    @classmethod
    def of(cls, graph: Graph) -> "Named":
        """The graph with its nodes as texts.  O(nodes + edges)."""
        return cls(frozenset(map(str, graph.nodes)), frozenset((str(e), str(f)) for e, f in graph.edges))

    def __str__(self) -> str:
        edges = ", ".join(f"({e}, {f})" for e, f in sorted(self.edges))
        return f"nodes {', '.join(sorted(self.nodes))}; edges {edges}"


def program_graph_of(program: StraightLine, messages: Iterable[Edge]) -> Named:
    """The program graph (section 4) with these message edges.  O(events + n).

    >>> from sealcheck.programs.events import mt
    >>> print(program_graph_of(StraightLine.of(1, mt(1, 1)[:1]), []))
    nodes fst 1, lst 1, snd 1->1 #1; edges (fst 1, snd 1->1 #1), (snd 1->1 #1, lst 1)
    """
    name = _numbered(program)
    edges = {(name[send], name[receive]) for send, receive in messages}
    nodes: set[str] = set()
    for process, share in enumerate(program.shares, 1):
        own = [name[Place(process, position)] for position in range(1, len(share) + 1)]
        path = [f"fst {process}", *own, f"lst {process}"]
        nodes.update(path)
        edges.update(pairwise(path))
    return Named(frozenset(nodes), frozenset(edges))


def _numbered(program: StraightLine) -> dict[Place, str]:
    """The names of the events: all that are alike are by one process, and numbered in its order."""
    count: Counter[Event] = Counter()
    name: dict[Place, str] = {}
    for place, event in events(program).items():
        count[event] += 1
        name[place] = f"{event} #{count[event]}"
    return name


def signature_of(program: StraightLine, causal: Iterable[Edge]) -> Named:
    """sig(P) as the text of section 4 defines it, from the causal pairs of P's events.

    Of the dummy nodes, of the first send and of the last receive on each channel, those are left
    that no closed channel rules out, with all causal edges between them.  O(pairs + n^4).

    >>> print(signature_of(StraightLine.of(1), []))
    nodes fst 1, lst 1; edges (fst 1, lst 1)
    """
    first: dict[Event, Place] = {}
    last: dict[Event, Place] = {}
    for place, event in events(program).items():
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


def graph_type(example: str, number: str) -> AnswerType[Named]:
    """The type of graphs in which events are called like the example, and `number` matches the end of it."""
    node = {
        "type": "string",
        "pattern": f"^((fst|lst) [0-9]+|(snd [0-9]+->|rcv [0-9]+<-)[0-9]+{number})$",
        "examples": ["fst 1", "lst 1", example],
    }
    edge = {"type": "array", "items": node, "minItems": 2, "maxItems": 2}
    return AnswerType(
        {
            "type": "object",
            "properties": {
                "nodes": {"type": "array", "items": node, "uniqueItems": True},
                "edges": {"type": "array", "items": edge, "uniqueItems": True},
            },
            "required": ["nodes", "edges"],
            "additionalProperties": False,
        },
        lambda graph: {"nodes": sorted(graph.nodes), "edges": [list(edge) for edge in sorted(graph.edges)]},
        lambda value: Named(frozenset(value["nodes"]), frozenset((e, f) for e, f in value["edges"])),
    )


PROGRAM_GRAPHS = graph_type("snd 1->2 #1", " #[0-9]+")
"""Each event has its number among those that are alike."""

SIGNATURES = graph_type("snd 1->2", "")
"""No event is there twice."""
