"""`sealability-undecidable`: the verdicts on record, and mistakes that are caught."""

from dataclasses import replace

import pytest
from tests.theorems.rows import checked, claiming, explained, holds

from sealcheck.language.parser import parse
from sealcheck.programs.semantics import CutReading, Semantics
from sealcheck.programs.syntax import Cut, seals
from sealcheck.questions.instance import Instance
from sealcheck.questions.whole_language import REFINES
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.domains import Listed
from sealcheck.theorems.checking.hypotheses import ablate
from sealcheck.theorems.checking.statement import Ask, Outcome
from sealcheck.theorems.section4.sealability_undecidable import (
    CANDIDATES,
    FIRST,
    STATEMENT,
    X,
    halts,
    sealing,
)

X_ALONE = Instance(2, (X,))
ALONE = replace(STATEMENT, domain=Listed("programs", lambda n, messages: iter((X_ALONE,))))


def test_nothing_seals_x() -> None:
    """The lemma's program, without a loop before it."""
    (tally,) = checked(ALONE, [(2, 2)])
    assert holds(tally)
    assert tally.checked == 1


def test_without_the_hypothesis_the_silent_cut_seals_x() -> None:
    """Whatever can be sealed by a silent cut is everything."""
    (number,) = (k for k, h in enumerate(STATEMENT.hypotheses) if h.name == "seals have no silent cut")
    assert ablate(STATEMENT, number, [(2, 1), (2, 2)]).breaking == Instance(2, (X, Cut()))


def test_two_loops_halt_and_two_do_not() -> None:
    """And X without a loop before it counts as halting."""
    with inline() as ask:
        assert [halts(Instance(2, (program,)), ask) for program in FIRST] == [True, True, True, False, False]


def test_where_the_loop_does_not_halt_everything_seals() -> None:
    """Nothing occurs, so nothing refutes."""
    with inline() as ask:
        for program in FIRST:
            instance = Instance(2, (program,))
            assert sealing(instance, ask) == ([] if halts(instance, ask) else list(CANDIDATES))


@pytest.mark.parametrize("reading", CutReading)
@pytest.mark.parametrize("text", ["snd 1->2", "mt 1->2", "rcv 2<-1 + mt 1->2", "(snd 1->2)*"])
def test_the_silent_cut_seals_every_program(text: str, reading: CutReading) -> None:
    """Under both readings, balanced or not."""
    with inline() as ask:
        assert ask(REFINES, Instance(2, seals(parse(text), Cut())), Semantics(reading=reading))


def test_a_claim_that_lets_transmissions_seal_x_is_refuted() -> None:
    """If mt 1->2 were said to seal X, the oracles would refute that."""

    def careless(instance: Instance, ask: Ask) -> Outcome:
        return Outcome.of("mt 1->2" in sealing(instance, ask))

    tally = claiming(ALONE, careless, [(2, 2)])
    assert tally.refuting == X_ALONE


def test_the_explanation_says_whether_x_is_reached() -> None:
    """A reader sees whether P occurs, and the candidates that seal it."""
    assert explained(STATEMENT, X_ALONE) == "P ends with X, and occurs\nit is sealed by: "
