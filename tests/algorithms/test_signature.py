"""Signatures and chains, compared with the closure of the program graph."""

from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.algorithms.oracles import (
    FIRST,
    LAST,
    Node,
    closure,
    compose,
    is_chain,
    open_channels,
    places_of,
    processes,
    used_channels,
)
from tests.strategies import balanced_program, balanced_programs, unhurried

from sealcheck.algorithms.signature import Reach, Signature, bits, look_back, look_forward, signature
from sealcheck.programs.straight_line import DeadlockError, StraightLine, mt, rcv, snd

programs = balanced_program() | balanced_program(max_n=4, max_messages=6, self_channels=True)
LOOP = StraightLine.of(1, mt(1, 1))
"""One message of a process to itself."""
OVERTAKEN = StraightLine.of(
    3, [snd(1, 2), snd(2, 3), rcv(2, 1), snd(2, 3), *mt(3, 2), rcv(3, 2), *mt(3, 1), rcv(3, 2)]
)
"""Process 3 sends between its two receives from 2. Only the second of them comes after a message of 1."""
Edge = tuple[tuple[str, object], tuple[str, object]]
KINDS = {("receive", LAST), (FIRST, "send"), (FIRST, LAST)}
"""The kinds of edges that sealing uses."""


def as_edges(found: Signature) -> set[Edge]:
    return {
        *((("receive", channel), (LAST, k)) for channel, m in found.receives.items() for k in processes(m)),
        *(((FIRST, k), ("send", channel)) for channel, m in found.sends.items() for k in processes(m)),
        *(((FIRST, k), (LAST, i)) for k, m in enumerate(found.ends, 1) for i in processes(m)),
    }


def by_definition(program: StraightLine) -> set[Edge]:
    """The edges of E+ between dummy nodes, first sends and last receives."""
    dummies = [(kind, k) for kind in (FIRST, LAST) for k in range(1, program.n + 1)]
    name: dict[Node, tuple[str, object]] = {dummy: dummy for dummy in dummies}
    for channel in used_channels(program):
        send, receive = mt(*channel)
        name[places_of(program, send)[0]] = ("send", channel)
        name[places_of(program, receive)[-1]] = ("receive", channel)
    kept = {(name[a], name[b]) for a, b in closure(program) if a in name and b in name}
    return {(a, b) for a, b in kept if (a[0], b[0]) in KINDS}


@settings(unhurried, max_examples=150)
@given(programs)
@example(LOOP)
def test_a_signature_is_the_closure_cut_down(program: StraightLine) -> None:
    """The edges are those of E+ that sealing uses."""
    found, edges = signature(program), closure(program)
    everyone = range(1, program.n + 1)
    assert found.n == program.n
    assert sorted(found.receives) == sorted(found.sends) == used_channels(program)
    assert as_edges(found) == by_definition(program)
    assert list(found.open_channels) == open_channels(program)
    first = {channel: places_of(program, mt(*channel)[0])[0] for channel in used_channels(program)}
    assert list(found.interfering_sends) == [
        channel for channel, place in first.items() if ((FIRST, channel.receiver), place) not in edges
    ]
    assert len(found.starts) == program.n
    assert {(k, i) for i in everyone for k in processes(found.starts[i - 1])} == {
        (k, i) for k in everyone for i in processes(found.ends[k - 1])
    }


@settings(unhurried, max_examples=150)
@given(balanced_programs(2) | balanced_programs(2, max_n=3, max_messages=3, self_channels=True))
def test_composing_signatures(programs: list[StraightLine]) -> None:
    """Source: `Signature-Compose`."""
    p, q = programs
    assert compose(signature(p), signature(q)) == signature(p.then(q))


@settings(unhurried, max_examples=150)
@given(programs)
@example(LOOP)
def test_look_forward_is_the_closure(program: StraightLine) -> None:
    reach, edges = look_forward(program), closure(program)
    everyone = range(1, program.n + 1)
    last = {channel: places_of(program, mt(*channel)[1])[-1] for channel in used_channels(program)}
    assert reach.places == last
    assert {channel: processes(mask) for channel, mask in reach.masks.items()} == {
        channel: {k for k in everyone if (place, (LAST, k)) in edges} for channel, place in last.items()
    }
    assert [processes(mask) for mask in reach.ends] == [
        {i for i in everyone if ((FIRST, k), (LAST, i)) in edges} for k in everyone
    ]


@settings(unhurried, max_examples=150)
@given(programs)
@example(LOOP)
@example(OVERTAKEN)
def test_look_back_is_the_closure(program: StraightLine) -> None:
    reach, edges = look_back(program), closure(program)
    everyone = range(1, program.n + 1)
    first = {channel: places_of(program, mt(*channel)[0])[0] for channel in used_channels(program)}
    assert reach.places == first
    assert {channel: processes(mask) for channel, mask in reach.masks.items()} == {
        channel: {k for k in everyone if ((FIRST, k), place) in edges} for channel, place in first.items()
    }
    assert [processes(mask) for mask in reach.ends] == [
        {k for k in everyone if ((FIRST, k), (LAST, i)) in edges} for i in everyone
    ]


def check_chains(program: StraightLine, reach: Reach, *, forward: bool) -> None:
    """Check that each chain of `reach` starts at the right event, is real, and gets to process k."""
    for channel, mask in reach.masks.items():
        for k in bits(mask):
            chain = reach.chain(reach.places[channel], k)
            assert chain[0] == reach.places[channel]
            assert chain[-1].process == k
            assert len(chain) <= 2 * program.n - 1
            assert is_chain(program, chain if forward else chain[::-1])


@settings(unhurried, max_examples=150)
@given(programs)
def test_chains_are_real(program: StraightLine) -> None:
    check_chains(program, look_forward(program), forward=True)
    check_chains(program, look_back(program), forward=False)


@unhurried
@given(st.sets(st.integers(1, 70)))
def test_bits(found: set[int]) -> None:
    assert list(bits(sum(1 << (process - 1) for process in found))) == sorted(found)


@pytest.mark.parametrize("look", [look_forward, look_back])
def test_a_deadlock_has_no_reach(look: Callable[[StraightLine], Reach]) -> None:
    with pytest.raises(DeadlockError):
        look(StraightLine.of(2, [rcv(1, 2), rcv(2, 1), snd(1, 2), snd(2, 1)]))
