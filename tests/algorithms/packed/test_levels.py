"""Packed levels and profiles have the rows, indices and verdicts of the plain loop."""

from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import unhurried

from sealcheck.algorithms.minimum_seal import Masks, Minimum, hardest_program, minimum_or_unsealable
from sealcheck.algorithms.packed import levels
from sealcheck.algorithms.packed.events import FIELD
from sealcheck.algorithms.packed.levels import Batch, LevelCounts, PackedLevel
from sealcheck.algorithms.packed.profiles import Judge
from sealcheck.algorithms.packed.walk import Automaton, automaton
from sealcheck.algorithms.sealability import Problem, closed_channel_graph, is_connected
from sealcheck.algorithms.signature import Signature, signature
from sealcheck.errors import InputError
from sealcheck.programs.space import Space, count_canonical, count_programs
from sealcheck.programs.straight_line import StraightLine, channels

SMALL = [(n, m) for n in (1, 2, 3) for m in range(5)] + [(2, 5), (2, 6), (4, 0), (4, 1), (4, 2), (4, 3)]
Row = tuple[int, int, int, bool, bool, int, str]
MOST_COUNTED = [(2, 10), (3, 7), (4, 5)]


def plain_row(index: int, program: StraightLine) -> Row:
    first = signature(program)
    found = minimum_or_unsealable(Problem.of(first))
    return (
        index,
        program.orbit_size,
        len(first.open_channels),
        is_connected(first.n, closed_channel_graph(first)),
        isinstance(found, Minimum),
        len(found.transmissions) if isinstance(found, Minimum) else -1,
        str(program),
    )


def plain_rows(space: Space, start: int, stop: int) -> list[Row]:
    programs = enumerate(space.programs(start, stop), start)
    return [plain_row(index, program) for index, program in programs if program.is_canonical]


def packed_rows(batch: Batch) -> Iterator[Row]:
    columns = (
        batch.index,
        batch.orbit_size,
        batch.open_channels,
        batch.connected,
        batch.sealable,
        batch.minimum,
    )
    for row, values in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
        yield (*values, str(batch.program(row)))


@cache
def level(n: int, m: int) -> PackedLevel:
    return PackedLevel(n, m)


@cache
def space(n: int, m: int) -> Space:
    return Space(n, m)


@pytest.mark.parametrize(("n", "m"), SMALL)
def test_small_levels_are_the_plain_ones(n: int, m: int) -> None:
    assert list(packed_rows(level(n, m).batch())) == plain_rows(space(n, m), 0, len(space(n, m)))


@settings(unhurried, max_examples=25)
@given(st.data())
def test_ranges_of_larger_levels_are_the_plain_ones(data: st.DataObject) -> None:
    n, m = data.draw(st.sampled_from([(3, 6), (4, 4)]))
    start = data.draw(st.integers(0, level(n, m).size - 1))
    stop = start + data.draw(st.integers(0, 60))
    assert list(packed_rows(level(n, m).batch(start, stop))) == plain_rows(space(n, m), start, stop)


@pytest.mark.larger
@pytest.mark.parametrize(("n", "m", "ranges"), [(3, 5, 1), (4, 4, 1), (3, 7, 40), (4, 5, 40)])
def test_more_levels_are_the_plain_ones(n: int, m: int, ranges: int) -> None:
    size = len(space(n, m))
    starts = [size * number // ranges for number in range(ranges)]
    for start in starts:
        stop = start + (size if ranges == 1 else 1_000)
        assert list(packed_rows(level(n, m).batch(start, stop))) == plain_rows(space(n, m), start, stop)


@settings(unhurried, max_examples=40)
@given(st.lists(st.integers(0, 2_280), max_size=5), st.sampled_from([1, 7, 1 << 14]))
def test_any_split_gives_the_same_rows(cuts: list[int], chunk: int) -> None:
    whole = level(3, 4)
    bounds = [0, *sorted(cuts), whole.size]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(levels, "CHUNK", chunk)
        pairs = list(pairwise(bounds))
        batches = [whole.batch(start, stop) for start, stop in pairs]
        tallies = [whole.tally(start, stop) for start, stop in pairs]
    once = whole.batch()
    for field in fields(Batch):
        parts = [getattr(batch, field.name) for batch in batches]
        assert np.array_equal(np.concatenate(parts), getattr(once, field.name)), field.name
    total = tallies[0]
    for tally in tallies[1:]:
        total += tally
    assert total == whole.tally()


@pytest.mark.parametrize(
    ("n", "m"), [(n, m) for n, most in MOST_COUNTED for m in range(most + 1)] + [(1, 0), (1, 1)]
)
def test_levels_have_as_many_programs_as_are_counted(n: int, m: int) -> None:
    """Renaming the canonical programs gives all programs."""
    tally = level(n, m).tally()
    assert tally.programs == tally.renamed == level(n, m).size == count_programs(n, m)
    assert tally.canonical == tally.sealable + tally.unsealable == count_canonical(n, m)


@pytest.mark.larger
@pytest.mark.parametrize(("n", "m"), [(3, 8), (4, 6)])
def test_large_levels_have_as_many_programs_as_are_counted(n: int, m: int) -> None:
    test_levels_have_as_many_programs_as_are_counted(n, m)


def test_a_tally_counts_the_rows() -> None:
    start, stop = 82_000, 100_000
    rows = list(packed_rows(level(3, 6).batch(start, stop)))
    assert level(3, 6).tally(start, stop) == LevelCounts(
        programs=stop - start,
        renamed=sum(orbit for _, orbit, *_ in rows),
        canonical=len(rows),
        sealable=sum(sealable for *_, sealable, _, _ in rows),
        unsealable=sum(not sealable for *_, sealable, _, _ in rows),
        unconnected_yet_sealable=sum(sealable and not joined for *_, joined, sealable, _, _ in rows),
        most_seal_messages=max(messages for *_, messages, _ in rows),
    )


@pytest.mark.parametrize(("n", "m"), [(1, 0), (2, 4), (3, 3), (4, 2)])
def test_every_index_has_the_verdicts_of_its_program(n: int, m: int) -> None:
    indices = np.random.default_rng(1).permutation(level(n, m).size)
    said = zip(*(column.tolist() for column in vars(level(n, m).verdicts(indices)).values()), strict=True)
    for index, found in zip(indices.tolist(), said, strict=True):
        _, _, *expected, _ = plain_row(index, space(n, m).program(index))
        assert list(found) == expected, str(space(n, m).program(index))


@pytest.mark.parametrize("index", [-1, 14])
def test_indices_outside_the_level_are_refused(index: int) -> None:
    with pytest.raises(IndexError, match=r"^indices must be from 0 to 13$"):
        level(2, 3).verdicts(np.array([0, index, 13]))
    assert len(level(2, 3).verdicts(np.arange(0)).sealable) == 0


@pytest.mark.parametrize(("start", "stop"), [(5, 5), (9, 3), (-4, 0), (14, 20)])
def test_empty_ranges_have_no_rows(start: int, stop: int) -> None:
    assert len(level(2, 3).batch(start, stop)) == 0
    assert {*vars(level(2, 3).tally(start, stop)).values()} == {0, None}


def test_ranges_are_cut_to_the_level() -> None:
    assert level(3, 3).tally(-7, 10**12) == level(3, 3).tally()


def test_rows_that_are_not_there_are_refused() -> None:
    batch = level(2, 2).batch()
    with pytest.raises(IndexError):
        batch.program(len(batch))


@pytest.mark.parametrize(
    ("n", "m", "sentence"),
    [
        (0, 1, "packed programs have from 1 to 4 processes, not 0"),
        (5, 1, "packed programs have from 1 to 4 processes, not 5"),
        (3, -1, "packed programs of n = 3 have from 0 to 14 messages, not -1"),
        (3, 15, "packed programs of n = 3 have from 0 to 14 messages, not 15"),
        (4, 10, "packed programs of n = 4 have from 0 to 9 messages, not 10"),
    ],
)
def test_what_cannot_be_packed_is_refused(n: int, m: int, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        PackedLevel(n, m)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(("n", "m"), [(1, 0), (1, 2), (2, 0), (2, 14), (3, 9), (3, 11), (4, 5)])
def test_all_programs_lie_behind_the_start(n: int, m: int) -> None:
    assert automaton(n, m).size[-1] == count_programs(n, m)


def behind(machine: Automaton, branch: int) -> int:
    """The number of programs behind the branch, from the branches of the state that it leads to."""
    state = machine.target[branch]
    if state < 0:
        return 1
    return int(machine.size[machine.first[state] : machine.first[state + 1]].sum())


@pytest.mark.parametrize(("n", "m"), [(2, 0), (2, 3), (3, 4), (4, 3)])
def test_no_branch_is_dead_and_sizes_add_up(n: int, m: int) -> None:
    machine = automaton(n, m)
    assert (machine.size > 0).all()
    assert [behind(machine, branch) for branch in range(len(machine.size))] == machine.size.tolist()
    assert (np.diff(machine.first) > 0).all()


Said = tuple[int, bool, bool, int]


def packed(n: int, profile: Masks) -> int:
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
    opened = draw(st.lists(st.sampled_from(channels(n)), unique=True))
    masks = {channel: draw(st.integers(0, (1 << n) - 1)) for channel in opened}
    return {(i, j): (mask | 1 << (j - 1)) & ~(1 << (i - 1)) for (i, j), mask in masks.items()}


@settings(unhurried, max_examples=300)
@given(st.integers(2, 4).flatmap(lambda n: st.tuples(st.just(n), open_profiles(n))))
def test_verdicts_are_those_of_the_plain_algorithms(problem: tuple[int, Masks]) -> None:
    n, profile = problem
    profile = {channel: profile[channel] for channel in channels(n) if channel in profile}
    assert judged(Judge(n), [packed(n, profile)]) == [expected(n, profile)]


def test_the_longest_minimum_is_found() -> None:
    """These are the programs whose seals need 3n - 5 messages."""
    for n in (2, 3, 4):
        first = signature(hardest_program(n))
        profile = {channel: first.receives[channel] for channel in first.open_channels}
        [(_, _, _, messages)] = judged(Judge(n), [packed(n, profile)])
        assert messages == 3 * n - 5


def test_each_profile_is_judged_once() -> None:
    judge, profiles = Judge(4), list(range(1 << 12))
    fresh = [said for profile in profiles for said in judged(Judge(4), [profile])]
    assert judged(judge, profiles[::-1]) == fresh[::-1]
    assert judged(judge, profiles) == fresh
    assert judge.judged == len(profiles)
