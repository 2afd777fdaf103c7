"""Costs of composing and deciding: growth on record, and algorithms that do what is counted."""

from itertools import product

import pytest
from tests.algorithms.oracles import compose

from sealcheck.algorithms.as_printed.nodes import First, Last
from sealcheck.algorithms.as_printed.sig import sig_repaired
from sealcheck.algorithms.reach import bits
from sealcheck.algorithms.signature import signature
from sealcheck.programs.space import Space
from sealcheck.programs.straight_line import Event
from sealcheck.theorems.checking.examples import exchange, exchange_in_halves, surrounded_transfer, transfer
from sealcheck.theorems.checking.statement import Form, Statement
from sealcheck.theorems.checking.verdicts import count, grows_faster
from sealcheck.theorems.section4.signature_costs import (
    DECIDE_COST,
    SIGNATURE_COMPOSE_COST,
    STATEMENTS,
    joined,
    lookups,
    new_edges,
    unions,
)


@pytest.mark.parametrize(
    ("about", "refuted"),
    [(SIGNATURE_COMPOSE_COST, [True, True, False, False]), (DECIDE_COST, [True, False, False])],
)
def test_verdicts_on_record(about: Statement, refuted: list[bool]) -> None:
    """What is printed is too little for composing and for deciding; the repaired bounds do."""
    assert about in STATEMENTS
    for claim, expected in zip(about.claims, refuted, strict=True):
        assert claim.growth is not None
        assert grows_faster(claim.growth, count(claim.growth)) == expected
        assert claim.form is Form.AS_PRINTED or not expected


def test_is_seal_looks_for_cubically_many_edges() -> None:
    """For each of (n - 1)^2 channels, n - 1 processes k; twice for the one that will do."""
    for n in (3, 4, 8):
        assert lookups(n) >= (n - 1) ** 3
        assert lookups(n) <= 2 * (n - 1) ** 3


def test_new_edges_are_in_neither_signature() -> None:
    """Composing with the empty program adds nothing; a transfer and what spreads it adds a cube."""
    nothing = Space(2, 0).program(0)
    assert list(new_edges(exchange(2), nothing)) == []
    added = {(str(e), str(f)) for e, f in new_edges(transfer(4), exchange_in_halves(4))}
    assert ("rcv 3<-1", "lst 4") in added
    assert ("rcv 3<-1", "lst 3") not in added


def test_joining_through_the_dummy_nodes_finds_every_path() -> None:
    """The O(n^5) steps are enough: an edge from P to Q is a way through some Ld_k and Fd_k."""
    for p, q in product(Space(2, 2).programs(), repeat=2):
        first, second, whole = (sig_repaired(x) for x in (p, q, p.then(q)))
        through = {(e, f) for k in (1, 2) for e in first.pred[Last(k)] for f in second.succ[First(k)]}
        of_p = [e for e in first if isinstance(e, First) or (isinstance(e, Event) and e.is_send)]
        of_q = [f for f in second if isinstance(f, Last) or (isinstance(f, Event) and not f.is_send)]
        assert {(e, f) for e, f in product(of_p, of_q) if whole.has_edge(e, f)} == {
            (e, f) for e, f in through if e in of_p and f in of_q
        }


@pytest.mark.parametrize("n", [2, 3, 4])
def test_counts_of_steps_are_what_the_algorithms_take(n: int) -> None:
    """Joining multiplies what precedes Ld_k by what Fd_k precedes; composing takes a union a member."""
    graph = sig_repaired(exchange(n))
    assert joined(exchange(n)) == sum(
        len(graph.pred[Last(k)]) * len(graph.succ[First(k)]) for k in range(1, n + 1)
    )
    p = surrounded_transfer(n)
    found = signature(p)
    assert compose(found, found) == signature(p.then(p))
    members = [list(bits(mask)) for mask in (*found.receives.values(), *found.sends.values(), *found.ends)]
    assert unions(p) == sum(map(len, members))
