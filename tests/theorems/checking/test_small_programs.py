"""Small programs: each once, up to renaming; and domains that are cut off."""

from itertools import permutations, product

import pytest

from sealcheck.language.parser import parse
from sealcheck.language.printer import show
from sealcheck.questions.whole_language import syntax
from sealcheck.theorems.checking.small_programs import (
    atoms,
    built_of,
    has_data,
    has_lone_receive,
    partners,
    renamed,
    shared_out,
    single_programs,
    transmission_atoms,
    triples,
    tuples,
)


def texts(n: int, size: int) -> list[str]:
    return [show(p) for p in built_of(atoms(n), size)]


@pytest.mark.parametrize(("n", "size"), [(1, 2), (1, 3), (2, 2), (3, 2)])
def test_each_program_is_there_once(n: int, size: int) -> None:
    programs = built_of(atoms(n), size)
    assert len({show(p) for p in programs}) == len(programs)
    assert all(parse(show(p)) == p for p in programs)


def test_every_construct_is_there() -> None:
    wanted = {"snd 1->2; cut", "1.x := 1; [1.x = 0]", "eps + mt 1->2", "cut + snd 2->1", "(rcv 1<-2 (x))*"}
    assert wanted <= set(texts(2, 2))
    assert {"(mt 1->2; mt 2->1)*", "eps + mt 1->2; mt 2->1"} <= {
        show(p) for p in built_of(transmission_atoms(2), 3)
    }


def test_laws_that_always_hold_make_no_new_programs() -> None:
    found = set(texts(2, 2)) | set(texts(1, 3))
    unwanted = {"eps; cut", "cut + cut", "mt 1->2 + cut", "((cut)*)*", "(eps)*", "mt 1->2"}
    assert not unwanted & found


@pytest.mark.parametrize(("n", "size", "length"), [(2, 1, 2), (2, 2, 2), (2, 3, 2)])
def test_tuples_are_all_programs_up_to_renaming(n: int, size: int, length: int) -> None:
    chosen = atoms(n) if size <= 2 else transmission_atoms(n)
    listed = {i.texts for i in tuples(n, size, length)}
    for sizes in shared_out(size, length):
        for programs in product(*(built_of(chosen, s) for s in sizes)):
            moved = {
                tuple(show(renamed(p, renaming)) for p in programs)
                for renaming in permutations(range(1, n + 1))
                if renaming[0] == 1 or not any(map(has_data, programs))
            }
            assert len(moved & listed) == 1


def test_of_three_processes_each_takes_part() -> None:
    found = list(tuples(3, 2, 2))
    assert found
    assert all(len(partners(i.programs[0]) | partners(i.programs[1])) == 3 for i in found)


def test_renaming_moves_events_and_keeps_data() -> None:
    program = parse("(snd 1->3; [1.x = 0] + rcv 2<-1)*")
    assert show(renamed(program, (1, 3, 2))) == "(rcv 3<-1 + snd 1->2; [1.x = 0])*"
    assert [has_data(parse(t)) for t in ("rcv 1<-2", "rcv 1<-2 (x)", "(cut + 1.x := 1)*")] == [
        False,
        True,
        True,
    ]


def test_triples_in_which_programs_seal_each_other() -> None:
    assert ("mt 1->2", "mt 2->1", "mt 1->2") in {i.texts for i in triples(2, 3)}
    assert ("mt 1->2", "mt 1->2; mt 1->2", "mt 2->1") in {i.texts for i in triples(2, 4)}
    assert all({"mt 1->2", "mt 2->1"} <= set(i.texts) for i in triples(2, 4))
    assert list(triples(2, 2)) == list(tuples(2, 2, 3))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mt 1->2; (mt 2->1 + cut)*", False),
        ("snd 1->2; cut; rcv 2<-1", True),
        ("snd 1->2; rcv 1<-2", True),
        ("cut + (rcv 2<-1)*", True),
        ("mt 1->2; rcv 2<-1", True),
    ],
)
def test_lone_receives(text: str, *, expected: bool) -> None:
    assert has_lone_receive(parse(text)) == expected


def test_every_program_has_one_representative() -> None:
    listed = {show(program) for instance in single_programs(2, 2) for program in syntax(instance)}
    for program in built_of(atoms(2), 2):
        names = {show(program)} if has_data(program) else {show(program), show(renamed(program, (2, 1)))}
        assert len(names & listed) == 1


def test_beyond_two_atoms_there_is_no_data() -> None:
    assert not any(has_data(*syntax(instance)) for instance in single_programs(1, 3))
    assert any(has_data(*syntax(instance)) for instance in single_programs(1, 2))
