"""Answers that are asked again."""

import pytest

from sealcheck.encodings.proofs import refutation
from sealcheck.encodings.sat import SatSolver
from sealcheck.errors import Disagreement
from sealcheck.evidence import answers
from sealcheck.harness.statement import Claim
from sealcheck.harness.tally import Tally
from sealcheck.questions.instance import Instance
from sealcheck.theorems.registry import statement


def test_who_differs_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the oracles contradict each other, a file of answers is not accepted."""

    def differs(tally: Tally, claim: Claim, instance: Instance, ask: object) -> None:
        tally.disagree(instance, "they differ")

    monkeypatch.setattr(Tally, "check", differs)
    with pytest.raises(Disagreement, match="they differ"):
        answers._asked_again(statement("graph-cause"), 2, 1, SatSolver("cadical", refutation))
