"""`interleaving-exists`: verdicts on record, and mistakes that are caught."""

from dataclasses import replace
from functools import partial

import pytest
from pysmt.shortcuts import TRUE
from tests.theorems.rows import asked, checked, holds, up_to, without

from sealcheck.encodings import runs
from sealcheck.encodings.runs import Axiom, axioms
from sealcheck.programs.counting import count_canonical
from sealcheck.theorems import interleaving_exists
from sealcheck.theorems.ablation import deadlocking
from sealcheck.theorems.interleaving_exists import STATEMENT, acyclic
from sealcheck.theorems.matching_functions import Condition


def test_verified_one_by_one() -> None:
    """Conditions, scheduling, playing and solving agree on all programs, deadlocking ones included."""
    tally = checked(STATEMENT, [*up_to(3, 3), (2, 4)])
    assert holds(tally)
    assert tally.checked == sum(count_canonical(*level) for level in [*up_to(3, 3), (2, 4)]) + 1 + 3 + 1 + 10


def test_verified_for_whole_levels() -> None:
    """No acyclic matching is stuck, and none that can be played is cyclic, in all of (3, 4)."""
    assert holds(asked(STATEMENT, [(2, 2), (3, 3), (3, 4)]))


def test_programs_that_deadlock_have_no_matching() -> None:
    """Neither the conditions nor playing give a program that deadlocks any matching function."""
    for instance in deadlocking(3, 3):
        assert [way(instance) for way in STATEMENT.ways.values()] == [frozenset()] * 2
        assert acyclic(instance) == frozenset()


def test_each_condition_is_needed() -> None:
    """Without any one condition some matching function can't be played."""
    assert without(STATEMENT) == {
        "totality": "mt 1->2",
        "injectivity": "mt 1->2; mt 1->2",
        "messages stay on their channels": "snd 1->2; mt 2->1; rcv 2<-1",
        "acyclicity": "rcv 1<-2; mt 1->2; snd 2->1",
    }


def test_a_claim_that_forgets_a_condition_is_refuted() -> None:
    """If the claim allowed messages to be taken twice, two messages on one channel would refute it."""
    (claim,) = STATEMENT.claims
    weak = replace(claim, predicts=partial(acyclic, without=(Condition.INJECTIVE,)))
    tally = checked(replace(STATEMENT, claims=(weak,)), up_to(2, 2))
    assert str(tally.refuting[0]) == "mt 1->2; mt 1->2"
    assert tally.disputed is None


def test_a_way_that_is_wrong_is_disputed() -> None:
    """If the scheduler let cyclic matchings through, the smallest program that has one would be reported."""
    ways = {**STATEMENT.ways, "algorithm": partial(acyclic, without=(Condition.ACYCLIC,))}
    tally = checked(replace(STATEMENT, ways=ways), up_to(2, 3))
    assert str(tally.disputed) == "rcv 1<-2; mt 1->2; snd 2->1"


@pytest.mark.parametrize("query", ["acyclic, not played", "played, not acyclic"])
def test_the_queries_are_not_vacuous(query: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without acyclicity a matching can be stuck; an order that ignores messages plays cyclic ones."""
    if query == "acyclic, not played":
        monkeypatch.setattr(
            interleaving_exists, "axioms", lambda run: axioms(run, [Axiom.ACYCLIC] * is_relation(run))
        )
    else:
        lamport = runs.happens_before
        monkeypatch.setattr(runs, "happens_before", lambda run: lamport(run) if is_relation(run) else TRUE())
    tally = asked(STATEMENT, [(2, 3)], ("z3",))
    assert tally.disputed is not None
    assert query in tally.answers


def is_relation(run: runs.SymbolicRun) -> bool:
    """Whether the order of the run can do without acyclicity."""
    return isinstance(run.order, interleaving_exists.Relation)


def test_the_story_names_the_matching_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader sees which receive takes which send, and what is wrong with that."""
    story = STATEMENT.claims[0].story
    assert story is not None
    (instance,) = interleaving_exists.programs(2, 1)
    assert story(instance) == ""
    monkeypatch.setattr(interleaving_exists, "by_playing", lambda _: frozenset())
    told = "{receive 1 of 2 <- send 1 of 1}"
    assert story(instance) == f"{told} is acyclic, but no interleaving takes that"
