"""What oracles of a question have in common is said beside them: who calls what another one calls says so."""

from contextlib import suppress
from itertools import combinations

import pytest
from tests.calls import Calls

from sealcheck.algorithms.worst_cases import hardest_program
from sealcheck.errors import LimitReached
from sealcheck.language.parser import parse_straight_line
from sealcheck.programs.semantics import PAPER
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import CannotAnswer, Question
from sealcheck.questions.registry import QUESTIONS

P, Q = (parse_straight_line(text, 2) for text in ("snd 1->2; mt 2->1; rcv 2<-1", "mt 2->1"))
BY_NUMBER = {k: [Instance.of(*[P, Q, P][:k]), Instance.of(*[Q, P, Q][:k])] for k in (1, 2, 3)}
OF_THEIR_OWN = {
    "worst-case-seal": [Instance.of(hardest_program(2))],
}
"""What questions are asked about that are not about any programs."""


def called(question: Question[object]) -> dict[str, set[str]]:
    """What each oracle calls that the kernel does not check, solvers left aside."""
    number = 2 if question.takes == ("layers",) else len(question.takes)
    instances = OF_THEIR_OWN.get(question.id, BY_NUMBER[number])
    found: dict[str, set[str]] = {}
    for oracle in question.oracles:
        if not oracle.is_checked:
            calls = Calls()
            for instance in instances:
                with calls.watching(), suppress(CannotAnswer, LimitReached):
                    oracle.answer(instance, PAPER)
            found[oracle.name] = calls.seen
    return found


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=list(QUESTIONS))
def test_what_oracles_share_is_said(question: Question[object]) -> None:
    """Of any two that call the same function, both say what they share."""
    says = {oracle.name for oracle in question.oracles if oracle.shares}
    pairs = combinations(called(question).items(), 2)
    sharing = {name for (first, a), (second, b) in pairs if a & b for name in (first, second)}
    assert sharing <= says


def test_oracles_that_share_something_are_noticed() -> None:
    """As the explorer of this question confirms what the search finds, they call the same."""
    found = called(QUESTIONS["minimal-seal"])
    assert found["search over knowledge"] & found["explorer"]
