"""Seal(P), as `th:sealability` means it, and what to do where its hypothesis fails.

If the undirected closed-channel graph is connected, a spanning tree of it carries a seal: first
each parent sends to every child that cannot safely send to it, then everybody's knowledge is
collected at the root (converge-cast) and spread again (broadcast).  That is at most 3(n - 1)
messages.  A program can be sealable without that.  Beside the tree seal, two others exist for
every sealable program: what saturation finds, and one of at most 3n - 5 messages; the shortest is taken.
"""

from collections.abc import Iterator

from sealcheck.algorithms.sealability import (
    Problem,
    Sealable,
    Unsealable,
    closed_channel_graph,
    is_connected,
    saturate,
    without_idle,
)
from sealcheck.algorithms.short_seal import short_seal
from sealcheck.algorithms.signature import Signature
from sealcheck.programs.straight_line import Channel

MOST_PROCESSES = 60
"""For whom the search for the short seal, which takes O(n^4), is worth its time."""


def construct_seal(first: Signature) -> Sealable | Unsealable:
    """A seal of a program with this signature, or why there is none.

    For 2 <= n <= `MOST_PROCESSES` it has at most 3n - 5 messages; for more, fewer than 3n where the
    undirected closed-channel graph is connected.  Source: `th:sealability`.

    >>> from sealcheck.algorithms.signature import signature
    >>> from sealcheck.programs.straight_line import mt
    >>> from sealcheck.programs.straight_line import StraightLine
    >>> print(construct_seal(signature(StraightLine.of(3, mt(1, 2) + mt(2, 3)))).seal(3))
    mt 2->1; mt 3->2
    """
    problem = Problem.of(first)
    found = saturate(problem)
    if isinstance(found, Unsealable) or not found.transmissions:
        return found
    seals = [found]
    closed = closed_channel_graph(first)
    if is_connected(first.n, closed):
        seals.append(Sealable(without_idle(problem, list(tree_seal(first.n, closed)))))
    if first.n <= MOST_PROCESSES and isinstance(short := short_seal(first), Sealable):
        seals.append(short)
    return min(seals, key=lambda seal: len(seal.transmissions))


def tree_seal(n: int, closed: frozenset[Channel]) -> Iterator[Channel]:
    """The three phases of Seal(P), over a breadth-first tree from process 1; `closed` connects 1..n.  O(n^2).

    Source: Seal(P), in the proof of `th:sealability`.

    >>> print(*tree_seal(3, frozenset([Channel(1, 2), Channel(2, 3), Channel(3, 2)])))
    1->2 3->2 2->1 1->2 2->3
    """
    parent_of = _tree(n, closed)
    for child, parent in parent_of.items():
        if Channel(child, parent) not in closed:
            yield Channel(parent, child)
    for child, parent in reversed(parent_of.items()):
        yield Channel(child, parent)
    for child, parent in parent_of.items():
        yield Channel(parent, child)


def _tree(n: int, closed: frozenset[Channel]) -> dict[int, int]:
    """The parent of every process but the root, parents before children."""
    parent_of: dict[int, int] = {}
    reached = [1]
    for process in reached:
        for other in range(2, n + 1):
            joined = Channel(process, other) in closed or Channel(other, process) in closed
            if joined and other not in parent_of:
                parent_of[other] = process
                reached.append(other)
    return parent_of
