"""Listings of programs outside the space, and the search for the first failure."""

from contextlib import nullcontext
from functools import partial
from itertools import product
from typing import Any

import pytest
from pysmt.shortcuts import FALSE, TRUE
from tests.strategies import programs_up_to

from sealcheck.encodings.solvers import PROVING, SMT_SOLVERS
from sealcheck.encodings.solving import Answer, Status, fresh_formulas, no_model, open_solver
from sealcheck.errors import Disagreement, LimitReached
from sealcheck.explorers import channel_contents
from sealcheck.programs.straight_line import StraightLine, channels, mt
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking import hypotheses
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.hypotheses import (
    deadlocking,
    failing,
    first_model,
    pairs,
    unbalanced,
    with_self_channels,
)
from sealcheck.theorems.checking.statement import Outcome, Query


def every_program(n: int, most_events: int, *, self_channels: bool = False) -> list[StraightLine]:
    """All canonical programs up to a number of events."""
    used = [event for channel in channels(n, self_channels=self_channels) for event in mt(*channel)]
    found = {
        StraightLine.of(n, chosen)
        for length in range(most_events + 1)
        for chosen in product(used, repeat=length)
    }
    return [p for p in found if p.is_canonical]


def level(p: StraightLine) -> int:
    return max(p.messages, p.length - p.messages)


def test_all_unbalanced_programs_are_listed() -> None:
    lopsided = [p for p in every_program(2, 4) if not p.is_balanced and channel_contents.can_complete(p)]
    listed = [i.p for m in range(5) for i in unbalanced(2, m) if i.p.length <= 4]
    assert len(listed) == len(set(listed))
    assert set(listed) == set(lopsided)


def test_all_programs_that_deadlock_are_listed() -> None:
    stuck = [p for p in every_program(2, 4) if p.is_balanced and not p.is_deadlock_free]
    assert {i.p for m in range(3) for i in deadlocking(2, m)} == set(stuck)


def test_all_programs_with_self_channels_are_listed() -> None:
    found = [p for p in every_program(2, 4, self_channels=True) if p.is_balanced and p.is_deadlock_free]
    assert {i.p for m in range(3) for i in with_self_channels(2, m)} == set(found)


@pytest.mark.parametrize("n", [2, 3])
def test_whether_a_program_completes(n: int) -> None:
    for p in every_program(n, 4 if n == 2 else 3):
        assert hypotheses.completes(p) == channel_contents.can_complete(p), str(p)


def test_pairs_share_out_the_messages() -> None:
    found = list(pairs(unbalanced, hypotheses.all_programs)(2, 2))
    expected = {
        Instance.of(p.p, q)
        for of_p in range(3)
        for p in unbalanced(2, of_p)
        for q in programs_up_to(2, 2 - of_p)
        if q.messages == 2 - of_p
    }
    assert len(found) == len(set(found))
    assert set(found) == expected


def test_the_first_that_fails_is_found() -> None:
    outcomes = {0: Outcome.VACUOUS, 1: Outcome.HOLDS}
    look = failing(hypotheses.programs, lambda i, ask: outcomes.get(i.messages, Outcome.FAILS))
    with inline(()) as ask:
        found = [look(2, messages, ask) for messages in range(3)]
        assert found[:2] == [None, None]
        assert found[2] == next(iter(hypotheses.programs(2, 2)))
        assert failing(hypotheses.programs, lambda i, ask: Outcome.of(True))(2, 3, ask) is None


def test_the_first_model_is_found() -> None:
    with fresh_formulas():
        instance = Instance.of(StraightLine.of(2, mt(2, 1)))
        none, one = (
            Query("", partial(list, [formula]), lambda answer: instance) for formula in (FALSE(), TRUE())
        )
        assert first_model([none, one]) == Instance.of(StraightLine.of(2, mt(1, 2)))
        assert first_model([none]) is None


@pytest.mark.parametrize("wrong", [*SMT_SOLVERS, *PROVING])
@pytest.mark.parametrize("says", [Status.SAT, Status.UNSAT, Status.UNKNOWN])
def test_all_solvers_are_asked_for_a_model(wrong: str, says: Status, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stubborn:
        """A solver with the same answer to every question."""

        name = wrong

        def ask(self, formulas: object, *, model: bool = True) -> Answer:
            return Answer(says, no_model)

    def opened(name: str, **limits: float) -> Any:
        return nullcontext(Stubborn()) if name == wrong else open_solver(name, **limits)

    monkeypatch.setattr(hypotheses, "open_solver", opened)
    other = FALSE() if says is Status.SAT else TRUE()
    expected: type[Exception] = LimitReached if says is Status.UNKNOWN else Disagreement
    with fresh_formulas(), pytest.raises(expected, match=f"the query 'strange': .*{wrong}"):
        first_model([Query("strange", lambda: [other], no_model)])
