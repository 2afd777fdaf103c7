"""Constructed seals seal within their bounds; some programs need as many messages."""

from collections.abc import Iterator
from itertools import islice, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.algorithms.oracles import unsealed
from tests.strategies import balanced_program, programs_up_to, unhurried

from sealcheck.algorithms.minimum_seal import (
    Masks,
    as_signature,
    hardest_profiles,
    hardest_program,
    minimum_or_unsealable,
    minimum_seal,
    worst_case,
)
from sealcheck.algorithms.seal_construction import bridges, construct_seal, short_seal, tree_seal
from sealcheck.algorithms.sealability import (
    Problem,
    Sealable,
    blocks,
    closed_channel_graph,
    is_connected,
    saturate,
    sealability,
    suffices,
)
from sealcheck.algorithms.signature import signature
from sealcheck.explorers import channel_contents
from sealcheck.programs.straight_line import Channel, StraightLine, channels


def check(n: int, profile: Masks) -> None:
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
    """A sealable profile that has n - 1 bridges and no other knowledge."""
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


@settings(unhurried, max_examples=200)
@given(bridged())
def test_no_more_than_3n_minus_5_messages(drawn: tuple[int, Masks]) -> None:
    check(*drawn)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sealcheck.algorithms.sealability.PRUNED", 0)
        check(*drawn)


@pytest.mark.parametrize("n", [3, 4])
def test_the_hardest(n: int) -> None:
    minima = set()
    for profile in hardest_profiles(n):
        check(n, profile)
        minima.add(len(minimum_seal(Problem.of(as_signature(n, profile))).transmissions))
    assert max(minima) == 3 * n - 5


@pytest.mark.parametrize("n", range(2, 12))
def test_it_is_a_minimum_for_the_hardest_program(n: int) -> None:
    program = hardest_program(n)
    found = short_seal(signature(program))
    assert isinstance(found, Sealable)
    assert len(found.transmissions) == 3 * n - 5
    assert unsealed(program, found.seal(n)) == []


@settings(unhurried, max_examples=150)
@given(balanced_program(max_n=5, max_messages=10))
def test_sealable_iff_there_are_n_minus_1_bridges(program: StraightLine) -> None:
    first = signature(program)
    sealable = isinstance(saturate(Problem.of(first)), Sealable)
    assert sealable == (len(bridges(first)) == program.n - 1)


def test_small_seals_are_confirmed_by_the_explorer() -> None:
    for program in programs_up_to(3, 3, canonical=True):
        found = construct_seal(signature(program))
        assert isinstance(found, Sealable) == isinstance(sealability(program), Sealable)
        if isinstance(found, Sealable):
            assert channel_contents.seals(program, found.seal(program.n))


@unhurried
@given(balanced_program(max_n=7, max_messages=20))
def test_fewer_than_3n_messages_where_the_graph_is_connected(program: StraightLine) -> None:
    """The bound is that of the theorem."""
    first = signature(program)
    closed = closed_channel_graph(first)
    if is_connected(first.n, closed):
        tree = list(tree_seal(first.n, closed))
        assert len(tree) <= 3 * (first.n - 1)
        assert suffices(Problem.of(first), tree)
        found = construct_seal(first)
        assert isinstance(found, Sealable)
        assert len(found.transmissions) <= len(tree)
        assert suffices(Problem.of(first), found.transmissions)


def profiles(n: int) -> Iterator[dict[Channel, int]]:
    """For each channel, nothing or a set of processes that includes the receiver."""
    choices = [[0, *(m for m in range(1 << n) if m >> (c.receiver - 1) & 1)] for c in channels(n)]
    for masks in product(*choices):
        yield {channel: mask for channel, mask in zip(channels(n), masks, strict=True) if mask}


def least(n: int, profile: object) -> int | None:
    found = minimum_or_unsealable(Problem.of(as_signature(n, profile)))  # type: ignore[arg-type]
    return len(found.transmissions) if isinstance(found, Sealable) else None


@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_hardest_profiles_are_hardest(n: int) -> None:
    """The largest minimum over the hardest profiles is that over all 3^2 or 5^6 profiles."""
    every = [least(n, profile) for profile in profiles(n)]
    assert max(value for value in every if value is not None) == worst_case(n)
    assert max((least(n, profile) or 0 for profile in hardest_profiles(n)), default=0) == worst_case(n)


@pytest.mark.larger
def test_the_worst_case_is_attained_by_five_processes() -> None:
    """The program needs 3n - 5 messages. For up to four processes, the statement `worst-case-seal` covers
    this."""
    needed = len(minimum_seal(Problem.of(signature(hardest_program(5)))).transmissions)
    assert needed == worst_case(5) == 10


@pytest.mark.parametrize(
    ("n", "step"), [(1, 1), (2, 1), (3, 7), pytest.param(3, 1, marks=pytest.mark.larger)]
)
def test_every_profile(n: int, step: int) -> None:
    for profile in islice(profiles(n), 0, None, step):
        first = as_signature(n, profile)
        problem, closed = Problem.of(first), closed_channel_graph(first)
        found, short = saturate(problem), short_seal(first)
        assert (len(blocks(first)) == 1) == isinstance(found, Sealable)
        if isinstance(short, Sealable):
            assert isinstance(found, Sealable)
            assert suffices(problem, short.transmissions)
            assert len(short.transmissions) <= max(3 * n - 5, 0)
        else:
            assert short == found
        if is_connected(n, closed):
            tree = list(tree_seal(n, closed))
            assert suffices(problem, tree)
            assert len(tree) < 3 * n


def test_unsealable_profiles_exist() -> None:
    """Two crossing messages have the only unsealable profile of two processes."""
    unsealable = [
        p for p in profiles(2) if not isinstance(saturate(Problem.of(as_signature(2, p))), Sealable)
    ]
    assert [sorted(map(str, profile)) for profile in unsealable] == [["1->2", "2->1"]]
