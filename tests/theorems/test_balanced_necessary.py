"""`balanced-necessary`: the verdict on record, and mistakes that are caught."""

from dataclasses import replace

import pytest
from tests.theorems.rows import checked, holds, up_to, without

from sealcheck import explorer
from sealcheck.encodings.solving import open_solver
from sealcheck.programs.events import mt, rcv, snd
from sealcheck.programs.straight_line import StraightLine
from sealcheck.theorems import balanced_necessary
from sealcheck.theorems.ablation import completes, unbalanced
from sealcheck.theorems.balanced_necessary import (
    STATEMENT,
    _is_seal,
    _never_crossed,
    by_exploring,
    candidates,
)
from sealcheck.theorems.domains import indexed_space
from sealcheck.theorems.statement import Instance

SMALL = {(2, 1): (3, 2), (2, 2): (2, 1), (3, 1): (1, 2)}


@pytest.fixture(autouse=True)
def _small_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(balanced_necessary, "SEARCHED", SMALL)


def test_verified_one_by_one() -> None:
    """No unbalanced program has a seal among the candidates, say matchings, explorer and solvers."""
    tally = checked(STATEMENT, up_to(3, 2))
    assert holds(tally)
    assert tally.checked == 4 + 25 + 9


def test_what_breaks_without_hypotheses() -> None:
    """Balanced programs do have seals, and what can't complete is sealed."""
    assert without(STATEMENT, messages=1) == {
        "P unbalanced": "P = eps   Q = eps",
        "the composition with the seal can complete": "P = rcv 2<-1   Q = rcv 1<-2",
    }


@pytest.mark.parametrize(("n", "messages"), [(2, 1), (2, 2), (3, 1)])
def test_the_ways_agree_on_seals_of_balanced_programs(n: int, messages: int) -> None:
    """All ways confirm the same candidates, and some; the search could find a seal."""
    confirmed = 0
    with open_solver("z3") as solver:
        for p in indexed_space(n, messages).programs():
            for s in (s for s in candidates(n, 2, 2) if completes(p.then(s))):
                answers = {explorer.seals(p, s), _never_crossed(p, s), _is_seal(p, s, solver)}
                assert len(answers) == 1, (str(p), str(s))
                confirmed += answers == {True}
    assert confirmed > 0


def test_candidates_are_what_they_are_said_to_be() -> None:
    """All programs of up to two events over two processes, lone receives included, and all transmissions."""
    found = candidates(2, 2, 2)
    assert len(found) == len(set(found)) == 1 + 4 + 12 + 4
    assert StraightLine.of(2, [rcv(2, 1)]) in found
    assert StraightLine.of(2, mt(1, 2) + mt(2, 1)) in found
    assert len(candidates(3, 1, 0)) == 1 + 12


def test_a_left_over_message_is_seen() -> None:
    """A message of P that nothing in P;S receives is found by every way: a later program may receive it."""
    p, s = StraightLine.of(2, [snd(1, 2)]), StraightLine.of(2, mt(2, 1))
    with open_solver("cvc5") as solver:
        assert not _is_seal(p, s, solver)
    assert not explorer.seals(p, s)
    assert not _never_crossed(p, s)


def test_a_claim_that_some_unbalanced_program_has_a_seal_is_refuted() -> None:
    """Predicting eps as a seal is refuted by the smallest unbalanced program."""
    nothing = replace(STATEMENT.claims[0], predicts=lambda instance: frozenset({StraightLine.of(instance.n)}))
    assert str(checked(replace(STATEMENT, claims=(nothing,)), [(2, 1)]).refuting[0]) == "rcv 2<-1"


def test_a_way_that_forgets_left_over_messages_is_disputed() -> None:
    """If only receives of P counted, a lone send would seem to be sealed; the other ways contradict."""
    ways = {**STATEMENT.ways, "algorithm": lambda i: by_exploring(i) if _receives(i) else _all_candidates(i)}
    assert str(checked(replace(STATEMENT, ways=ways), [(2, 1)], ()).disputed) == "snd 2->1"


def _receives(instance: Instance) -> bool:
    return instance.p.length > instance.messages


def _all_candidates(instance: Instance) -> frozenset[StraightLine]:
    return frozenset(candidates(instance.n, 1, 0))


def test_the_story_names_imbalance_and_seals() -> None:
    """A reader sees what is unbalanced, and the seals."""
    story = STATEMENT.claims[0].story
    assert story is not None
    (instance,) = (i for i in unbalanced(2, 1) if str(i) == "snd 2->1")
    assert story(instance) == "sends minus receives of P on 2->1: +1\nyet P is sealed by: "
