"""Build the proofs in a copy, so that the sources stay as they are."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from sealcheck.theorems.checking.record import files

ROOT = Path(__file__).parents[2]
PROOFS = ROOT / "src" / "sealcheck" / "proofs"
BUILT = (".vo", ".vos", ".vok")
ALLOWED = {"Coq.Logic.Classical_Prop.classic"}
"""Axioms that a proof may use: the excluded middle, for propositions."""


def need_coq() -> None:
    """Fail if Coq is not installed: these tests are run only on request."""
    if shutil.which("coqc") is None:
        pytest.fail("Coq is not installed (Debian: apt-get install coq), so the proofs cannot be built")


def copied_to(folder: Path) -> Path:
    """A copy of the proofs with their compiled files and times, so that `make` compiles only what is older.

    By `_CoqProject`, warnings are errors.
    """
    products = shutil.ignore_patterns(
        "*.vo*", "*.glob", ".*.aux", "*.cache", "CoqMakefile*", ".CoqMakefile*", "__pycache__",
        "sealcheck-verified*", "page.byte", "verified.ml*", "*.cm?", "*.o", "html",
    )  # fmt: skip
    shutil.copytree(PROOFS, folder, ignore=products)
    for source in files(PROOFS).values():
        for suffix in (*BUILT, ".glob"):
            if (product := PROOFS / source.with_suffix(suffix)).exists():
                shutil.copy2(product, folder / product.relative_to(PROOFS))
    return folder


def make(folder: Path, *targets: str) -> subprocess.CompletedProcess[str]:
    command = ["make", "--no-print-directory", "-C", str(folder), *targets]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def linked_to(folder: Path, built: Path, changed: set[str]) -> None:
    """Fill a folder with links to what is built, without the modules that are to be built anew."""
    for path in built.rglob("*"):
        if path.suffix in BUILT and path.stem not in changed:
            link = folder / path.relative_to(built)
            link.parent.mkdir(exist_ok=True)
            os.symlink(path, link)


def place(module: str) -> str:
    return str(files(PROOFS).get(f"{module}.v", f"{module}.v"))


def compiled(folder: Path, module: str) -> subprocess.CompletedProcess[str]:
    command = ["coqc", "-q", "-Q", ".", "Sealcheck", place(module)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def compiled_files() -> list[str]:
    lines = (PROOFS / "_CoqProject").read_text().splitlines()
    return [f"{line}o" for line in lines if line.endswith(".v")]


def accepted(command: list[str], folder: Path, hidden: str | None = None) -> None:
    """Check that `coqchk` accepts everything in this folder, and finds only allowed axioms.

    Modules whose names begin with `hidden` are skipped.
    """
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    summary = dict(re.findall(r"^\* ([^:]+):([^*]*)", done.stdout + done.stderr, re.MULTILINE))
    assert summary.pop("Theory").strip() == "Set is predicative"
    axioms = set(summary.pop("Axioms").split())
    assert {name for name in axioms if hidden is None or not name.startswith(hidden)} <= ALLOWED
    assert {about.strip() for about in summary.values()} == {"<none>"}
