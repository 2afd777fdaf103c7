# ruff: noqa: RUF003 - the comments quote the paper's mathematics
"""Program-Graph(P): the events of P, their local order, and edges from sends to receives (`app:algo`).

*Slip* (error). Line 5 joins the k'th snd i->j to the k'th rcv i<-j, which is a receive by the *sender*. The
text (section `sec:rel`) means rcv j<-i. So no edge of the printed graph leads from one process to another.
Smallest program: `mt 1->2`. For `mt 1->2; mt 2->1`, the printed graph even has a cycle. On a
self-channel (i = j), the printed line and the repaired line agree.

*Decisions.* "e in P" is an occurrence of an event, because the text wants a node for every send and receive.
If there is no k'th receive, "where e' is ..." names nothing, and we add no edge. In a program that is
not balanced, a receive may have no edge from a send.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import networkx as nx

from sealcheck.programs.straight_line import Event, StraightLine, rcv


@dataclass(frozen=True, slots=True)
class First:
    """The dummy node fst_i before process i's first event."""

    process: int

    def __str__(self) -> str:
        return f"fst {self.process}"


@dataclass(frozen=True, slots=True)
class Last:
    """The dummy node lst_i after process i's last event."""

    process: int

    def __str__(self) -> str:
        return f"lst {self.process}"


@dataclass(frozen=True, slots=True)
class Occurrence:
    """The k'th occurrence of a send, or of a receive, on its channel; k counts from 1.

    >>> from sealcheck.programs.straight_line import rcv
    >>> print(Occurrence(rcv(2, 1), 3))
    rcv 2<-1 #3
    """

    event: Event
    k: int

    def __str__(self) -> str:
        return f"{self.event} #{self.k}"


Node = First | Last | Occurrence
"""A node of a program graph. In a signature, sends and receives are `Event` instead of `Occurrence`."""


def agents(p: StraightLine) -> range:
    """The paper's set of processes, 1..n.

    >>> list(agents(StraightLine.of(2)))
    [1, 2]
    """
    return range(1, p.n + 1)


def occurrences(p: StraightLine) -> Iterator[Occurrence]:
    """The events of `p`, process by process, each with its number among the equal events.

    Source: line 5 of Program-Graph, in `app:algo`.

    >>> from sealcheck.programs.straight_line import mt
    >>> print(*occurrences(StraightLine.of(2, mt(1, 2) + mt(1, 2))), sep=", ")
    snd 1->2 #1, snd 1->2 #2, rcv 2<-1 #1, rcv 2<-1 #2
    """
    count: dict[Event, int] = {}
    for share in p.shares:
        for event in share:
            count[event] = count.get(event, 0) + 1
            yield Occurrence(event, count[event])


def program_graph(p: StraightLine) -> nx.DiGraph:
    """The program graph as printed. O(n + ‖P‖). Source: Program-Graph, in `app:algo`.

    >>> from sealcheck.programs.straight_line import mt
    >>> graph = program_graph(StraightLine.of(2, mt(1, 2) + mt(2, 1)))
    >>> print(*nx.find_cycle(graph)[0], sep=" to ")
    rcv 2<-1 #1 to snd 2->1 #1
    """
    # 5   Do E ← E ∪ {(e, e')} where e' is the k'th rcv^{i←j} event in P
    return _program_graph(p, lambda i, j: rcv(i, j))


def program_graph_repaired(p: StraightLine) -> nx.DiGraph:
    """The program graph, with line 5 repaired: the receive is at the other end of the send's channel.

    O(n + ‖P‖). Source: Program-Graph, in `app:algo`.

    >>> from sealcheck.programs.straight_line import mt
    >>> for e, f in program_graph_repaired(StraightLine.of(2, mt(1, 2))).edges:
    ...     print(e, "to", f)
    fst 1 to snd 1->2 #1
    fst 2 to rcv 2<-1 #1
    snd 1->2 #1 to lst 1
    snd 1->2 #1 to rcv 2<-1 #1
    rcv 2<-1 #1 to lst 2
    """
    # 5   mended: e' is the k'th rcv^{j←i} event in P
    return _program_graph(p, lambda i, j: rcv(j, i))


def _program_graph(p: StraightLine, joined: Callable[[int, int], Event]) -> nx.DiGraph:
    """The graph in which line 5 joins the k'th snd i->j to the k'th `joined(i, j)`."""
    # 1   V, E ← ⋃_{i∈ℙ} {fst_i, lst_i}, ∅        (first and last dummy nodes for each process)
    G = nx.DiGraph()
    for i in agents(p):
        G.add_nodes_from([First(i), Last(i)])
    # 2   f ← λi:ℙ. fst_i                          (book keeping for local precedence)
    f: dict[int, Node] = {i: First(i) for i in agents(p)}
    # 3   For e in P from left to right where e is of the form snd^{i→j} or rcv^{i←j}
    for e in occurrences(p):
        i = e.event.process
        # 3   Do V, E, f(i) ← V ∪ {e}, E ∪ {(f(i), e)}, e
        G.add_node(e)
        G.add_edge(f[i], e)
        f[i] = e
    # 4   For i ∈ ℙ
    for i in agents(p):
        # 4   Do E ← E ∪ {(f(i), lst_i)}
        G.add_edge(f[i], Last(i))
    # 5   For e ∈ V the k'th event in P of the form snd^{i→j} for some i, j, k
    for e in occurrences(p):
        if e.event.is_send and (e_ := Occurrence(joined(e.event.sender, e.event.receiver), e.k)) in G:
            G.add_edge(e, e_)
    # 6   Return (V, E)
    return G
