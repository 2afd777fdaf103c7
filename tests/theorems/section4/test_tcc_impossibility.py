"""`tcc-impossibility`: verdicts on record, and mistakes that are caught."""

import pytest
from pysmt.shortcuts import FALSE
from tests.theorems.rows import checked, claiming, up_to

from sealcheck.encodings import sealing
from sealcheck.encodings.program_space import SymbolicProgram
from sealcheck.encodings.sealing import last_receive_cannot_wait
from sealcheck.encodings.solving import Status, fresh_formulas, open_solver
from sealcheck.explorers import channel_contents
from sealcheck.questions.closed_channels import CLOSED_CHANNELS
from sealcheck.theorems.checking.check import check_level
from sealcheck.theorems.checking.statement import Outcome
from sealcheck.theorems.section4.tcc_impossibility import STATEMENT


def test_an_oracle_that_is_wrong_is_disputed(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the explorer lied about two messages, that would be reported, and nothing refuted."""
    honest = channel_contents.crossed_channels
    monkeypatch.setattr(
        channel_contents, "crossed_channels", lambda p, q: frozenset() if p.messages == 2 else honest(p, q)
    )
    (tally,) = checked(STATEMENT, up_to(2, 2), ("z3",))
    assert tally.disputed is not None
    assert tally.disputed.messages == 2
    assert "explorer says" in tally.dispute
    assert tally.refuting is None


def test_a_claim_that_is_too_strong_is_refuted() -> None:
    """Not every channel that is used stays open: an answer closes the first one."""
    tally = claiming(
        STATEMENT,
        lambda instance, ask: Outcome.of(
            not {e.channel for share in instance.p.shares for e in share} & ask(CLOSED_CHANNELS, instance)
        ),
        up_to(2, 2),
        ("z3",),
    )
    assert str(tally.refuting) == "mt 1->2; mt 2->1"


def test_with_self_channels_the_run_of_the_proof_may_not_exist() -> None:
    """A message to oneself is TCC: the query notices once self-channels are on."""
    with fresh_formulas():
        p = SymbolicProgram("P", 1, 1, self_channels=True)
        with open_solver("cadical") as solver:
            answer = solver.ask(last_receive_cannot_wait(p))
            assert answer.status is Status.SAT
            assert str(p.decoded(answer)) == "mt 1->1"


def test_the_query_is_not_vacuous(monkeypatch: pytest.MonkeyPatch) -> None:
    """If no receive waited, the run would not interfere, which leaves the level unknown."""
    monkeypatch.setattr(sealing, "is_last", lambda p, a: FALSE())
    assert check_level(STATEMENT, 0, 2, 1, solver="z3").unknown == 1
