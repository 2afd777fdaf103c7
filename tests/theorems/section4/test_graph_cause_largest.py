"""`graph-cause-largest`: verdicts on record, and mistakes that are caught."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from pysmt.fnode import FNode
from pysmt.shortcuts import FALSE, TRUE
from tests.theorems.rows import asked, checked, holds, only_claim, up_to, without

from sealcheck.algorithms.program_graph import normal_edges
from sealcheck.encodings import causality
from sealcheck.encodings.program_space import Axiom, LayerPaths, axioms
from sealcheck.explorers import channel_contents
from sealcheck.programs.straight_line import StraightLine, mt
from sealcheck.questions.causality import CAUSAL_PAIRS
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.check import check_level, inline
from sealcheck.theorems.checking.statement import Tally, predicts
from sealcheck.theorems.section4 import graph_cause_largest
from sealcheck.theorems.section4.graph_cause_largest import STATEMENT, Edges, closure

ONCE = Instance.of(StraightLine.of(2, mt(1, 2)))


def test_verified_one_by_one() -> None:
    """The closure of the normal edges is what matchings, explorer and solvers find, up to (3, 3)."""
    assert holds(*checked(STATEMENT, [*up_to(3, 3), (2, 4)]))


def test_verified_for_whole_levels() -> None:
    """No program of (3, 4) has a joined pair that is not causal, or a causal pair that is not joined."""
    assert holds(asked(STATEMENT, [(1, 0), (2, 2), (3, 3), (3, 4)]))


def test_what_breaks_without_hypotheses() -> None:
    """Unbalanced and deadlocking programs have causal pairs that no path joins."""
    assert without(STATEMENT) == {
        "balanced": "snd 1->2; rcv 1<-2; rcv 2<-1",
        "deadlock-free": "snd 1->2; rcv 1<-2; mt 1->2; rcv 2<-1; snd 2->1",
    }


def found_where(predicted: Callable[[Instance], Edges]) -> Tally:
    """What is found up to (2, 2) if something else is predicted."""
    claim = replace(only_claim(STATEMENT), check=predicts(CAUSAL_PAIRS, predicted))
    (tally,) = checked(replace(STATEMENT, claims=(claim,)), up_to(2, 2))
    return tally


def test_a_set_that_is_too_small_is_refuted() -> None:
    """The normal edges alone are not the largest set: two messages there and back refute that."""
    tally = found_where(lambda instance: frozenset(normal_edges(instance.p)))
    assert str(tally.refuting) == "mt 1->2; mt 1->2"


def test_a_set_that_is_too_large_is_refuted() -> None:
    """With pairs in both directions, a single message refutes the claim."""
    tally = found_where(lambda instance: closure(instance) | {(f, e) for e, f in closure(instance)})
    assert str(tally.refuting) == "mt 1->2"


def test_an_oracle_that_is_wrong_is_disputed(monkeypatch: pytest.MonkeyPatch) -> None:
    """An explorer that forgets transitivity contradicts the others where that first matters."""
    monkeypatch.setattr(channel_contents, "ordered_pairs", lambda p: frozenset(normal_edges(p)))
    (tally,) = checked(STATEMENT, up_to(2, 2), ("z3",))
    assert str(tally.disputed) == "mt 1->2; mt 1->2"


def test_the_direct_query_is_not_vacuous(monkeypatch: pytest.MonkeyPatch) -> None:
    """If messages could be taken twice, some joined pair would not be causal."""
    monkeypatch.setattr(causality, "axioms", lambda run: axioms(run, [Axiom.INJECTIVE]))
    tally = asked(STATEMENT, [(2, 2)], ("cadical",))
    assert tally.disputed is not None
    assert "joined, not causal" in tally.dispute


class WithoutPaths(LayerPaths):
    """A reach that joins nothing."""

    def path(self, first: str, second: str) -> FNode:
        """There is no path."""
        return FALSE()

    def definition(self) -> FNode:
        """There is nothing to define."""
        return TRUE()


def test_the_query_by_proof_is_not_vacuous(monkeypatch: pytest.MonkeyPatch) -> None:
    """If nothing were joined, the run of the proof would not exist, which leaves the level unknown."""
    monkeypatch.setattr(causality, "LayerPaths", WithoutPaths)
    assert check_level(STATEMENT, 0, 2, 2, solver="cadical").unknown == 1


def test_the_explanation_lists_the_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader sees which pairs are causal without a path, and the other way round."""
    with inline(("z3",)) as ask:
        monkeypatch.setattr(graph_cause_largest, "closure", lambda _: frozenset())
        more = graph_cause_largest.explain(ONCE, ask)
        monkeypatch.setattr(graph_cause_largest, "closure", lambda i: {(f, e) for e, f in closure(i)})
        less = graph_cause_largest.explain(ONCE, ask).splitlines()[1]
    assert more == "causal in every run, but not joined by normal edges: event 1 of 1 to 1 of 2"
    assert less == "joined by normal edges, but not causal in some run: event 1 of 2 to 1 of 1"
