"""Building the proofs in a copy, so that the sources stay as they are."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROOFS = ROOT / "src" / "sealcheck" / "proofs"
SOURCES = ("*.v", "_CoqProject", "Makefile")


def need_coq() -> None:
    """Fail where Coq is not installed: whoever asks for these tests wants the proofs checked."""
    if shutil.which("coqc") is None:
        pytest.fail("Coq is not installed (Debian: apt-get install coq), so the proofs cannot be built")


def copied_to(folder: Path) -> Path:
    """The sources of the proofs, copied; nothing that was built from them."""
    products = shutil.ignore_patterns(
        "*.vo*", "*.glob", ".*.aux", "*.cache", "CoqMakefile*", ".CoqMakefile*", "__pycache__",
        "sealcheck-verified", "verified.ml*", "*.cm?", "*.o",
    )  # fmt: skip
    return Path(shutil.copytree(PROOFS, folder, ignore=products))


def make(folder: Path, *targets: str) -> subprocess.CompletedProcess[str]:
    """What `make` says in that folder."""
    command = ["make", "--no-print-directory", "-C", str(folder), *targets]
    return subprocess.run(command, capture_output=True, text=True, check=False)
