# ruff: noqa: RUF003 - the comments quote the paper's mathematics
"""Seal(P): a program that properly seals P, a tree barrier (proof of `th:sealability`).

No slip that changes an answer.  What the print lacks: it ends without a return (the next sentence
of the proof speaks of "the result"), and it does not say what to do where there is no T, which
is how an unsealable program shows.

Not needed    v may be any process: it sets the lengths of the chains and how many messages phase
              (a) has (`mt 1->2`: none for v = 1, one for v = 2), not whether S seals.  Nor do the
              directions in T matter: where (w, w') is not in T, (w', w) is, and so is in E.
Not quite so  The proof lets phase (a) close every channel (i, j) with (j, i) ∈ T; where (j, i) points
              towards v it is the converge-cast that does.  Smallest program: `mt 1->2` with v = 1.

Decisions     T's edges may point to v or away from it, both at once even; all that is said "in T"
              of centers, directions and casts is about T undirected, rooted at v.  (w, w') points
              away from v if w is nearer to v.  A converge-cast transmits on each tree edge towards
              v, the farthest first, a broadcast away from v, the nearest first.  What line 3 and
              line 4 "pick" is passed in, since the theorem claims that every choice will do.
"""

from collections.abc import Callable

import networkx as nx

from sealcheck.algorithms.as_printed.closed_channels import closed_channels_repaired
from sealcheck.programs.events import Event, mt
from sealcheck.programs.straight_line import StraightLine


class NoSpanningTree(Exception):
    """Line 3 has nothing to pick: the closed channels do not connect the processes."""


def any_tree(closed: nx.DiGraph) -> nx.DiGraph:
    """A smallest T ⊆ E whose undirected version is a spanning tree.  Raises NoSpanningTree.

    >>> sorted(any_tree(nx.DiGraph([(1, 2), (2, 1), (3, 1)])).edges)
    [(1, 2), (3, 1)]
    """
    undirected = closed.to_undirected()
    if not nx.is_connected(undirected):
        parts = ", ".join(str(sorted(part)) for part in nx.connected_components(undirected))
        raise NoSpanningTree(f"no closed channel connects the processes {parts}")
    tree = nx.DiGraph()
    tree.add_nodes_from(closed)
    for w, w_ in nx.bfs_edges(undirected, min(closed)):
        tree.add_edge(*((w, w_) if (w, w_) in closed.edges else (w_, w)))
    return tree


def a_center(tree: nx.DiGraph) -> int:
    """The least node at the center of T undirected.

    >>> a_center(nx.DiGraph([(1, 2), (3, 2)]))
    2
    """
    return int(min(nx.center(tree.to_undirected())))


def seal(
    p: StraightLine,
    closed_channels: Callable[[StraightLine], nx.DiGraph] = closed_channels_repaired,
    pick_tree: Callable[[nx.DiGraph], nx.DiGraph] = any_tree,
    pick_root: Callable[[nx.DiGraph], int] = a_center,
) -> StraightLine:
    """The seal as printed, with at most 3n - 3 messages.  Raises NoSpanningTree.

    O(n²) after Closed-Channels, for finding the center.

    >>> print(seal(StraightLine.of(2, mt(1, 2))))
    mt 2->1; mt 1->2
    """
    # 1   (V, E) ← Closed-Channels(P)
    closed = closed_channels(p)
    # 2   S ← ε
    S: list[Event] = []
    # 3   pick T ⊆ E s.t. (ℙ, T)ᵘ forms a spanning tree of V
    T = pick_tree(closed)
    # 4   v ← a node at the center of T
    v = pick_root(T)
    # 5   For (w, w') ∈ T pointing away from v s.t. (w', w) ∉ E
    away_from_v = list(nx.bfs_edges(T.to_undirected(), v))
    for w, w_ in away_from_v:
        if (w, w_) in T.edges and (w_, w) not in closed.edges:
            # 6   Do S ← S • mt^{w→w'}
            S += mt(w, w_)
    # 7   add a converge-cast in T to S
    for w, w_ in reversed(away_from_v):
        S += mt(w_, w)
    # 8   add a broadcast in T to S
    for w, w_ in away_from_v:
        S += mt(w, w_)
    return StraightLine.of(p.n, S)


seal_repaired = seal
"""There is nothing to mend."""
