"""The table of answers: nothing gets in that is not what was asked, or lacks a word from an oracle."""

from pathlib import Path

import pytest

from sealcheck.errors import Disagreement, LimitReached
from sealcheck.programs.straight_line import StraightLine, mt
from sealcheck.questions.asking import Answers, Asked, answer
from sealcheck.questions.instance import Instance
from sealcheck.questions.sealing import IS_SEAL
from sealcheck.spark_sweeps.cache import Cache
from sealcheck.spark_sweeps.jobs import Disputed
from sealcheck.spark_sweeps.pipeline import AnswerTable
from sealcheck.theorems.checking.check import opened

THERE, BACK = (StraightLine.of(2, mt(*channel)) for channel in ((1, 2), (2, 1)))
SEALED = Asked(IS_SEAL, Instance.of(THERE, BACK))
OPEN = Asked(IS_SEAL, Instance.of(THERE, THERE))
SMT = ("z3", "cvc5")


def said(asked: Asked[bool], value: bool, *but: str) -> Answers[bool]:
    """That value, from all oracles but some."""
    names = [name for name in asked.question.oracle_names(SMT) if name not in but]
    return Answers(asked, dict.fromkeys(names, value), abstained={}, gave_up={})


@pytest.fixture
def table() -> AnswerTable:
    """A table that waits for two answers."""
    table = AnswerTable(SMT)
    assert table.new([SEALED, OPEN]) == [SEALED, OPEN]
    return table


def test_answers_are_known_to_all_and_nothing_is_asked_twice(table: AnswerTable) -> None:
    """What somebody has asked for is not asked for again, neither while it is open nor later."""
    assert table.new([OPEN, SEALED]) == []
    assert not table.is_known(SEALED)
    table.file([SEALED, OPEN], [said(SEALED, True), said(OPEN, False)])
    assert table.new([SEALED, OPEN]) == []
    assert table.known([OPEN, SEALED]) == {SEALED: True, OPEN: False}


@pytest.mark.parametrize("missing", IS_SEAL.oracle_names(SMT))
def test_an_oracle_that_is_silently_missing_is_noticed(table: AnswerTable, missing: str) -> None:
    """Whoever was to be asked must have said something, or that he can't, or that he gave up."""
    with pytest.raises(Disagreement, match=f"^is-seal, n = 2, on .*: not one answer each from {missing}$"):
        table.file([SEALED], [said(SEALED, True, missing)])
    assert not table.is_known(SEALED)


def test_an_oracle_that_nobody_knows_is_noticed(table: AnswerTable) -> None:
    """Only those count who were asked, and each of them once."""
    answers = said(SEALED, True)
    twice = Answers(SEALED, answers.said, abstained={"z3": "had no time"}, gave_up={})
    stranger = Answers(SEALED, {**answers.said, "oracle of Delphi": True}, abstained={}, gave_up={})
    with pytest.raises(Disagreement, match=r"not one answer each from z3$"):
        table.file([SEALED], [twice])
    with pytest.raises(Disagreement, match=r"not one answer each from oracle of Delphi$"):
        table.file([SEALED], [stranger])


def test_an_answer_about_another_instance_is_noticed(table: AnswerTable) -> None:
    """Answers in another order, or one too few, are not taken for what was asked."""
    right = [said(SEALED, True), said(OPEN, False)]
    for wrong in (right[::-1], right[:1], [], [right[0], right[0]]):
        with pytest.raises(Disagreement, match=r"^is-seal, .*: the answers are not about this question$"):
            table.file([SEALED, OPEN], wrong)
    assert not table.is_known(SEALED)


def test_a_disagreement_is_no_answer(table: AnswerTable) -> None:
    """Where oracles contradict each other, or one itself, whoever needs the answer gets the exception."""
    first, *others = IS_SEAL.oracle_names(SMT)
    answers = {**dict.fromkeys(others, True), first: False}
    table.file([SEALED, OPEN], [Answers(SEALED, answers, {}, {}), Disputed(OPEN, "a run is none")])
    known = table.known([SEALED, OPEN])
    assert all(isinstance(value, Disagreement) for value in known.values())
    assert f"{first} says False" in str(known[SEALED])
    assert str(known[OPEN]) == "a run is none"


def test_abstentions_are_counted_and_limits_leave_it_unknown(table: AnswerTable) -> None:
    """Who abstains counts for nothing; if one gave up, the answer is not known, whatever others say."""
    first, second, *others = IS_SEAL.oracle_names(SMT)
    abstaining = Answers(SEALED, dict.fromkeys([second, *others], True), {first: "too large"}, {})
    giving_up = Answers(OPEN, dict.fromkeys([first, *others], False), {}, {second: "out of time"})
    table.file([SEALED, OPEN], [abstaining, giving_up])
    known = table.known([SEALED, OPEN])
    assert known[SEALED] is True
    assert isinstance(known[OPEN], LimitReached)
    assert table.abstentions([SEALED, OPEN]) == {first: 1}


@pytest.fixture
def kept(tmp_path: Path) -> Cache:
    """A cache that has one answer, and three that should not have got there."""
    cache = Cache(tmp_path)
    table = AnswerTable(SMT, cache)
    other, third = (Asked(IS_SEAL, Instance.of(BACK, q)) for q in (THERE, BACK))
    first, *others = IS_SEAL.oracle_names(SMT)
    table.file(
        [SEALED, OPEN, other, third],
        [
            said(SEALED, True),
            Answers(OPEN, {**dict.fromkeys(others, True), first: False}, {}, {}),
            Answers(other, dict.fromkeys(others, True), {}, {first: "out of time"}),
            Disputed(third, "a run is none"),
        ],
    )
    return cache


def test_what_is_kept_is_not_asked_again(kept: Cache) -> None:
    """The next table finds what oracles agreed on, and nothing else."""
    table = AnswerTable(SMT, kept)
    assert table.new([SEALED, OPEN]) == [OPEN]
    assert table.known([SEALED]) == {SEALED: True}


def test_what_other_solvers_said_is_asked_again(kept: Cache) -> None:
    """An answer counts only with a word from everybody who is asked now, and from nobody else."""
    for solvers in ((), ("z3",), ("cadical",), (*SMT, "cadical")):
        assert AnswerTable(solvers, kept).new([SEALED]) == [SEALED]


def test_answers_of_the_oracles_fit() -> None:
    """What asking the oracles gives has a word from each of them."""
    table = AnswerTable(SMT)
    with opened(SMT) as solvers:
        table.file([SEALED, OPEN], [answer(asked, solvers) for asked in (SEALED, OPEN)])
    assert table.known([SEALED, OPEN]) == {SEALED: True, OPEN: False}
