"""The profiles that programs have: all of those, and no other."""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import words

from sealcheck.algorithms.every_length import Masks, profiles
from sealcheck.algorithms.signature import signature
from sealcheck.encodings.clauses import to_cnf
from sealcheck.encodings.growing import Growing
from sealcheck.encodings.profiles import SomeProgram, SymbolicProfile
from sealcheck.encodings.solving import answer_of
from sealcheck.programs.space import Space
from sealcheck.programs.straight_line import Channel, StraightLine

CONCEIVABLE, OF_PROGRAMS = 15625, 1859
"""Profiles of three processes."""


class Formula:
    """Asks of one profile after another whether it satisfies the formula."""

    def __init__(self, n: int, *, of_programs: bool = True) -> None:
        self.profile = SymbolicProfile(n)
        self.some = SomeProgram(self.profile)
        given = self.profile.definition() + (self.some.definition() if of_programs else [])
        self.cnf = to_cnf(given)
        self.literals = {
            (c, k): self.cnf.literal(self.profile.knows_at_end(k, *c) if k else self.profile.uses(c))
            for c in self.profile.channels
            for k in (0, *self.profile.processes)
        }

    def literals_of(self, profile: Mapping[Channel, int]) -> list[int]:
        """The profile: 0 stands for the channel being used."""
        return [
            literal
            if (c not in profile or bool(profile[c] >> (k - 1) & 1) if k else c in profile)
            else -literal
            for (c, k), literal in self.literals.items()
        ]

    def has(self, profile: Masks) -> bool:
        """Whether the profile satisfies the formula."""
        with Growing() as solver:
            return solver.model([*self.cnf.clauses, *([x] for x in self.literals_of(profile))]) is not None

    def all(self) -> Iterator[tuple[Masks, StraightLine]]:
        """All profiles that satisfy it, each with the program that is made of the model."""
        clauses, seen = list(self.cnf.clauses), set()
        with Growing() as solver:
            while (true := solver.model(clauses)) is not None:
                answer = answer_of(self.cnf, true)
                found = self.profile.decoded(answer)
                assert written(found) not in seen, "a model that the profile does not fix"
                seen.add(written(found))
                yield found, self.some.program(answer)
                clauses.append([-literal for literal in self.literals_of(found)])


def written(profile: Masks) -> tuple[tuple[Channel, int], ...]:
    """Something to compare it by."""
    return tuple(sorted(profile.items()))


def enumerated(n: int, messages: int) -> set[tuple[tuple[Channel, int], ...]]:
    """The profiles of all programs of up to so many messages."""
    programs = (program for m in range(messages + 1) for program in Space(n, m).programs())
    return {written(signature(program).receives) for program in programs}


@pytest.mark.parametrize(("n", "messages"), [(1, 0), (2, 4)])
def test_the_profiles_of_two_processes_are_those_of_enumerated_programs(n: int, messages: int) -> None:
    """Programs of more messages have no more profiles; and each program that is made has its profile."""
    found = list(Formula(n).all())
    assert {written(profile) for profile, _ in found} == enumerated(n, messages)
    assert [signature(program).receives for _, program in found] == [profile for profile, _ in found]


def test_the_profiles_of_three_processes() -> None:
    """Every one of them has the program that is made for it; enumerated programs have no other ones."""
    found = {written(profile): program for profile, program in Formula(3).all()}
    assert len(found) == OF_PROGRAMS
    assert all(written(signature(program).receives) == profile for profile, program in found.items())
    assert all(program.is_balanced for program in found.values())
    assert max(program.messages for program in found.values()) <= 3 * 2 * 3
    assert enumerated(3, 4) <= found.keys()


def test_the_numbers_are_those_of_the_docs() -> None:
    """Of how many profiles how many are programs'."""
    text = (Path(__file__).parents[2] / "docs" / "semantics.md").read_text()
    assert f"{OF_PROGRAMS:,} of the {CONCEIVABLE:,}" in text


def test_conceivable_profiles_are_those_of_the_enumeration() -> None:
    """The formula without programs has just those that are gone through one by one."""
    formula = Formula(2, of_programs=False)
    assert all(formula.has(profile) for profile in profiles(2))
    assert not formula.has({Channel(1, 2): 0b01})  # the receiver knows
    assert len(list(profiles(3))) == CONCEIVABLE


@cache
def formula(n: int) -> Formula:
    """The formula for n processes, made once."""
    return Formula(n)


@given(st.sampled_from((3, 4)), st.integers(0, 24), st.data())
@settings(deadline=None, max_examples=60)
def test_random_programs_have_such_profiles(n: int, most: int, data: st.DataObject) -> None:
    """However long they are."""
    program = StraightLine.of(n, data.draw(words(n, most)))
    assert formula(n).has(signature(program).receives)


def test_programs_that_are_made_for_four_processes_have_the_profile() -> None:
    """For some profiles that a solver happens to find."""
    for profile, program in islice(formula(4).all(), 50):
        assert signature(program).receives == profile
