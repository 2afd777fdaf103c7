"""`balanced-tcc-rel-fifo`: the verdict on record, and mistakes that are caught."""

from dataclasses import replace

import pytest
from tests.theorems.rows import checked, holds, up_to, without

from sealcheck.encodings.solving import open_solver
from sealcheck.programs.events import Channel, mt
from sealcheck.programs.straight_line import StraightLine
from sealcheck.theorems.ablation import unbalanced
from sealcheck.theorems.balanced_tcc_rel_fifo import NONE, STATEMENT, _open_in_rel, by_playing, by_solving
from sealcheck.theorems.domains import indexed_space
from sealcheck.theorems.statement import Instance


def test_verified_one_by_one() -> None:
    """Counting, queues and solvers find no message that crosses the end of a BSL, up to (3, 3)."""
    assert holds(checked(STATEMENT, [*up_to(3, 3), (2, 4)]))


def test_what_breaks_without_hypotheses() -> None:
    """Bags, queues that lose messages and unbalanced programs break it; self-channels don't."""
    assert without(STATEMENT) == {
        "FIFO channels": "mt 1->2",
        "FIFO channels skip no message": "mt 1->2",
        "balanced": "rcv 2<-1",
        "no self-channels": "none",
    }


@pytest.mark.parametrize(("n", "messages"), [(2, 1), (2, 2), (3, 1)])
def test_counting_is_right_about_unbalanced_programs(n: int, messages: int) -> None:
    """With queues a channel is crossed exactly if sends and receives on it differ in number."""
    for instance in unbalanced(n, messages):
        assert by_playing(instance) == frozenset(instance.p.imbalance)


@pytest.mark.parametrize("later_sends", [1, 2, 3])
def test_more_later_sends_change_nothing(later_sends: int) -> None:
    """One later send per channel is as good as several."""
    with open_solver("z3") as solver:
        for p in indexed_space(2, 3).programs():
            assert by_solving(Instance.of(p), solver, later_sends=later_sends) == NONE


def test_a_wrong_claim_is_refuted() -> None:
    """That BSLs leave the channels open that they leave open in Rel is refuted by one message."""
    wrong = replace(STATEMENT.claims[0], predicts=_open_in_rel)
    assert str(checked(replace(STATEMENT, claims=(wrong,)), up_to(2, 2)).refuting[0]) == "mt 1->2"


def test_a_way_that_plays_bags_is_disputed() -> None:
    """If one way played bags for queues, it would contradict the others on one message."""
    ways = {**STATEMENT.ways, "explorer": _open_in_rel}
    assert str(checked(replace(STATEMENT, ways=ways), up_to(2, 2), ("z3",)).disputed) == "mt 1->2"


def test_the_solver_sees_what_is_not_balanced() -> None:
    """An unbalanced program is not TCC, says the solver, whether it sends too often or receives too often."""
    with open_solver("z3") as solver:
        for event in mt(1, 2):
            instance = Instance.of(StraightLine.of(2, [*mt(1, 2), event]))
            assert by_solving(instance, solver) == {Channel(1, 2)}
            assert by_playing(instance) == {Channel(1, 2)}


def test_the_story_names_the_channels() -> None:
    """A reader sees on which channel a message crosses."""
    story = STATEMENT.claims[0].story
    assert story is not None
    told = story(Instance.of(StraightLine.of(2, mt(1, 2)[:1])))
    assert told == "in some FIFO run a message on 1->2 is received on the other side of the end of P"
