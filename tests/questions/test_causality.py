"""Causal pairs, matchings, deadlocks, program graphs and signatures: the oracles agree."""

import json
import re
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from pysmt.shortcuts import TRUE
from tests.questions.asking import agreed, answers, who_knows
from tests.strategies import any_program, programs_up_to

from sealcheck.algorithms.as_printed.program_graph import program_graph_repaired
from sealcheck.algorithms.as_printed.sig import sig_repaired
from sealcheck.encodings import given as fifo
from sealcheck.encodings.solvers import SOLVERS
from sealcheck.encodings.solving import fresh_formulas, open_solver
from sealcheck.errors import InputError
from sealcheck.explorers import channel_contents
from sealcheck.explorers.channel_contents import never_stuck
from sealcheck.programs.runs import Place
from sealcheck.programs.semantics import PAPER, ChannelModel, Semantics
from sealcheck.programs.straight_line import StraightLine, mt, rcv, snd
from sealcheck.questions.causality import (
    CAUSAL_PAIRS,
    DEADLOCK_FREE,
    MATCHING_FUNCTIONS,
    PROGRAM_GRAPH,
    PROGRAM_GRAPHS,
    SIGNATURE,
    SIGNATURE_COMPOSE,
    SIGNATURES,
    SOLVED_MESSAGES,
    Named,
    by_counting,
    program_graph_by_solving,
    program_graph_of,
)
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import Question
from sealcheck.theorems.checking.hypotheses import balanced, deadlocking, unbalanced, with_self_channels

AGREEING = [
    (CAUSAL_PAIRS, {"matchings", "explorer"}),
    (MATCHING_FUNCTIONS, {"executions", "scheduling"}),
    (PROGRAM_GRAPH, {"counting", "executions"}),
    (SIGNATURE, {"program graph", "matchings", "explorer"}),
]


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize(("question", "oracles"), AGREEING, ids=lambda each: getattr(each, "id", ""))
def test_all_oracles_agree(question: Question[Any], oracles: set[str], n: int) -> None:
    most = 2 if (question, n) == (SIGNATURE, 3) else 3
    instances = [Instance.of(p) for p in programs_up_to(n, most, canonical=True)]
    for found in answers(question, instances, solvers=SOLVERS if n < 3 else ("z3",)):
        assert oracles | {"z3"} <= who_knows(found)
        assert question is not SIGNATURE or found.agreed == Named.of(sig_repaired(found.asked.instance.p))
        assert found.agreed is not None


# --- `causal-pairs` -----------------------------------------------------------------------------


def test_in_a_program_that_deadlocks_everything_is_causal() -> None:
    (instance,) = deadlocking(2, 2)
    (found,) = answers(CAUSAL_PAIRS, [instance])
    assert who_knows(found) == {"explorer"}
    assert len(found.agreed) == 4 * 3


def test_a_receive_may_wait_for_later_programs() -> None:
    """The explorer lets later programs send what an unbalanced program lacks."""
    waiting = StraightLine.of(2, [*mt(1, 2), rcv(2, 1)])
    assert agreed(CAUSAL_PAIRS, waiting) >= {(Place(1, 1), Place(2, 1)), (Place(1, 1), Place(2, 2))}


# --- `matching-functions` -----------------------------------------------------------------------

FIFO = Semantics(model=ChannelModel.REL_FIFO)


def test_two_messages_may_overtake_each_other() -> None:
    twice = StraightLine.of(2, mt(1, 2) + mt(1, 2))
    straight, crossed = (
        frozenset({(Place(2, 1), Place(1, first)), (Place(2, 2), Place(1, second))})
        for first, second in ((1, 2), (2, 1))
    )
    assert agreed(MATCHING_FUNCTIONS, twice) == {straight, crossed}
    assert agreed(MATCHING_FUNCTIONS, twice, semantics=FIFO) == {straight}


def test_the_scheduler_knows_nothing_of_fifo() -> None:
    instances = [Instance.of(p) for p in programs_up_to(2, 3, canonical=True)]
    for found in answers(MATCHING_FUNCTIONS, instances, FIFO):
        assert who_knows(found) == {"executions", "z3", "cvc5"}
        assert len(found.agreed) == 1


def test_programs_that_deadlock_have_none() -> None:
    for found in answers(MATCHING_FUNCTIONS, deadlocking(3, 3)):
        assert who_knows(found) == {"executions", "scheduling", "z3", "cvc5"}
        assert found.agreed == frozenset()


def test_programs_that_are_not_balanced() -> None:
    assert agreed(MATCHING_FUNCTIONS, StraightLine.of(2, [rcv(2, 1)])) == frozenset()
    lost = StraightLine.of(2, [*mt(1, 2), snd(1, 2)])
    assert len(agreed(MATCHING_FUNCTIONS, lost)) == 2
    for found in answers(MATCHING_FUNCTIONS, unbalanced(2, 2)):
        assert isinstance(found.agreed, frozenset)


@settings(deadline=None, max_examples=30)
@given(any_program(max_n=3, max_events=6))
def test_any_program(program: StraightLine) -> None:
    for semantics in (Semantics(), FIFO):
        assert isinstance(agreed(MATCHING_FUNCTIONS, program, semantics=semantics), frozenset)


# --- `deadlock-free` ----------------------------------------------------------------------------

WAITS = StraightLine.of(2, [rcv(1, 2), snd(1, 2), rcv(2, 1), snd(2, 1)])


def test_a_channel_that_holds_nothing_is_noticed() -> None:
    assert not never_stuck(WAITS)
    assert not channel_contents.can_complete(WAITS)
    assert not agreed(DEADLOCK_FREE, WAITS)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_all_oracles_agree_about_deadlocks(n: int) -> None:
    instances = [i for m in range(4 if n < 3 else 3) for i in balanced(n, m)]
    found = answers(DEADLOCK_FREE, instances, solvers=SOLVERS if n < 3 else ("z3",))
    assert {each.agreed for each in found} == ({True, False} if n > 1 else {True})
    for each in found:
        assert {"executions", "one execution", "explorer", "z3"} <= who_knows(each)


@pytest.mark.parametrize(("n", "messages"), [(2, 1), (2, 2), (3, 1)])
def test_programs_that_are_not_balanced_may_wait(n: int, messages: int) -> None:
    for found in answers(DEADLOCK_FREE, unbalanced(n, messages)):
        lacks = any(excess < 0 for excess in found.asked.instance.p.imbalance.values())
        assert found.agreed is not lacks
        assert ("explorer" in who_knows(found)) is not lacks


def test_programs_that_wait_for_ever_although_nothing_is_lacking() -> None:
    assert {found.agreed for found in answers(DEADLOCK_FREE, deadlocking(2, 3))} == {False}
    itself = Semantics(self_channels=True)
    assert all(found.agreed for found in answers(DEADLOCK_FREE, list(with_self_channels(2, 2)), itself))


# --- `program-graph` ----------------------------------------------------------------------------

TWICE = StraightLine.of(2, mt(1, 2) * 2)


def test_messages_are_joined_in_their_order() -> None:
    found = agreed(PROGRAM_GRAPH, TWICE)
    joined = {(e, f) for e, f in found.edges if e[:3] == "snd" and f[:3] == "rcv"}
    assert joined == {("snd 1->2 #1", "rcv 2<-1 #1"), ("snd 1->2 #2", "rcv 2<-1 #2")}
    assert len(found.nodes) == 8
    assert len(found.edges) == 8


def test_messages_to_oneself() -> None:
    itself = Semantics(self_channels=True)
    for found in answers(PROGRAM_GRAPH, list(with_self_channels(2, 2)), itself):
        assert who_knows(found) == {"counting", "executions", "z3", "cvc5"}
        assert found.agreed.nodes


def test_others_have_no_program_graph() -> None:
    for each in [*unbalanced(2, 1), *deadlocking(2, 2)]:
        with pytest.raises(InputError, match="'program-graph' cannot be asked of"):
            agreed(PROGRAM_GRAPH, each.p)


def test_solving_finds_every_fifo_run(monkeypatch: pytest.MonkeyPatch) -> None:
    twice = Instance.of(TWICE)
    monkeypatch.setattr(fifo, "oldest_first", lambda given: TRUE())
    with fresh_formulas(), open_solver("z3") as solver:
        found = program_graph_by_solving(twice, PAPER, solver).edges - by_counting(twice, PAPER).edges
    assert found == {("snd 1->2 #1", "rcv 2<-1 #2"), ("snd 1->2 #2", "rcv 2<-1 #1")}


# --- `signature`, `signature-compose` -----------------------------------------------------------

THERE, BACK = StraightLine.of(2, mt(1, 2)), StraightLine.of(2, mt(2, 1))


def test_the_papers_signatures() -> None:
    once = agreed(SIGNATURE, THERE)
    assert once.nodes == {"fst 1", "fst 2", "lst 1", "lst 2", "snd 1->2", "rcv 2<-1"}
    assert ("fst 1", "lst 2") in once.edges
    assert ("rcv 2<-1", "lst 1") not in once.edges
    assert agreed(SIGNATURE, THERE.then(BACK)).nodes == (once.nodes - {"rcv 2<-1"}) | {"rcv 1<-2"}


def test_solvers_are_not_asked_about_many_messages() -> None:
    (found,) = answers(SIGNATURE, [Instance.of(StraightLine.of(2, mt(1, 2) * (SOLVED_MESSAGES + 1)))])
    assert who_knows(found) == {"program graph", "matchings", "explorer"}
    assert found.abstained["z3"] == f"the program has more than {SOLVED_MESSAGES} messages"


def test_only_the_explorer_knows_other_programs() -> None:
    itself = Semantics(self_channels=True)
    for found in [
        *answers(SIGNATURE, unbalanced(2, 1)),
        *answers(SIGNATURE, list(with_self_channels(2, 2)), itself),
    ]:
        assert who_knows(found) == {"explorer"}


def test_compositions_have_the_signature_of_the_whole() -> None:
    small = list(programs_up_to(2, 1))
    pairs = [Instance.of(p, q) for p, q in product(small, small) if p.n == q.n]
    for found in answers(SIGNATURE_COMPOSE, pairs):
        both = found.asked.instance.p.then(found.asked.instance.q)
        assert found.agreed == agreed(SIGNATURE, both)
        assert who_knows(found) == {"program graph", "matchings", "explorer", "z3", "cvc5"}


def test_unbalanced_programs_with_a_balanced_composition() -> None:
    send, receive = (StraightLine.of(2, [event]) for event in mt(1, 2))
    assert agreed(SIGNATURE_COMPOSE, send, receive) == agreed(SIGNATURE, THERE)


# --- Graphs with texts as nodes -----------------------------------------------------------------


def test_names_of_nodes_do_not_clash() -> None:
    p = StraightLine.of(2, mt(1, 2) * 3)
    assert len(program_graph_of(p, []).nodes) == 10
    assert len(Named.of(program_graph_repaired(p)).nodes) == 10


@pytest.mark.parametrize(
    ("written", "graph"), [(PROGRAM_GRAPHS, program_graph_repaired), (SIGNATURES, sig_repaired)]
)
def test_graphs_are_read_as_they_are_written(written, graph) -> None:  # type: ignore[no-untyped-def]
    pattern = written.schema["properties"]["nodes"]["items"]["pattern"]
    for p in programs_up_to(3, 2):
        named = Named.of(graph(p))
        document = json.loads(json.dumps(written.to_json(named)))
        assert written.from_json(document) == named
        assert set(document) == set(written.schema["required"])
        assert all(re.search(pattern, node) for node in document["nodes"])
        assert {node for edge in document["edges"] for node in edge} <= set(document["nodes"])
    assert re.search(pattern, written.schema["properties"]["nodes"]["items"]["examples"][-1])
