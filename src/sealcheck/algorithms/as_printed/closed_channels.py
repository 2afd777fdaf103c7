# ruff: noqa: RUF003 - the comments quote the paper's mathematics
"""Closed-Channels(P): the graph C_P of the channels that P closes (`app:algo`, before `th:sealability`).

The procedure has no slip (error) of its own. Line 4 also tests that the receive does not precede lst_i, the
end of process i. This changes nothing, because Sig has removed all receives that do. With the printed
Program-Graph, the procedure takes some closed channels for open channels (`mt 1->2; mt 2->1`), but never the
reverse.

*Decision.* Line 5 removes edges from E while line 3 runs over E. We let line 3 run over the original E.
"""

from collections.abc import Callable

import networkx as nx

from sealcheck.algorithms.as_printed.program_graph import Last, agents
from sealcheck.algorithms.as_printed.sig import sig_repaired
from sealcheck.programs.straight_line import StraightLine, channels, rcv


def closed_channels(p: StraightLine, sig: Callable[[StraightLine], nx.DiGraph] = sig_repaired) -> nx.DiGraph:
    """C_P, a graph on the processes 1..n. O(n²) after Sig. Source: Closed-Channels, in `app:algo`.

    >>> from sealcheck.programs.straight_line import mt
    >>> list(closed_channels(StraightLine.of(2, mt(1, 2))).edges)
    [(2, 1)]
    """
    # 1   V, E ← ℙ, ℙ² \ Id
    C = nx.DiGraph()
    C.add_nodes_from(agents(p))
    C.add_edges_from(channels(p.n))
    # 2   V', E' ← Sig(P)
    signature = sig(p)
    V_, E_ = signature.nodes, signature.edges
    # 3   For (i, j) ∈ E
    for i, j in channels(p.n):
        # 4   Do If rcv^{j←i} ∈ V' and (rcv^{j←i}, lst_i) ∉ E'
        if rcv(j, i) in V_ and (rcv(j, i), Last(i)) not in E_:
            # 5   Then E ← E \ {(i, j)}
            C.remove_edge(i, j)
    # 6   Return (V, E)
    return C


closed_channels_repaired = closed_channels
"""There is nothing to mend."""
