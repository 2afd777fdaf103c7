"""`sealcheck.testing`: the strategies, and the pytest plugin, also with xdist."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from sealcheck.algorithms.sealability import Sealable, sealability
from sealcheck.differential.protocol import Processes
from sealcheck.language.parser import parse_straight_line
from sealcheck.programs.runs import Run
from sealcheck.programs.straight_line import StraightLine
from sealcheck.testing import (
    exhaustive,
    layers,
    pairs,
    processes,
    programs,
    runs,
    sealable_programs,
    smallest_fault,
    unbalanced_programs,
)

unhurried = settings(deadline=None, max_examples=50)
search = settings(deadline=None, max_examples=5000, derandomize=True, database=None)


def program(p: Processes) -> StraightLine:
    return parse_straight_line(str(p), p.n)


@unhurried
@given(st.one_of(programs(4, 6), pairs(4, 6).map(lambda pair: pair[1]), sealable_programs(4, 6)))
def test_programs_are_balanced_and_complete(p):
    assert program(p).is_balanced
    assert program(p).is_deadlock_free
    assert Processes.of(program(p)) == p == processes(str(p), p.n)
    assert 1 <= p.n <= 4


@unhurried
@given(programs(5, 6, min_n=3), sealable_programs(4, 6), unbalanced_programs(4, 6), runs(4, 6))
def test_strategies_keep_their_promises(of_three, sealable, unbalanced, run):
    assert 3 <= of_three.n <= 5
    assert program(of_three).messages <= 6
    assert isinstance(sealability(program(sealable)), Sealable)
    assert len(program(unbalanced).imbalance) == 1
    p, order, matching = run
    Run(program(p), order, matching).check()


def test_runs_overtake():
    found = find(
        runs(), lambda run: {(2, 1): (1, 2), (2, 2): (1, 1)}.items() <= run[2].items(), settings=search
    )
    assert sum(map(len, found[0])) == 4


@unhurried
@given(layers(3, 4, 6))
def test_layers_have_the_same_processes(of):
    assert len(of) == 3
    assert len({p.n for p in of}) == 1
    assert sum(program(p).messages for p in of) <= 6


SHAPES = {
    "crossing": (lambda p: str(p) == "snd 1->2; mt 2->1; rcv 2<-1", 2, 4),
    "many on a channel": (lambda p: p[0][:4] == [("snd", 2)] * 4, 2, 8),
    "long chain": (lambda p: "mt 1->2; mt 2->3; mt 3->4" in str(p), 4, 6),
    "transitive acknowledgment": (lambda p: "mt 1->2; mt 2->3; mt 3->1" in str(p), 3, 6),
    "idle": (lambda p: p.n > 2 and not p[1] and sum(map(len, p)) == 4, 3, 8),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_hard_shapes_are_drawn(shape):
    """Each shape is among a few thousand programs, and shrinks."""
    wanted, n, events = SHAPES[shape]
    found = find(programs(n + 1, events), wanted, settings=search)
    assert found.n <= n
    assert sum(map(len, found)) <= events


def test_pairs_are_often_seals():
    """So a wrong `is_seal` is noticed on both sides."""
    found = find(
        pairs(), lambda pair: pair[0].n == 3 and right(*pair) and len(pair[1][0]) > 1, settings=search
    )
    assert right(*found)


def right(p: Processes, q: Processes) -> bool:
    from sealcheck.algorithms.sealing import Seals, decide

    return isinstance(decide(program(p), program(q)), Seals)


@exhaustive("is-seal", n=2, messages=3)
def test_three_lines(p, q):
    return right(p, q)


def test_the_smallest_fault_in_words():
    assert smallest_fault("is-seal", right, 2, 2) is None
    text = smallest_fault("is-seal", lambda p, q: True, 3, 3)
    assert "got         true" in text
    assert "takes message 2 of Q" in text or "takes message 2 of R" in text


SUITE = """
from sealcheck.testing import exhaustive, processes

@exhaustive("closed-channels", n=3, messages=2)
def test_closed(p):
    return []

@exhaustive("deadlock-free", n=2, messages=1)
def test_free(p):
    return True
"""


def run(folder: Path, *options: str, suite: str = SUITE) -> str:
    (folder / "test_suite.py").write_text(suite)
    command = [sys.executable, "-m", "pytest", "--strict-markers", "-p", "no:cacheprovider", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout


def test_the_plugin(tmp_path):
    out = run(tmp_path)
    assert "question    Which channels does P close?" in out
    assert "test_suite.py::test_closed[n=1,messages=0]" not in out
    assert "test_suite.py::test_closed[n=2,messages=0]" in out
    if find_spec("xdist") is not None:
        ended = out.splitlines()[-1].strip("= ").partition(" in ")[0]
        assert run(tmp_path, "-q", "-n", "2").splitlines()[-1].partition(" in ")[0] == ended


METHOD = """
from sealcheck.testing import exhaustive

class TestOne:
    right = True

    @exhaustive("deadlock-free", n=2, messages=0)
    def test_free(self, p):
        return self.right
"""
SKIPPING = """
from sealcheck.testing import exhaustive

@exhaustive("deadlock-free", n=2, messages=1)
def test_free(p):
    if any(p):
        raise NotImplementedError
    return True
"""


def test_a_method_can_answer(tmp_path):
    assert "2 passed in" in run(tmp_path, suite=METHOD)


def test_what_is_skipped_is_not_passed(tmp_path):
    out = run(tmp_path, "-rs", suite=SKIPPING)
    assert "it skipped 2 of 2 questions" in out
    assert "2 passed, 1 skipped in" in out


def test_the_option(tmp_path):
    out = run(tmp_path, "--sealcheck-messages", "0", "--collect-only", "-q")
    assert "5/10 tests collected (5 deselected)" in out
