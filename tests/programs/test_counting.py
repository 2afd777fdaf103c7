"""The counts against the enumeration, against brute force, and against known numbers."""

from collections.abc import Callable
from itertools import permutations, product
from math import comb, prod

import pytest

from sealcheck.errors import InputError
from sealcheck.programs import space as counting
from sealcheck.programs.space import Space, count_canonical, count_canonical_sequences, count_programs

BOUNDS = [*((n, m) for n in (1, 2, 3) for m in range(7)), *((4, m) for m in range(5))]


@pytest.mark.parametrize(("n", "m"), BOUNDS)
def test_the_count_is_the_size_of_the_space(n: int, m: int) -> None:
    """Inclusion and exclusion counts as many programs as the Foata normal forms index."""
    assert count_programs(n, m) == len(Space(n, m))


@pytest.mark.parametrize("m", [*range(15), 50])
def test_two_processes_give_catalan_numbers(m: int) -> None:
    """With n = 2 there are C(m + 1) = binomial(2m + 2, m + 1) / (m + 2) programs."""
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
    """The space neither shrinks nor grows unnoticed."""
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
    """The same, further out."""
    test_known_numbers(n, m, programs, canonical)


@pytest.mark.larger
@pytest.mark.parametrize(("n", "m"), [(2, 9), (3, 5), (3, 6), (4, 3), (4, 4), (5, 3)])
def test_more_canonical_programs_are_counted(n: int, m: int) -> None:
    """The same, where every program of the space takes a while to look at."""
    test_canonical_programs_are_counted(n, m)


@pytest.mark.parametrize(
    ("n", "messages"),
    [(2, []), (2, [3]), (2, [1, 1]), (2, [2, 3]), (2, [1, 1, 2]), (3, [0, 2]), (3, [1, 1]), (3, [2, 1])],
)
def test_sequences_are_counted_up_to_one_common_renaming(n: int, messages: list[int]) -> None:
    """Orbits of tuples of programs, under renaming all of a tuple alike, found one by one."""
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
    """What is wrong with the bounds is said in the words in which the enumeration says it."""
    for n, m in [(0, 2), (-1, 0), (2, -1), (1, -7)]:
        with pytest.raises(InputError) as counting:
            count(n, m)
        with pytest.raises(InputError) as enumerating:
            Space(n, m)
        assert str(counting.value) == str(enumerating.value)


def test_a_sequence_with_a_negative_number_is_not_counted() -> None:
    """One program with fewer messages than none spoils the sequence, wherever it stands."""
    with pytest.raises(InputError, match=r"messages must be at least 0, not -1$"):
        count_canonical_sequences(2, [1, -1, 2])


@pytest.mark.parametrize(("n", "most"), [(1, 4), (2, 4), (3, 3), (4, 2)])
def test_programs_that_a_renaming_leaves_alone_are_counted(n: int, most: int) -> None:
    """For each renaming, the number by its cycle lengths is that of the programs it maps to themselves."""
    for m in range(most + 1):
        programs = list(Space(n, m).programs())
        for renaming in permutations(range(1, n + 1)):
            alone = sum(program.renamed(renaming) == program for program in programs)
            assert counting._count_fixed(cycle_lengths(renaming), m) == alone


def cycle_lengths(renaming: tuple[int, ...]) -> tuple[int, ...]:
    """The lengths of the cycles of a renaming, in descending order."""
    left, lengths = set(renaming), []
    while left:
        process, length = min(left), 0
        while process in left:
            left.remove(process)
            process, length = renaming[process - 1], length + 1
        lengths.append(length)
    return tuple(sorted(lengths, reverse=True))
