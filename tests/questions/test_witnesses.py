"""Questions with several right answers: wrong witnesses are refused."""

import json
from dataclasses import replace
from typing import Any

import jsonschema
import pytest

from sealcheck.encodings.solvers import SMT_SOLVERS
from sealcheck.errors import Disagreement
from sealcheck.explorers.channel_contents import Owner
from sealcheck.language.parser import parse, parse_straight_line
from sealcheck.programs.semantics import PAPER
from sealcheck.programs.straight_line import Channel
from sealcheck.programs.syntax import seals, tcc
from sealcheck.questions.asking import Answers, Asked, answer
from sealcheck.questions.instance import Instance
from sealcheck.questions.phases import INTERFERENCE
from sealcheck.questions.question import Question
from sealcheck.questions.sealing import SHORTEST_SEAL
from sealcheck.questions.whole_language import COUNTEREXAMPLE, UNBALANCED_RUN
from sealcheck.theorems.checking.check import opened

THERE, BACK = (parse_straight_line(text, 2) for text in ("mt 1->2", "mt 2->1"))
CROSSED = parse_straight_line("snd 1->2; snd 2->1; rcv 1<-2; rcv 2<-1", 2)

FOUND: list[tuple[Question[Any], Instance]] = [
    (COUNTEREXAMPLE, Instance(2, tcc(parse("mt 1->2")))),
    (COUNTEREXAMPLE, Instance(1, (parse("1.x := 1.x + 2"), parse("1.x := 2")))),
    (UNBALANCED_RUN, Instance(2, (parse("eps + snd 1->2"),))),
    (INTERFERENCE, Instance.of(THERE, THERE)),
    (SHORTEST_SEAL, Instance.of(THERE)),
]
NONE: list[tuple[Question[Any], Instance]] = [
    (COUNTEREXAMPLE, Instance(2, seals(parse("mt 1->2"), parse("mt 2->1")))),
    (UNBALANCED_RUN, Instance(2, (parse("mt 1->2"),))),
    (INTERFERENCE, Instance.of(THERE, BACK)),
    (SHORTEST_SEAL, Instance.of(CROSSED)),
]


def answers(question: Question[Any], instance: Instance) -> Answers[Any]:
    with opened(SMT_SOLVERS) as solvers:
        return answer(Asked(question, instance), solvers)


@pytest.mark.parametrize(("question", "instance"), FOUND)
def test_what_is_found_is_written_and_read(question: Question[Any], instance: Instance) -> None:
    found = answers(question, instance)
    assert len(found.said) > 1
    assert found.agreed in found.said.values()
    for value in found.said.values():
        written = json.loads(json.dumps(question.answer.to_json(value)))
        jsonschema.validate(written, question.answer.schema)
        assert question.answer.from_json(written) == value


@pytest.mark.parametrize(("question", "instance"), NONE)
def test_all_say_that_there_is_none(question: Question[Any], instance: Instance) -> None:
    found = answers(question, instance)
    assert found.agreed is None
    wrong = next(answers(*each).agreed for each in FOUND if each[0] is question)
    with pytest.raises(Disagreement):
        _ = replace(found, said={**found.said, "liar": wrong}).agreed


def test_a_run_of_something_else_is_refused() -> None:
    found, other = (answers(*each) for each in FOUND[:2])
    with pytest.raises(Disagreement, match="which does not show it"):
        _ = replace(found, said={"liar": other.agreed}).agreed


def test_an_execution_has_to_be_one() -> None:
    (question, instance) = FOUND[3]
    steps = answers(question, instance).agreed
    assert question.witness is not None
    accepts = question.witness.accepts
    within = tuple(step._replace(took=step.took and step.owner) for step in steps)
    assert accepts(instance, PAPER, steps)
    assert not accepts(instance, PAPER, steps[1:])
    assert not accepts(instance, PAPER, steps[:-1])
    assert not accepts(instance, PAPER, steps[::-1])
    assert not accepts(instance, PAPER, within)
    assert {step.owner for step in steps} >= {Owner.P, Owner.Q}


def test_what_does_not_seal_is_refused() -> None:
    found = answers(SHORTEST_SEAL, Instance.of(THERE))
    assert found.agreed == (Channel(2, 1),)
    with pytest.raises(Disagreement, match="does not show it"):
        _ = replace(found, said={"liar": (Channel(1, 2),)}).agreed
