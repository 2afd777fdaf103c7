"""Signature-Compose: line 5 asks about lst_j where lst_i is meant."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sealcheck.algorithms.as_printed.nodes import First, Last
from sealcheck.algorithms.as_printed.sig import sig_repaired
from sealcheck.algorithms.as_printed.signature_compose import signature_compose, signature_compose_repaired
from sealcheck.programs.space import Space
from sealcheck.programs.straight_line import StraightLine, mt, rcv, snd


def same(graph, other):
    return set(graph) == set(other) and set(graph.edges) == set(other.edges)


@pytest.mark.parametrize(("n", "most"), [(2, 3), (3, 2)])
def test_repaired_is_the_signature_of_the_composition(n, most):
    """Repaired, composing signatures loses nothing: it is the signature of the layered program."""
    programs = [p for m in range(most + 1) for p in Space(n, m).programs()]
    signatures = [sig_repaired(p) for p in programs]
    for p, P in zip(programs, signatures, strict=True):
        for q, Q in zip(programs, signatures, strict=True):
            assert same(signature_compose_repaired(P, Q), sig_repaired(p.then(q))), (str(p), str(q))


def test_smallest_pair_with_the_wrong_signature(smallest_pair):
    """As printed, composing with the empty program loses the open receive."""

    def differs(p, q):
        return not same(signature_compose(sig_repaired(p), sig_repaired(q)), sig_repaired(p.then(q)))

    assert smallest_pair(differs, {1: 0, 2: 2}) == ["mt 1->2", "eps"]


def test_printed_procedure_keeps_no_receive_of_p():
    """As printed, the receives left are exactly Q's, whatever P leaves open."""
    for p in Space(2, 3).programs():
        for q in Space(2, 2).programs():
            Q = sig_repaired(q)
            composite = signature_compose(sig_repaired(p), Q)
            for event in (rcv(1, 2), rcv(2, 1)):
                assert (event in composite) == (event in Q)


square = st.lists(st.lists(st.booleans(), min_size=3, max_size=3), min_size=3, max_size=3)


@given(square, square)
def test_composing_multiplies_boolean_matrices(A, B):
    """Not O(n²): the composite's edges from first to last nodes are a product of any two matrices."""
    thirds = [(x, y) for x in range(3) for y in range(3)]
    a, b = ([(x, y) for x, y in thirds if matrix[x][y]] for matrix in (A, B))
    p = StraightLine.of(9, [snd(1 + x, 4 + y) for x, y in a] + [rcv(4 + y, 1 + x) for x, y in a])
    q = StraightLine.of(9, [snd(4 + y, 7 + z) for y, z in b] + [rcv(7 + z, 4 + y) for y, z in b])
    composite = signature_compose_repaired(sig_repaired(p), sig_repaired(q))
    for x, z in thirds:
        product = any(A[x][y] and B[y][z] for y in range(3))
        assert composite.has_edge(First(1 + x), Last(7 + z)) == product


def test_composition_of_transmission_and_answer():
    """Figure `fig:Sigvtack` from its parts: the first receive and the second send go."""
    parts = [sig_repaired(StraightLine.of(2, mt(i, j))) for i, j in ((1, 2), (2, 1))]
    events = {node for node in signature_compose_repaired(*parts) if not isinstance(node, First | Last)}
    assert events == {snd(1, 2), rcv(1, 2)}
