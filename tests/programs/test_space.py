"""The space of programs, and its counts."""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from itertools import pairwise, permutations, product
from math import comb, prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import unhurried

from sealcheck.errors import InputError
from sealcheck.programs import space as counting
from sealcheck.programs.space import Space, count_canonical, count_canonical_sequences, count_programs
from sealcheck.programs.straight_line import Channel, Event, StraightLine, channels, mt, rcv, snd

SMALL = [(1, 0), (1, 2), *((2, m) for m in range(6)), *((3, m) for m in range(5)), (4, 2)]


@cache
def listing(n: int, m: int) -> list[StraightLine]:
    return list(Space(n, m).programs())


def by_interleaving(n: int, m: int, self_channels: bool = False) -> set[StraightLine]:
    """The programs of all words with m sends and m receives, made longer event by event."""
    usable = channels(n, self_channels=self_channels)
    growing = {StraightLine.of(n)}
    for _ in range(2 * m):
        growing = {
            program.then(StraightLine.of(n, [event]))
            for program in growing
            for event in possible(program, usable, m)
        }
    return growing


def possible(program: StraightLine, usable: Iterable[Channel], m: int) -> list[Event]:
    sends = [snd(i, j) for i, j in usable] if program.messages < m else []
    return sends + [rcv(j, i) for i, j in program.imbalance]


@pytest.mark.parametrize(("n", "m"), SMALL)
def test_the_space_is_all_interleavings(n: int, m: int) -> None:
    listed = listing(n, m)
    assert len(set(listed)) == len(listed)
    assert set(listed) == by_interleaving(n, m)


@pytest.mark.parametrize(("n", "m"), [(1, 0), (1, 1), (1, 4), (2, 1), (2, 3), (3, 2)])
def test_self_channels(n: int, m: int) -> None:
    space = Space(n, m, self_channels=True)
    listed = list(space.programs())
    assert len(set(listed)) == len(listed) == len(space)
    assert set(listed) == by_interleaving(n, m, self_channels=True)
    assert [space.index(program) for program in listed] == list(range(len(space)))


@pytest.mark.parametrize(("n", "m"), SMALL)
def test_indices_and_programs_are_one_to_one(n: int, m: int) -> None:
    space = Space(n, m)
    listed = list(space.programs())
    assert len(listed) == len(space)
    assert [space.program(index) for index in range(len(space))] == listed
    assert [space.index(program) for program in listed] == list(range(len(space)))


@settings(unhurried, max_examples=50)
@given(st.sampled_from([(2, 5), (3, 3), (3, 4), (4, 2)]), st.data())
def test_ranges_concatenate_to_the_whole(bounds: tuple[int, int], data: st.DataObject) -> None:
    space = Space(*bounds)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(space)), max_size=5)))
    ranges = pairwise([0, *cuts, len(space)])
    assert [p for start, stop in ranges for p in space.programs(start, stop)] == listing(*bounds)


def test_ranges_beyond_the_end() -> None:
    space = Space(3, 2)
    listed = list(space.programs())
    assert list(space.programs(30, 1000)) == listed[30:]
    assert list(space.programs(30)) == listed[30:]
    assert list(space.programs(-5, 3)) == listed[:3]
    for start, stop in ((39, 50), (7, 7), (9, 3), (-9, -3)):
        assert list(space.programs(start, stop)) == []
    assert list(Space(2, 0).programs(-1, 0)) == []


def test_picking_from_a_large_space_lists_little() -> None:
    """The space has more than 10^14 programs."""
    space = Space(2, 26)
    for index in (0, 1, len(space) // 3, len(space) - 1):
        assert space.index(space.program(index)) == index
    assert Counter(len(share) for share in space.program(len(space) // 3).shares).total() == 2
    assert len(space) == 69533550916004


@pytest.mark.parametrize(
    ("n", "m", "sentence"),
    [
        (0, 1, "the number of processes must be at least 1, not 0"),
        (-2, 0, "the number of processes must be at least 1, not -2"),
        (1, -1, "the number of messages must be at least 0, not -1"),
    ],
)
def test_bounds_are_checked(n: int, m: int, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        Space(n, m)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(("m", "index"), [(2, 39), (2, 1000), (2, -1), (2, -39), (0, -1)])
def test_an_index_outside_is_refused(m: int, index: int) -> None:
    with pytest.raises(IndexError):
        Space(3, m).program(index)


def test_a_space_larger_than_len_can_say() -> None:
    """The space has 2^63 programs or more."""
    space = Space(2, 35)
    assert space.size == comb(72, 36) // 37 > 2**63
    assert space.index(space.program(space.size - 1)) == space.size - 1


OUTSIDE = [
    (2, 2, StraightLine.of(2)),
    (2, 2, StraightLine.of(2, mt(1, 2))),
    (2, 2, StraightLine.of(2, 3 * mt(1, 2))),
    (2, 2, StraightLine.of(2, [*mt(1, 2), snd(1, 2)])),
    (2, 2, StraightLine.of(2, [snd(1, 2), snd(1, 2)])),
    (2, 2, StraightLine.of(2, [rcv(1, 2), rcv(2, 1), snd(1, 2), snd(2, 1)])),
    (2, 2, StraightLine.of(2, 2 * mt(1, 1))),
    (2, 0, StraightLine.of(2, mt(1, 2))),
    (2, 1, StraightLine.of(2, mt(1, 2) + mt(2, 1))),
    (3, 1, StraightLine.of(2, mt(1, 2))),
    (1, 1, StraightLine.of(2, mt(1, 2))),
    (2, 1, StraightLine.of(3, mt(1, 2))),
    (2, 1, StraightLine.of(2, [*mt(1, 2), rcv(2, 1)])),
    (2, 1, StraightLine.of(2, [rcv(1, 1), snd(1, 1)])),
]
"""Programs outside the space, with too few or too many messages, unbalanced, deadlocking, or with other
channels."""


@pytest.mark.parametrize(("n", "m", "program"), OUTSIDE)
def test_programs_outside_the_space_have_no_index(n: int, m: int, program: StraightLine) -> None:
    with pytest.raises(InputError) as caught:
        Space(n, m).index(program)
    assert str(caught.value) == f"'{program}' is not in the space of n = {n}, m = {m}"


BOUNDS = [*((n, m) for n in (1, 2, 3) for m in range(7)), *((4, m) for m in range(5))]


@pytest.mark.parametrize(("n", "m"), BOUNDS)
def test_the_count_is_the_size_of_the_space(n: int, m: int) -> None:
    """Inclusion and exclusion counts as many programs as the Foata normal forms index."""
    assert count_programs(n, m) == len(Space(n, m))


@pytest.mark.parametrize("m", [*range(15), 50])
def test_two_processes_give_catalan_numbers(m: int) -> None:
    """With n = 2 there are binomial(2m + 2, m + 1) / (m + 2) programs."""
    assert count_programs(2, m) == comb(2 * m + 2, m + 1) // (m + 2)


@pytest.mark.parametrize(
    ("n", "m", "programs", "canonical"),
    [
        (1, 0, 1, 1),
        (1, 3, 0, 0),
        (3, 3, 284, 48),
        (3, 4, 2280, 381),
        (3, 6, 183343, 30563),
        (3, 7, 1787604, 297934),
        (4, 3, 1688, 75),
    ],
)
def test_known_numbers(n: int, m: int, programs: int, canonical: int) -> None:
    assert (count_programs(n, m), count_canonical(n, m)) == (programs, canonical)


@pytest.mark.parametrize(("n", "m"), [(1, 0), (1, 2), (2, 5), (3, 0), (3, 1), (3, 2), (3, 3), (3, 4), (4, 2)])
def test_canonical_programs_are_counted(n: int, m: int) -> None:
    """Burnside's count is the number of canonical programs, and their orbits make up the space."""
    canonical = [program for program in Space(n, m).programs() if program.is_canonical]
    assert count_canonical(n, m) == len(canonical)
    assert sum(program.orbit_size for program in canonical) == len(Space(n, m))


@pytest.mark.larger
@pytest.mark.parametrize(("n", "m", "programs", "canonical"), [(4, 4, 22257, 947), (5, 3, 6220, 79)])
def test_more_known_numbers(n: int, m: int, programs: int, canonical: int) -> None:
    test_known_numbers(n, m, programs, canonical)


@pytest.mark.larger
@pytest.mark.parametrize(("n", "m"), [(2, 9), (3, 5), (3, 6), (4, 3), (4, 4), (5, 3)])
def test_more_canonical_programs_are_counted(n: int, m: int) -> None:
    test_canonical_programs_are_counted(n, m)


@pytest.mark.parametrize(
    ("n", "messages"),
    [(2, []), (2, [3]), (2, [1, 1]), (2, [2, 3]), (2, [1, 1, 2]), (3, [0, 2]), (3, [1, 1]), (3, [2, 1])],
)
def test_sequences_are_counted_up_to_one_common_renaming(n: int, messages: list[int]) -> None:
    tuples = product(*(list(Space(n, m).programs()) for m in messages))
    representatives = {
        min(tuple(p.renamed(f).shares for p in programs) for f in permutations(range(1, n + 1)))
        for programs in tuples
    }
    assert count_canonical_sequences(n, messages) == len(representatives)
    assert len(representatives) <= prod(count_programs(n, m) for m in messages)


@pytest.mark.parametrize("count", [count_programs, count_canonical])
def test_no_space_without_processes_or_with_fewer_messages_than_none_is_counted(
    count: Callable[[int, int], int],
) -> None:
    for n, m in [(0, 2), (-1, 0), (2, -1), (1, -7)]:
        with pytest.raises(InputError) as counting:
            count(n, m)
        with pytest.raises(InputError) as enumerating:
            Space(n, m)
        assert str(counting.value) == str(enumerating.value)


def test_a_sequence_with_a_negative_number_is_not_counted() -> None:
    with pytest.raises(InputError, match=r"messages must be at least 0, not -1$"):
        count_canonical_sequences(2, [1, -1, 2])


@pytest.mark.parametrize(("n", "most"), [(1, 4), (2, 4), (3, 3), (4, 2)])
def test_programs_that_a_renaming_leaves_alone_are_counted(n: int, most: int) -> None:
    for m in range(most + 1):
        programs = list(Space(n, m).programs())
        for renaming in permutations(range(1, n + 1)):
            alone = sum(program.renamed(renaming) == program for program in programs)
            assert counting._count_fixed(cycle_lengths(renaming), m) == alone


def cycle_lengths(renaming: tuple[int, ...]) -> tuple[int, ...]:
    left, lengths = set(renaming), []
    while left:
        process, length = min(left), 0
        while process in left:
            left.remove(process)
            process, length = renaming[process - 1], length + 1
        lengths.append(length)
    return tuple(sorted(lengths, reverse=True))
