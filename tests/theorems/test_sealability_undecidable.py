"""`sealability-undecidable`: the verdicts on record, and mistakes that are caught."""

from dataclasses import replace

import pytest
from tests.theorems.rows import checked

from sealcheck.encodings.solving import open_solver
from sealcheck.language.parser import parse
from sealcheck.programs.global_runs import CutReading
from sealcheck.programs.notions import seals
from sealcheck.theorems.domains import Listed
from sealcheck.theorems.refining import holds_when_solved
from sealcheck.theorems.sealability_undecidable import CANDIDATES, STATEMENT, X, halting, printed, repaired
from sealcheck.theorems.statement import Instance

X_ALONE = Instance(2, (X,))
alone = replace(STATEMENT, domain=Listed("programs", lambda n, messages: iter((X_ALONE,))))


@pytest.mark.slow
def test_the_silent_cut_refutes_the_printed_reduction() -> None:
    """On X and all four loops before it; the repaired reduction holds on them."""
    tally = checked(STATEMENT, [(2, 2)])
    assert (tally.checked, tally.disputed, tally.unknown) == (5, None, 0)
    assert {claim: str(found) for claim, found in tally.refuting.items()} == {
        0: "snd 1->2; mt 2->1; rcv 2<-1"
    }


def test_x_is_sealed_by_silent_cuts_only() -> None:
    """The lemma's program has proper seals in the whole language, and they begin with a silent cut."""
    tally = checked(alone, [(2, 2)])
    assert (tally.checked, tally.disputed, tally.unknown) == (1, None, 0)
    assert set(tally.refuting) == {0}
    assert repaired(X_ALONE) == {"cut", "cut; mt 1->2"}


def test_two_loops_halt_and_two_do_not() -> None:
    """And X without a loop before it counts as halting."""
    assert list(halting().values()) == [True, True, True, False, False]


def test_where_the_loop_does_not_halt_everything_seals() -> None:
    """Nothing occurs, so nothing refutes."""
    for program, halts in halting().items():
        predicted = printed(Instance(2, (program,)))
        assert predicted == (frozenset() if halts else frozenset(CANDIDATES))


@pytest.mark.parametrize("reading", CutReading)
@pytest.mark.parametrize("text", ["snd 1->2", "mt 1->2", "rcv 2<-1 + mt 1->2", "(snd 1->2)*"])
def test_the_silent_cut_seals_every_program(text: str, reading: CutReading) -> None:
    """Under both readings, balanced or not."""
    with open_solver("z3") as solver:
        assert holds_when_solved(seals(parse(text), parse("cut")), 2, solver, reading=reading)


def test_a_repair_that_lets_transmissions_seal_x_is_refuted() -> None:
    """If mt 1->2; cut were said to seal X, for there is a silent cut in it, the ways would refute that."""
    careless = replace(STATEMENT.claims[1], predicts=lambda i: repaired(i) | {"mt 1->2; cut"})
    assert checked(replace(alone, claims=(careless,)), [(2, 2)]).refuting


def test_the_story_names_the_seals() -> None:
    """A reader sees what seals X, and why."""
    story = STATEMENT.claims[0].story
    assert story is not None
    assert story(X_ALONE).splitlines()[1] == "it is sealed by: cut | cut; mt 1->2"
