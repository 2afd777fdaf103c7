"""The proofs and the verified checker, built once for all tests, also in parallel."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.proofs.building import copied_to, make, need_coq

from sealcheck.questions.verified_checker import PROGRAM, VerifiedChecker


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the proofs in which everything is built, without a warning. Not to be changed."""
    need_coq()
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, done = shared / "proofs", shared / "proofs-are-built"
    with open(shared / "proofs-lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)
            made = make(copied_to(folder), "-j2")
            assert made.returncode == 0, made.stdout + made.stderr
            assert "arning" not in made.stdout + made.stderr
            done.touch()
    return folder


@pytest.fixture(scope="session")
def program(built: Path) -> Path:
    if shutil.which("ocamlfind") is None:
        pytest.fail("OCaml is not installed (Debian: apt-get install ocaml-findlib)")
    with open(built.parent / "proofs-lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (built / PROGRAM).exists():
            made = make(built, "checker")
            assert made.returncode == 0, made.stdout + made.stderr
    return built / PROGRAM


@pytest.fixture(scope="session")
def checker(program: Path) -> Iterator[VerifiedChecker]:
    running = VerifiedChecker(str(program))
    yield running
    running.stop()
