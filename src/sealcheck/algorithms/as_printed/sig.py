"""Sig(P): the information about P that decides which programs P seals, and which seal P (`app:algo`).

The procedure has no slip (error) of its own. The printed Program-Graph makes it wrong. For `mt 1->2`, the
edges from the send to the receive and from fst_1 to lst_2 are missing.

*Decisions:*

- Line 3 finds all nodes to remove by E⁺, the closure of E (line 2), before it removes any node. So "another
  such send" may be a send that line 3 removes, too.
- E⁺ is "irreflexive": in a graph with a cycle, no node gets an edge to itself.
- A node of a signature is an event without its number k, because at most one send and one receive per channel
  are left. The procedures that call Sig name these nodes by their channels ("rcv^{j←i} ∈ V").
"""

from collections.abc import Callable
from functools import lru_cache

import networkx as nx

from sealcheck.algorithms.as_printed.program_graph import (
    First,
    Last,
    Node,
    Occurrence,
    occurrences,
    program_graph_repaired,
)
from sealcheck.programs.straight_line import Event, StraightLine


def sig(
    p: StraightLine, program_graph: Callable[[StraightLine], nx.DiGraph] = program_graph_repaired
) -> nx.DiGraph:
    """The signature, a graph on `First`, `Last` and `Event` nodes.

    O((n + ‖P‖)²), within the O(‖P‖³) of section `sec:rel`. Source: Sig, in `app:algo`.

    >>> from sealcheck.programs.straight_line import mt
    >>> for program in (mt(1, 2), mt(1, 2) + mt(2, 1)):
    ...     print(*sorted(map(str, sig(StraightLine.of(2, program)))), sep=", ")
    fst 1, fst 2, lst 1, lst 2, rcv 2<-1, snd 1->2
    fst 1, fst 2, lst 1, lst 2, rcv 1<-2, snd 1->2
    """
    # 1   V, E ← Program-Graph(P)
    G = program_graph(p)
    V = set(G)
    # 2   E ← E⁺                                   (add irreflexive transitive closure)
    after = {e: nx.descendants(G, e) for e in V}
    before: dict[Node, list[Node]] = {e: [d for d in after if e in after[d]] for e in V}
    # 3   Remove all but minimal sends and maximal receives on open channels:
    # 3   V ← V \ {e | e is a snd^{i→j} event preceded by another such send or fst_j}
    sends = [e for e in occurrences(p) if e.event.is_send]
    V -= {e for e in sends if any(_another(d, e) or d == First(e.event.receiver) for d in before[e])}
    # 3   V ← V \ {e | e is a rcv^{j←i} event that precedes another such receive or lst_i}
    receives = [e for e in occurrences(p) if not e.event.is_send]
    V -= {e for e in receives if any(_another(f, e) or f == Last(e.event.sender) for f in after[e])}
    # 4   Return (V, E ∩ V²)
    names = {e: e.event if isinstance(e, Occurrence) else e for e in G if e in V}
    found = nx.DiGraph()
    found.add_nodes_from(names.values())
    found.add_edges_from((name, names[f]) for e, name in names.items() for f in names if f in after[e])
    return found


def _another(d: Node, e: Occurrence) -> bool:
    """Whether `d`, a different node than `e`, is an occurrence of the same event."""
    return isinstance(d, Occurrence) and d.event == e.event


sig_repaired = sig
"""There is nothing to mend."""

sig_of = lru_cache(maxsize=512)(sig_repaired)
"""`sig_repaired` with a cache."""


def decides(e: object, f: object) -> bool:
    """Whether the criterion for seals uses edges from nodes of e's kind to nodes of f's kind.

    Source: `th:decide.sealing`.

    >>> decides(First(1), Last(2)), decides(First(1), First(2))
    (True, False)
    """
    if isinstance(e, First):
        return isinstance(f, Last) or (isinstance(f, Event) and f.is_send)
    return isinstance(e, Event) and not e.is_send and isinstance(f, Last)
