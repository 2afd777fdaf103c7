"""`is-ccl`: the oracles agree on which layers are communication-closed."""

import pytest
from tests.questions.asking import agreed, answers, who_knows
from tests.strategies import programs_up_to

from sealcheck.encodings.solvers import SMT_SOLVERS
from sealcheck.errors import InputError
from sealcheck.explorers.executions import find_counterexample
from sealcheck.programs.straight_line import StraightLine, mt, snd
from sealcheck.programs.syntax import ccl
from sealcheck.questions.whole_language import IS_CCL, syntax
from sealcheck.theorems.checking.domains import Sequences
from sealcheck.theorems.checking.hypotheses import deadlocking

EPS, THERE, BACK = (StraightLine.of(2, events) for events in ((), mt(1, 2), mt(2, 1)))


def test_a_message_between_messages() -> None:
    """Two messages one way may overtake each other; not so where one goes the other way in between."""
    assert agreed(IS_CCL, THERE, BACK, THERE)
    assert not agreed(IS_CCL, THERE, THERE, BACK)
    assert not agreed(IS_CCL, EPS, THERE, THERE)
    assert agreed(IS_CCL, EPS, THERE, EPS)


def test_both_ends_of_the_layer_count() -> None:
    """The layer is crossed by what comes before it, or by what comes after."""
    assert not agreed(IS_CCL, BACK, THERE, THERE)
    assert not agreed(IS_CCL, THERE, THERE, EPS)
    assert agreed(IS_CCL, BACK, THERE, BACK)


@pytest.mark.parametrize(("n", "messages"), [(2, 2), (2, 3), (3, 2)])
def test_all_oracles_agree(n: int, messages: int) -> None:
    """Matchings, executions and solvers say the same of all triples of few messages."""
    domain = Sequences(3, "triples")
    instances = list(domain.instances(n, messages, 0, domain.size(n, messages)))
    found = answers(IS_CCL, instances)
    assert {each.agreed for each in found} == {True, False}
    assert all(who_knows(each) == {"matchings", "executions", *SMT_SOLVERS} for each in found)


def test_nobody_is_asked_about_other_programs() -> None:
    """Programs that deadlock or are not balanced are none of its business, and there have to be three."""
    for asked in (
        [deadlocking(2, 2)[0].p, EPS, EPS],
        [StraightLine.of(2, [snd(1, 2)]), EPS, EPS],
        [THERE, BACK],
    ):
        with pytest.raises(InputError, match=r"^'is-ccl' cannot be asked of 'P = .*', only of P, Q, R: "):
            agreed(IS_CCL, *asked)


def test_every_layer_alone_is_a_ccl() -> None:
    """With nothing before it and nothing after it."""
    for program in programs_up_to(2, 2):
        nothing = StraightLine.of(program.n)
        assert agreed(IS_CCL, nothing, program, nothing, solvers=("z3",))


def test_a_second_event_outside_changes_no_answer() -> None:
    """One that interferes is enough."""
    domain = Sequences(3, "triples")
    for instance in domain.instances(2, 2, 0, domain.size(2, 2)):
        more = find_counterexample(*ccl(*syntax(instance)), 2, outside=2)
        assert (more is None) == agreed(IS_CCL, *instance.straight, solvers=())
