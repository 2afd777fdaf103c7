"""Answers that are asked again."""

import pytest

from sealcheck.encodings.clauses import refutation
from sealcheck.encodings.solving import SatSolver
from sealcheck.errors import Disagreement
from sealcheck.evidence import cubes
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.statement import Claim, Tally
from sealcheck.theorems.registry import statement


def test_who_differs_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the oracles contradict each other, a file of answers is not accepted."""

    def differs(tally: Tally, claim: Claim, instance: Instance, ask: object) -> None:
        tally.disagree(instance, "they differ")

    monkeypatch.setattr(Tally, "check", differs)
    with pytest.raises(Disagreement, match="they differ"):
        cubes._asked_again(statement("graph-cause"), 2, 1, SatSolver("cadical", refutation))
