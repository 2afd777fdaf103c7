"""Matching functions, by conditions and by playing; later events; FIFO constraints."""

from math import factorial

import pytest
from hypothesis import given, settings
from tests.strategies import any_program, balanced_program

from sealcheck.algorithms.program_graph import causal_pairs
from sealcheck.encodings import given as fifo
from sealcheck.encodings.given import GivenRun
from sealcheck.encodings.runs import axioms
from sealcheck.encodings.solving import Clock, Status, open_solver
from sealcheck.explorers import channel_contents
from sealcheck.explorers.matching_functions import (
    Condition,
    crossed,
    executed_matchings,
    following,
    happens_before,
    matchings,
)
from sealcheck.programs.runs import Place, Run
from sealcheck.programs.semantics import ChannelModel
from sealcheck.programs.straight_line import Channel, StraightLine, channels, rcv, snd
from sealcheck.theorems.checking.hypotheses import unbalanced

small = settings(deadline=None, max_examples=60)


@small
@given(any_program(max_n=3, max_events=7))
def test_conditions_and_playing_agree(program: StraightLine) -> None:
    assert frozenset(matchings(program)) == executed_matchings(program)


@small
@given(balanced_program(max_n=3, max_messages=4))
def test_queues_give_one_matching_and_its_relation_is_that_of_the_graph(program: StraightLine) -> None:
    """With queues a balanced program matches k'th to k'th, and Lamport's relation is (N_E)+."""
    (matching,) = executed_matchings(program, ChannelModel.REL_FIFO)
    assert happens_before(program, matching) == causal_pairs(program)


@small
@given(balanced_program(max_n=3, max_messages=4))
def test_every_matching_that_is_played_makes_a_run(program: StraightLine) -> None:
    for matching in executed_matchings(program):
        before = happens_before(program, matching)
        places = {place for place, _ in matching} | {place for _, place in matching}
        order = tuple(sorted(places, key=lambda place: sum(f == place for _, f in before)))
        Run(program, order, dict(matching)).check()


@pytest.mark.parametrize("messages", range(5))
def test_all_permutations_on_one_channel(messages: int) -> None:
    """From a bag, k messages can be taken in k! ways; from a queue, in one."""
    program = StraightLine.of(2, [snd(1, 2)] * messages + [rcv(2, 1)] * messages)
    assert len(executed_matchings(program)) == factorial(messages)
    assert len(executed_matchings(program, ChannelModel.REL_FIFO)) == 1
    assert len(list(matchings(program, [Condition.INJECTIVE]))) == messages**messages


@pytest.mark.parametrize(("n", "messages"), [(2, 1), (2, 2), (3, 1)])
def test_what_follows_is_enough(n: int, messages: int) -> None:
    for instance in unbalanced(n, messages):
        p = instance.p
        crossing = [crossed(p, matching) for matching in matchings(p.then(following(p)))]
        assert frozenset().union(*crossing) == {c for c in channels(n) if not channel_contents.closes(p, c)}


def test_crossing_is_seen_in_both_directions() -> None:
    p = StraightLine.of(2, [snd(1, 2), rcv(2, 1)])
    own, later = Place(1, 1), Place(1, 2)
    assert crossed(p, frozenset({(Place(2, 1), later)})) == {Channel(1, 2)}
    assert crossed(p, frozenset({(Place(2, 2), own)})) == {Channel(1, 2)}
    assert crossed(p, frozenset({(Place(2, 1), own), (Place(2, 2), later)})) == frozenset()


@pytest.mark.parametrize(
    ("constraint", "taken"),
    [(fifo.oldest_first, {("s1", "s2")}), (fifo.no_overtaking, {("s1", "s2"), ("s1", "L"), ("s2", "L")})],
)
def test_fifo_constraints_allow_what_they_say(constraint: object, taken: set[tuple[str, str]]) -> None:
    given_run = GivenRun([StraightLine.of(2, [snd(1, 2), snd(1, 2), rcv(2, 1), rcv(2, 1)])], Clock)
    names = {"s1": "P1.1", "s2": "P1.2", "L": "L1->2.1"}
    found = set()
    with open_solver("z3") as solver:
        for first in names:
            for second in names:
                formulas = [
                    *axioms(given_run.run),
                    constraint(given_run),  # type: ignore[operator]
                    given_run.run.matched("P2.1", names[first]),
                    given_run.run.matched("P2.2", names[second]),
                ]
                if solver.ask(formulas).status is Status.SAT:
                    found.add((first, second))
    assert found == taken
