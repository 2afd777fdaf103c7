"""Section 4, how large signatures are and what it costs to compute them.

Reading      the size of a graph is its nodes and edges.  Costs are counted in steps, never timed,
             on programs that are bad for the claim: those of `families`.
Refutation   counts whose last step up grows like a higher power than the claimed one.
Repaired     a signature has 2n dummy nodes, and at most one send and one receive on each of
             n(n - 1) channels: 2n^2 nodes, with fewer than 2n^4 edges, since they form no cycle.
             Deciding looks at the edges from a receive to an Ld_k, from an Fd_k to a send, and
             from an Fd_k to an Ld_i: a set of processes for every receive, send and process,
             2n^3 edges at most.
Not claimed  since one family is one of many, more than is argued here about all programs.
Every n      of sizes: `proofs/SignatureSize.v` has the repaired numbers, and `proofs/LargeSignatures.v`
             programs that exceed every multiple of n^2.
"""

import networkx as nx

from sealcheck.algorithms.as_printed.program_graph import program_graph_repaired
from sealcheck.algorithms.as_printed.sig import decides, sig_repaired
from sealcheck.programs.straight_line import StraightLine
from sealcheck.theorems.checking.examples import surrounded_transfer, there_and_back
from sealcheck.theorems.checking.record import in_coq
from sealcheck.theorems.checking.statement import Claim, Form, Growth, Hypothesis, Statement
from sealcheck.theorems.checking.verdicts import ONE_FAMILY, counts, of_exchange


def size(p: StraightLine) -> int:
    """The nodes and edges of sig(P), as the appendix computes it."""
    graph = sig_repaired(p)
    return int(graph.number_of_nodes() + graph.number_of_edges())


def nodes(p: StraightLine) -> int:
    """The nodes of sig(P)."""
    return int(sig_repaired(p).number_of_nodes())


def edges_for_deciding(p: StraightLine) -> int:
    """The edges of sig(P) that deciding whether P seals, or is sealed, looks at."""
    return sum(decides(*edge) for edge in sig_repaired(p).edges)


def searched(p: StraightLine) -> int:
    """How many edges of the program graph a search from each of its nodes looks at.

    >>> searched(StraightLine.of(1))
    1
    """
    graph = program_graph_repaired(p)
    return sum(graph.out_degree(f) for e in graph for f in (e, *nx.descendants(graph, e)))


def _for_deciding(exponent: int) -> Growth:
    """The edges of a signature that deciding looks at."""
    return Growth(
        "such edges, where half of the processes send to the other half, between exchanges in both",
        "n",
        exponent,
        counts(lambda n: edges_for_deciding(surrounded_transfer(n)), 2, 4, 8, 16),
    )


SIGNATURE_SIZE = Statement.of(
    "signature-size",
    'section 4, "It has size O(n^2)"',
    Claim(
        Form.AS_PRINTED,
        "a signature has O(n^2) nodes and edges",
        growth=of_exchange("nodes and edges", 2, size),
        refutations=in_coq(
            "LargeSignatures.v", "signature_size_as_printed_fails", "BSLs that relay messages"
        ),
        fails_at=(1, 0),
    ),
    Claim(
        Form.AS_PRINTED,
        "a signature has O(n^2) edges of those that deciding whether Q seals P looks at",
        growth=_for_deciding(2),
        refutations=in_coq(
            "LargeSignatures.v", "signature_edges_as_printed_fails", "BSLs that relay messages"
        ),
        fails_at=(1, 0),
    ),
    Claim(
        Form.REPAIRED,
        "a signature has O(n^2) nodes",
        growth=of_exchange("nodes", 2, nodes),
        theorems=in_coq("SignatureSize.v", "signature_nodes", "every straight-line program of n processes"),
    ),
    Claim(
        Form.REPAIRED,
        "a signature has O(n^4) nodes and edges",
        growth=of_exchange("nodes and edges", 4, size),
        theorems=in_coq(
            "SignatureSize.v", "signature_nodes_and_edges", "every straight-line program of n processes"
        ),
    ),
    Claim(
        Form.REPAIRED,
        "a signature has O(n^3) edges of those that deciding whether Q seals P looks at",
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
        Form.AS_PRINTED,
        "computing sig(P), for which the program graph of P is closed, takes O(||P||^3) steps",
        growth=Growth(
            "edges looked at by a search from every node, where P repeats a message and its answer",
            "events",
            3,
            counts(lambda events: searched(there_and_back(events // 4)), 16, 32, 64, 128, 256),
        ),
        hypotheses=(
            Hypothesis(
                "no idle processes",
                remark="an idle process adds two nodes to the signature, but nothing to P: if there are"
                " idle ones, the cost is at least in the order of n, and ||P|| has to include n",
            ),
        ),
    ),
    limits=(ONE_FAMILY,),
)

STATEMENTS = (SIGNATURE_SIZE, SIGNATURE_COST)
