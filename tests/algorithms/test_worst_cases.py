"""Profiles: they hold all that sealing depends on, and the hardest ones are the hardest."""

from collections.abc import Iterator
from itertools import product

import pytest

from sealcheck.algorithms.minimum_seal import minimum_or_unsealable, minimum_seal
from sealcheck.algorithms.seal_construction import short_seal, tree_seal
from sealcheck.algorithms.sealability import (
    Problem,
    Sealable,
    blocks,
    closed_channel_graph,
    is_connected,
    saturate,
    suffices,
)
from sealcheck.algorithms.signature import signature
from sealcheck.algorithms.worst_cases import (
    as_signature,
    hardest_profiles,
    hardest_program,
    worst_case,
)
from sealcheck.explorers.channel_contents import find_seal
from sealcheck.programs.straight_line import Channel, channels


def profiles(n: int) -> Iterator[dict[Channel, int]]:
    """For each channel either nothing, or a set of processes that includes the receiver."""
    choices = [[0, *(m for m in range(1 << n) if m >> (c.receiver - 1) & 1)] for c in channels(n)]
    for masks in product(*choices):
        yield {channel: mask for channel, mask in zip(channels(n), masks, strict=True) if mask}


def least(n: int, profile: object) -> int | None:
    """The fewest messages that seal a profile, None if nothing does."""
    found = minimum_or_unsealable(Problem.of(as_signature(n, profile)))  # type: ignore[arg-type]
    return len(found.transmissions) if isinstance(found, Sealable) else None


@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_hardest_profiles_are_hardest(n: int) -> None:
    """The largest minimum over the few is that over all conceivable profiles, 3^2 or 5^6."""
    every = [least(n, profile) for profile in profiles(n)]
    assert max(value for value in every if value is not None) == worst_case(n)
    assert max((least(n, profile) or 0 for profile in hardest_profiles(n)), default=0) == worst_case(n)


@pytest.mark.parametrize("n", [2, 3, 4, pytest.param(5, marks=pytest.mark.larger)])
def test_the_worst_case_is_attained(n: int) -> None:
    """3n - 5 messages are always enough, and a program needs them: the worst case is exact."""
    program = hardest_program(n)
    needed = len(minimum_seal(Problem.of(signature(program))).transmissions)
    assert needed == worst_case(n) == 3 * n - 5


@pytest.mark.parametrize("n", [2, 3])
def test_the_explorer_finds_no_shorter_seal_of_the_hardest_program(n: int) -> None:
    """Played out, with fewer than 3n - 5 messages nothing seals it, and with 3n - 5 something does."""
    program = hardest_program(n)
    assert find_seal(program, 3 * n - 6) is None
    found = find_seal(program, 3 * n - 5)
    assert found is not None
    assert found.messages == 3 * n - 5


@pytest.mark.parametrize("n", [1, 2, 3])
def test_every_profile(n: int) -> None:
    """Saturation, blocks and short seals agree; a tree of closed channels carries a seal below 3n."""
    for profile in profiles(n):
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
    """Of the conceivable profiles of two processes, only that of crossing messages is unsealable."""
    unsealable = [
        p for p in profiles(2) if not isinstance(saturate(Problem.of(as_signature(2, p))), Sealable)
    ]
    assert [sorted(map(str, profile)) for profile in unsealable] == [["1->2", "2->1"]]
