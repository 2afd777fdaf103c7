"""`is-seal`: the oracles agree, also of programs that are not balanced, deadlock, or send to themselves."""

from itertools import product

import pytest
from tests.questions.asking import agreed, answers, who_knows
from tests.strategies import programs_up_to

from sealcheck.encodings.solvers import SOLVERS
from sealcheck.programs.semantics import Semantics
from sealcheck.programs.straight_line import StraightLine, mt, snd
from sealcheck.questions.instance import Instance
from sealcheck.questions.sealing import IS_SEAL, SOLVED_MESSAGES
from sealcheck.theorems.checking.hypotheses import deadlocking, programs, unbalanced, with_self_channels

ONCE, BACK = StraightLine.of(2, mt(1, 2)), StraightLine.of(2, mt(2, 1))


def test_an_answer_seals() -> None:
    """The paper's first example."""
    assert agreed(IS_SEAL, ONCE, BACK)
    assert not agreed(IS_SEAL, ONCE, ONCE)


def test_all_oracles_agree() -> None:
    """Graph, explorer, kernel and all solvers say the same of pairs of few messages."""
    small = [p for p in programs_up_to(2, 2) if p.n == 2]
    pairs = [Instance.of(p, q) for p, q in product(small, small)]
    found = answers(IS_SEAL, pairs, solvers=SOLVERS)
    assert {each.agreed for each in found} == {True, False}
    assert all(who_knows(each) == {"program graph", "explorer", "kernel", *SOLVERS} for each in found)


@pytest.mark.parametrize("n", [2, 3])
def test_explorer_and_solvers_agree_on_programs_that_are_not_balanced(n: int) -> None:
    """Pairs of which one or both are not balanced: the others abstain."""
    most = 2 if n == 2 else 1
    lopsided = [i.p for m in range(most + 1) for i in unbalanced(n, m)]
    short = lopsided + [i.p for m in range(most) for i in programs(n, m)]
    pairs = [Instance.of(p, q) for p in lopsided for q in short if p.then(q).length <= 5]
    pairs += [Instance.of(q, p) for p in lopsided for q in short if q.is_balanced]
    found = answers(IS_SEAL, pairs)
    for each in found:
        assert who_knows(each) == {"explorer", "z3", "cvc5"}, str(each.asked)
        assert each.agreed in (True, False)
    assert len(found) > 50


def test_anything_seals_a_program_that_deadlocks() -> None:
    """It has no run."""
    found = answers(IS_SEAL, [Instance.of(i.p, q) for i in deadlocking(2, 3) for q in (ONCE, BACK)])
    for each in found:
        assert who_knows(each) == {"explorer", "z3", "cvc5"}
        assert each.agreed is True


def test_messages_to_oneself() -> None:
    """The explorer speaks of programs that send to themselves; such messages are sealed by anything."""
    itself = Semantics(self_channels=True)
    firsts, empty = [i for m in range(3) for i in with_self_channels(2, m)], StraightLine.of(2)
    for each in answers(IS_SEAL, [Instance.of(i.p, empty) for i in firsts], itself):
        assert "explorer" in each.said
        only_to_itself = all(e.sender == e.receiver for share in each.asked.instance.p.shares for e in share)
        assert each.agreed is only_to_itself, str(each.asked)


def test_solvers_are_not_asked_about_many_messages() -> None:
    """They say why, and the others go on answering."""
    long = StraightLine.of(2, [*mt(1, 2), *mt(2, 1)] * SOLVED_MESSAGES)
    (found,) = answers(IS_SEAL, [Instance.of(long, BACK)])
    assert who_knows(found) == {"program graph", "explorer", "kernel"}
    assert found.abstained["z3"] == f"P and Q have more than {SOLVED_MESSAGES} messages"


def test_a_message_that_is_left_over_is_never_sealed() -> None:
    """A later receive can take it, whatever comes first."""
    assert not agreed(IS_SEAL, StraightLine.of(2, [snd(1, 2)]), BACK)
