# ruff: noqa: RUF003 - the comments quote the paper's mathematics
"""Is-Seal(P, Q): whether Q properly seals P, from their signatures (`app:algo`, `th:decide.sealing`).

*Slip 1* (a slip is an error). Line 1 assigns Sig(P)'s edges to E_Q, and line 2 overwrites E_Q. Line 7 reads
E_P, to which nothing was assigned. Smallest pair that reaches line 7: P = `mt 1->2`, Q = `eps`.

*Slip 2.* Line 4 computes an e for the test of line 7, but line 7 looks for snd i->j instead of e. If V_Q has
no such send, the answer is no. Smallest pair: P = `mt 1->2`, Q = `mt 2->1`, the paper's first example of a
seal.

Slip 2 makes the answer no for every P that communicates. Such a P has a receive rcv j<-i that precedes no
event of another process. For this receive, line 7 can hold only for k = j, if fst_j precedes snd
i->j in Q. But Sig has removed all such sends from V_Q.

*Not a slip.* Line 6 leaves out k = i; the theorem does not. That makes no difference. For k = i, line 7 asks
whether the receive precedes lst_i, the end of i in P, and Sig has removed all receives that do.

*Decisions.* P and Q have the same processes. If Sig(P) has no receive, the printed procedure does not reach
line 7, and answers yes. `is_seal_without_unbound_name` repairs only slip 1, so that slip 2 can be judged by
itself.
"""

from collections.abc import Callable, Container
from typing import Never

import networkx as nx

from sealcheck.algorithms.as_printed.program_graph import First, Last, agents
from sealcheck.algorithms.as_printed.sig import sig_repaired
from sealcheck.programs.straight_line import StraightLine, channels, rcv, snd

Set = Container[object]


class UnboundName(Exception):
    """The pseudocode reads a name to which nothing was assigned."""


class _Unbound:
    """The value of a name before anything is assigned to it."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __contains__(self, _: object) -> Never:
        raise UnboundName(f"{self.name} is read but never assigned")


def is_seal(
    p: StraightLine, q: StraightLine, sig: Callable[[StraightLine], nx.DiGraph] = sig_repaired
) -> bool:
    """The answer as printed, with both slips. Line 7 raises UnboundName. O(n³) after Sig.

    Source: Is-Seal, in `app:algo`.

    >>> from sealcheck.programs.straight_line import mt
    >>> is_seal(StraightLine.of(2, mt(1, 2)), StraightLine.of(2, mt(2, 1)))
    Traceback (most recent call last):
    ...
    sealcheck.algorithms.as_printed.is_seal.UnboundName: E_P is read but never assigned
    """
    E_P = _Unbound("E_P")
    # 1   V_P, E_Q ← Sig(P)
    V_P, E_Q = _pair(sig(p))
    # 2   V_Q, E_Q ← Sig(Q)
    V_Q, E_Q = _pair(sig(q))
    return _lines_3_to_10(p, V_P, E_P, V_Q, E_Q)


def is_seal_without_unbound_name(
    p: StraightLine, q: StraightLine, sig: Callable[[StraightLine], nx.DiGraph] = sig_repaired
) -> bool:
    """The answer with line 1 repaired and line 7 as printed. O(n³) after Sig. Source: Is-Seal, in `app:algo`.

    >>> from sealcheck.programs.straight_line import mt
    >>> is_seal_without_unbound_name(StraightLine.of(2, mt(1, 2)), StraightLine.of(2, mt(2, 1)))
    False
    """
    # 1   mended: V_P, E_P ← Sig(P)
    V_P, E_P = _pair(sig(p))
    # 2   V_Q, E_Q ← Sig(Q)
    V_Q, E_Q = _pair(sig(q))
    return _lines_3_to_10(p, V_P, E_P, V_Q, E_Q)


def is_seal_repaired(
    p: StraightLine, q: StraightLine, sig: Callable[[StraightLine], nx.DiGraph] = sig_repaired
) -> bool:
    """The answer with lines 1 and 7 repaired. O(n³) after Sig. Source: Is-Seal, in `app:algo`.

    >>> from sealcheck.programs.straight_line import mt
    >>> p = StraightLine.of(2, mt(1, 2))
    >>> is_seal_repaired(p, StraightLine.of(2, mt(2, 1))), is_seal_repaired(p, p)
    (True, False)
    """
    # 1   mended: V_P, E_P ← Sig(P)
    V_P, E_P = _pair(sig(p))
    V_Q, E_Q = _pair(sig(q))
    return _lines_3_to_10(p, V_P, E_P, V_Q, E_Q, mended=True)


def _lines_3_to_10(p: StraightLine, V_P: Set, E_P: Set, V_Q: Set, E_Q: Set, *, mended: bool = False) -> bool:
    # 3   For (i, j) ∈ ℙ² \ Id s.t. rcv^{j←i} ∈ V_P
    for i, j in channels(p.n):
        if rcv(j, i) in V_P:
            # 4   Do e ← snd^{i→j} if snd^{i→j} ∈ V_Q, lst_i otherwise
            e = snd(i, j) if snd(i, j) in V_Q else Last(i)
            # 5   safe ← False
            safe = False
            # 6   For k ∈ ℙ \ {i}
            for k in agents(p):
                if k != i:
                    # 7   Do safe ← safe ∨ ((rcv^{j←i}, lst_k) ∈ E_P ∧ (fst_k, snd^{i→j}) ∈ E_Q)
                    # 7   mended: Do safe ← safe ∨ ((rcv^{j←i}, lst_k) ∈ E_P ∧ (fst_k, e) ∈ E_Q)
                    looked_for = e if mended else snd(i, j)
                    safe = safe or ((rcv(j, i), Last(k)) in E_P and (First(k), looked_for) in E_Q)
            # 8   If ¬safe
            if not safe:
                # 9   Then Return False
                return False
    # 10  Return True
    return True


def _pair(graph: nx.DiGraph) -> tuple[Set, Set]:
    return graph.nodes, graph.edges
