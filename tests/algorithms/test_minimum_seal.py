"""Minimum seals are as short as the explorer's; reasons are true; limits are unknown."""

import re
from functools import cache

import networkx as nx
import pytest
from hypothesis import given, settings
from tests.algorithms.oracles import knowledge, unsealed
from tests.strategies import balanced_program, programs_up_to, unhurried

from sealcheck.algorithms.minimum_seal import Minimum, minimum_or_unsealable, minimum_seal
from sealcheck.algorithms.sealability import Problem, Sealable, sealability, suffices
from sealcheck.algorithms.signature import signature
from sealcheck.errors import LimitReached
from sealcheck.explorers import channel_contents
from sealcheck.explorers.channel_contents import find_seal
from sealcheck.programs.straight_line import StraightLine, channels, mt, rcv, snd

CROSSING = [snd(1, 2), snd(2, 1), rcv(1, 2), rcv(2, 1)]
X = StraightLine.of(3, CROSSING)
"""The paper's example that needs a third process."""


@cache
def small() -> list[tuple[StraightLine, Minimum]]:
    """The sealable canonical programs of up to 3 processes and 4 messages, with their minimum seals."""
    programs = [program for n in (1, 2, 3) for program in programs_up_to(n, 4, canonical=True)]
    answers = [(program, minimum_or_unsealable(Problem.of(signature(program)))) for program in programs]
    return [(program, found) for program, found in answers if isinstance(found, Minimum)]


State = frozenset[tuple[int, tuple[int, int]]]
"""For each process, the open channels that it knows to be safe."""


def states(program: StraightLine) -> tuple[State, nx.DiGraph]:
    """The states of knowledge that safe transmissions lead to after P, with one edge per transmission."""
    known = knowledge(program)
    start = frozenset((k, channel) for channel, informed in known.items() for k in informed)
    graph = nx.DiGraph()
    graph.add_node(start)
    pending = [start]
    while pending:
        state = pending.pop()
        for i, j in channels(program.n):
            if (i, j) not in known or (i, (i, j)) in state:
                after = state | {(j, channel) for k, channel in state if k == i}
                if after not in graph:
                    pending.append(after)
                graph.add_edge(state, after)
    return start, graph


def bound(program: StraightLine, state: State) -> int:
    """The documented lower bound: processes that must learn something, or must tell what only they know."""
    unsafe = [channel for channel in knowledge(program) if (channel.sender, channel) not in state]
    informed = [{k for k, known in state if known == channel} for channel in unsafe]
    must_tell = {k for knowing in informed if len(knowing) == 1 for k in knowing}
    return max(len({channel.sender for channel in unsafe}), len(must_tell))


def is_sealed(program: StraightLine, state: State) -> bool:
    return all((channel.sender, channel) in state for channel in knowledge(program))


def test_the_explorer_finds_no_shorter_seal() -> None:
    for program, found in small():
        assert channel_contents.seals(program, found.seal(program.n)), str(program)
        least = find_seal(program, len(found.transmissions))
        assert least is not None, str(program)
        assert least.messages == len(found.transmissions), str(program)
    assert len(small()) == 24 + 436


def test_small_bounds_are_admissible() -> None:
    for program, found in small():
        start, graph = states(program)
        sealed = {state for state in graph if is_sealed(program, state)}
        still_needed = nx.multi_source_dijkstra_path_length(graph.reverse(), sealed)
        assert still_needed[start] == len(found.transmissions), str(program)
        assert all(bound(program, s) <= distance for s, distance in still_needed.items()), str(program)


def test_small_reasons_are_true() -> None:
    """`excluded` counts the states, `reason` has true numbers, and fewer messages lead to no sealed state."""
    kinds = set()
    for program, found in small():
        start, graph = states(program)
        messages, first = len(found.transmissions), bound(program, start)
        sent = nx.single_source_shortest_path_length(graph, start, cutoff=messages - 1) if messages else {}
        might_do = [state for state, count in sent.items() if count + bound(program, state) < messages]
        assert not any(is_sealed(program, state) for state in sent), str(program)
        assert found.excluded == len(might_do), str(program)
        numbers = set(map(int, re.findall(r"\d+", found.reason)))
        if messages and first < messages:
            assert len(might_do) in numbers <= {len(might_do), messages}, str(program)
        else:
            assert numbers == ({messages} if messages else set()), str(program)
        kinds.add((bool(messages), first < messages))
    assert kinds == {(False, False), (True, False), (True, True)}


@settings(unhurried, max_examples=150)
@given(balanced_program(max_n=4, max_messages=8))
def test_larger_minimum_seals_seal(program: StraightLine) -> None:
    problem = Problem.of(signature(program))
    found, other = minimum_or_unsealable(problem), sealability(program)
    if not isinstance(other, Sealable):
        assert found == other
        return
    assert isinstance(found, Minimum)
    assert unsealed(program, found.seal(program.n)) == []
    assert suffices(problem, found.transmissions)
    assert len(found.transmissions) <= len(other.transmissions)


def test_an_unsealable_program_has_no_minimum() -> None:
    x = StraightLine.of(2, CROSSING)
    assert minimum_or_unsealable(Problem.of(signature(x))) == sealability(x)
    with pytest.raises(ValueError, match=r"^the program is not sealable$"):
        minimum_seal(Problem.of(signature(x)))


@pytest.mark.parametrize("states", [0, 2, 4])
def test_a_limit_is_no_verdict(states: int) -> None:
    with pytest.raises(LimitReached) as caught:
        minimum_seal(Problem.of(signature(X)), states=states)
    sentence = f"no minimum seal was found among the first {states} states of knowledge"
    assert str(caught.value) == sentence
    with pytest.raises(LimitReached):
        minimum_or_unsealable(Problem.of(signature(X)), states=states)


@pytest.mark.parametrize("program", [StraightLine.of(2), StraightLine.of(2, mt(1, 2)), X, X.then(X)])
def test_any_limit_gives_the_answer_or_none(program: StraightLine) -> None:
    problem = Problem.of(signature(program))
    unlimited, answers = minimum_seal(problem), 0
    for limit in range(30):
        try:
            assert minimum_seal(problem, states=limit) == unlimited
            answers += 1
        except LimitReached:
            assert not answers, "a larger limit lost the answer"
    assert answers
