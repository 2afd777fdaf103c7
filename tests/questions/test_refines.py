"""`refines` and `occurs`: the oracles agree, and executions have as many events outside as they need."""

import pytest
from tests.questions.asking import answers, who_knows

from sealcheck.language.parser import parse
from sealcheck.programs.semantics import ChannelModel, CutReading, Semantics
from sealcheck.programs.syntax import seals, tcc
from sealcheck.questions import whole_language
from sealcheck.questions.instance import Instance
from sealcheck.questions.whole_language import OCCURS, REFINES, events_outside
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.small_programs import tuples

SETTINGS = [Semantics(model=model, reading=reading) for model in ChannelModel for reading in CutReading]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cut; eps", (1, 1)),
        ("eps", (2, 2)),
        ("cut; snd 1->2; rcv 2<-1", (1, 1)),
        ("cut; snd 1->2; snd 2->1; rcv 2<-1", (1, 1)),
        ("cut; snd 1->2; cut; rcv 2<-1", (2, 3)),
        ("snd 1->2; cut", (2, 3)),
        ("cut; rcv 2<-1; snd 1->2", (2, 2)),
        ("cut; (rcv 2<-1 + rcv 2<-1; rcv 1<-2)*", (3, 3)),
        ("cut; mt 1->2 (1 -> x); [2.x = 0]", (2, 2)),
    ],
)
def test_executions_have_events_to_be_matched_with(text: str, expected: tuple[int, int]) -> None:
    """One that interferes, one more if messages may cross, and one for each event that may need it."""
    assert tuple(events_outside(parse(text), reading) for reading in CutReading) == expected


@pytest.mark.parametrize("semantics", SETTINGS, ids=str)
def test_one_more_event_outside_changes_no_answer(
    semantics: Semantics, monkeypatch: pytest.MonkeyPatch
) -> None:
    """About which programs of one atom seal which, and which of two are TCC."""
    sides = [seals(*i.programs) for i in tuples(2, 2, 2)] + [tcc(*i.programs) for i in tuples(2, 2, 1)]
    asked = [(Instance(2, each), semantics) for each in sides[::7]]
    with inline(()) as ask:
        found = ask.all(REFINES, asked)
    monkeypatch.setattr(whole_language, "events_outside", lambda *left: 1 + events_outside(*left))
    with inline(()) as ask:
        assert ask.all(REFINES, asked) == found
    assert set(found) == {True, False}


@pytest.mark.parametrize("semantics", SETTINGS, ids=str)
def test_all_oracles_agree(semantics: Semantics) -> None:
    """On what seals what among programs of one atom, and on which programs of two occur at all."""
    pairs = [Instance(2, seals(*i.programs)) for i in tuples(2, 2, 2)][::2]
    single = list(tuples(2, 2, 1))
    for question, instances in ((REFINES, pairs), (OCCURS, single)):
        found = answers(question, instances, semantics)
        assert {each.agreed for each in found} == {True, False}
        assert all(who_knows(each) == {"executions", "z3", "cvc5"} for each in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("snd 1->2; rcv 2<-1 (x); [2.x = 1]", True),
        ("mt 1->2 (1 -> x); [2.x = 0]", True),
        ("1.x := 1; [1.x = 0]; mt 1->2", False),
        ("rcv 2<-1 (x); snd 1->2; [2.x = 1]", True),
    ],
)
def test_what_a_message_holds_may_let_a_program_occur(text: str, *, expected: bool) -> None:
    """Where the program does not say it, or where the message comes from outside."""
    (found,) = answers(OCCURS, [Instance(2, (parse(text),))])
    assert who_knows(found) == {"executions", "z3", "cvc5"}
    assert found.agreed == expected


def test_answers_are_asked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was answered is kept as long as the solvers are open."""
    instance = Instance(2, seals(parse("mt 1->2"), parse("mt 2->1")))
    with inline(("z3",)) as ask:
        assert ask(REFINES, instance)
        monkeypatch.setattr(whole_language, "find_counterexample", None)
        assert ask(REFINES, instance)
