"""The checker accepts proofs only, names the wrong step, and never crashes."""

import re
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sealcheck.kernel import lrat
from sealcheck.kernel.lrat import check_proof
from sealcheck.kernel.reading import Rejected

FORMULA = [[1, 2, 3], [-1], [-2, 4], [-2, -4], [-3, 1]]
PROOF = ["6 2 3 0 2 1 0", "6 d 1 0", "7 -2 0 3 4 0", "8 3 0 7 6 0", "9 0 8 2 5 0"]


def clauses() -> st.SearchStrategy[list[list[int]]]:
    return st.lists(st.lists(st.integers(-3, 3).filter(bool), max_size=3), max_size=8)


def satisfiable(formula: list[list[int]]) -> bool:
    assignments = [{k if held else -k for k, held in enumerate(row, 1)} for row in product([0, 1], repeat=3)]
    return any(all(true & set(clause) for clause in formula) for true in assignments)


def test_a_proof_is_accepted_and_its_steps_are_counted() -> None:
    assert check_proof(FORMULA, PROOF) == 5
    assert check_proof([[1], []], ["3 0 2 0"]) == 1


@pytest.mark.parametrize("position", range(len(PROOF)))
def test_a_proof_without_one_of_its_lemmas_is_rejected(position: int) -> None:
    rest = PROOF[:position] + PROOF[position + 1 :]
    if " d " in PROOF[position]:
        assert check_proof(FORMULA, rest) == 4
    else:
        with pytest.raises(Rejected):
            check_proof(FORMULA, rest)


@pytest.mark.parametrize("stop", range(len(PROOF)))
def test_a_proof_that_stops_early_is_rejected(stop: int) -> None:
    with pytest.raises(Rejected, match=r"^the proof does not end with the empty clause$"):
        check_proof(FORMULA, PROOF[:stop])


WRONG = {
    "a literal's sign": ("7 2 0 3 4 0", "clause 3 has"),
    "a hint is missing": ("7 -2 0 3 0", "the hints do not lead to a clause that is false"),
    "no hints": ("7 -2 0 0", "the hints do not lead to a clause that is false"),
    "hints in another order": ("7 -2 0 6 3 4 0", "clause 6 has 2 literals left that are not false"),
    "a hint too many": ("7 -2 0 3 4 2 0", "clause 4 is false already, but there are more hints"),
    "a hint without a clause": ("7 -2 0 3 44 0", "there is no clause 44"),
    "a hint that is deleted": ("7 -2 0 3 1 0", "there is no clause 1"),
    "a hint to itself": ("7 -2 0 7 0", "there is no clause 7"),
    "an id used before": ("6 -2 0 3 4 0", "the id 6 is not above 6, the last one"),
    "the id of a clause": ("3 -2 0 3 4 0", "the id 3 is not above 6, the last one"),
    "deleting what is not there": ("6 d 44 0", "there is no clause 44 to delete"),
    "deleting it twice": ("6 d 2 2 0", "there is no clause 2 to delete"),
    "a deletion with a wrong id": ("9 d 2 0", "a deletion must begin with 6, the last id"),
    "a RAT step": ("7 5 0 0", "the hints do not lead to a clause that is false"),
    "a RAT step with its hints": ("7 5 0 -3 4 0", "is neither a lemma"),
    "nothing": ("", "is neither a lemma"),
    "no zero": ("7 -2 3 4", "is neither a lemma"),
    "one zero": ("7 -2 3 4 0", "is neither a lemma"),
    "three zeros": ("7 -2 0 3 4 0 0", "is neither a lemma"),
    "a zero for an id": ("0 -2 0 3 4 0", "is neither a lemma"),
    "a negative id": ("-7 -2 0 3 4 0", "is neither a lemma"),
    "a leading zero": ("07 -2 0 3 4 0", "is neither a lemma"),
    "a plus": ("+7 -2 0 3 4 0", "is neither a lemma"),
    "an underscore": ("7 -2 0 3 4_0 0", "is neither a lemma"),
    "a line end": ("7 -2 0 3 4 0\n", "is neither a lemma"),
    "two spaces": ("7  -2 0 3 4 0", "is neither a lemma"),
    "a fraction": ("7 -2.0 0 3 4 0", "is neither a lemma"),
    "other digits": ("7 -٢ 0 3 4 0", "is neither a lemma"),
    "a huge number": ("9" * 5000 + " -2 0 3 4 0", "is neither a lemma"),
    "a word": ("seven", "is neither a lemma"),
    "control characters": ("\x00\udcff", "is neither a lemma"),
    "ten megabytes": ("7" + " 1" * 5_000_000, "is neither a lemma"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_step_is_named_and_the_reason_given(case: str) -> None:
    line, reason = WRONG[case]
    with pytest.raises(Rejected, match=f"^step 3: .*({reason})") as caught:
        check_proof(FORMULA, [*PROOF[:2], line, *PROOF[3:]])
    assert len(str(caught.value)) < 200


def test_nothing_comes_after_the_empty_clause() -> None:
    with pytest.raises(Rejected, match=r"^step 6: nothing may come after the empty clause$"):
        check_proof(FORMULA, [*PROOF, "9 d 2 0"])


def test_the_proof_of_another_formula_is_rejected() -> None:
    for number in range(len(FORMULA)):
        with pytest.raises(Rejected):
            check_proof(FORMULA[:number] + FORMULA[number + 1 :], PROOF)


def test_a_definition_is_no_consequence() -> None:
    """A RAT step may name a new variable, but the kernel accepts no RAT steps."""
    with pytest.raises(Rejected, match=r"^step 1: the hints do not lead to a clause that is false$"):
        check_proof([[1], [-1]], ["3 9 -1 0 0", "4 0 1 2 0"])


@settings(deadline=None, max_examples=300)
@given(clauses(), st.data())
def test_no_steps_refute_clauses_that_have_a_model(formula: list[list[int]], data: st.DataObject) -> None:
    """An accepted proof means that all eight assignments fail."""
    steps, last = [], len(formula)
    for _ in range(data.draw(st.integers(0, 4))):
        last += 1
        hints = data.draw(st.lists(st.integers(1, last), max_size=4))
        lemma = data.draw(st.lists(st.integers(-3, 3).filter(bool), max_size=1))
        steps.append(" ".join(map(str, [last, *lemma, 0, *hints, 0])))
    try:
        check_proof(formula, steps)
    except Rejected:
        return
    assert not satisfiable(formula)


@given(st.lists(st.text(alphabet="0123456789 -d", max_size=12), max_size=4))
def test_garbage_is_rejected(steps: list[str]) -> None:
    """These clauses have a model, so no text is a proof."""
    with pytest.raises(Rejected):
        check_proof([[1, 2], [-1, 2]], steps)


def test_steps_are_read_by_any_python() -> None:
    """Possessive quantifiers and atomic groups are wrong before Python 3.11.5."""
    for pattern in (lrat._LEMMA, lrat._DELETION):
        assert not re.search(r"[*+?}]\+|\(\?>", pattern.pattern)
