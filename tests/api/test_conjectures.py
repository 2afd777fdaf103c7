"""Statements of users."""

from typing import Any

import pytest
from pysmt.shortcuts import FALSE, TRUE, And

from sealcheck import check, conjecture, seal, seals
from sealcheck.algorithms.sealability import blocks
from sealcheck.algorithms.signature import signature
from sealcheck.encodings.sealability import SymbolicCriteria
from sealcheck.encodings.sealing import PairOfPrograms
from sealcheck.errors import InputError, LimitReached
from sealcheck.programs.runs import interferes_with
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.check import check_level, inline
from sealcheck.theorems.registry import statement


def unused(p: Any) -> set[tuple[int, int]]:
    return {(i, j) for i in range(1, p.n + 1) for j in range(1, p.n + 1) if i != j} - p.channels


def test_what_holds_is_verified() -> None:
    found = check(lambda p: None if p.messages else 0, against="minimal-seal", n=3, messages=2)
    assert found
    assert (found.n, found.messages) == (3, 2)
    assert 0 < found.vacuous < found.instances


def test_what_fails_is_refuted_by_a_smallest_program() -> None:
    """An unused channel is closed, but a used channel can be closed, too."""
    found = check(unused, against="closed-channels", n=3, messages=3)
    assert not found
    assert [str(p) for p in found.counterexample or ()] == ["mt 1->2; mt 2->1"]
    assert found.why == "for mt 1->2; mt 2->1, the prediction is [], but the answer is [(1, 2)]"


@pytest.mark.parametrize(
    ("predicted", "against", "why"),
    [
        ("True", "sealable", "the prediction is 'True', but the answer is True"),
        ({(1, 2), "1->2"}, "closed-channels", "the prediction is ['1->2', (1, 2)], but the answer is []"),
        ([], "closed-channels", "the prediction is [] (a list), but the answer is []"),
    ],
)
def test_values_of_a_wrong_type_are_told_from_the_answer(predicted: Any, against: str, why: str) -> None:
    assert check(lambda p: predicted, against=against, n=1, messages=0).why == f"for eps, {why}"


def test_all_renamings_are_looked_at() -> None:
    def ignores_3_1(p: Any) -> bool | None:
        return True if p.messages == 1 and "snd 3->1" not in p.processes[-1] else (p.messages == 0 or None)

    def wrong_about_3_1(p: Any) -> bool | None:
        return False if p.n == 3 and str(p) == "mt 3->1" else None

    assert check(ignores_3_1, against="sealable", n=3, messages=1)
    found = check(wrong_about_3_1, against="sealable", n=3, messages=1)
    assert not found
    assert found.why == "for mt 3->1, the prediction is False, but the answer is True"


def test_a_conjecture_is_a_statement() -> None:
    @conjecture("P is sealed by nothing", against="is-seal")
    def nothing_seals(p: Any, q: Any) -> bool | None:
        return None if q.messages else not p.messages

    about = nothing_seals.statement
    assert (about.id, about.claims[0].text) == ("nothing-seals", "P is sealed by nothing")
    assert nothing_seals("mt 1->2", "eps") is False
    assert check(nothing_seals, n=2, messages=2).verdict == "verified"


def test_a_prediction_that_changes_is_refused() -> None:
    asked = []

    def changing(p: Any) -> bool | None:
        asked.append(p)
        return False if len(asked) == 1 else None

    with pytest.raises(InputError, match=r"the prediction changes: for eps, it was wrong"):
        check(changing, against="sealable", n=1, messages=0)


@pytest.mark.parametrize("against", ["refines", "phases", "worst-case-seal", "nothing"])
def test_other_questions_are_refused(against: str) -> None:
    with pytest.raises(InputError, match=against):
        check(lambda p: True, against=against)


def test_the_question_must_be_said() -> None:
    with pytest.raises(InputError, match="'against' is missing"):
        check(lambda p: True)


@pytest.mark.parametrize(
    ("against", "prediction", "says"),
    [
        ("is-seal", lambda p, q: True if q.messages else None, False),
        ("is-seal", lambda p, q: False if q.messages == 2 else None, True),
        ("sealable", lambda p: True if p.messages else None, False),
        ("sealable", lambda p: False if p.messages else None, True),
        ("minimal-seal", lambda p: 2 if p.messages else None, True),
    ],
)
def test_what_is_refuted_comes_with_evidence(against: str, prediction: Any, says: bool) -> None:
    found = check(prediction, against=against, n=2, messages=2)
    (claim,) = conjecture("it is so", against=against)(prediction).statement.claims
    assert claim.run is not None
    with inline(()) as ask:
        shown = claim.run(Instance.of(*(p.straight_line for p in found.counterexample or ())), ask)
    assert (shown is None) == (against == "sealable" and not says)
    if shown is not None:
        run, (p, *_) = shown
        run.check()
        assert (interferes_with(run, p) is not None) == (against == "is-seal" and not says)
    assert found.evidence is not None
    assert bool(found.evidence) is says
    assert found.evidence.verify()
    assert str(found.evidence.draw())
    assert check(unused, against="closed-channels", n=2, messages=2).evidence is None


def test_whole_levels_are_asked_about_where_the_query_comes_with_it() -> None:
    original = statement("tcc-impossibility").claims[0]

    @conjecture(
        "a program that sends leaves a channel open",
        against="closed-channels",
        whole_space=original.whole_space,
    )
    def leaves_open(p: Any) -> None:
        return None

    tally = check_level(leaves_open.statement, 0, 3, 2, solver="cadical")
    assert tally.checked == 1
    assert tally.unknown == 0
    assert tally.refuting is None


def sends_nothing(p: Any) -> Any:
    return And(p.closed(i, j) for i in p.processes for j in p.processes if i != j)


@pytest.mark.parametrize(
    ("against", "formula", "prediction", "refuted"),
    [
        (
            "sealable",
            SymbolicCriteria.one_block,
            lambda p: len(blocks(signature(p.straight_line))) == 1,
            False,
        ),
        ("sealable", sends_nothing, lambda p: not p.messages, True),
        ("is-seal", PairOfPrograms.criterion, lambda p, q: bool(seals(p, q)), False),
        ("is-seal", lambda _: TRUE(), lambda p, q: True, True),
        ("is-seal", lambda _: FALSE(), lambda p, q: False, True),
    ],
)
def test_a_formula_is_asked_about_of_whole_levels(
    against: str, formula: Any, prediction: Any, refuted: bool
) -> None:
    about = conjecture("it is so", against=against, formula=formula)(prediction).statement
    tally = check_level(about, 0, 3, 2, solver="z3")
    assert (tally.refuting is not None, tally.disputed, tally.unknown) == (refuted, None, 0)


def test_a_formula_that_predicts_something_else_is_a_disagreement() -> None:
    about = conjecture("it is so", against="sealable", formula=sends_nothing)(lambda p: bool(seal(p)))
    assert check_level(about.statement, 0, 2, 1, solver="z3").disputed is not None
    with pytest.raises(InputError, match="'sealable' and 'is-seal', not to 'closed-channels'"):
        conjecture("it is so", against="closed-channels", formula=sends_nothing)


@pytest.mark.parametrize(
    ("against", "right", "coerced"),
    [
        ("sealable", lambda p: bool(seal(p)), int),
        ("minimal-seal", lambda p: seal(p, minimal=True).to_json()["messages"] if seal(p) else None, float),
        ("closed-channels", unused, lambda found: {(float(i), j) for i, j in found}),
    ],
)
def test_nothing_is_coerced(against: str, right: Any, coerced: Any) -> None:
    """1 is not True, and 1.0 is not 1, at any depth."""

    def other(p: Any) -> Any:
        return None if (found := right(p)) is None else coerced(found)

    assert check(right, against=against, n=2, messages=1).verdict == "verified"
    found = check(other, against=against, n=2, messages=1)
    assert found.verdict == "refuted"
    assert found.evidence is None or found.evidence.verify()


def test_nothing_predicted_is_nothing_verified() -> None:
    found = check(lambda p: None, against="sealable", n=2, messages=1)
    assert (found.verdict, found.vacuous) == ("unknown", found.instances)
    with pytest.raises(LimitReached, match="nothing is predicted for any of 3 instances"):
        bool(found)
