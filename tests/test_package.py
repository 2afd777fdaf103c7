"""The repository as a package: names at the top, and what a wheel holds."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "sealcheck"
LINKS = ("algorithms", "encodings", "proofs", "spark_sweeps", "theorems")
BUILDS_WITH = 77
"""The major version of setuptools that `pyproject.toml` asks for."""
NAMED = (
    "encodings/solving.py", "language/grammar.lark", "proofs/MainTheorems.v", "proofs/Makefile",
    "proofs/model/Definitions.v", "proofs/checker/main.ml", "py.typed", "spark_sweeps/log4j2.properties",
)  # fmt: skip
"""Files of every kind, so that a copy that lost some is noticed too."""
UNPACKED = (
    "__pycache__", "*.vo*", "*.glob", ".*.aux", "*.cache", "CoqMakefile*", ".CoqMakefile*",
    "sealcheck-verified*", "page.byte", "play.zip", "verified.ml*", "*.cm?", "*.o", "html",
)  # fmt: skip
"""What Python, Coq and OCaml leave in the folders of their sources, which is not packed."""
MACHINE = re.compile("/(work|tmp/v|root)/")


def files(folder: Path) -> set[str]:
    """The files below a folder, bytecode apart."""
    found = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return {name for name in found if "__pycache__" not in name}


@pytest.mark.parametrize("name", LINKS)
def test_links_at_the_top_lead_into_the_package(name: str) -> None:
    """The folders that the layout promises are relative links to those of the package."""
    link = ROOT / name
    assert not link.readlink().is_absolute()
    assert link.resolve() == (PACKAGE / name).resolve()
    assert [*link.glob("*.py"), *link.glob("*.v")]


def test_the_folder_encodings_is_no_regular_package() -> None:
    """Without an __init__.py, the link `encodings` cannot be taken for the standard library's package."""
    folders = {path.parent for path in PACKAGE.rglob("*.py")}
    assert [folder.name for folder in folders if not (folder / "__init__.py").exists()] == ["encodings"]


def test_python_starts_with_the_repository_on_its_path() -> None:
    """With the root on PYTHONPATH, Python starts with its own `encodings`, and the package is found."""
    program = (
        "import encodings, sealcheck, sealcheck.encodings.solving, sealcheck.cli.main\n"
        "print(encodings.__file__); print(sealcheck.__file__)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        cwd=ROOT.anchor,
        capture_output=True,
        text=True,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    codecs, package = map(Path, ran.stdout.splitlines())
    assert codecs == Path(os.__file__).parent / "encodings" / "__init__.py"
    assert package.parent.name == "sealcheck"


def build_tools_are_installed() -> bool:
    try:
        return int(version("setuptools").split(".")[0]) >= BUILDS_WITH
    except PackageNotFoundError:
        return False


def test_the_wheel_holds_every_file(tmp_path: Path) -> None:
    """A wheel from a fresh copy holds every module, grammar, marker and setting, and the page's archive."""
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    shutil.copytree(PACKAGE, copy / "src" / "sealcheck", ignore=shutil.ignore_patterns(*UNPACKED))
    (copy / "src" / "sealcheck" / "cli" / "play" / "play.zip").touch()  # as if it had been built
    isolation = ["--no-build-isolation"] if build_tools_are_installed() else []
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", *isolation, "-w", tmp_path, copy]
    built = subprocess.run(command, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("sealcheck-*.whl")
    expected = {f"sealcheck/{name}" for name in files(copy / "src" / "sealcheck")}
    assert {f"sealcheck/{name}" for name in NAMED} <= expected
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert held == expected


@pytest.mark.parametrize("folder", ["src", "tests", "docs", "benchmarks"])
def test_no_file_speaks_of_the_machine_it_was_written_on(folder: str) -> None:
    """No source, test or document names a path that only some machine has."""
    made = (".egg-info/", ".aux")  # by installing, and by building the proofs
    names = {name for name in files(ROOT / folder) if not any(part in name for part in made)}
    texts = {name: (ROOT / folder / name).read_text(errors="replace") for name in names}
    assert texts
    assert not {name for name, text in texts.items() if MACHINE.search(text)}
