"""Verdicts on packed profiles: those of the readable algorithms, whichever profile it is."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import unhurried

from sealcheck.algorithms.minimum_seal import Minimum, minimum_or_unsealable
from sealcheck.algorithms.packed.events import FIELD
from sealcheck.algorithms.packed.profiles import Judge
from sealcheck.algorithms.sealability import Problem, closed_channel_graph, is_connected
from sealcheck.algorithms.signature import Signature, signature
from sealcheck.algorithms.worst_cases import Masks, hardest_program
from sealcheck.programs.straight_line import channels

Said = tuple[int, bool, bool, int]


def packed(n: int, profile: Masks) -> int:
    """The profile in fields; `profile` has the open channels."""
    return sum(profile.get(channel, 0) << FIELD * place for place, channel in enumerate(channels(n)))


def judged(judge: Judge, profiles: list[int]) -> list[Said]:
    said = judge.verdicts(np.array(profiles, np.int64))
    return list(zip(*(column.tolist() for column in vars(said).values()), strict=True))


def expected(n: int, profile: Masks) -> Said:
    first = Signature(n, profile, {}, tuple(1 << k for k in range(n)))
    found = minimum_or_unsealable(Problem.of(first))
    messages = len(found.transmissions) if isinstance(found, Minimum) else -1
    joined = is_connected(n, closed_channel_graph(first))
    return len(first.open_channels), joined, messages >= 0, messages


@st.composite
def open_profiles(draw: st.DrawFn, n: int) -> Masks:
    """Some open channels, each with its receiver and any others but its sender."""
    opened = draw(st.lists(st.sampled_from(channels(n)), unique=True))
    masks = {channel: draw(st.integers(0, (1 << n) - 1)) for channel in opened}
    return {(i, j): (mask | 1 << (j - 1)) & ~(1 << (i - 1)) for (i, j), mask in masks.items()}


@settings(unhurried, max_examples=300)
@given(st.integers(2, 4).flatmap(lambda n: st.tuples(st.just(n), open_profiles(n))))
def test_verdicts_are_those_of_the_plain_algorithms(problem: tuple[int, Masks]) -> None:
    """Open channels, connectedness, sealability and minimum, realizable or not."""
    n, profile = problem
    profile = {channel: profile[channel] for channel in channels(n) if channel in profile}
    assert judged(Judge(n), [packed(n, profile)]) == [expected(n, profile)]


def test_the_longest_minimum_is_found() -> None:
    """The programs whose seals need 3n - 5 messages, where deepening goes deepest."""
    for n in (2, 3, 4):
        first = signature(hardest_program(n))
        profile = {channel: first.receives[channel] for channel in first.open_channels}
        [(_, _, _, messages)] = judged(Judge(n), [packed(n, profile)])
        assert messages == 3 * n - 5


def test_each_profile_is_judged_once() -> None:
    """However often profiles come, and though the table grows meanwhile, answers stay the same."""
    judge, profiles = Judge(4), list(range(1 << 12))
    fresh = [said for profile in profiles for said in judged(Judge(4), [profile])]
    assert judged(judge, profiles[::-1]) == fresh[::-1]
    assert judged(judge, profiles) == fresh
    assert judge.judged == len(profiles)
