"""The automaton: the states of `Space`, as many programs behind each branch as there are."""

import numpy as np
import pytest

from sealcheck.algorithms.packed.walk import Automaton, automaton
from sealcheck.programs.space import count_programs


@pytest.mark.parametrize(("n", "m"), [(1, 0), (1, 2), (2, 0), (2, 14), (3, 9), (3, 11), (4, 5)])
def test_all_programs_lie_behind_the_start(n: int, m: int) -> None:
    """The last branch, which leads to the start, has as many programs as are counted."""
    assert automaton(n, m).size[-1] == count_programs(n, m)


def behind(machine: Automaton, branch: int) -> int:
    """The programs behind the branch, by the branches of the state it leads to."""
    state = machine.target[branch]
    if state < 0:
        return 1
    return int(machine.size[machine.first[state] : machine.first[state + 1]].sum())


@pytest.mark.parametrize(("n", "m"), [(2, 0), (2, 3), (3, 4), (4, 3)])
def test_no_branch_is_dead_and_sizes_add_up(n: int, m: int) -> None:
    """Behind every branch there is a program, and as many as behind the branches of its state."""
    machine = automaton(n, m)
    assert (machine.size > 0).all()
    assert [behind(machine, branch) for branch in range(len(machine.size))] == machine.size.tolist()
    assert (np.diff(machine.first) > 0).all()
