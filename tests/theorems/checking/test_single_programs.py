"""Domains of single programs, and domains that are cut off."""

from sealcheck.language.printer import show
from sealcheck.questions.whole_language import syntax
from sealcheck.theorems.checking.domains import Bounded, Programs
from sealcheck.theorems.checking.small_programs import atoms, built_of, has_data, renamed, single_programs


def test_every_program_has_one_representative() -> None:
    """Of two processes and size 2: each program, or its renaming if it has no data, but not both."""
    listed = {show(program) for instance in single_programs(2, 2) for program in syntax(instance)}
    for program in built_of(atoms(2), 2):
        names = {show(program)} if has_data(program) else {show(program), show(renamed(program, (2, 1)))}
        assert len(names & listed) == 1


def test_beyond_two_atoms_there_is_no_data() -> None:
    """So there are fewer programs than atoms with data would make."""
    assert not any(has_data(*syntax(instance)) for instance in single_programs(1, 3))
    assert any(has_data(*syntax(instance)) for instance in single_programs(1, 2))


def test_a_bounded_domain_counts_what_it_lists() -> None:
    """Inside the cap as the domain it cuts off, beyond it nothing."""
    domain = Bounded(Programs(), {2: 2})
    for n, messages, expected in ((2, 2, 3), (2, 3, 0), (3, 1, 0)):
        found = list(domain.instances(n, messages, 0, Programs().size(n, messages)))
        assert len(found) == domain.expected(n, messages) == expected
