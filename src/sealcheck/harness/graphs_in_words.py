"""What is wrong with the graph that a procedure of the paper returns, in words."""

from collections.abc import Iterator

from sealcheck.questions.named_graphs import Named

WRONG_RECEIVE = (
    "Line 5 of Program-Graph joins the k'th snd i->j to the k'th rcv i<-j, a receive by the sender;"
    " it should say rcv j<-i."
)
"""The slip of Program-Graph, which spoils all that call it."""


def differences(found: Named, right: Named) -> Iterator[str]:
    """What is wrong with a graph, one sentence for each node and edge.

    >>> found, right = (Named(frozenset("ef"), frozenset(edges)) for edges in ([], [("e", "f")]))
    >>> print(*differences(found, right))
    The edge from e to f is missing.
    """
    yield from (f"The node {node} is missing." for node in sorted(right.nodes - found.nodes))
    yield from (
        f"There is a node {node} that should not be there." for node in sorted(found.nodes - right.nodes)
    )
    yield from (f"The edge from {e} to {f} is missing." for e, f in sorted(right.edges - found.edges))
    yield from (
        f"There is an edge from {e} to {f} that should not be there."
        for e, f in sorted(found.edges - right.edges)
    )
