"""Program-Graph: line 5 joins a send to a receive by the sender."""

import networkx as nx

from sealcheck.algorithms.as_printed.nodes import Occurrence
from sealcheck.algorithms.as_printed.program_graph import program_graph, program_graph_repaired
from sealcheck.programs.space import Space
from sealcheck.programs.straight_line import StraightLine, mt, snd


def cross_edges(graph):
    """The edges from one process to another."""
    pairs = [(e, f) for e, f in graph.edges if isinstance(e, Occurrence) and isinstance(f, Occurrence)]
    return [(e, f) for e, f in pairs if e.event.process != f.event.process]


def test_smallest_program_with_a_different_graph(smallest_program):
    """A single message transmission already gets the wrong graph."""

    def differs(p):
        return not nx.utils.graphs_equal(program_graph(p), program_graph_repaired(p))

    assert smallest_program(differs, {1: 0, 2: 2}) == "mt 1->2"


def test_smallest_deadlock_free_program_printed_with_a_cycle(smallest_program):
    """A deadlock-free program can get a cycle as printed, from a transmission and its answer on."""

    def has_cycle(p):
        return not nx.is_directed_acyclic_graph(program_graph(p))

    assert smallest_program(has_cycle, {1: 0, 2: 2}) == "mt 1->2; mt 2->1"


def test_printed_graph_never_leaves_a_process():
    """As printed, no edge leads from one process to another; repaired, one does for every message."""
    for p in Space(3, 3).programs():
        assert cross_edges(program_graph(p)) == []
        assert len(cross_edges(program_graph_repaired(p))) == 3


def test_repaired_graph_has_the_size_that_the_text_says():
    """Every event and two dummy nodes per process; successor edges and one edge per message."""
    for p in Space(3, 3).programs():
        graph = program_graph_repaired(p)
        assert graph.number_of_nodes() == p.length + 2 * p.n
        assert graph.number_of_edges() == p.length + p.n + p.messages


def test_repaired_graph_joins_the_kth_send_to_the_kth_receive():
    """Cross edges join equal numbers on one channel, whatever lies between."""
    p = StraightLine.of(3, [snd(1, 2), *mt(1, 3), *mt(1, 2), mt(1, 2)[1]])
    joined = [(str(e), str(f)) for e, f in cross_edges(program_graph_repaired(p))]
    assert joined == [
        ("snd 1->2 #1", "rcv 2<-1 #1"),
        ("snd 1->3 #1", "rcv 3<-1 #1"),
        ("snd 1->2 #2", "rcv 2<-1 #2"),
    ]


def test_both_readings_agree_on_self_channels():
    """Where i = j the printed receive is the right one."""
    for p in Space(1, 3, self_channels=True).programs():
        assert nx.utils.graphs_equal(program_graph(p), program_graph_repaired(p))
