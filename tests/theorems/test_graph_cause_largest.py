"""`graph-cause-largest` and `fifo-causality`: verdicts on record, and mistakes that are caught."""

from dataclasses import replace

import pytest
from pysmt.fnode import FNode
from pysmt.shortcuts import FALSE, TRUE
from tests.theorems.rows import asked, checked, holds, up_to, without

from sealcheck.algorithms.program_graph import normal_edges
from sealcheck.encodings.program_space import Reach
from sealcheck.encodings.runs import Axiom, axioms
from sealcheck.theorems import fifo_causality, graph_cause_largest, interleaving_exists
from sealcheck.theorems.checking import check_level
from sealcheck.theorems.graph_cause_largest import STATEMENT, closure
from sealcheck.theorems.matching_functions import happens_before
from sealcheck.theorems.statement import Statement


@pytest.mark.parametrize("about", [STATEMENT, fifo_causality.STATEMENT], ids=lambda about: about.id)
def test_verified_one_by_one(about: Statement) -> None:
    """The closure of the normal edges is what matchings, explorer and solvers find, up to (3, 3)."""
    assert holds(checked(about, [*up_to(3, 3), (2, 4)]))


def test_verified_for_whole_levels() -> None:
    """No program of (3, 4) has a joined pair that is not causal, or a causal pair that is not joined."""
    assert holds(asked(STATEMENT, [(1, 0), (2, 2), (3, 3), (3, 4)]))


def test_what_breaks_without_hypotheses() -> None:
    """Unbalanced and deadlocking programs have causal pairs that no path joins; bags have overtaking."""
    assert without(STATEMENT) == {
        "balanced": "snd 1->2; rcv 1<-2; rcv 2<-1",
        "deadlock-free": "snd 1->2; rcv 1<-2; mt 1->2; rcv 2<-1; snd 2->1",
    }
    assert without(fifo_causality.STATEMENT) == {"FIFO channels": "mt 1->2; mt 1->2"}


def test_a_set_that_is_too_small_is_refuted() -> None:
    """The normal edges alone are not the largest set: two messages there and back refute that."""
    small = replace(STATEMENT.claims[0], predicts=lambda instance: frozenset(normal_edges(instance.p)))
    tally = checked(replace(STATEMENT, claims=(small,)), up_to(2, 2))
    assert str(tally.refuting[0]) == "mt 1->2; mt 1->2"


def test_a_set_that_is_too_large_is_refuted() -> None:
    """With pairs in both directions, a single message refutes the claim."""
    large = replace(
        STATEMENT.claims[0],
        predicts=lambda instance: closure(instance) | {(f, e) for e, f in closure(instance)},
    )
    assert str(checked(replace(STATEMENT, claims=(large,)), up_to(2, 2)).refuting[0]) == "mt 1->2"


def test_a_way_that_is_wrong_is_disputed() -> None:
    """A way that forgets transitivity contradicts the others on the smallest program where it matters."""
    ways = {**STATEMENT.ways, "explorer": lambda instance: frozenset(normal_edges(instance.p))}
    tally = checked(replace(STATEMENT, ways=ways), up_to(2, 2), ("z3",))
    assert str(tally.disputed) == "mt 1->2; mt 1->2"


def test_the_solvers_see_that_channels_are_fifo() -> None:
    """Solvers that do not know about FIFO contradict the other ways on two messages on one channel."""
    bags = replace(
        fifo_causality.STATEMENT,
        smt=lambda instance, solver: frozenset(
            happens_before(instance.p, matching)
            for matching in interleaving_exists.by_solving(instance, solver)
        ),
    )
    assert str(checked(bags, up_to(2, 2)).disputed) == "mt 1->2; mt 1->2"


def test_the_direct_query_is_not_vacuous(monkeypatch: pytest.MonkeyPatch) -> None:
    """If messages could be taken twice, some joined pair would not be causal."""
    monkeypatch.setattr(graph_cause_largest, "axioms", lambda run: axioms(run, [Axiom.INJECTIVE]))
    tally = asked(STATEMENT, [(2, 2)], ("cadical",))
    assert tally.disputed is not None
    assert "joined, not causal" in tally.answers


class WithoutPaths(Reach):
    """A reach that joins nothing."""

    def path(self, first: str, second: str) -> FNode:
        """There is no path."""
        return FALSE()

    def definition(self) -> FNode:
        """Nothing to define."""
        return TRUE()


def test_the_query_by_proof_is_not_vacuous(monkeypatch: pytest.MonkeyPatch) -> None:
    """If nothing were joined, the run of the proof would not exist, which leaves the level unknown."""
    monkeypatch.setattr(graph_cause_largest, "Reach", WithoutPaths)
    assert check_level(STATEMENT, 0, 2, 2, solver="cadical").unknown == 1


def test_the_story_lists_the_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader sees which pairs are causal without a path, and the other way round."""
    (instance,) = STATEMENT.domain.instances(2, 1, 0, 9) if STATEMENT.domain else ()
    story = STATEMENT.claims[0].story
    assert story is not None
    monkeypatch.setattr(graph_cause_largest, "closure", lambda _: frozenset())
    assert story(instance) == "causal in every run, but not joined by normal edges: event 1 of 1 to 1 of 2"
    monkeypatch.setattr(graph_cause_largest, "closure", lambda i: {(f, e) for e, f in closure(i)})
    assert story(instance).splitlines()[1].startswith("joined by normal edges, but not causal in some run")
