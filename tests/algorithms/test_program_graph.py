"""The program graph against networkx, and executability against acyclicity."""

from collections.abc import Callable, Iterable

import networkx as nx
import pytest
from hypothesis import given
from tests.algorithms.oracles import closure, message_pairs, program_graph
from tests.strategies import any_program, balanced_program, unhurried

from sealcheck.algorithms.program_graph import causal_pairs, message_edges, normal_edges, predecessors
from sealcheck.programs.runs import Place, fifo_run
from sealcheck.programs.straight_line import DeadlockError, StraightLine, mt, rcv, snd

CYCLE = StraightLine.of(2, [rcv(1, 2), rcv(2, 1), snd(1, 2), snd(2, 1)])
"""Each process waits for the other."""


def between_events(edges: Iterable[tuple[object, object]]) -> set[tuple[Place, Place]]:
    """The edges that touch no dummy node."""
    return {(a, b) for a, b in edges if isinstance(a, Place) and isinstance(b, Place)}


@unhurried
@given(balanced_program() | balanced_program(self_channels=True))
def test_normal_edges(program: StraightLine) -> None:
    """They are the edges of the program graph without its dummy nodes; message edges are listed once."""
    assert set(normal_edges(program)) == between_events(program_graph(program).edges)
    assert sorted(message_edges(program)) == sorted(message_pairs(program))


@unhurried
@given(balanced_program() | balanced_program(self_channels=True))
def test_causal_pairs_are_the_closure(program: StraightLine) -> None:
    """(N_E)+ is what networkx's transitive closure keeps between events."""
    assert causal_pairs(program) == between_events(closure(program))


@unhurried
@given(balanced_program())
def test_predecessors(program: StraightLine) -> None:
    """From one place, or from all last ones at once, exactly what reaches a target, and the targets."""
    graph = program_graph(program)
    ends = [Place(process, len(share)) for process, share in enumerate(program.shares, 1) if share]
    for targets in (*([end] for end in ends), ends, []):
        reached = {place for end in targets for place in nx.ancestors(graph, end)} | set(targets)
        assert predecessors(program, targets) == {node for node in reached if isinstance(node, Place)}


@unhurried
@given(balanced_program(self_channels=True))
def test_places_are_a_topological_order(program: StraightLine) -> None:
    """All places, each once, every edge pointing forward."""
    order = fifo_run(program).order
    number = {place: index for index, place in enumerate(order)}
    assert len(number) == len(order) == program.length
    assert all(number[earlier] < number[later] for earlier, later in normal_edges(program))


@unhurried
@given(any_program())
def test_deadlock_freedom_is_acyclicity(program: StraightLine) -> None:
    """A program runs to its end exactly if no receive lacks a send and the program graph has no cycle.

    The appendix's Deadlock-Free returns the opposite: whether there *is* a cycle.
    """
    acyclic = nx.is_directed_acyclic_graph(program_graph(program))
    supplied = all(excess > 0 for excess in program.imbalance.values())
    assert program.is_deadlock_free == (acyclic and supplied)


def test_a_send_without_a_receive_has_no_edge() -> None:
    """The surplus message of an unbalanced program joins nothing."""
    program = StraightLine.of(2, [*mt(1, 2), snd(1, 2)])
    assert message_edges(program) == ((Place(1, 1), Place(2, 1)),)
    assert set(normal_edges(program)) == {(Place(1, 1), Place(1, 2)), (Place(1, 1), Place(2, 1))}


@pytest.mark.parametrize("function", [fifo_run, message_edges, normal_edges, causal_pairs])
def test_a_deadlock_has_no_graph(function: Callable[[StraightLine], object]) -> None:
    """Every function that needs an executable order says that there is none."""
    with pytest.raises(DeadlockError):
        function(CYCLE)
