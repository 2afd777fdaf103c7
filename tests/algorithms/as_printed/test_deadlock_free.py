"""Deadlock-Free: line 2 returns the opposite."""

from hypothesis import example, given
from hypothesis import strategies as st

from sealcheck.algorithms.as_printed import printed_throughout
from sealcheck.algorithms.as_printed.deadlock_free import deadlock_free, deadlock_free_repaired
from sealcheck.algorithms.as_printed.program_graph import program_graph
from sealcheck.programs.space import Space
from sealcheck.programs.straight_line import StraightLine, channels, rcv, snd


@st.composite
def balanced_programs(draw):
    """Balanced programs with their events in any order, so that many deadlock."""
    n = draw(st.integers(2, 4))
    used = draw(st.lists(st.sampled_from(channels(n)), max_size=6))
    events = [event for i, j in used for event in (snd(i, j), rcv(j, i))]
    return StraightLine.of(n, draw(st.permutations(events)))


WAIT_FOR_EACH_OTHER = StraightLine.of(2, [rcv(1, 2), rcv(2, 1), snd(1, 2), snd(2, 1)])


@given(balanced_programs())
@example(WAIT_FOR_EACH_OTHER)
def test_repaired_agrees_with_execution(p):
    """On balanced programs, no cycle means that every process gets through; as printed, the opposite."""
    assert deadlock_free_repaired(p) == p.is_deadlock_free
    assert deadlock_free(p) != p.is_deadlock_free


def test_smallest_program_with_the_wrong_answer(smallest_program):
    """The empty program is reported to deadlock."""
    assert smallest_program(lambda p: not deadlock_free(p), {1: 0}) == "eps"


def test_smallest_program_that_the_printed_callee_spoils(smallest_program):
    """On the printed Program-Graph, even the repaired procedure sees a deadlock where there is none."""

    def wrong(p):
        return not deadlock_free_repaired(p, program_graph)

    assert smallest_program(wrong, {1: 0, 2: 2}) == "mt 1->2; mt 2->1"


def test_two_slips_cancel():
    """Printed throughout, the answer is right exactly where Program-Graph's slip makes a cycle."""
    right = [str(p) for p in Space(2, 2).programs() if printed_throughout.deadlock_free(p)]
    assert right == ["mt 2->1; mt 1->2", "mt 1->2; mt 2->1"]


def test_balance_is_needed():
    """Ablation: a receive that is never sent to deadlocks without a cycle."""
    p = StraightLine.of(2, [rcv(2, 1)])
    assert deadlock_free_repaired(p)
    assert not p.is_deadlock_free
