"""The counts against the enumeration, against brute force, and against known numbers."""

from itertools import permutations, product
from math import comb, prod

import pytest

from sealcheck.programs.counting import count_canonical, count_canonical_sequences, count_programs
from sealcheck.programs.space import Space

BOUNDS = [*((n, m) for n in (1, 2, 3) for m in range(7)), *((4, m) for m in range(5))]


@pytest.mark.parametrize(("n", "m"), BOUNDS)
def test_the_count_is_the_size_of_the_space(n: int, m: int) -> None:
    """Inclusion and exclusion counts as many programs as the Foata normal forms index."""
    assert count_programs(n, m) == len(Space(n, m))


@pytest.mark.parametrize("m", range(15))
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


@pytest.mark.slow
@pytest.mark.parametrize(("n", "m", "programs", "canonical"), [(4, 4, 22257, 947), (5, 3, 6220, 79)])
def test_more_known_numbers(n: int, m: int, programs: int, canonical: int) -> None:
    """The same, further out."""
    test_known_numbers(n, m, programs, canonical)


@pytest.mark.slow
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
