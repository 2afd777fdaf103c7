"""`balanced`: executions and solvers agree, and both count."""

import pytest
from tests.questions.asking import answers, who_knows

from sealcheck.language.parser import parse
from sealcheck.programs.semantics import ChannelModel, CutReading, Semantics
from sealcheck.questions import whole_language
from sealcheck.questions.instance import Instance
from sealcheck.questions.whole_language import BALANCED, events_outside_interval
from sealcheck.theorems.checking.small_programs import tuples

SETTINGS = [Semantics(model=model, reading=reading) for model in ChannelModel for reading in CutReading]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("eps", True),
        ("mt 1->2; snd 2->1; rcv 1<-2", True),
        ("snd 1->2", False),
        ("rcv 2<-1", False),
        ("mt 1->2 + snd 1->2", False),
        ("(mt 1->2)*", True),
        ("(snd 1->2)*; (rcv 2<-1)*", False),
        ("snd 1->2; cut; rcv 2<-1", True),
        ("snd 1->2; (eps + snd 1->2); cut; rcv 2<-1", False),
        ("1.x := 1; [1.x = 0]; snd 1->2", True),
        ("snd 1->2 (1); rcv 2<-1 (x); ([2.x = 0]; snd 1->2 + [2.x = 1])", False),
        ("rcv 1<-2; snd 1->2; rcv 2<-1; snd 2->1", True),
        ("rcv 1<-2; rcv 1<-2; snd 1->2; rcv 2<-1; snd 2->1", True),
    ],
)
def test_examples(text: str, *, expected: bool) -> None:
    """A program that never occurs is balanced; a receive may take a later message with other contents."""
    (found,) = answers(BALANCED, [Instance(2, (parse(text),))])
    assert who_knows(found) == {"executions", "z3", "cvc5"}
    assert found.agreed == expected


@pytest.mark.parametrize("semantics", SETTINGS, ids=str)
def test_all_oracles_agree(semantics: Semantics) -> None:
    """On all programs of two processes and up to two atoms."""
    programs = [instance for size in range(3) for instance in tuples(2, size, 1)]
    found = answers(BALANCED, programs, semantics)
    assert {each.agreed for each in found} == {True, False}
    assert all(who_knows(each) == {"executions", "z3", "cvc5"} for each in found)


def test_one_more_event_outside_changes_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many events as `events_outside_interval` says are enough."""
    programs = [instance for size in range(3) for instance in tuples(2, size, 1)]
    found = [each.agreed for each in answers(BALANCED, programs, solvers=())]
    monkeypatch.setattr(
        whole_language, "events_outside_interval", lambda *program: 1 + events_outside_interval(*program)
    )
    assert [each.agreed for each in answers(BALANCED, programs, solvers=())] == found


def test_executions_do_not_speak_of_self_channels() -> None:
    """The solvers do."""
    (found,) = answers(BALANCED, [Instance(1, (parse("snd 1->1"),))], Semantics(self_channels=True))
    assert who_knows(found) == {"z3", "cvc5"}
    assert found.agreed is False
