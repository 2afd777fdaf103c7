"""The verified checker for the tests that need it: built where Coq and OCaml are installed."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.proofs.building import PROOFS, make, need_coq

from sealcheck.verified import PROGRAM, VerifiedChecker


@pytest.fixture(scope="session")
def program() -> Path:
    """The program, brought up to date."""
    need_coq()
    if shutil.which("ocamlfind") is None:
        pytest.fail("OCaml is not installed (Debian: apt-get install ocaml-findlib)")
    made = make(PROOFS, "checker")
    assert made.returncode == 0, made.stdout + made.stderr
    return PROOFS / PROGRAM


@pytest.fixture(scope="session")
def checker(program: Path) -> Iterator[VerifiedChecker]:
    """The program, running."""
    running = VerifiedChecker(str(program))
    yield running
    running.stop()
