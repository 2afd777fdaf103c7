"""`sealability-undecidable`: the verdicts on record, and mistakes that are caught."""

from dataclasses import replace

import pytest
from tests.theorems.rows import checked

from sealcheck.encodings.solving import open_solver
from sealcheck.language.parser import parse
from sealcheck.programs.global_runs import CutReading
from sealcheck.programs.notions import seals
from sealcheck.programs.syntax import Cut
from sealcheck.theorems.checking import ablate
from sealcheck.theorems.domains import Listed
from sealcheck.theorems.refining import holds_when_solved
from sealcheck.theorems.sealability_undecidable import CANDIDATES, STATEMENT, X, halting, printed
from sealcheck.theorems.statement import Instance

X_ALONE = Instance(2, (X,))
alone = replace(STATEMENT, domain=Listed("programs", lambda n, messages: iter((X_ALONE,))))


@pytest.mark.slow
def test_the_reduction_holds_on_the_list() -> None:
    """Of X and all four loops before it, nothing seals those that halt, and everything the others."""
    tally = checked(STATEMENT, [(2, 2)])
    assert (tally.checked, tally.disputed, tally.unknown, tally.refuting) == (5, None, 0, {})


def test_nothing_seals_x() -> None:
    """The lemma's program, without a loop before it."""
    tally = checked(alone, [(2, 2)])
    assert (tally.checked, tally.disputed, tally.unknown, tally.refuting) == (1, None, 0, {})


def test_without_the_hypothesis_the_silent_cut_seals_x() -> None:
    """Whatever can be sealed by a silent cut is everything."""
    (number,) = (k for k, h in enumerate(STATEMENT.hypotheses) if h.name == "seals have no silent cut")
    assert ablate(STATEMENT, number, [(2, 1), (2, 2)]).breaking == Instance(2, (X, Cut()))


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


def test_a_claim_that_lets_transmissions_seal_x_is_refuted() -> None:
    """If mt 1->2 were said to seal X, the ways would refute that."""
    careless = replace(STATEMENT.claims[0], predicts=lambda i: printed(i) | {"mt 1->2"})
    assert checked(replace(alone, claims=(careless,)), [(2, 2)]).refuting
