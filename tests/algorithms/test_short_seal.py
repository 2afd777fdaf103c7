"""Short seals: they seal, with at most 3n - 5 messages, and some programs need as many."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.algorithms.oracles import unsealed
from tests.strategies import balanced_program, unhurried

from sealcheck.algorithms import sealability
from sealcheck.algorithms.minimum_seal import minimum_seal
from sealcheck.algorithms.seal_construction import bridges, short_seal
from sealcheck.algorithms.sealability import Problem, Sealable, saturate, suffices
from sealcheck.algorithms.signature import signature
from sealcheck.algorithms.worst_cases import (
    Masks,
    as_signature,
    hardest_profiles,
    hardest_program,
)
from sealcheck.programs.straight_line import Channel, StraightLine, channels


def check(n: int, profile: Masks) -> None:
    """The answer is that of saturation, and the seal is one and short."""
    first = as_signature(n, profile)
    found, other = short_seal(first), saturate(Problem.of(first))
    if isinstance(found, Sealable):
        assert suffices(Problem.of(first), found.transmissions)
        assert len(found.transmissions) <= max(3 * n - 5, 0)
        assert isinstance(other, Sealable)
    else:
        assert found == other


@st.composite
def bridged(draw: st.DrawFn, max_n: int = 9) -> tuple[int, Masks]:
    """A sealable profile that has n - 1 bridges and no other knowledge, crossed in the order drawn."""
    n = draw(st.integers(2, max_n))
    profile = {channel: 1 << (channel.receiver - 1) for channel in channels(n)}
    part_of = {process: {process} for process in range(1, n + 1)}
    while len(part_of[1]) < n:
        crossing = [(i, j) for i, j in channels(n) if j not in part_of[i]]
        i, j = draw(st.sampled_from(crossing))
        profile[Channel(i, j)] |= 1 << (draw(st.sampled_from(sorted(part_of[i]))) - 1)
        joined = part_of[i] | part_of[j]
        part_of |= dict.fromkeys(joined, joined)
    return n, profile


@settings(unhurried, max_examples=400)
@given(bridged())
def test_no_more_than_3n_minus_5_messages(drawn: tuple[int, Masks]) -> None:
    """Whatever the tree of bridges, the seal is within the bound, even if nothing is pruned from it."""
    check(*drawn)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sealability, "PRUNED", 0)
        check(*drawn)


@pytest.mark.parametrize("n", [3, 4])
def test_the_hardest(n: int) -> None:
    """On the profiles with the least knowledge, too, and one of them needs 3n - 5 messages."""
    minima = set()
    for profile in hardest_profiles(n):
        check(n, profile)
        minima.add(len(minimum_seal(Problem.of(as_signature(n, profile))).transmissions))
    assert max(minima) == 3 * n - 5


@pytest.mark.parametrize("n", range(2, 12))
def test_it_is_a_minimum_for_the_hardest_program(n: int) -> None:
    """The hardest program gets a seal of exactly 3n - 5 messages, in the graph of P and seal."""
    program = hardest_program(n)
    found = short_seal(signature(program))
    assert isinstance(found, Sealable)
    assert len(found.transmissions) == 3 * n - 5
    assert unsealed(program, found.seal(n)) == []


@settings(unhurried, max_examples=150)
@given(balanced_program(max_n=5, max_messages=10))
def test_sealable_iff_there_are_n_minus_1_bridges(program: StraightLine) -> None:
    """The bridges are as many as join everybody exactly for sealable programs."""
    first = signature(program)
    sealable = isinstance(saturate(Problem.of(first)), Sealable)
    assert sealable == (len(bridges(first)) == program.n - 1)
