"""Sig: no slip of its own, spoiled by its printed callee, larger than the text says."""

from itertools import pairwise

import networkx as nx
import pytest

from sealcheck.algorithms.as_printed import printed_throughout
from sealcheck.algorithms.as_printed.nodes import First, Last
from sealcheck.algorithms.as_printed.sig import sig_repaired
from sealcheck.explorers.channel_contents import closes
from sealcheck.programs.space import Space
from sealcheck.programs.straight_line import StraightLine, channels, mt, rcv, snd


def everyone_sends_then_receives(n):
    sends = [snd(i, j) for i, j in channels(n)]
    return StraightLine.of(n, sends + [rcv(j, i) for i, j in channels(n)])


def test_signature_of_a_transmission():
    """Figure `fig:Sigvt`: all six nodes, and all causal edges but those to or from nothing."""
    signature = sig_repaired(StraightLine.of(2, mt(1, 2)))
    assert set(signature.edges) == {
        (First(1), snd(1, 2)),
        (First(1), rcv(2, 1)),
        (First(1), Last(1)),
        (First(1), Last(2)),
        (First(2), rcv(2, 1)),
        (First(2), Last(2)),
        (snd(1, 2), rcv(2, 1)),
        (snd(1, 2), Last(1)),
        (snd(1, 2), Last(2)),
        (rcv(2, 1), Last(2)),
    }


def test_an_answer_removes_the_receive():
    """Figure `fig:Sigvtack`: followed by an answer, the receive is gone and the answer's receive is there."""
    signature = sig_repaired(StraightLine.of(2, mt(1, 2) + mt(2, 1)))
    assert rcv(2, 1) not in signature
    assert rcv(1, 2) in signature
    assert snd(2, 1) not in signature


@pytest.mark.parametrize(("n", "m"), [(2, 4), (3, 3)])
def test_receives_are_the_open_channels(n, m):
    """A receive is in the signature exactly when an execution leaves its channel open."""
    for p in Space(n, m).programs():
        open_channels = {c for c in channels(n) if not closes(p, c)}
        assert open_channels == {c for c in channels(n) if rcv(c.receiver, c.sender) in sig_repaired(p)}


def test_smallest_program_that_the_printed_callee_spoils(smallest_program):
    """On the printed Program-Graph, a single transmission gets the wrong signature."""

    def differs(p):
        return not nx.utils.graphs_equal(printed_throughout.sig(p), sig_repaired(p))

    assert smallest_program(differs, {1: 0, 2: 1}) == "mt 1->2"


def test_printed_throughout_opens_channels_and_closes_none(smallest_program):
    """The printed callee loses no open receive, but keeps closed ones from two messages on."""

    def receives(graph):
        return {node for node in graph if node in {rcv(j, i) for i, j in channels(3)}}

    def keeps_more(p):
        return receives(printed_throughout.sig(p)) > receives(sig_repaired(p))

    def loses_one(p):
        return not receives(printed_throughout.sig(p)) >= receives(sig_repaired(p))

    assert smallest_program(keeps_more, {1: 0, 2: 2}) == "mt 1->2; mt 2->1"
    assert smallest_program(loses_one, {1: 0, 2: 5, 3: 3}) is None


def test_edges_grow_with_the_fourth_power():
    """Not O(n²): 2n² nodes, but edges whose fourth difference is 6, a polynomial n⁴/4 + ..."""
    signatures = [sig_repaired(everyone_sends_then_receives(n)) for n in range(1, 7)]
    assert [graph.number_of_nodes() for graph in signatures] == [2 * n * n for n in range(1, 7)]
    edges = [graph.number_of_edges() for graph in signatures]
    assert edges == [1, 20, 82, 218, 465, 866]
    for _ in range(4):
        edges = [later - earlier for earlier, later in pairwise(edges)]
    assert edges == [6, 6]
