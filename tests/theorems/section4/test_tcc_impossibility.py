"""Communicating programs are not TCC, except before a silent cut."""

import pytest
from pysmt.shortcuts import FALSE

from sealcheck.encodings import sealing
from sealcheck.encodings.program_space import SymbolicProgram
from sealcheck.encodings.sealing import last_receive_cannot_wait
from sealcheck.encodings.solving import Status, fresh_formulas, open_solver
from sealcheck.language.parser import parse
from sealcheck.programs.semantics import PAPER
from sealcheck.programs.syntax import communicates, tcc
from sealcheck.questions.instance import Instance
from sealcheck.questions.whole_language import REFINES
from sealcheck.theorems.checking.check import check_level, inline
from sealcheck.theorems.checking.statement import Outcome
from sealcheck.theorems.section4.tcc_impossibility import (
    STATEMENT,
    communicates_at_the_end,
    passed,
    printed,
    repaired,
)


def test_with_self_channels_the_run_of_the_proof_may_not_exist() -> None:
    with fresh_formulas():
        p = SymbolicProgram("P", 1, 1, self_channels=True)
        with open_solver("cadical") as solver:
            answer = solver.ask(last_receive_cannot_wait(p))
            assert answer.status is Status.SAT
            assert str(p.decoded(answer)) == "mt 1->1"


def test_the_query_is_not_vacuous(monkeypatch: pytest.MonkeyPatch) -> None:
    """If no receive waited, the run would not interfere."""
    monkeypatch.setattr(sealing, "is_last", lambda p, a: FALSE())
    assert check_level(STATEMENT, 0, 2, 1, solver="z3").unknown == 1


# --- The whole language -----------------------------------------------------------------------


def program(text: str) -> Instance:
    return Instance(2, (parse(text),))


def test_programs_that_never_occur_are_counted_apart() -> None:
    with inline() as ask:
        for text in ("1.x := 1; [1.x = 0]", "rcv 1<-2; rcv 2<-1; cut"):
            for check in (printed, repaired):
                assert check(program(text), ask) is Outcome.VACUOUS


@pytest.mark.parametrize(
    ("text", "by_theorem", "by_repair"),
    [
        ("mt 1->2", False, False),
        ("mt 1->2; cut", False, True),
        ("mt 1->2; cut; mt 2->1", False, False),
        ("(mt 1->2; cut)*", False, True),
        ("(cut; mt 1->2)*", False, False),
        ("mt 1->2 + eps", False, False),
        ("1.x := 1; [1.x = 0]; mt 1->2 + eps", True, True),
        ("snd 1->2; cut", False, True),
    ],
)
def test_predictions_follow_the_paths_that_occur(text: str, *, by_theorem: bool, by_repair: bool) -> None:
    instance = program(text)
    with inline() as ask:
        assert (not passed(instance, ask, PAPER, communicates)) == by_theorem
        assert (not passed(instance, ask, PAPER, communicates_at_the_end)) == by_repair
        assert ask(REFINES, Instance(2, tcc(*instance.programs))) == by_repair  # type: ignore[arg-type]
