"""Renaming processes: a group action on programs, with one canonical program per orbit."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import any_program, balanced_programs, renamings, unhurried

from sealcheck.programs.straight_line import Event, StraightLine


def inverse(renaming: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(renaming.index(process) + 1 for process in range(1, len(renaming) + 1))


@unhurried
@given(any_program(), st.data())
def test_renaming_is_a_group_action(program: StraightLine, data: st.DataObject) -> None:
    """Identity, composition and inverse; and renaming is what renaming every event does."""
    f, g = data.draw(renamings(program.n)), data.draw(renamings(program.n))
    f_then_g = tuple(g[f[p - 1] - 1] for p in range(1, program.n + 1))
    assert program.renamed(tuple(range(1, program.n + 1))) == program
    assert program.renamed(f).renamed(g) == program.renamed(f_then_g)
    assert program.renamed(f).renamed(inverse(f)) == program
    word = [event for share in program.shares for event in share]
    renamed = [Event(event.kind, f[event.sender - 1], f[event.receiver - 1]) for event in word]
    assert program.renamed(f) == StraightLine.of(program.n, renamed)


@unhurried
@given(balanced_programs(2, max_n=4), st.data())
def test_renaming_respects_layering(programs: list[StraightLine], data: st.DataObject) -> None:
    """A renaming of P;Q is the renamed P, then the renamed Q; balance and execution stay."""
    p, q = programs
    f = data.draw(renamings(p.n))
    assert p.then(q).renamed(f) == p.renamed(f).then(q.renamed(f))
    assert p.renamed(f).is_balanced
    assert p.renamed(f).is_deadlock_free


@unhurried
@given(any_program(max_n=4))
def test_canonical_programs_represent_orbits(program: StraightLine) -> None:
    """The canonical program is the least of the orbit, the same for all of it, and knows itself."""
    orbit = {program.renamed(f) for f in permutations(range(1, program.n + 1))}
    assert program.orbit_size == len(orbit)
    assert {other.canonical() for other in orbit} == {min(orbit, key=lambda other: other.shares)}
    assert [other for other in orbit if other.is_canonical] == [program.canonical()]
