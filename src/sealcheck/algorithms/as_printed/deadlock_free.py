"""Deadlock-Free(P): whether P runs to its end when run in isolation (`app:algo`).

*Slip* (error). Line 2 returns the opposite of the right answer. Smallest program: `eps`, for one process. The
printed Program-Graph has a slip, too. On some programs (`mt 1->2; mt 2->1`), the two slips cancel each other.

*Decision.* The paper defines program graphs only for balanced programs, so the repaired procedure assumes
balance. Its answer may be wrong for other programs: `rcv 2<-1` waits forever without any cycle in the graph.
"""

from collections.abc import Callable

import networkx as nx

from sealcheck.algorithms.as_printed.program_graph import program_graph_repaired
from sealcheck.programs.straight_line import StraightLine


def deadlock_free(
    p: StraightLine, program_graph: Callable[[StraightLine], nx.DiGraph] = program_graph_repaired
) -> bool:
    """The answer as printed. O(n + ‖P‖) after Program-Graph. Source: Deadlock-Free, in `app:algo`.

    >>> deadlock_free(StraightLine.of(1))
    False
    """
    # 1   V, E ← Program-Graph(P)
    G = program_graph(p)
    # 2   Return ∃ cycle in E
    return not nx.is_directed_acyclic_graph(G)


def deadlock_free_repaired(
    p: StraightLine, program_graph: Callable[[StraightLine], nx.DiGraph] = program_graph_repaired
) -> bool:
    """The answer with line 2 negated, for a balanced `p`. O(n + ‖P‖) after Program-Graph.

    Source: Deadlock-Free, in `app:algo`.

    >>> from sealcheck.programs.straight_line import rcv, snd
    >>> deadlock_free_repaired(StraightLine.of(2, [rcv(1, 2), rcv(2, 1), snd(1, 2), snd(2, 1)]))
    False
    """
    # 2   mended: Return ¬∃ cycle in E
    return not deadlock_free(p, program_graph)
