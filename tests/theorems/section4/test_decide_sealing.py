"""`decide-sealing`: verdicts, and criteria that are too weak or too strong."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TypeVar

import pytest
from pysmt.fnode import FNode
from pysmt.shortcuts import TRUE, And, Or
from tests.theorems.rows import only_claim

from sealcheck.encodings.sealing import PairOfPrograms, PairOfTraces, met_but_crossed
from sealcheck.encodings.solving import Status, fresh_formulas, open_solver
from sealcheck.theorems.checking.check import check_level
from sealcheck.theorems.checking.hypotheses import first_model
from sealcheck.theorems.checking.statement import Query
from sealcheck.theorems.section4.decide_sealing import STATEMENT, met_but_not_sealed, not_met_but_sealed

# --- The queries --------------------------------------------------------------------------------


class IgnoresSends(PairOfPrograms):
    """A criterion that ignores Q's own sends on the channel."""

    def met(self, a: int) -> FNode:
        """The condition without first sends."""
        return Or(
            And(
                self.sig_p.reaches_end(a, k),
                self.sig_p.sender_of(a, {i: self.sig_q.start_reaches_end(k, i) for i in self.p.processes}),
            )
            for k in self.p.processes
        )


class NeedsTheReceiver(PairOfTraces):
    """A criterion that accepts the receiver itself as the only process k."""

    def met(self, a: int) -> FNode:
        """The condition with k = j only."""
        return And(
            super().met(a),
            Or(
                And(
                    self.p.at(self.p.receives[a], k),
                    self.sig_p.sender_of(
                        a, {i: self.sig_q.start_reaches_end(k, i) for i in self.p.processes}
                    ),
                )
                for k in self.p.processes
            ),
        )


AnyPair = TypeVar("AnyPair", PairOfPrograms, PairOfTraces)


def over(
    pairs: Callable[[int, int, int], AnyPair], query: Callable[[AnyPair], Query], n: int, total: int
) -> Iterator[Query]:
    for messages in range(total + 1):
        for of_p in range(1, messages + 1):
            with fresh_formulas():
                yield query(pairs(n, of_p, messages - of_p))


@pytest.mark.parametrize("later_sends", [1, 2, 3])
def test_more_later_sends_refute_nothing_more(later_sends: int) -> None:
    def query(pair: PairOfPrograms) -> Query:
        return replace(met_but_not_sealed(pair), make=partial(met_but_crossed, pair, later_sends=later_sends))

    assert first_model(over(PairOfPrograms, query, 3, 3)) is None


def test_without_later_sends_a_weak_criterion_passes() -> None:
    """So later sends matter."""
    found = []
    for later_sends in (0, 1):
        pair = PairOfPrograms(2, 1, 0)
        pair.met = lambda a: TRUE()  # type: ignore[method-assign]
        with open_solver("cadical") as solver:
            found.append(solver.ask(met_but_crossed(pair, later_sends=later_sends)).status)
    assert found == [Status.UNSAT, Status.SAT]


def test_a_criterion_that_is_too_weak_is_refuted() -> None:
    """The criterion forgets Q's sends."""
    found = first_model(over(IgnoresSends, met_but_not_sealed, 2, 3))
    assert str(found) == "P = mt 1->2   Q = snd 1->2; mt 2->1; rcv 2<-1"


def test_a_criterion_that_is_too_strong_is_refuted() -> None:
    """In the criterion, only the receiver may pass the word on."""
    assert first_model(over(NeedsTheReceiver, not_met_but_sealed, 3, 2)) is None
    found = first_model(over(NeedsTheReceiver, not_met_but_sealed, 3, 3))
    assert found is not None
    assert found.messages == 3


def test_a_proof_that_does_not_apply_is_unknown() -> None:
    weak = replace(
        only_claim(STATEMENT), whole_space=lambda n, m: over(NeedsTheReceiver, not_met_but_sealed, n, m)
    )
    tally = check_level(replace(STATEMENT, claims=(weak,)), 0, 3, 3, solver="cadical")
    assert tally.unknown > 0
    assert tally.refuting is None
