"""The independent checker accepts the proofs, and the part of Coq's library that they use."""

from pathlib import Path

import pytest
from tests.proofs.building import accepted

pytestmark = pytest.mark.larger


def test_the_independent_checker_accepts_the_library_too(built: Path) -> None:
    """`make check` asks it."""
    accepted(["make", "--silent", "check"], built)
