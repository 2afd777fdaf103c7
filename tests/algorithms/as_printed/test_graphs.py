"""The printed procedures that make graphs, and their repairs."""

import networkx as nx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.algorithms.as_printed.smallest import smallest_program

from sealcheck.algorithms.as_printed import printed_throughout
from sealcheck.algorithms.as_printed.closed_channels import closed_channels_repaired
from sealcheck.algorithms.as_printed.deadlock_free import deadlock_free, deadlock_free_repaired
from sealcheck.algorithms.as_printed.program_graph import (
    First,
    Last,
    Occurrence,
    program_graph,
    program_graph_repaired,
)
from sealcheck.algorithms.as_printed.sig import sig_repaired
from sealcheck.algorithms.as_printed.signature_compose import signature_compose, signature_compose_repaired
from sealcheck.programs.space import Space
from sealcheck.programs.straight_line import StraightLine, channels, mt, rcv, snd


def test_printed_throughout_opens_channels_and_closes_none():
    """The printed callee keeps all open receives; from two messages on, it also keeps closed receives."""

    def receives(graph):
        return {node for node in graph if node in {rcv(j, i) for i, j in channels(3)}}

    def keeps_more(p):
        return receives(printed_throughout.sig(p)) > receives(sig_repaired(p))

    def loses_one(p):
        return not receives(printed_throughout.sig(p)) >= receives(sig_repaired(p))

    assert smallest_program(keeps_more, {1: 0, 2: 2}) == "mt 1->2; mt 2->1"
    assert smallest_program(loses_one, {1: 0, 2: 5, 3: 3}) is None


# --- Program-Graph: line 5 joins a send to a receive by the sender ----------------------------


def cross_edges(graph):
    pairs = [(e, f) for e, f in graph.edges if isinstance(e, Occurrence) and isinstance(f, Occurrence)]
    return [(e, f) for e, f in pairs if e.event.process != f.event.process]


def test_smallest_deadlock_free_program_printed_with_a_cycle():
    """The smallest such program is a transmission and its answer."""

    def has_cycle(p):
        return not nx.is_directed_acyclic_graph(program_graph(p))

    assert smallest_program(has_cycle, {1: 0, 2: 2}) == "mt 1->2; mt 2->1"


def test_printed_graph_never_leaves_a_process():
    """As printed, no edge leads to another process; as repaired, each message has an edge."""
    for p in Space(3, 3).programs():
        assert cross_edges(program_graph(p)) == []
        assert len(cross_edges(program_graph_repaired(p))) == 3


def test_both_readings_agree_on_self_channels():
    for p in Space(1, 3, self_channels=True).programs():
        assert nx.utils.graphs_equal(program_graph(p), program_graph_repaired(p))


def test_second_half_of_line_4_is_idle():
    for p in Space(3, 3).programs():
        signature = sig_repaired(p)
        assert not any(signature.has_edge(rcv(j, i), Last(i)) for i, j in channels(3))


def test_smallest_program_whose_closed_channels_are_spoiled():
    """From two messages on, the printed text takes closed channels for open, never the reverse."""

    def misses_one(p):
        return set(printed_throughout.closed_channels(p).edges) < set(closed_channels_repaired(p).edges)

    def invents_one(p):
        return not set(printed_throughout.closed_channels(p).edges) <= set(closed_channels_repaired(p).edges)

    assert smallest_program(misses_one, {1: 0, 2: 2}) == "mt 1->2; mt 2->1"
    assert smallest_program(invents_one, {1: 0, 2: 5, 3: 3}) is None


@st.composite
def balanced_programs(draw):
    """Balanced programs with their events in any order, so that many deadlock."""
    n = draw(st.integers(2, 4))
    used = draw(st.lists(st.sampled_from(channels(n)), max_size=6))
    events = [event for i, j in used for event in (snd(i, j), rcv(j, i))]
    return StraightLine.of(n, draw(st.permutations(events)))


WAIT_FOR_EACH_OTHER = StraightLine.of(2, [rcv(1, 2), rcv(2, 1), snd(1, 2), snd(2, 1)])


@given(balanced_programs())
@example(WAIT_FOR_EACH_OTHER)
def test_deadlock_free_agrees_with_execution(p):
    """As printed, the procedure returns the opposite."""
    assert deadlock_free_repaired(p) == p.is_deadlock_free
    assert deadlock_free(p) != p.is_deadlock_free


def test_smallest_program_on_which_deadlock_free_is_spoiled():
    def wrong(p):
        return not deadlock_free_repaired(p, program_graph)

    assert smallest_program(wrong, {1: 0, 2: 2}) == "mt 1->2; mt 2->1"


def test_two_slips_cancel():
    """The printed answer is right exactly if the slip in Program-Graph makes a cycle."""
    right = [str(p) for p in Space(2, 2).programs() if printed_throughout.deadlock_free(p)]
    assert right == ["mt 2->1; mt 1->2", "mt 1->2; mt 2->1"]


def same(graph, other):
    return set(graph) == set(other) and set(graph.edges) == set(other.edges)


@pytest.mark.parametrize(("n", "most"), [(2, 3), (3, 1), pytest.param(3, 2, marks=pytest.mark.larger)])
def test_repaired_is_the_signature_of_the_composition(n, most):
    programs = [p for m in range(most + 1) for p in Space(n, m).programs()]
    signatures = [sig_repaired(p) for p in programs]
    for p, P in zip(programs, signatures, strict=True):
        for q, Q in zip(programs, signatures, strict=True):
            assert same(signature_compose_repaired(P, Q), sig_repaired(p.then(q))), (str(p), str(q))


def test_printed_procedure_keeps_no_receive_of_p():
    """The receives that are left are exactly those of Q."""
    for p in Space(2, 3).programs():
        for q in Space(2, 2).programs():
            Q = sig_repaired(q)
            composite = signature_compose(sig_repaired(p), Q)
            for event in (rcv(1, 2), rcv(2, 1)):
                assert (event in composite) == (event in Q)


square = st.lists(st.lists(st.booleans(), min_size=3, max_size=3), min_size=3, max_size=3)


@given(square, square)
def test_composing_multiplies_boolean_matrices(A, B):
    """The edges from first to last nodes of the composite are the product of any two Boolean matrices. So not
    O(n²)."""
    thirds = [(x, y) for x in range(3) for y in range(3)]
    a, b = ([(x, y) for x, y in thirds if matrix[x][y]] for matrix in (A, B))
    p = StraightLine.of(9, [snd(1 + x, 4 + y) for x, y in a] + [rcv(4 + y, 1 + x) for x, y in a])
    q = StraightLine.of(9, [snd(4 + y, 7 + z) for y, z in b] + [rcv(7 + z, 4 + y) for y, z in b])
    composite = signature_compose_repaired(sig_repaired(p), sig_repaired(q))
    for x, z in thirds:
        product = any(A[x][y] and B[y][z] for y in range(3))
        assert composite.has_edge(First(1 + x), Last(7 + z)) == product


def test_composition_of_transmission_and_answer():
    """Source: figure `fig:Sigvtack`."""
    parts = [sig_repaired(StraightLine.of(2, mt(i, j))) for i, j in ((1, 2), (2, 1))]
    events = {node for node in signature_compose_repaired(*parts) if not isinstance(node, First | Last)}
    assert events == {snd(1, 2), rcv(1, 2)}
