"""Sealability: seals seal, refusals have closed knowledge, and blocks decide."""

from functools import cache, reduce

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.algorithms.oracles import knowledge, open_channels, processes, unsealed
from tests.strategies import balanced_program, programs_up_to, unhurried

from sealcheck.algorithms.sealability import (
    Problem,
    Sealable,
    Unsealable,
    blocks,
    closed_channel_graph,
    components,
    is_connected,
    saturate,
    sealability,
    suffices,
    told,
    transmitting,
)
from sealcheck.algorithms.signature import signature
from sealcheck.differential.strategies import executions
from sealcheck.explorers import channel_contents
from sealcheck.explorers.channel_contents import find_seal
from sealcheck.programs.straight_line import Channel, DeadlockError, StraightLine, channels, rcv, snd


@cache
def small() -> list[StraightLine]:
    return [program for n in (1, 2, 3) for program in programs_up_to(n, 4, canonical=True)]


@st.composite
def crowded_program(draw: st.DrawFn, max_n: int = 5) -> StraightLine:
    """Most messages are sent before any is received, so many of these programs are unsealable."""
    n = draw(st.integers(2, max_n))
    used = draw(st.lists(st.sampled_from(channels(n)), min_size=n, unique=True))
    receives = [rcv(j, i) for i, j in draw(st.permutations(used))]
    crowd = StraightLine.of(n, [*(snd(i, j) for i, j in used), *receives])
    return crowd.then(StraightLine.of(n, draw(executions(n, 3))))


programs = balanced_program() | crowded_program(3) | crowded_program()


def by_channel(problem: Problem, known: tuple[int, ...]) -> dict[Channel, set[int]]:
    return {
        channel: {k for k, mask in enumerate(known, 1) if bit in {b - 1 for b in processes(mask)}}
        for bit, channel in enumerate(problem.open_channels)
    }


def check_refusal(program: StraightLine, found: Unsealable) -> None:
    """Check that the knowledge includes that at P's end, grows by no allowed message, and is not enough."""
    assert list(found.problem.open_channels) == open_channels(program)
    known = by_channel(found.problem, found.knowledge)
    for channel, informed in knowledge(program).items():
        assert informed <= known[channel]
    for i, j in channels(program.n):
        if i in known.get(Channel(i, j), {i}):
            assert all(j in informed for informed in known.values() if i in informed)
    assert found.stuck
    assert list(found.stuck) == [channel for channel in known if channel.sender not in known[channel]]


# --- Sealable and unsealable --------------------------------------------------------------------


def test_small_seals_seal() -> None:
    for program in small():
        found = sealability(program)
        if isinstance(found, Sealable):
            sent = found.transmissions
            assert channel_contents.seals(program, found.seal(program.n)), str(program)
            for at in range(len(sent)):
                fewer = transmitting(program.n, [*sent[:at], *sent[at + 1 :]])
                assert not channel_contents.seals(program, fewer), f"{program} needs no {sent[at]}"


def test_small_refusals_hold() -> None:
    refused = 0
    for program in small():
        found = sealability(program)
        if isinstance(found, Unsealable):
            check_refusal(program, found)
            assert find_seal(program, 5) is None, str(program)
            refused += 1
    assert refused == 13


@settings(unhurried, max_examples=150)
@given(programs)
def test_larger_answers_hold(program: StraightLine) -> None:
    found = sealability(program)
    if isinstance(found, Sealable):
        assert unsealed(program, found.seal(program.n)) == []
    else:
        check_refusal(program, found)


@pytest.mark.larger
def test_all_programs_of_five_messages() -> None:
    for program in programs_up_to(3, 5, canonical=True):
        found = sealability(program)
        if isinstance(found, Sealable):
            assert channel_contents.seals(program, found.seal(3)), str(program)
        else:
            check_refusal(program, found)


def test_a_deadlock_is_refused() -> None:
    with pytest.raises(DeadlockError):
        sealability(StraightLine.of(2, [rcv(1, 2), rcv(2, 1), snd(1, 2), snd(2, 1)]))


# --- Knowledge ----------------------------------------------------------------------------------


@settings(unhurried, max_examples=150)
@given(programs, st.data())
def test_knowledge_is_causality(program: StraightLine, data: st.DataObject) -> None:
    usable = channels(program.n)
    sent = data.draw(st.lists(st.sampled_from(usable), max_size=6)) if usable else []
    problem = Problem.of(signature(program))
    known = reduce(told, sent, problem.initial)
    assert by_channel(problem, known) == knowledge(program, sent)
    assert list(problem.unsafe(known)) == [
        channel for channel, informed in knowledge(program, sent).items() if channel.sender not in informed
    ]
    assert suffices(problem, sent) == (not unsealed(program, transmitting(program.n, sent)))


# --- The closed-channel graph and blocks --------------------------------------------------------


@settings(unhurried, max_examples=200)
@given(programs)
def test_one_block_means_sealable(program: StraightLine) -> None:
    """The repaired `th:sealability`: P is sealable exactly if one block remains. Blocks part the processes; a
    channel between two blocks is open, and no process of the sender's block knows it. The returned
    transmissions are enough."""
    first = signature(program)
    assert closed_channel_graph(first) == set(channels(program.n)) - set(open_channels(program))
    answer, found, known = sealability(program), blocks(first), knowledge(program)
    assert (len(found) == 1) == isinstance(answer, Sealable)
    assert answer == saturate(problem := Problem.of(first))
    assert not isinstance(answer, Sealable) or suffices(problem, answer.transmissions)
    assert sorted(process for block in found for process in block) == list(range(1, program.n + 1))
    for i, j in channels(program.n):
        own = next(block for block in found if i in block)
        if j not in own:
            assert not known[Channel(i, j)] & own


@unhurried
@given(st.integers(1, 6), st.data())
def test_components(n: int, data: st.DataObject) -> None:
    usable = channels(n)
    edges = data.draw(st.lists(st.sampled_from(usable), max_size=8)) if usable else []
    graph = nx.Graph()
    graph.add_nodes_from(range(1, n + 1))
    graph.add_edges_from(edges)
    assert components(n, edges) == set(map(frozenset, nx.connected_components(graph)))
    assert is_connected(n, edges) == nx.is_connected(graph)
