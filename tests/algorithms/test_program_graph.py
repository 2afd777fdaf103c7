"""The program graph, compared with networkx; deadlocks; all runs, by all matchings."""

from collections.abc import Callable, Iterable
from functools import reduce
from itertools import product

import networkx as nx
import pytest
from hypothesis import given, settings
from tests.algorithms.oracles import closure, message_pairs, places_of, program_graph
from tests.strategies import any_program, balanced_program, programs_up_to, unhurried

from sealcheck.algorithms.program_graph import (
    causal_pairs,
    message_edges,
    normal_edges,
    ordered_in_every_run,
    pasts,
    predecessors,
)
from sealcheck.programs.runs import Place, fifo_run
from sealcheck.programs.straight_line import DeadlockError, Event, StraightLine, mt, rcv, snd

CYCLE = StraightLine.of(2, [rcv(1, 2), rcv(2, 1), snd(1, 2), snd(2, 1)])
"""Each process waits for the other."""


def between_events(edges: Iterable[tuple[object, object]]) -> set[tuple[Place, Place]]:
    return {(a, b) for a, b in edges if isinstance(a, Place) and isinstance(b, Place)}


@unhurried
@given(balanced_program() | balanced_program(self_channels=True))
def test_normal_edges(program: StraightLine) -> None:
    assert set(normal_edges(program)) == between_events(program_graph(program).edges)
    assert sorted(message_edges(program)) == sorted(message_pairs(program))


@unhurried
@given(balanced_program() | balanced_program(self_channels=True))
def test_causal_pairs_are_the_closure(program: StraightLine) -> None:
    assert causal_pairs(program) == between_events(closure(program))


@unhurried
@given(balanced_program())
def test_predecessors(program: StraightLine) -> None:
    graph = program_graph(program)
    ends = [Place(process, len(share)) for process, share in enumerate(program.shares, 1) if share]
    for targets in (*([end] for end in ends), ends, []):
        reached = {place for end in targets for place in nx.ancestors(graph, end)} | set(targets)
        assert predecessors(program, targets) == {node for node in reached if isinstance(node, Place)}


@unhurried
@given(balanced_program(self_channels=True))
def test_places_are_a_topological_order(program: StraightLine) -> None:
    order = fifo_run(program).order
    number = {place: index for index, place in enumerate(order)}
    assert len(number) == len(order) == program.length
    assert all(number[earlier] < number[later] for earlier, later in normal_edges(program))


@unhurried
@given(any_program())
def test_deadlock_freedom_is_acyclicity(program: StraightLine) -> None:
    """The appendix's Deadlock-Free returns the opposite: whether there is a cycle."""
    acyclic = nx.is_directed_acyclic_graph(program_graph(program))
    supplied = all(excess > 0 for excess in program.imbalance.values())
    assert program.is_deadlock_free == (acyclic and supplied)


def test_a_send_without_a_receive_has_no_edge() -> None:
    program = StraightLine.of(2, [*mt(1, 2), snd(1, 2)])
    assert message_edges(program) == ((Place(1, 1), Place(2, 1)),)
    assert set(normal_edges(program)) == {(Place(1, 1), Place(1, 2)), (Place(1, 1), Place(2, 1))}


@pytest.mark.parametrize("function", [fifo_run, message_edges, normal_edges, causal_pairs])
def test_a_deadlock_has_no_graph(function: Callable[[StraightLine], object]) -> None:
    with pytest.raises(DeadlockError):
        function(CYCLE)


def runs(program: StraightLine) -> list[frozenset[tuple[Place, Place]]]:
    """Lamport's relation on P's events in each run, by the definition.

    A run is an injective delta on the channels that is acyclic together with the order at each process. A
    later send is a node behind all events of its process.
    """
    events = all_places(program)
    receives = [(place, event) for place, event in events if not event.is_send]
    sources = [[*places_of(program, snd(*event.channel)), None] for _, event in receives]
    found = []
    for chosen in product(*sources):
        taken = [source for source in chosen if source is not None]
        if len(set(taken)) < len(taken):
            continue
        graph = nx.DiGraph()
        graph.add_nodes_from(place for place, _ in events)
        graph.add_edges_from((Place(p, k - 1), Place(p, k)) for (p, k), _ in events if k > 1)
        for (receive, event), source in zip(receives, chosen, strict=True):
            graph.add_edge(source or ("later", receive), receive)
            if source is None:
                own = [place for place, other in events if other.process == event.sender]
                graph.add_edges_from((place, ("later", receive)) for place in own)
        if nx.is_directed_acyclic_graph(graph):
            edges = nx.transitive_closure_dag(graph).edges
            found.append(frozenset(edge for edge in edges if all(isinstance(node, Place) for node in edge)))
    return found


def all_places(program: StraightLine) -> list[tuple[Place, Event]]:
    return [
        (Place(process, at), event)
        for process, share in enumerate(program.shares, 1)
        for at, event in enumerate(share, 1)
    ]


@pytest.mark.parametrize(("n", "m"), [(2, 3), (3, 2)])
def test_small_runs_are_the_definition(n: int, m: int) -> None:
    """The definition is applied literally."""
    for program in programs_up_to(n, m):
        expected = runs(program)
        assert len(list(pasts(program))) == len(expected), str(program)
        assert ordered_in_every_run(program) == reduce(frozenset.intersection, expected), str(program)


@settings(unhurried, max_examples=50)
@given(balanced_program(max_n=3, max_messages=4, self_channels=True))
def test_runs_are_the_definition(program: StraightLine) -> None:
    expected = runs(program)
    assert len(list(pasts(program))) == len(expected)
    assert ordered_in_every_run(program) == reduce(frozenset.intersection, expected)


def test_without_a_run_everything_is_ordered() -> None:
    """Without a run, each event precedes each event in every run, itself too."""
    stuck = StraightLine.of(2, [rcv(1, 2), rcv(2, 1), snd(1, 2), snd(2, 1)])
    places = [place for place, _ in all_places(stuck)]
    assert list(pasts(stuck)) == []
    assert ordered_in_every_run(stuck) == set(product(places, repeat=2))
