"""Runs, by the definition, and a sentence for each violated condition."""

from collections.abc import Iterator
from itertools import permutations, product

import networkx as nx
import pytest

from sealcheck.errors import InputError
from sealcheck.programs.runs import Place, Run, interferes_with
from sealcheck.programs.straight_line import StraightLine, mt, rcv, snd

ONCE = StraightLine.of(2, mt(1, 2))
TWICE = ONCE.then(ONCE)
S1, S2, R1, R2 = (Place(process, position) for process in (1, 2) for position in (1, 2))
"""Both sends and both receives of TWICE."""
X = StraightLine.of(2, [snd(1, 2), snd(2, 1), rcv(1, 2), rcv(2, 1)])


def is_run(run: Run) -> bool:
    """By the definition: delta total on receives, injective, on channels; Lamport's relation acyclic."""
    graph = nx.DiGraph()
    receives = {}
    for process, share in enumerate(run.program.shares, 1):
        for position, event in enumerate(share, 1):
            graph.add_node(Place(process, position))
            if position > 1:
                graph.add_edge(Place(process, position - 1), Place(process, position))
            if not event.is_send:
                receives[Place(process, position)] = event
    if set(run.matching) != set(receives) or len(set(run.matching.values())) != len(run.matching):
        return False
    for receive, source in run.matching.items():
        if run.program.shares[source.process - 1][source.position - 1] != snd(*receives[receive].channel):
            return False
        graph.add_edge(source, receive)
    return nx.is_directed_acyclic_graph(graph) and run.order in map(tuple, nx.all_topological_sorts(graph))


def all_attempts(program: StraightLine) -> Iterator[Run]:
    places = [Place(p, at) for p, share in enumerate(program.shares, 1) for at in range(1, len(share) + 1)]
    receives = [
        place for place in places if not program.shares[place.process - 1][place.position - 1].is_send
    ]
    for order in permutations(places):
        for sources in product([None, *places], repeat=len(receives)):
            chosen = zip(receives, sources, strict=True)
            yield Run(program, order, {receive: source for receive, source in chosen if source})


@pytest.mark.parametrize(("program", "runs"), [(ONCE, 1), (TWICE, 3), (X, 4)])
def test_check_accepts_exactly_the_runs(program: StraightLine, runs: int) -> None:
    accepted = 0
    for run in all_attempts(program):
        try:
            run.check()
        except InputError:
            assert not is_run(run)
        else:
            assert is_run(run)
            accepted += 1
    assert accepted == runs


@pytest.mark.parametrize(
    ("order", "matching", "sentence"),
    [
        ((S2, S1, R1, R2), {R1: S1, R2: S2}, "event 2 of process 1 is out of order"),
        ((S1, S1, R1, R2), {R1: S1, R2: S2}, "event 1 of process 1 is out of order"),
        ((S1, S2, R1), {R1: S1, R2: S2}, "the order leaves out events of process 2"),
        ((), {}, "the order leaves out events of process 1"),
        ((S1, S2, R1, R2), {R2: S1}, "receive 1 of process 2 is not matched"),
        ((S1, S2, R1, R2), {R1: S1, R2: S1}, "two receives are matched to the same send"),
        ((S1, S2, R1, R2), {R1: R2, R2: S2}, "'rcv 2<-1' is matched to 'rcv 2<-1'"),
        ((S1, R1, S2, R2), {R1: S2, R2: S1}, "'rcv 2<-1' happens before the send it is matched to"),
        ((S1, S2, R1, R2), {R1: S1, R2: Place(1, 3)}, "the program has no event 3 at process 1"),
        ((S1, S2, R1, R2), {R1: S1, R2: Place(1, 0)}, "the program has no event 0 at process 1"),
        ((S1, S2, R1, R2, Place(2, 3)), {R1: S1, R2: S2}, "the program has no event 3 at process 2"),
        ((S1, S2, R1, R2), {R1: S1, R2: Place(3, 1)}, "the program has no event 1 at process 3"),
        ((Place(0, 1), S1, S2, R1, R2), {R1: S1, R2: S2}, "the program has no event 1 at process 0"),
    ],
)
def test_what_is_no_run_is_named(
    order: tuple[Place, ...], matching: dict[Place, Place], sentence: str
) -> None:
    with pytest.raises(InputError) as caught:
        Run(TWICE, order, matching).check()
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("extra", "sentence"),
    [
        (S1, "the matching matches a send, not a receive"),
        (Place(9, 9), "the matching is about events that the program does not have"),
        (R2, "the matching is about events that the program does not have"),
    ],
)
def test_only_receives_are_matched(extra: Place, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        Run(ONCE, (S1, R1), {R1: S1, extra: Place(9, 9)}).check()
    assert str(caught.value) == sentence


def test_an_unmatched_send_is_allowed() -> None:
    program = TWICE.then(StraightLine.of(2, [snd(1, 2)]))
    run = Run(program, (S1, S2, Place(1, 3), R1, R2), {R1: Place(1, 3), R2: S1})
    run.check()
    assert interferes_with(run, TWICE) == R1


def test_interferes_with_finds_the_first_crossing() -> None:
    straight = Run(TWICE, (S1, S2, R1, R2), {R1: S1, R2: S2})
    crossed = Run(TWICE, (S1, S2, R1, R2), {R1: S2, R2: S1})
    assert interferes_with(straight, ONCE) is None
    assert interferes_with(crossed, ONCE) == R1
    assert interferes_with(crossed, TWICE) is None
    assert interferes_with(crossed, StraightLine.of(2)) is None


def test_a_later_receive_can_interfere() -> None:
    p, q = StraightLine.of(2, [snd(1, 2)]), StraightLine.of(2, [rcv(2, 1)])
    assert interferes_with(Run(p.then(q), (S1, R1), {R1: S1}), p) == R1
