"""Fixtures: the formulas of proofs, made again from the statements."""

from functools import cache

import pytest

from sealcheck.evidence import cubes, proofs

clausal = cache(cubes.clausal.__wrapped__)
"""The clauses of each query, which are the same for every file about it, true or forged."""


@pytest.fixture(autouse=True)
def _made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proofs, "clausal", clausal)
