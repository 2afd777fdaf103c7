"""Questions about the whole language: executions and solvers agree."""

from typing import Any

import pytest
from tests.questions.asking import agreed, answers, who_knows
from tests.strategies import programs_up_to

from sealcheck.encodings.solvers import SMT_SOLVERS
from sealcheck.errors import InputError
from sealcheck.explorers.executions import find_counterexample
from sealcheck.language.parser import parse
from sealcheck.programs.semantics import PAPER, ChannelModel, CutReading, Semantics
from sealcheck.programs.straight_line import StraightLine, mt, snd
from sealcheck.programs.syntax import ccl, seals, tcc
from sealcheck.questions import whole_language
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import Question
from sealcheck.questions.whole_language import (
    BALANCED,
    FINDS_SILENCE,
    GOES_ON,
    IS_CCL,
    OCCURS,
    REFINES,
    events_outside,
    events_outside_interval,
    syntax,
)
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.domains import Sequences
from sealcheck.theorems.checking.hypotheses import deadlocking
from sealcheck.theorems.checking.small_programs import tuples

EMPTY, FIFO = Semantics(reading=CutReading.EMPTY), Semantics(model=ChannelModel.REL_FIFO)
SETTINGS = [Semantics(model=model, reading=reading) for model in ChannelModel for reading in CutReading]

EXAMPLES: dict[Question[Any], dict[tuple[str, ...], bool]] = {
    # a program that never occurs is balanced; a receive may take a later message with other contents
    BALANCED: {
        ("eps",): True,
        ("mt 1->2; snd 2->1; rcv 1<-2",): True,
        ("snd 1->2",): False,
        ("rcv 2<-1",): False,
        ("mt 1->2 + snd 1->2",): False,
        ("(mt 1->2)*",): True,
        ("(snd 1->2)*; (rcv 2<-1)*",): False,
        ("snd 1->2; cut; rcv 2<-1",): True,
        ("snd 1->2; (eps + snd 1->2); cut; rcv 2<-1",): False,
        ("1.x := 1; [1.x = 0]; snd 1->2",): True,
        ("snd 1->2 (1); rcv 2<-1 (x); ([2.x = 0]; snd 1->2 + [2.x = 1])",): False,
        ("rcv 1<-2; snd 1->2; rcv 2<-1; snd 2->1",): True,
        ("rcv 1<-2; rcv 1<-2; snd 1->2; rcv 2<-1; snd 2->1",): True,
    },
    # every way to part P from Q counts, where both may have done the same event
    FINDS_SILENCE: {
        ("eps", "eps"): True,
        ("mt 1->2", "mt 2->1"): True,
        ("mt 1->2", "mt 1->2"): False,
        ("mt 1->2", "cut"): True,
        ("snd 1->2", "rcv 2<-1"): False,
        ("eps + snd 1->2", "(eps + snd 1->2); cut"): True,
        ("snd 1->2; (eps + rcv 2<-1)", "(eps + rcv 2<-1); cut"): False,
        ("1.x := 1; [1.x = 0]", "mt 1->2"): True,
    },
    # a seal diverges if it repeats something that happens, as often as one likes, after P
    GOES_ON: {
        ("eps", "(1.x := 1)*"): True,
        ("mt 1->2", "(mt 2->1)*"): True,
        ("eps", "(rcv 2<-1)*"): True,
        ("eps", "eps + (snd 1->2)*"): True,
        ("eps", "(cut)*"): False,
        ("eps", "([1.x = 0])*"): False,
        ("eps", "mt 1->2; mt 2->1"): False,
        ("eps", "([1.x = 0]; 1.x := 1)*"): False,
        ("eps", "([1.x = 0]; 1.x := 1; (2.y := 1)*)*"): True,
        ("eps", "(mt 1->2)*; mt 1->2"): False,
        ("[false]", "(1.x := 1)*"): False,
    },
    # what a message holds may be said by no program, or come from outside
    OCCURS: {
        ("snd 1->2; rcv 2<-1 (x); [2.x = 1]",): True,
        ("mt 1->2 (1 -> x); [2.x = 0]",): True,
        ("1.x := 1; [1.x = 0]; mt 1->2",): False,
        ("rcv 2<-1 (x); snd 1->2; [2.x = 1]",): True,
    },
}


@pytest.mark.parametrize("question", EXAMPLES, ids=lambda question: question.id)
def test_examples(question: Question[Any]) -> None:
    instances = [Instance(2, tuple(map(parse, texts))) for texts in EXAMPLES[question]]
    for found, expected in zip(answers(question, instances), EXAMPLES[question].values(), strict=True):
        assert who_knows(found) == {"executions", "z3", "cvc5"}
        assert found.agreed == expected, str(found.asked)


PAIRS, SINGLE = list(tuples(2, 2, 2)), list(tuples(2, 2, 1))
LISTED = [
    (BALANCED, [instance for size in range(3) for instance in tuples(2, size, 1)], SMT_SOLVERS),
    (FINDS_SILENCE, PAIRS, SMT_SOLVERS),
    (GOES_ON, [i for i in PAIRS if i.programs[0] == parse("eps")] + list(tuples(1, 2, 2)), ("z3",)),
    (REFINES, [Instance(2, seals(*i.programs)) for i in PAIRS[::2]], SMT_SOLVERS),
    (OCCURS, SINGLE, SMT_SOLVERS),
]


@pytest.mark.parametrize("semantics", SETTINGS, ids=str)
@pytest.mark.parametrize(("question", "instances", "solvers"), LISTED, ids=[each[0].id for each in LISTED])
def test_all_oracles_agree(
    question: Question[Any], instances: list[Instance], solvers: tuple[str, ...], semantics: Semantics
) -> None:
    found = answers(question, instances, semantics, solvers)
    assert {each.agreed for each in found} == {True, False}
    assert all(who_knows(each) == {"executions", *solvers} for each in found)


# --- `balanced`, `finds-silence`, `goes-on` -----------------------------------------------------


def test_one_more_event_outside_changes_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """So `events_outside_interval` is enough."""
    programs = [instance for size in range(3) for instance in tuples(2, size, 1)]
    found = [each.agreed for each in answers(BALANCED, programs, solvers=())]
    monkeypatch.setattr(
        whole_language, "events_outside_interval", lambda *program: 1 + events_outside_interval(*program)
    )
    assert [each.agreed for each in answers(BALANCED, programs, solvers=())] == found


def test_executions_do_not_speak_of_self_channels() -> None:
    (found,) = answers(BALANCED, [Instance(1, (parse("snd 1->1"),))], Semantics(self_channels=True))
    assert who_knows(found) == {"z3", "cvc5"}
    assert found.agreed is False


def test_it_is_sealing_where_p_can_end_in_one_place_only() -> None:
    with inline(("z3",)) as ask:
        for pair in tuples(2, 2, 2):
            is_sealed = ask(REFINES, Instance(2, seals(*syntax(pair))))
            if pair.texts[0] == "eps" or not any(sign in pair.texts[0] for sign in "+*"):
                assert ask(FINDS_SILENCE, pair) == is_sealed, str(pair)
            assert is_sealed or not ask(FINDS_SILENCE, pair)


def test_the_reading_of_the_cut_matters() -> None:
    lost = Instance(2, (parse("snd 1->2"), parse("(1.x := 1)*")))
    for semantics, diverges in ((PAPER, True), (EMPTY, False), (FIFO, True)):
        (found,) = answers(GOES_ON, [lost], semantics)
        assert found.agreed == diverges


# --- `is-ccl` -----------------------------------------------------------------------------------

EPS, THERE, BACK = (StraightLine.of(2, events) for events in ((), mt(1, 2), mt(2, 1)))


def test_a_message_between_messages() -> None:
    assert agreed(IS_CCL, THERE, BACK, THERE)
    assert not agreed(IS_CCL, THERE, THERE, BACK)
    assert not agreed(IS_CCL, EPS, THERE, THERE)
    assert agreed(IS_CCL, EPS, THERE, EPS)


@pytest.mark.parametrize(("n", "messages"), [(2, 2), (2, 3), (3, 2)])
def test_all_oracles_agree_about_triples(n: int, messages: int) -> None:
    domain = Sequences(3, "triples")
    instances = list(domain.instances(n, messages, 0, domain.size(n, messages)))
    found = answers(IS_CCL, instances)
    assert {each.agreed for each in found} == {True, False}
    assert all(who_knows(each) == {"matchings", "executions", *SMT_SOLVERS} for each in found)


def test_nobody_is_asked_about_other_programs() -> None:
    for asked in (
        [deadlocking(2, 2)[0].p, EPS, EPS],
        [StraightLine.of(2, [snd(1, 2)]), EPS, EPS],
        [THERE, BACK],
    ):
        with pytest.raises(InputError, match=r"^'is-ccl' cannot be asked of 'P = .*', only of P, Q, R: "):
            agreed(IS_CCL, *asked)


def test_every_layer_alone_is_a_ccl() -> None:
    for program in programs_up_to(2, 2):
        nothing = StraightLine.of(program.n)
        assert agreed(IS_CCL, nothing, program, nothing, solvers=("z3",))


def test_a_second_event_outside_changes_no_answer() -> None:
    domain = Sequences(3, "triples")
    for instance in domain.instances(2, 2, 0, domain.size(2, 2)):
        more = find_counterexample(*ccl(*syntax(instance)), 2, outside=2)
        assert (more is None) == agreed(IS_CCL, *instance.straight, solvers=())


# --- `refines`, `occurs` ------------------------------------------------------------------------


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
    assert tuple(events_outside(parse(text), reading) for reading in CutReading) == expected


@pytest.mark.parametrize("semantics", SETTINGS, ids=str)
def test_one_more_event_outside_changes_no_answer_about_refines(
    semantics: Semantics, monkeypatch: pytest.MonkeyPatch
) -> None:
    sides = [seals(*i.programs) for i in PAIRS] + [tcc(*i.programs) for i in SINGLE]
    asked = [(Instance(2, each), semantics) for each in sides[::7]]
    with inline(()) as ask:
        found = ask.all(REFINES, asked)
    monkeypatch.setattr(whole_language, "events_outside", lambda *left: 1 + events_outside(*left))
    with inline(()) as ask:
        assert ask.all(REFINES, asked) == found
    assert set(found) == {True, False}


def test_answers_are_asked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = Instance(2, seals(parse("mt 1->2"), parse("mt 2->1")))
    with inline(("z3",)) as ask:
        assert ask(REFINES, instance)
        monkeypatch.setattr(whole_language, "find_counterexample", None)
        assert ask(REFINES, instance)
