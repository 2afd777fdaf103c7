"""`tcc-basic`, `tcc-closed`, `barrier-is-tcc`: verdicts, and mistakes that are caught."""

from sealcheck.language.printer import show
from sealcheck.programs.syntax import Cut, Send
from sealcheck.questions.whole_language import syntax
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.small_programs import tuples
from sealcheck.theorems.section3.tcc_programs import CLOSED, STATEMENTS, basic, keeps_communicating_apart

TCC_BASIC, TCC_CLOSED, BARRIER_IS_TCC = STATEMENTS


def test_all_forms_are_there() -> None:
    assert [show(i.programs[0]) for i in basic(2, 0)] == [
        "eps",
        "[true]",
        "[false]",
        "[1.x < 2.y]",
        "1.x := 1",
        "1.x := 1.x + 1",
        "eps; cut",
    ]
    assert "snd 1->2; cut" in {show(i.programs[0]) for i in basic(2, 1)}


def test_communicating_programs_tell_barriers_too() -> None:
    with inline() as ask:
        kept = [i for i in tuples(2, 1, 1) if keeps_communicating_apart(*syntax(i), 2, ask)]
    assert list(map(str, kept)) == ["cut"]


def test_what_is_concluded() -> None:
    assert [[show(side) for side in sides] for sides in CLOSED.conclusions(Send(1, 2), Cut())] == [
        ["cut; (snd 1->2 + cut)", "(snd 1->2 + cut); cut"],
        ["cut; snd 1->2; cut", "snd 1->2; cut; cut"],
        ["cut; (snd 1->2)*", "(snd 1->2)*; cut"],
    ]
