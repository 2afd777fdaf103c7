"""Fixtures: the formulas of proofs, made again from the statements."""

from functools import cache

import pytest

from sealcheck.evidence import cubes, proofs

clausal = cache(cubes.clausal.__wrapped__)
"""The clauses of each query, kept for all files about it."""


@pytest.fixture(autouse=True)
def _made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proofs, "clausal", clausal)
