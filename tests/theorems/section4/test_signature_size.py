"""Sizes and costs of signatures: growth on record, and counted steps."""

from itertools import product

import pytest
from tests.algorithms.oracles import compose

from sealcheck.algorithms.as_printed.program_graph import First, Last
from sealcheck.algorithms.as_printed.sig import decides, sig_repaired
from sealcheck.algorithms.signature import bits, signature
from sealcheck.programs.space import Space
from sealcheck.programs.straight_line import Event, channels
from sealcheck.theorems.checking.domains import Programs, every
from sealcheck.theorems.checking.examples import (
    exchange,
    exchange_in_halves,
    phase,
    phase_seal,
    surrounded_transfer,
    there_and_back,
    transfer,
)
from sealcheck.theorems.checking.verdicts import count, fitted_exponent
from sealcheck.theorems.section4.signature_size import (
    SIGNATURE_COST,
    edges_for_deciding,
    joined,
    lookups,
    new_edges,
    nodes,
    size,
    unions,
)


def test_counts_on_record() -> None:
    """2n^2 nodes exactly if all send and then receive; more than n^3 edges."""
    assert [nodes(exchange(n)) for n in (2, 4, 8)] == [8, 32, 128]
    assert [size(exchange(n)) for n in (2, 4, 8)] == [28, 250, 2460]
    assert [edges_for_deciding(surrounded_transfer(n)) for n in (2, 4, 8)] == [5, 36, 224]


def test_the_cost_is_quadratic() -> None:
    """The time is about the number of pairs of events."""
    growth = SIGNATURE_COST.claims[0].growth
    assert growth is not None
    assert 1.9 < fitted_exponent(count(growth)) < 2


@pytest.mark.parametrize(("n", "messages"), [(1, 0), (2, 3), (2, 4), (3, 3)])
def test_no_signature_has_more_than_is_argued(n: int, messages: int) -> None:
    """In all programs of a level: at most 2n^2 nodes, 2n^3 edges for deciding, and fewer than 2n^4 edges."""
    for instance in every(Programs())(n, messages):
        graph = sig_repaired(instance.p)
        assert sum(isinstance(node, First | Last) for node in graph) == 2 * n
        assert nodes(instance.p) == graph.number_of_nodes() <= 2 * n**2
        assert graph.number_of_edges() < 2 * n**4
        assert size(instance.p) < 2 * n**2 + 2 * n**4
        assert edges_for_deciding(instance.p) <= 2 * n**3


def test_the_bound_on_edges_for_deciding_counts_what_is_looked_at() -> None:
    """The edges that count lead to an Ld_k from a receive or Fd_i, or to a send from an Fd_k."""
    looked_at = {(str(e)[:3], str(f)[:3]) for e, f in sig_repaired(exchange(3)).edges if decides(e, f)}
    others = {(str(e)[:3], str(f)[:3]) for e, f in sig_repaired(exchange(3)).edges if not decides(e, f)}
    assert looked_at == {("fst", "lst"), ("fst", "snd"), ("rcv", "lst")}
    assert others == {("fst", "rcv"), ("snd", "lst"), ("snd", "snd"), ("snd", "rcv"), ("rcv", "rcv")}


@pytest.mark.parametrize("n", [2, 3, 4, 7])
def test_families_are_what_they_say(n: int) -> None:
    half = n // 2
    expected = {
        exchange(n): n * (n - 1),
        transfer(n): half * (n - half),
        exchange_in_halves(n): half * (half - 1) + (n - half) * (n - half - 1),
        there_and_back(n): 2 * n,
        phase(n): (n - 1) ** 2,
        phase_seal(n): n - 1,
    }
    for program, messages in expected.items():
        assert program.is_balanced
        assert program.is_deadlock_free
        assert program.messages == messages
    assert exchange(n).used == set(channels(n))


def test_is_seal_looks_for_cubically_many_edges() -> None:
    """For each of (n - 1)^2 channels, n - 1 processes k; twice for the process that is found."""
    for n in (3, 4, 8):
        assert lookups(n) >= (n - 1) ** 3
        assert lookups(n) <= 2 * (n - 1) ** 3


def test_new_edges_are_in_neither_signature() -> None:
    nothing = Space(2, 0).program(0)
    assert list(new_edges(exchange(2), nothing)) == []
    added = {(str(e), str(f)) for e, f in new_edges(transfer(4), exchange_in_halves(4))}
    assert ("rcv 3<-1", "lst 4") in added
    assert ("rcv 3<-1", "lst 3") not in added


def test_joining_through_the_dummy_nodes_finds_every_path() -> None:
    """An edge from P to Q leads through some Ld_k and Fd_k. So O(n^5) steps are enough."""
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
    graph = sig_repaired(exchange(n))
    assert joined(exchange(n)) == sum(
        len(graph.pred[Last(k)]) * len(graph.succ[First(k)]) for k in range(1, n + 1)
    )
    p = surrounded_transfer(n)
    found = signature(p)
    assert compose(found, found) == signature(p.then(p))
    members = [list(bits(mask)) for mask in (*found.receives.values(), *found.sends.values(), *found.ends)]
    assert unions(p) == sum(map(len, members))
