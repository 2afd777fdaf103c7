# ruff: noqa: RUF003 - the comments quote the paper's mathematics
"""Signature-Compose(V_P, E_P, V_Q, E_Q): the signature of P; Q from those of P and Q (`app:algo`).

*Slip* (error). Line 5 removes P's receive rcv j<-i if it precedes lst_j. The receive always precedes lst_j,
because it is an event of j. Section `sec:rel` has lst_i. So, on a channel that P leaves open, the result has
a receive only if Q leaves the channel open, too. Smallest pair: P = `mt 1->2`, Q = `eps`.

*Decisions.* In line 5, fst_j and lst_j have no superscripts. We read them as P's fst_j and Q's lst_j, because
line 3 has removed Q's fst_j and P's lst_j from V. E keeps the edges of removed nodes until line 7, because
paths from P to Q lead through these nodes.
"""

from collections.abc import Callable

import networkx as nx

from sealcheck.algorithms.as_printed.program_graph import First, Last
from sealcheck.programs.straight_line import Event, Kind

Superscripted = tuple[First | Last | Event, str]
"""The pair (e, X) is the paper's e with superscript (X)."""


def signature_compose(P: nx.DiGraph, Q: nx.DiGraph) -> nx.DiGraph:
    """The composite signature as printed.

    O(N (N + M)), for N nodes and M edges in both signatures. Source: Signature-Compose, in `app:algo`.

    >>> from sealcheck.algorithms.as_printed.sig import sig_repaired
    >>> from sealcheck.programs.straight_line import StraightLine, mt
    >>> signatures = [sig_repaired(StraightLine.of(2, events)) for events in (mt(1, 2), ())]
    >>> print(*sorted(map(str, signature_compose(*signatures))), sep=", ")
    fst 1, fst 2, lst 1, lst 2, snd 1->2
    """
    # 5         \ {e⁽P⁾ ∈ V | (e⁽P⁾, lst_j) ∈ E ∧ e = rcv^{j←i}}
    return _composed(P, Q, lambda e: e.receiver)


def signature_compose_repaired(P: nx.DiGraph, Q: nx.DiGraph) -> nx.DiGraph:
    """The composite signature, with line 5 repaired: lst_i in place of the printed lst_j.

    O(N (N + M)), for N nodes and M edges in both signatures. Source: Signature-Compose, in `app:algo`.

    >>> from sealcheck.algorithms.as_printed.sig import sig_repaired
    >>> from sealcheck.programs.straight_line import StraightLine, mt
    >>> signatures = [sig_repaired(StraightLine.of(2, events)) for events in (mt(1, 2), ())]
    >>> print(*sorted(map(str, signature_compose_repaired(*signatures))), sep=", ")
    fst 1, fst 2, lst 1, lst 2, rcv 2<-1, snd 1->2
    """
    # 5   mended: {e⁽P⁾ ∈ V | (e⁽P⁾, lst_i) ∈ E ∧ e = rcv^{j←i}}
    return _composed(P, Q, lambda e: e.sender)


def _composed(P: nx.DiGraph, Q: nx.DiGraph, at: Callable[[Event], int]) -> nx.DiGraph:
    """The composite signature. Line 5 removes P's receives e that precede the last node of `at(e)`."""
    # 1   Sequentially compose the two signatures:
    # 1   V ← {e⁽X⁾ | e ∈ V_X ∧ X ∈ {P, Q}}
    E = nx.DiGraph()
    E.add_nodes_from([(e, "P") for e in P] + [(e, "Q") for e in Q])
    # 1   E ← {(e⁽X⁾, f⁽Y⁾) ∈ V² | X = Y ∧ (e, f) ∈ E_X} ∪ {(lst_i⁽P⁾, fst_i⁽Q⁾) | i ∈ ℙ}
    lasts, firsts = [e for e in P if isinstance(e, Last)], [e for e in Q if isinstance(e, First)]
    E.add_edges_from(((e, X), (f, X)) for G, X in ((P, "P"), (Q, "Q")) for e, f in G.edges)
    E.add_edges_from(((last, "P"), (First(last.process), "Q")) for last in lasts)
    V = set(E)
    # 2   E ← E⁺
    E = nx.transitive_closure(E, reflexive=None)
    # 3   Remove dummy nodes between the two signatures:
    # 3   V ← V \ {lst_i⁽P⁾ | i ∈ ℙ} \ {fst_i⁽Q⁾ | i ∈ ℙ}
    V -= {(last, "P") for last in lasts} | {(first, "Q") for first in firsts}
    # 4   Remove all but the first sends and last receives:
    # 4   V ← V \ {e⁽Q⁾ ∈ V | e⁽P⁾ ∈ V ∧ e = snd^{i→j}} \ {e⁽P⁾ ∈ V | e⁽Q⁾ ∈ V ∧ e = rcv^{j←i}}
    V -= {(e, "Q") for e in _events(V, "Q", Kind.SEND) if (e, "P") in V}
    V -= {(e, "P") for e in _events(V, "P", Kind.RECEIVE) if (e, "Q") in V}
    # 5   Remove sends and receives on closed channels:
    # 5   V ← V \ {e⁽Q⁾ ∈ V | (fst_j, e⁽Q⁾) ∈ E ∧ e = snd^{i→j}}
    V -= {(e, "Q") for e in _events(V, "Q", Kind.SEND) if E.has_edge((First(e.receiver), "P"), (e, "Q"))}
    V -= {(e, "P") for e in _events(V, "P", Kind.RECEIVE) if E.has_edge((e, "P"), (Last(at(e)), "Q"))}
    # 6   rename by dropping superscripts (X)
    # 7   Return (V, E ∩ V²)
    return nx.relabel_nodes(E.subgraph(V), {(e, X): e for e, X in V})


def _events(V: set[Superscripted], X: str, kind: Kind) -> list[Event]:
    """The sends, or receives, e with e⁽X⁾ ∈ V."""
    return [e for e, layer in V if layer == X and isinstance(e, Event) and e.kind is kind]
