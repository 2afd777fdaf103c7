"""`tcc-impossibility-whole-language`: the verdicts on record, and mistakes that are caught."""

from functools import partial

import pytest
from tests.theorems.rows import claiming, explained

from sealcheck.language.parser import parse
from sealcheck.programs.semantics import PAPER
from sealcheck.programs.syntax import Path, communicates, has_cut, tcc
from sealcheck.questions.instance import Instance
from sealcheck.questions.whole_language import REFINES
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.statement import Outcome
from sealcheck.theorems.section4.tcc_impossibility_whole_language import (
    STATEMENT,
    communicates_at_the_end,
    is_tcc_unless,
    passed,
    printed,
    repaired,
)


def program(text: str) -> Instance:
    """The program of two processes."""
    return Instance(2, (parse(text),))


def test_programs_that_never_occur_are_counted_apart() -> None:
    """A guard that can't hold, and a receive before the only send."""
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
    """Only communication on a path that occurs counts, and for the repair only what no cut follows."""
    instance = program(text)
    with inline() as ask:
        assert (not passed(instance, ask, PAPER, communicates)) == by_theorem
        assert (not passed(instance, ask, PAPER, communicates_at_the_end)) == by_repair
        assert ask(REFINES, Instance(2, tcc(*instance.programs))) == by_repair  # type: ignore[arg-type]


def test_a_repair_that_asks_for_any_cut_is_refuted() -> None:
    """A cut before the communication does not help: cut; mt would refute that."""

    def careless(path: Path) -> bool:
        return communicates(path) and not has_cut(path)

    tally = claiming(STATEMENT, partial(is_tcc_unless, at_fault=careless), [(2, 2)], claim=1)
    assert str(tally.refuting) == "cut; rcv 1<-2"


def test_explanations_differ_for_both_kinds_of_programs() -> None:
    """Of the counterexample a reader sees the path with its cut; of another program a run."""
    lines = explained(STATEMENT, program("mt 1->2; cut")).splitlines()
    assert lines[0] == "≀P occurs along the path: mt 1->2; cut"
    assert "before a silent cut, which nothing crosses" in lines[1]
    assert "takes event 2 of 1" in explained(STATEMENT, program("mt 1->2"))
