"""All runs of a program by all matchings: against interleavings, networkx and the program graph."""

from functools import reduce
from itertools import product

import networkx as nx
import pytest
from hypothesis import given, settings
from tests.algorithms.oracles import places_of
from tests.strategies import balanced_program, programs_up_to, unhurried

from sealcheck.algorithms.matchings import ordered_in_every_run, pasts
from sealcheck.programs.runs import Place
from sealcheck.programs.straight_line import Event, StraightLine, rcv, snd


def runs(program: StraightLine) -> list[frozenset[tuple[Place, Place]]]:
    """Lamport's relation on P's events in each run, up to which later message a receive takes.

    By the definition: an injective delta on the channels, acyclic together with the order at each
    process.  A later send is a node of its own behind all events of its process.
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
    """As many runs, and the same pairs ordered in all of them, as the definition gives."""
    for program in programs_up_to(n, m):
        expected = runs(program)
        assert len(list(pasts(program))) == len(expected), str(program)
        assert ordered_in_every_run(program) == reduce(frozenset.intersection, expected), str(program)


@settings(unhurried, max_examples=50)
@given(balanced_program(max_n=3, max_messages=4, self_channels=True))
def test_runs_are_the_definition(program: StraightLine) -> None:
    """The same for random programs, self-channels included."""
    expected = runs(program)
    assert len(list(pasts(program))) == len(expected)
    assert ordered_in_every_run(program) == reduce(frozenset.intersection, expected)


def test_without_a_run_everything_is_ordered() -> None:
    """A program that deadlocks has no run, in which each event would precede each, itself too."""
    stuck = StraightLine.of(2, [rcv(1, 2), rcv(2, 1), snd(1, 2), snd(2, 1)])
    places = [place for place, _ in all_places(stuck)]
    assert list(pasts(stuck)) == []
    assert ordered_in_every_run(stuck) == set(product(places, repeat=2))
