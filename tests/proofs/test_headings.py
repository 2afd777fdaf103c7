"""A reader finds the theorems: each file says at its top which of its theorems the ledger names."""

import re

import pytest
from tests.proofs.building import PROOFS

from sealcheck.evidence.coq import named

OF_FILES: dict[str, set[str]] = {}
for theorem in named():
    OF_FILES.setdefault(theorem.file, set()).add(theorem.name)


@pytest.mark.parametrize(("name", "theorems"), OF_FILES.items(), ids=OF_FILES)
def test_the_heading_names_the_theorems_of_the_ledger(name: str, theorems: set[str]) -> None:
    """All of them, and no other."""
    heading = (PROOFS / name).read_text().partition("*)")[0]
    listed = re.search(r"Theorems of the ledger: ([^.]*)\.", heading)
    assert listed
    assert set(re.findall(r"\[(\w+)\]", listed[1])) == theorems
