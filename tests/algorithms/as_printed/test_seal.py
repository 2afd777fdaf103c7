"""Seal: every pick of tree and root gives a seal of at most 3n - 3 messages."""

from itertools import product

import networkx as nx
import pytest

from sealcheck.algorithms.as_printed import printed_throughout
from sealcheck.algorithms.as_printed.closed_channels import closed_channels_repaired
from sealcheck.algorithms.as_printed.is_seal import is_seal_repaired
from sealcheck.algorithms.as_printed.seal import NoSpanningTree, seal
from sealcheck.programs.events import mt, rcv, snd
from sealcheck.programs.space import Space
from sealcheck.programs.straight_line import StraightLine

X = [snd(1, 2), snd(2, 1), rcv(1, 2), rcv(2, 1)]


def trees(closed):
    """Every T that line 3 may pick: on each tree edge one direction or the other, or both."""
    pairs = {tuple(sorted(edge)) for edge in closed.edges}
    ways = [
        [d for d in ([], [(i, j)], [(j, i)], [(i, j), (j, i)]) if closed.edges >= set(d)] for i, j in pairs
    ]
    for choice in product(*ways):
        if sum(map(bool, choice)) == len(closed) - 1:
            tree = nx.DiGraph()
            tree.add_nodes_from(closed)
            tree.add_edges_from(edge for directions in choice for edge in directions)
            if nx.is_connected(tree.to_undirected()):
                yield tree


def every_seal(p):
    """What Seal returns for all picks of T and, not only at its center, of v."""
    closed = closed_channels_repaired(p)
    return {
        seal(p, lambda _: closed, lambda _: tree, lambda _: root)  # noqa: B023 - called at once
        for tree in trees(closed)
        for root in closed
    }


@pytest.mark.parametrize(("n", "m"), [(1, 0), (2, 0), (2, 1), (2, 2), (2, 3), (3, 0), (3, 1), (3, 2)])
def test_every_pick_gives_a_seal(n, m):
    """Whatever T and v are, the result seals P, is deadlock-free and has n - 1 messages per phase at most."""
    for p in Space(n, m).programs():
        for s in every_seal(p):
            assert is_seal_repaired(p, s), (str(p), str(s))
            assert s.is_deadlock_free
            assert 2 * n - 2 <= s.messages <= 3 * n - 3


def test_number_of_messages_depends_on_the_root():
    """Both ends of the only tree edge are its center, but only one of them needs phase (a)."""
    assert {str(s) for s in every_seal(StraightLine.of(2, mt(1, 2)))} == {
        "mt 2->1; mt 1->2",
        "mt 2->1; mt 1->2; mt 2->1",
    }


def test_unsealable_program_has_no_tree():
    """Lemma `l:non-sealed`: for X among two processes, line 3 has nothing to pick."""
    with pytest.raises(NoSpanningTree, match=r"connects the processes \[1\], \[2\]"):
        seal(StraightLine.of(2, X))


def test_third_process_makes_x_sealable():
    """Figure `fig:PGs`: among three processes X is sealed by acknowledgments through the third."""
    p = StraightLine.of(3, X)
    s = StraightLine.of(3, mt(2, 3) + mt(1, 3) + mt(3, 1) + mt(3, 2))
    assert seal(p) == s
    assert is_seal_repaired(p, s)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_seal_of_the_papers_example(example_phase, n):
    """The paper's S, one message from process 1 to each other, seals the paper's L; so does Seal(L)."""
    p = example_phase(n)
    s = StraightLine.of(n, [event for i in range(2, n + 1) for event in mt(1, i)])
    assert is_seal_repaired(p, s)
    assert is_seal_repaired(p, seal(p))


def test_smallest_program_that_the_printed_callees_spoil(smallest_program):
    """Printed throughout, no seal is found for a transmission and its answer, which can be sealed."""

    def finds_none(p):
        try:
            printed_throughout.seal(p)
        except NoSpanningTree:
            return nx.is_connected(closed_channels_repaired(p).to_undirected())
        return False

    assert smallest_program(finds_none, {1: 0, 2: 2}) == "mt 1->2; mt 2->1"


def test_seals_that_are_found_printed_throughout_are_seals():
    """What Seal does return on the printed callees seals P: they only ever take closed channels for open."""
    found = 0
    for p in Space(3, 3).programs():
        try:
            s = printed_throughout.seal(p)
        except NoSpanningTree:
            continue
        found += 1
        assert is_seal_repaired(p, s), str(p)
    assert found > 0
