"""Section 4: the size of signatures, and the costs of computing them, composing them, and deciding from them.

Words        sig(P), the signature of P, is a graph. Its nodes are first sends and last receives on channels,
             and the start Fd_i and the end Ld_i of each process i. An edge leads to a node that comes later
             in every run. The signatures of P and Q decide whether Q seals P.

Reading      the size of a graph is its number of nodes and edges. A cost is a number of steps, counted on
             families of programs in `examples` for which it is high. To compose signatures, one has to write
             each edge of the answer that is in neither given signature: at least a step for each edge. The
             cost of deciding is the cost of the mended Is-Seal.

Refutation   counts that, in the last step, grow by a higher power than claimed.

Repaired     a signature has 2n dummy nodes, and at most one send and one receive on each of n(n - 1)
             channels. So there are at most 2n^2 nodes. The edges form no cycle, so there are fewer than 2n^4
             edges.

             At most 2n^3 edges matter to deciding: from receives to each Ld_k, and from each Fd_k to sends
             and to each Ld_i.

             Composing: a path from P to Q leaves P by some Ld_k and enters Q by Fd_k. There are O(n^2) nodes
             in P, n processes k, and O(n^2) nodes in Q, so there are O(n^5) triples (node of P, k, node of
             Q). The edges that matter to deciding can be kept as a set of processes for each node. Composing
             then takes unions of sets, and deciding takes an intersection of two sets for each channel.

Not claimed  that no better algorithm exists.
"""

from collections.abc import Container, Iterator
from dataclasses import dataclass

import networkx as nx

from sealcheck.algorithms.as_printed.is_seal import is_seal_repaired
from sealcheck.algorithms.as_printed.program_graph import First, Last, program_graph_repaired
from sealcheck.algorithms.as_printed.sig import decides, sig_repaired
from sealcheck.algorithms.signature import signature
from sealcheck.programs.straight_line import StraightLine
from sealcheck.theorems.checking.examples import (
    exchange,
    exchange_in_halves,
    phase,
    phase_seal,
    surrounded_transfer,
    there_and_back,
    transfer,
)
from sealcheck.theorems.checking.record import in_coq
from sealcheck.theorems.checking.statement import Claim, Growth, Hypothesis, Repaired, Statement
from sealcheck.theorems.checking.verdicts import EXCHANGE, ONE_FAMILY, counts, of_exchange


def size(p: StraightLine) -> int:
    """The nodes and edges of sig(P), as the appendix computes it."""
    graph = sig_repaired(p)
    return int(graph.number_of_nodes() + graph.number_of_edges())


def nodes(p: StraightLine) -> int:
    """The nodes of sig(P)."""
    return int(sig_repaired(p).number_of_nodes())


def edges_for_deciding(p: StraightLine) -> int:
    """The number of edges of sig(P) that matter to whether P seals a program, or is sealed by one."""
    return sum(decides(*edge) for edge in sig_repaired(p).edges)


def searched(p: StraightLine) -> int:
    """The number of edges that searches from all nodes of the program graph visit.

    >>> searched(StraightLine.of(1))
    1
    """
    graph = program_graph_repaired(p)
    return sum(graph.out_degree(f) for e in graph for f in (e, *nx.descendants(graph, e)))


def _for_deciding(exponent: int) -> Growth:
    return Growth(
        "the edges of sig(P) that matter to whether P seals a program, or is sealed by one. P has three"
        " parts. In the first and the third part, each half of the processes exchanges messages internally."
        " In the second part, the first half sends to the second half",
        "n",
        exponent,
        counts(lambda n: edges_for_deciding(surrounded_transfer(n)), 2, 4, 8, 16),
    )


SIGNATURE_SIZE = Statement.of(
    "signature-size",
    'section 4, "It has size O(n^2)"',
    Claim(
        "a signature has O(n^2) nodes and edges",
        growth=of_exchange("nodes and edges", 2, size),
        refutations=in_coq(
            "LargeSignatures.v", "signature_size_as_printed_fails", "BSLs that relay messages"
        ),
        fails_at=(1, 0),
    ),
    Claim(
        "deciding whether Q seals P looks at O(n^2) edges of a signature",
        growth=_for_deciding(2),
        refutations=in_coq(
            "LargeSignatures.v", "signature_edges_as_printed_fails", "BSLs that relay messages"
        ),
        fails_at=(1, 0),
    ),
    Repaired(
        "a signature has O(n^2) nodes",
        growth=of_exchange("nodes", 2, nodes),
        theorems=in_coq("SignatureSize.v", "signature_nodes", "every straight-line program of n processes"),
    ),
    Repaired(
        "a signature has O(n^4) nodes and edges",
        growth=of_exchange("nodes and edges", 4, size),
        theorems=in_coq(
            "SignatureSize.v", "signature_nodes_and_edges", "every straight-line program of n processes"
        ),
    ),
    Repaired(
        "deciding whether Q seals P looks at O(n^3) edges of a signature",
        growth=_for_deciding(3),
        theorems=in_coq(
            "SignatureSize.v", "signature_edges_for_deciding", "every straight-line program of n processes"
        ),
    ),
    limits=(ONE_FAMILY,),
)

SIGNATURE_COST = Statement.of(
    "signature-cost",
    'section 4, "The complexity of computing sig(P) is in O(||P||^3)"',
    Claim(
        "if no process of P is idle, sig(P) can be computed in O(||P||^3) steps. The computation closes the"
        " program graph of P",
        growth=Growth(
            "edges of the program graph that are visited by searches from every node. P repeats a message"
            " and its answer",
            "events",
            3,
            counts(lambda events: searched(there_and_back(events // 4)), 16, 32, 64, 128, 256),
        ),
        hypotheses=(
            Hypothesis(
                "no idle processes",
                remark="an idle process adds two nodes to the signature, but no event to P. So the cost would"
                " be at least of order n, even if ||P|| is small",
            ),
        ),
        theorems=in_coq(
            "ProcedureCosts.v",
            "signature_cost",
            "all straight-line programs in which no process is idle; a step looks for a node or an edge,"
            " compares two nodes, looks at an event, or writes an edge",
        ),
    ),
    limits=(ONE_FAMILY,),
)


def new_edges(p: StraightLine, q: StraightLine) -> Iterator[tuple[object, object]]:
    """The edges of sig(P;Q) that neither sig(P) nor sig(Q) has."""
    first, second = sig_repaired(p), sig_repaired(q)
    for edge in sig_repaired(p.then(q)).edges:
        if not first.has_edge(*edge) and not second.has_edge(*edge):
            yield edge


def joined(p: StraightLine) -> int:
    """The number of triples (node of sig(P), Ld_k after it, node of sig(P) after Fd_k).

    Composing P with itself writes an edge for each triple with nodes of sig(P;P).
    """
    graph = sig_repaired(p)
    processes = range(1, p.n + 1)
    return sum(graph.in_degree(Last(k)) * graph.out_degree(First(k)) for k in processes)


def unions(p: StraightLine) -> int:
    """The number of unions of sets of processes that compose the signature of P;P from that of P.

    For a node of the first P and each Ld_k that it reaches, one union adds what Fd_k of the second P reaches.
    For a node of the second P and each Fd_k that reaches it, one union adds what reaches Ld_k of the first P.
    """
    found = signature(p)
    return sum(mask.bit_count() for mask in (*found.receives.values(), *found.sends.values(), *found.ends))


@dataclass
class CountedEdges:
    """The edges of a graph, and the number of lookups among them."""

    within: Container[object]
    times: int = 0

    def __contains__(self, edge: object) -> bool:
        self.times += 1
        return edge in self.within


@dataclass(frozen=True)
class CountedGraph:
    """A graph that counts the lookups of its edges."""

    nodes: Container[object]
    edges: CountedEdges


def lookups(n: int) -> int:
    """The number of edges that the mended Is-Seal looks for, for L and S of the paper's example.

    Processes 1 and n are exchanged, so that line 6 of Is-Seal tries the right k last.
    """
    renaming = (n, *range(2, n), 1)
    p, q = phase(n).renamed(renaming), phase_seal(n).renamed(renaming)
    signatures = {program: sig_repaired(program) for program in (p, q)}
    graphs = {
        program: CountedGraph(found.nodes, CountedEdges(found.edges)) for program, found in signatures.items()
    }
    is_seal_repaired(p, q, graphs.__getitem__)
    return sum(graph.edges.times for graph in graphs.values())


SIGNATURE_COMPOSE_COST = Statement.of(
    "signature-compose-cost",
    'section 4, "at a cost of O(n^2)"',
    Claim(
        "sig(P;Q) can be obtained from sig(P) and sig(Q) at a cost of O(n^2)",
        growth=Growth(
            f"edges of sig(P;Q) that are in neither sig(P) nor sig(Q). Both P and Q are {EXCHANGE}",
            "n",
            2,
            counts(lambda n: len(list(new_edges(exchange(n), exchange(n)))), 3, 6, 12),
        ),
        refutations=in_coq("SignatureCosts.v", "compose_cost_as_printed_fails", "BSLs that relay messages"),
        fails_at=(1, 0),
    ),
    Claim(
        "the edges of sig(P;Q) that deciding sealing looks at can be obtained from sig(P) and sig(Q) at a"
        " cost of O(n^2)",
        growth=Growth(
            "the edges of sig(P;Q) that are in neither sig(P) nor sig(Q), and that matter to whether P;Q"
            " seals a program, or is sealed by one. In P, the first half of the processes sends to the second"
            " half. In Q, each half exchanges messages internally",
            "n",
            2,
            counts(
                lambda n: sum(decides(*edge) for edge in new_edges(transfer(n), exchange_in_halves(n))),
                4,
                8,
                16,
            ),
        ),
        refutations=in_coq(
            "SignatureCosts.v", "compose_for_deciding_cost_as_printed_fails", "BSLs that relay messages"
        ),
        fails_at=(1, 0),
    ),
    Repaired(
        "sig(P;Q) can be obtained from sig(P) and sig(Q) in O(n^5) steps. A step looks for a node or an edge,"
        " or writes an edge for a triple (e, k, f). Here e is a node of sig(P) before the end Ld_k of process"
        " k, and f is a node of sig(Q) after the start Fd_k of process k",
        growth=Growth(
            f"the triples (e, k, f). Both P and Q are {EXCHANGE}",
            "n",
            5,
            counts(lambda n: joined(exchange(n)), 2, 4, 8, 16),
        ),
        theorems=in_coq("ProcedureCosts.v", "compose_cost", "all straight-line programs, P balanced"),
    ),
    Repaired(
        "the edges of sig(P;Q) that deciding sealing looks at can be obtained from those of sig(P) and"
        " sig(Q) by O(n^3) unions of sets of processes",
        growth=Growth(
            "unions of sets. P and Q are the same program of three parts. In the first and the third part,"
            " each half of the processes exchanges messages internally. In the second part, the first half"
            " sends to the second half",
            "n",
            3,
            counts(lambda n: unions(surrounded_transfer(n)), 4, 8, 16, 32),
        ),
        theorems=in_coq("SignatureSets.v", "compose_by_sets_cost", "all straight-line programs, P balanced"),
    ),
    limits=(ONE_FAMILY,),
)


def _looked_for(exponent: int) -> Growth:
    family = "P and Q are the paper's phase L and its seal S, with processes 1 and n exchanged"
    return Growth(f"edges that Is-Seal looks for. {family}", "n", exponent, counts(lookups, 4, 8, 16))


DECIDE_COST = Statement.of(
    "decide-cost",
    'section 4, "the complexity of deciding whether Q seals P, given their signatures"',
    Claim(
        "deciding whether Q seals P, given their signatures, costs O(n^2). Reading: the procedure Is-Seal,"
        " with its slips mended, looks for O(n^2) edges",
        growth=_looked_for(2),
        refutations=in_coq("SignatureCosts.v", "decide_cost_as_printed_fails", "a BSL that relays messages"),
        fails_at=(1, 0),
    ),
    Repaired(
        "given the signatures of P and Q, Is-Seal with its slips mended looks for O(n^3) edges to decide"
        " whether Q seals P",
        growth=_looked_for(3),
        theorems=in_coq("SignatureCosts.v", "decide_cost", "the mended Is-Seal on any two graphs"),
    ),
    Repaired(
        "let P and Q be BSLs, and let the edges of sig(P) and sig(Q) that deciding looks at be given as sets"
        " of processes. Then O(n^2) intersections of these sets decide whether Q seals P",
        growth=Growth(
            "intersections of sets, one for each channel of P. P is the paper's phase L",
            "n",
            2,
            counts(lambda n: len(signature(phase(n)).receives), 4, 8, 16, 32),
        ),
        theorems=in_coq(
            "SignatureSets.v", "decide_by_sets_cost", "all BSLs P and Q, with values; finite intervals"
        ),
    ),
    limits=(ONE_FAMILY,),
)


STATEMENTS = (SIGNATURE_SIZE, SIGNATURE_COST, SIGNATURE_COMPOSE_COST, DECIDE_COST)
