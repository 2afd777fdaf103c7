"""Decisions about sealing and their evidence, compared with the graph of P;Q and the explorer."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.algorithms.oracles import is_chain, places_of, unsealed, used_channels
from tests.strategies import balanced_programs, programs_up_to, renamings, unhurried

from sealcheck.algorithms.sealing import Chain, Interferes, Seals, decide, is_seal
from sealcheck.algorithms.signature import signature
from sealcheck.explorers import channel_contents
from sealcheck.programs.runs import Place, interferes_with
from sealcheck.programs.straight_line import Channel, DeadlockError, StraightLine, mt, rcv, snd

pairs = balanced_programs(2) | balanced_programs(2, max_n=3, max_messages=3, self_channels=True)


def check_evidence(p: StraightLine, q: StraightLine) -> bool:
    """Check the evidence of `decide`, and return whether Q seals P."""
    found = decide(p, q)
    if isinstance(found, Interferes):
        check_interference(p, q, found)
        return False
    assert [chain.channel for chain in found.chains] == used_channels(p)
    for chain in found.chains:
        check_chain(p, q, chain)
    return True


def check_chain(p: StraightLine, q: StraightLine, chain: Chain) -> None:
    """Check a chain from P's last receive to Q's first send on the channel or, without one, to the sender."""
    both, (send, receive) = p.then(q), mt(*chain.channel)
    sent = len(places_of(p, send))
    assert chain.places[0] == places_of(p, receive)[-1]
    assert is_chain(both, chain.places)
    assert chain.to_send == (send in q.shares[send.process - 1])
    if chain.to_send:
        assert chain.places[-1] == places_of(both, send)[sent]
    else:
        assert chain.places[-1].process == chain.channel.sender


def check_interference(p: StraightLine, q: StraightLine, found: Interferes) -> None:
    """Check a run of P;Q;later: P's last receive takes the first message sent after P."""
    send, receive = mt(*found.channel)
    interfering = [channel for channel in unsealed(p, q) if mt(*channel)[0] in q.shares[channel.sender - 1]]
    assert found.channel == (interfering or unsealed(p, q))[0]
    assert found.later.n == p.n
    assert found.later.linearization == (() if send in q.shares[send.process - 1] else (send,))
    assert found.run.program == p.then(q).then(found.later)
    found.run.check()
    assert found.receive == places_of(p, receive)[-1]
    assert found.run.matching[found.receive] == places_of(found.run.program, send)[len(places_of(p, send))]
    assert interferes_with(found.run, p) == found.receive


@settings(unhurried, max_examples=150)
@given(pairs)
def test_is_seal_reads_the_graph_of_both(programs: list[StraightLine]) -> None:
    p, q = programs
    assert is_seal(signature(p), signature(q)) == (not unsealed(p, q))


@settings(unhurried, max_examples=150)
@given(pairs)
def test_decide_agrees_and_proves_it(programs: list[StraightLine]) -> None:
    p, q = programs
    assert check_evidence(p, q) == (not unsealed(p, q))


@unhurried
@given(balanced_programs(2, max_n=4, max_messages=3) | balanced_programs(2, 3, 3, self_channels=True))
def test_the_explorer_agrees(programs: list[StraightLine]) -> None:
    p, q = programs
    assert is_seal(signature(p), signature(q)) == channel_contents.seals(p, q)


MORE = [
    pytest.param(2, 4, False, marks=pytest.mark.larger),
    pytest.param(3, 3, True, marks=pytest.mark.larger),
]


@pytest.mark.parametrize(("n", "m", "canonical"), [(2, 3, False), (3, 2, False), *MORE])
def test_the_explorer_agrees_on_all_small_pairs(n: int, m: int, canonical: bool) -> None:
    seconds = [(q, signature(q)) for q in programs_up_to(n, m)]
    for p in programs_up_to(n, m, canonical=canonical):
        first = signature(p)
        for q, second in seconds:
            assert is_seal(first, second) == channel_contents.seals(p, q), f"P = {p}, Q = {q}"


@pytest.mark.parametrize(("n", "m"), [(2, 3), (3, 2), pytest.param(2, 4, marks=pytest.mark.larger)])
def test_evidence_on_all_small_pairs(n: int, m: int) -> None:
    seconds = list(programs_up_to(n, m))
    for p in programs_up_to(n, m, canonical=True):
        for q in seconds:
            assert check_evidence(p, q) == is_seal(signature(p), signature(q)), f"P = {p}, Q = {q}"


@unhurried
@given(balanced_programs(2, max_n=4), st.data())
def test_sealing_is_the_same_for_renamed_programs(programs: list[StraightLine], data: st.DataObject) -> None:
    """So it is enough to try P up to renaming processes."""
    p, q = programs
    f = data.draw(renamings(p.n))
    assert is_seal(signature(p.renamed(f)), signature(q.renamed(f))) == is_seal(signature(p), signature(q))


def test_a_chain_through_a_third_process() -> None:
    """2 receives and sends to 3, 3 sends to 1: so 1 knows that 2 has received."""
    p, q = StraightLine.of(3, mt(1, 2)), StraightLine.of(3, mt(2, 3) + mt(3, 1))
    expected = (Place(2, 1), Place(2, 2), Place(3, 1), Place(3, 2), Place(1, 2))
    assert decide(p, q) == Seals((Chain(Channel(1, 2), expected, to_send=False),))
    again = q.then(p)
    assert decide(p, again) == Seals((Chain(Channel(1, 2), (*expected, Place(1, 3)), to_send=True),))


def test_a_deadlock_is_refused() -> None:
    fine = StraightLine.of(2, mt(1, 2))
    stuck = StraightLine.of(2, [rcv(1, 2), rcv(2, 1), snd(1, 2), snd(2, 1)])
    with pytest.raises(DeadlockError):
        decide(stuck, fine)
    with pytest.raises(DeadlockError):
        decide(fine, stuck)
