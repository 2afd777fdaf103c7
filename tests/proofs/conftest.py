"""The verified checker for the tests that need it: built where Coq and OCaml are installed."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from sealcheck.verified import PROGRAM, VerifiedChecker

PROOFS = Path(__file__).parents[2] / "src" / "sealcheck" / "proofs"


@pytest.fixture(scope="session")
def program() -> Path:
    """The program, brought up to date."""
    if not (shutil.which("coqc") and shutil.which("ocamlfind")):
        pytest.skip("Coq or OCaml is not installed")
    made = subprocess.run(["make", "-C", str(PROOFS), "checker"], capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr
    return PROOFS / PROGRAM


@pytest.fixture(scope="session")
def checker(program: Path) -> Iterator[VerifiedChecker]:
    """The program, running."""
    running = VerifiedChecker(str(program))
    yield running
    running.stop()
