# ruff: noqa: RUF003 - the comments quote the paper's mathematics
"""Seal(P): a program that properly seals P, a tree barrier (proof of `th:sealability`).

The procedure picks a tree T of closed channels and a root v, and builds the seal S. No slip (error) changes
an answer, but the print has two gaps:

- It ends without a return. The next sentence of the proof speaks of "the result".
- It gives no result if there is no T. The paper assumes that such programs have no seal. But some have one,
  and `seal_repaired` finds it.

*Not needed.* v need not be at the center, and the directions in T do not matter: S seals in any case.

*Not quite so.* The proof says that phase (a), lines 5 and 6, closes every channel (i, j) with (j, i) ∈ T.
This fails if (j, i) points towards v: then the converge-cast of line 7 closes (i, j). Smallest program: `mt
1->2` with v = 1.

*Decisions.* T may have one or both directions of an edge. For "center" and "away from v", we ignore the
directions of T's edges: (w, w') points away from v if w is nearer to v. A converge-cast sends on each tree
edge towards v, the farthest edge first. A broadcast sends on each tree edge away from v, the nearest edge
first.

The choices of lines 3 and 4 ("pick") are parameters, because the theorem claims that every choice works.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product

import networkx as nx

from sealcheck.algorithms.as_printed.closed_channels import closed_channels_repaired
from sealcheck.algorithms.as_printed.program_graph import Last, agents
from sealcheck.algorithms.as_printed.sig import sig_repaired
from sealcheck.programs.straight_line import Channel, Event, StraightLine, channels, mt, rcv


class NoSpanningTree(Exception):
    """Line 3 has nothing to pick: the closed channels do not connect the processes."""


def any_tree(closed: nx.DiGraph) -> nx.DiGraph:
    """A smallest T ⊆ E that is a spanning tree if directions are ignored.

    Raises NoSpanningTree if there is none. Source: line 3 of Seal, in the proof of `th:sealability`.

    >>> sorted(any_tree(nx.DiGraph([(1, 2), (2, 1), (3, 1)])).edges)
    [(1, 2), (3, 1)]
    """
    undirected = closed.to_undirected()
    if not nx.is_connected(undirected):
        parts = ", ".join(str(sorted(part)) for part in nx.connected_components(undirected))
        raise NoSpanningTree(f"no closed channel connects the processes {parts}")
    joined = nx.bfs_edges(undirected, min(closed))
    return _graph(closed, ((w, w_) if (w, w_) in closed.edges else (w_, w) for w, w_ in joined))


def _graph(nodes: Iterable[int], edges: Iterable[tuple[int, int]]) -> nx.DiGraph:
    graph = nx.DiGraph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from(edges)
    return graph


def a_center(tree: nx.DiGraph) -> int:
    """The smallest process at the center of T, as an undirected tree.

    Source: line 4 of Seal, in the proof of `th:sealability`.

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
    """The seal as printed, with at most 3n - 3 messages. Raises NoSpanningTree if there is no T.

    Finding the center takes O(n²), after Closed-Channels. Source: Seal, in the proof of `th:sealability`.

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


def seal_repaired(
    p: StraightLine, sig: Callable[[StraightLine], nx.DiGraph] = sig_repaired
) -> StraightLine | None:
    """The seal as printed. If there is no T, a seal made of safe messages; None if P has no seal.

    A message is safe if no receive of P can take it. The function adds all safe messages that tell their
    receiver something. Then it leaves out messages, one by one from the last, if the rest still seals P.

    O(n^5) after Seal and Sig. Source: Seal, in the proof of `th:sealability`.

    >>> to_1, to_3 = ([event for pair in zip(mt(2, k), mt(k, 2)) for event in pair] for k in (1, 3))
    >>> print(seal_repaired(StraightLine.of(3, to_1)))
    snd 1->3; mt 2->3; rcv 3<-1; mt 3->1; mt 3->2
    >>> print(seal_repaired(StraightLine.of(3, to_1 + to_3)))
    mt 3->1; mt 1->2; mt 2->3
    """
    try:
        return seal(p, lambda p: closed_channels_repaired(p, sig))
    except NoSpanningTree:
        graph = sig(p)
    # The mended part: k knows i->j to be safe if (rcv^{j<-i}, lst_k) is in E, or if i->j is not open.
    opened = [(i, j) for i, j in channels(p.n) if rcv(j, i) in graph]
    known = {k: {(i, j) for i, j in opened if graph.has_edge(rcv(j, i), Last(k))} for k in agents(p)}
    needed = {i: {channel for channel in opened if channel[0] == i} for i in agents(p)}
    sent = _all_that_is_safe(p.n, opened, known)
    if not _suffices(sent, opened, known, needed):
        return None
    for at in reversed(range(len(sent))):
        others = sent[:at] + sent[at + 1 :]
        if _suffices(others, opened, known, needed):
            sent = others
    return StraightLine.of(p.n, [event for channel in sent for event in mt(*channel)])


Facts = dict[int, set[tuple[int, int]]]
"""For each process, the channels that it knows, or must know, to be safe."""


def _all_that_is_safe(n: int, opened: Sequence[tuple[int, int]], known: Facts) -> list[Channel]:
    """Safe messages, each of which tells its receiver something, until there are no more."""
    knows = {k: set(facts) for k, facts in known.items()}
    sent: list[Channel] = []
    length = -1
    while length < len(sent):
        length = len(sent)
        for i, j in channels(n):
            if ((i, j) not in opened or (i, j) in knows[i]) and knows[i] - knows[j]:
                knows[j] |= knows[i]
                sent.append(Channel(i, j))
    return sent


def _suffices(
    sent: Sequence[Channel], opened: Sequence[tuple[int, int]], known: Facts, needed: Facts
) -> bool:
    """Whether these messages are safe, in this order, and teach each process all that it must know."""
    knows = {k: set(facts) for k, facts in known.items()}
    for i, j in sent:
        if (i, j) in opened and (i, j) not in knows[i]:
            return False
        knows[j] |= knows[i]
    return all(needed[k] <= knows[k] for k in needed)


def trees(closed: nx.DiGraph) -> Iterator[nx.DiGraph]:
    """Every T that line 3 may pick. T may have each edge of a tree in either direction, or in both.

    Source: line 3 of Seal, in the proof of `th:sealability`.

    >>> len(list(trees(nx.DiGraph([(1, 2), (2, 1)]))))
    3
    """
    joined = sorted({tuple(sorted(edge)) for edge in closed.edges})
    choices = [
        [(), *(d for d in ([(i, j)], [(j, i)], [(i, j), (j, i)]) if closed.edges >= set(d))]
        for i, j in joined
    ]
    for choice in product(*choices):
        if sum(map(bool, choice)) == len(closed) - 1:
            tree = _graph(closed, (edge for directions in choice for edge in directions))
            if nx.is_weakly_connected(tree):
                yield tree


@lru_cache(maxsize=512)
def every_seal(n: int, closed: frozenset[Channel]) -> frozenset[StraightLine]:
    """The outputs of Seal for a program over 1..n with these closed channels, for every choice of T and v.

    v need not be at the center of T. Empty if there is no T. Exponential in n. Source: Seal, in the proof of
    `th:sealability`.

    >>> for made in sorted(every_seal(2, frozenset([Channel(1, 2)]))):
    ...     print(made)
    mt 1->2; mt 2->1
    mt 1->2; mt 2->1; mt 1->2
    """
    graph = _graph(range(1, n + 1), closed)
    return frozenset(
        seal(StraightLine.of(n), lambda _: graph, lambda _: tree, lambda _: root)  # noqa: B023 - called at once
        for tree in trees(graph)
        for root in graph
    )
