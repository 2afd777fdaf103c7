"""`program-graph`: the oracles agree, and what they have in common is not what makes them agree."""

import pytest
from pysmt.shortcuts import TRUE
from tests.questions.asking import agreed, answers, who_knows
from tests.strategies import programs_up_to

from sealcheck.encodings import given as fifo
from sealcheck.encodings.solvers import SOLVERS
from sealcheck.encodings.solving import fresh_formulas, open_solver
from sealcheck.errors import InputError
from sealcheck.programs.semantics import PAPER, Semantics
from sealcheck.programs.straight_line import StraightLine, mt
from sealcheck.questions.causality import PROGRAM_GRAPH, by_counting, program_graph_by_solving
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.hypotheses import deadlocking, unbalanced, with_self_channels

TWICE = StraightLine.of(2, mt(1, 2) * 2)


def test_messages_are_joined_in_their_order() -> None:
    """The k'th send to the k'th receive, and nothing else between processes."""
    found = agreed(PROGRAM_GRAPH, TWICE)
    joined = {(e, f) for e, f in found.edges if e[:3] == "snd" and f[:3] == "rcv"}
    assert joined == {("snd 1->2 #1", "rcv 2<-1 #1"), ("snd 1->2 #2", "rcv 2<-1 #2")}
    assert len(found.nodes) == 8
    assert len(found.edges) == 8


@pytest.mark.parametrize("n", [1, 2, 3])
def test_all_oracles_agree(n: int) -> None:
    """Counting, executions and solvers say the same of all canonical programs of few messages."""
    instances = [Instance.of(p) for p in programs_up_to(n, 3, canonical=True)]
    for found in answers(PROGRAM_GRAPH, instances, solvers=SOLVERS if n < 3 else ("z3",)):
        assert {"counting", "executions", "z3"} <= who_knows(found)
        assert found.agreed.nodes


def test_messages_to_oneself() -> None:
    """All of them know such programs, too."""
    itself = Semantics(self_channels=True)
    for found in answers(PROGRAM_GRAPH, list(with_self_channels(2, 2)), itself):
        assert who_knows(found) == {"counting", "executions", "z3", "cvc5"}
        assert found.agreed.nodes


def test_others_have_no_program_graph() -> None:
    """Nobody is asked about programs that are not balanced, or deadlock."""
    for each in [*unbalanced(2, 1), *deadlocking(2, 2)]:
        with pytest.raises(InputError, match="'program-graph' cannot be asked of"):
            agreed(PROGRAM_GRAPH, each.p)


def test_solving_finds_every_fifo_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the order of messages did not matter, the solver would join either send to either receive."""
    twice = Instance.of(TWICE)
    monkeypatch.setattr(fifo, "oldest_first", lambda given: TRUE())
    with fresh_formulas(), open_solver("z3") as solver:
        found = program_graph_by_solving(twice, PAPER, solver).edges - by_counting(twice, PAPER).edges
    assert found == {("snd 1->2 #1", "rcv 2<-1 #2"), ("snd 1->2 #2", "rcv 2<-1 #1")}
