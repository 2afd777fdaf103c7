"""What listed seals seal: as the algorithms say, one by one."""

from itertools import product

import pytest
from pysmt.shortcuts import FALSE, TRUE, And, simplify, substitute

from sealcheck.algorithms.every_length import Masks, as_signature, profiles
from sealcheck.algorithms.minimum_seal import minimum_or_unsealable
from sealcheck.algorithms.sealability import Problem, Sealable, suffices
from sealcheck.encodings.listed_seals import Seals, Transmissions, listed_seals, renamings
from sealcheck.encodings.profiles import SymbolicProfile
from sealcheck.encodings.sealability import SymbolicCriteria
from sealcheck.encodings.solving import Answer, fresh_formulas
from sealcheck.programs.straight_line import Channel, channels


def seals(profile: Masks, n: int, transmissions: Transmissions) -> bool:
    """What the formula says of one profile."""
    at_end = SymbolicProfile(n)
    values = {
        at_end.knows_at_end(k, *c): TRUE() if c not in profile or profile[c] >> (k - 1) & 1 else FALSE()
        for c in channels(n)
        for k in range(1, n + 1)
    }
    said = simplify(substitute(And(Seals(at_end).sealed_by(transmissions)), values))
    assert said.is_bool_constant()
    return bool(said.is_true())


def test_all_short_sequences_for_two_processes() -> None:
    """Every profile, and every sequence of up to three messages."""
    for profile, length in product(profiles(2), range(4)):
        for transmissions in product(channels(2), repeat=length):
            problem = Problem.of(as_signature(2, profile))
            assert seals(profile, 2, transmissions) == suffices(problem, transmissions)


def test_sequences_for_three_processes() -> None:
    """Some profiles, with a shortest seal, which seals; and with that seal in another order."""
    for profile in list(profiles(3))[::97]:
        problem = Problem.of(as_signature(3, profile))
        found = minimum_or_unsealable(problem)
        shortest = found.transmissions if isinstance(found, Sealable) else (Channel(1, 2), Channel(2, 3))
        for transmissions in (shortest, shortest[1:], shortest[::-1]):
            assert seals(profile, 3, transmissions) == suffices(problem, transmissions)


@pytest.mark.parametrize(("most", "is_enough"), [(3, False), (4, True)])
def test_seals_are_listed_until_every_profile_has_one(most: int, is_enough: bool) -> None:
    """For three processes four messages are enough, and three are not: then a profile shows it."""
    with fresh_formulas():
        profile = SymbolicProfile(3)
        given = [*profile.definition(), SymbolicCriteria.one_block(SymbolicCriteria(profile))]
        found = listed_seals(profile, given, most)
        assert isinstance(found, Answer) != is_enough
        if isinstance(found, Answer):
            needed = minimum_or_unsealable(Problem.of(as_signature(3, profile.decoded(found))))
            assert isinstance(needed, Sealable)
            assert len(needed.transmissions) == most + 1
        else:
            assert found
            assert max(map(len, found)) <= most


def test_a_renaming_renames_all() -> None:
    """Six of a chain of two messages, each once."""
    assert len(renamings(3, [Channel(1, 2), Channel(2, 3)])) == 6
    assert (Channel(2, 1), Channel(1, 3)) in renamings(3, [Channel(1, 2), Channel(2, 3)])
