"""BSLs and single transmissions are TCC over FIFO channels."""

from collections.abc import Callable

import pytest
from pysmt.fnode import FNode
from pysmt.shortcuts import Or
from tests.questions.asking import answers, who_knows

from sealcheck.encodings.given import GivenRun, no_overtaking, oldest_first
from sealcheck.encodings.runs import axioms
from sealcheck.encodings.sealing import crosses
from sealcheck.encodings.solving import open_solver, satisfiable
from sealcheck.programs.straight_line import StraightLine, channels, mt
from sealcheck.questions.closed_channels import CLOSED_CHANNELS
from sealcheck.questions.sealing import left_over
from sealcheck.theorems.checking.domains import indexed_space
from sealcheck.theorems.checking.hypotheses import unbalanced
from sealcheck.theorems.checking.statement import Form
from sealcheck.theorems.section4.balanced_tcc_rel_fifo import FIFO, STATEMENT


def test_from_every_silent_cut_a_theorem_refutes_it() -> None:
    """The proved claim says that channels are empty; the formula does not."""
    from_empty, _, by_formula, _ = STATEMENT.claims
    assert from_empty.form is by_formula.form is Form.AS_PRINTED
    assert "with empty channels" in from_empty.text
    assert "whenever it starts at a silent cut" in by_formula.text
    assert (by_formula.theorems, by_formula.check) == ((), None)
    assert [each.name for each in by_formula.refutations] == ["balanced_tcc_rel_fifo_as_formalized"]
    assert by_formula.not_boundable


@pytest.mark.parametrize(("n", "messages"), [(2, 1), (2, 2), (3, 1)])
def test_counting_is_right_about_unbalanced_programs(n: int, messages: int) -> None:
    for found in answers(CLOSED_CHANNELS, unbalanced(n, messages), FIFO):
        assert who_knows(found) == {"counting", "explorer"}
        assert found.agreed == frozenset(channels(n)) - frozenset(found.asked.instance.p.imbalance)


def crosses_somewhere(
    p: StraightLine, model: Callable[[GivenRun], FNode] = oldest_first, *, later_sends: int = 1
) -> bool:
    """Whether z3 finds a FIFO run in which a message crosses the end of P, or is left over there."""
    with open_solver("z3") as solver:
        given = GivenRun([p], solver.order, later_sends=later_sends)
        return satisfiable(solver, [*axioms(given.run), model(given), Or(crosses(given), left_over(given))])


@pytest.mark.parametrize("later_sends", [1, 2, 3])
def test_more_later_sends_change_nothing(later_sends: int) -> None:
    assert not any(crosses_somewhere(p, later_sends=later_sends) for p in indexed_space(2, 3).programs())


def test_queues_that_lose_messages_are_weaker() -> None:
    """If a message may stay behind, a later message can be taken."""
    once = StraightLine.of(2, mt(1, 2))
    assert crosses_somewhere(once, no_overtaking)
    assert not crosses_somewhere(once)


def test_the_solver_sees_what_is_not_balanced() -> None:
    assert all(crosses_somewhere(StraightLine.of(2, [*mt(1, 2), event])) for event in mt(1, 2))
