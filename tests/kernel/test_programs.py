"""The kernel reads, renames and counts programs like the package, of which it imports nothing."""

from itertools import permutations

import pytest
from hypothesis import given
from tests.strategies import any_program, programs_up_to, unhurried

from sealcheck.kernel.programs import balanced_events, count, events_of, orbit_size, shares_of
from sealcheck.kernel.reading import Rejected
from sealcheck.programs.space import Space, count_programs
from sealcheck.programs.straight_line import StraightLine, text
from sealcheck.theorems.checking.domains import Sequences


def is_accepted(program: str, n: int) -> bool:
    try:
        balanced_events(program, n)
    except Rejected:
        return False
    return True


@pytest.mark.parametrize(("n", "m"), [(1, 2), (2, 5), (3, 3), (4, 2)])
def test_programs_are_read_as_they_are_written(n: int, m: int) -> None:
    for program in programs_up_to(n, m):
        assert shares_of(balanced_events(str(program), n), n) == program.shares


@unhurried
@given(any_program(max_n=3, max_events=6))
def test_only_balanced_programs_are_accepted(program: StraightLine) -> None:
    events = [event for share in program.shares for event in share]
    for order in [events, *list(permutations(events))[1::97]]:
        contents = dict.fromkeys((event.channel for event in events), 0)
        fills_first = True
        for event in order:
            contents[event.channel] += 1 if event.is_send else -1
            fills_first &= contents[event.channel] >= 0
        joins = all(event.sender != event.receiver for event in events)
        expected = joins and fills_first and not any(contents.values())
        assert is_accepted(text(order), program.n) == expected


@pytest.mark.parametrize(
    "wrong",
    [
        "", " ", "mt", "eps; mt 1->2", "mt 1->2;", "mt 1->2; ", "mt 1->2;mt 1->2", "mt  1->2", "mt 1->2\n",
        "MT 1->2", "mt 1<-2", "snd 2<-1", "mt 0->1", "mt 01->2", "mt 1->1", "mt 1->3", "mt 3->1", "mt 1->100",
        "mt -1->2", "mt 1->2 (5)", "mt \uff11->2", "mt \u0661->2", "1.x := 1", "cut", "mt 1->2 + mt 2->1",
        "(mt 1->2)*", "# mt 1->2", "mt 1->2\r", "\ufeffmt 1->2",
    ],
)  # fmt: skip
def test_other_texts_are_rejected(wrong: str) -> None:
    assert is_accepted("mt 1->2", 2)
    with pytest.raises(Rejected):
        events_of(wrong, 2)


@pytest.mark.parametrize(("n", "m"), [(1, 1), (2, 4), (3, 3), (4, 2)])
def test_orbits_are_as_large_as_their_programs_say(n: int, m: int) -> None:
    """Whole levels are compared."""
    for program in programs_up_to(n, m):
        shares = shares_of(events_of(str(program), n), n)
        if program.is_canonical:
            assert orbit_size([shares], n) == program.orbit_size
        else:
            with pytest.raises(Rejected, match=r"not canonical"):
                orbit_size([shares], n)


def test_orbits_of_pairs() -> None:
    domain = Sequences(2, "pairs")
    least = {i for m in range(4) for i in domain.instances(3, m, 0, domain.size(3, m))}
    assert len(least) > 100
    for instance in least:
        assert orbit_size([program.shares for program in instance.straight], 3) == instance.orbit_size
    renamed = {tuple(p.renamed(r) for p in i.straight) for i in least for r in permutations((1, 2, 3))}
    for programs in renamed - {instance.straight for instance in least}:
        with pytest.raises(Rejected, match=r"not canonical"):
            orbit_size([program.shares for program in programs], 3)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_counts_are_those_of_the_spaces(n: int) -> None:
    for m in range({1: 6, 2: 8, 3: 6, 4: 5}[n]):
        assert count(n, m) == count_programs(n, m)
        if count(n, m) < 100_000:
            assert count(n, m) == sum(1 for _ in Space(n, m).programs())


def test_counting_has_a_limit() -> None:
    with pytest.raises(Rejected, match=r"^there are too many programs with n = 8 and 40 messages"):
        count(8, 40)
