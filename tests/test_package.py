"""The repository as a package: top folders, wheels and releases."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, distribution, requires, version
from pathlib import Path
from typing import NamedTuple

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from sealcheck import __version__

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "sealcheck"
LINKS = ("algorithms", "encodings", "proofs", "spark_sweeps", "theorems")
BUILDS_WITH = 77
"""The major version of setuptools that `pyproject.toml` asks for."""
NAMED = (
    "encodings/solving.py", "language/grammar.lark", "proofs/MainTheorems.v", "proofs/Makefile",
    "proofs/model/Definitions.v", "proofs/checker/main.ml", "py.typed", "spark_sweeps/log4j2.properties",
)  # fmt: skip
"""Files of every kind, so that a copy that lost some is noticed."""
UNPACKED = (
    "__pycache__", "*.vo*", "*.glob", ".*.aux", "*.cache", "CoqMakefile*", ".CoqMakefile*",
    "sealcheck-verified*", "page.byte", "play.zip", "verified.ml*", "*.cm?", "*.o", "html",
)  # fmt: skip
"""Files that Python, Coq and OCaml leave in folders of sources, and that are not packed."""
MACHINE = re.compile("/(work|tmp/v|root)/")


def files(folder: Path) -> set[str]:
    found = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return {name for name in found if "__pycache__" not in name}


@pytest.mark.parametrize("name", LINKS)
def test_links_at_the_top_lead_into_the_package(name: str) -> None:
    link = ROOT / name
    assert not link.readlink().is_absolute()
    assert link.resolve() == (PACKAGE / name).resolve()
    assert [*link.glob("*.py"), *link.glob("*.v")]


def test_the_folder_encodings_is_no_regular_package() -> None:
    """So the link `encodings` cannot be taken for the standard library's package."""
    folders = {path.parent for path in PACKAGE.rglob("*.py")}
    assert [folder.name for folder in folders if not (folder / "__init__.py").exists()] == ["encodings"]


def test_python_starts_with_the_repository_on_its_path() -> None:
    """The standard library has a package `encodings`, too."""
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


def test_a_release_has_one_version_and_one_date() -> None:
    headings = re.findall(r"^## \[(.*)\](?: - (.*))?$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    (unreleased, _), (newest, day), *_ = headings
    assert (unreleased, newest) == ("Unreleased", __version__)
    assert f"\nversion: {newest}\ndate-released: {day}\n" in (ROOT / "CITATION.cff").read_text()


RELEASED = (
    ".ci", "benchmarks", "docs", "examples", "src", "tests", ".gitignore", ".pre-commit-hooks.yaml",
    "CHANGELOG.md", "CITATION.cff", "LICENSE", "MANIFEST.in", "README.md", "action.yml", "pyproject.toml",
)  # fmt: skip
"""The repository without the links at its top."""
SMALL = ("lark", "typer")
"""The packages of the small installation."""


class Release(NamedTuple):
    """What is published, and what it is made from."""

    sources: set[str]
    sdist: Path
    wheel: Path
    """Built from the source distribution."""
    wheel_of_sources: Path


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    folder = tmp_path_factory.mktemp("release")
    copy = folder / "copy"
    copy.mkdir()
    for name in RELEASED:
        if (ROOT / name).is_file():
            shutil.copy(ROOT / name, copy)
        else:
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns(*UNPACKED, "*.egg-info"))
    archive = Path("cli", "play", "play.zip")
    if (PACKAGE / archive).is_file():
        shutil.copy(PACKAGE / archive, copy / "src" / "sealcheck" / archive)
    sources = files(copy)
    build = "from setuptools.build_meta import build_sdist; build_sdist('..')"
    subprocess.run([sys.executable, "-c", build], cwd=copy, check=True, capture_output=True)
    (sdist,) = folder.glob("*.tar.gz")
    wheel, wheel_of_sources = (built(place, folder / name) for place, name in ((sdist, "a"), (copy, "b")))
    return Release(sources, sdist, wheel, wheel_of_sources)


def built(source: Path, folder: Path) -> Path:
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        folder,
        source,
    ]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = folder.glob("sealcheck-*.whl")
    return wheel


@pytest.mark.slow
def test_the_source_distribution_is_the_repository(release: Release) -> None:
    with tarfile.open(release.sdist) as opened:
        held = {member.name.partition("/")[2] for member in opened if member.isfile()}
    added = {name for name in held if ".egg-info/" in name} | {"PKG-INFO", "setup.cfg"}
    assert held - added == release.sources


@pytest.mark.slow
def test_the_wheel_does_not_depend_on_where_it_is_built(release: Release) -> None:
    found, expected = (
        {name: opened.read(name) for name in opened.namelist()}
        for opened in map(zipfile.ZipFile, (release.wheel, release.wheel_of_sources))
    )
    assert found == expected
    assert max(path.stat().st_size for path in (release.sdist, release.wheel)) < 100 * 2**20  # that of PyPI


def needed(names: Iterable[str]) -> set[str]:
    found: set[str] = set()
    open_ = {canonicalize_name(name) for name in names}
    while open_:
        found |= open_
        wanted = [Requirement(each) for name in open_ for each in requires(name) or ()]
        chosen = [each for each in wanted if each.marker is None or each.marker.evaluate({"extra": ""})]
        open_ = {canonicalize_name(each.name) for each in chosen} - found
    return found


@pytest.mark.slow
def test_the_small_installation_works_from_the_wheel(release: Release, tmp_path: Path) -> None:
    place = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
    python = place / "bin" / "python"
    (packages,) = place.glob("lib/python*/site-packages")
    for name in needed(SMALL):
        tops = {path.parts[0] for path in distribution(name).files or ()} - {".."}
        for top in tops:
            (packages / top).symlink_to(Path(str(distribution(name).locate_file(top))))
    install = [sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", "--no-index"]
    subprocess.run([*install, release.wheel], check=True)

    def ask(*words: str) -> tuple[int, str]:
        ran = subprocess.run(
            [place / "bin" / "sealcheck", *words], cwd=tmp_path, capture_output=True, text=True
        )
        return ran.returncode, ran.stdout + ran.stderr

    assert ask("--version") == (0, f"sealcheck {__version__}\n")
    code, text = ask("phases", "mt 1->2", "mt 1->2", "--json")
    assert code == 1
    (tmp_path / "answer.json").write_text(text)
    code, text = ask("verify", "answer.json")
    assert (code, text.splitlines()[-1]) == (0, "accepted: 1 file, 1 row")
    code, text = ask("play", "page")
    if (PACKAGE / "cli" / "play" / "play.zip").is_file():
        assert code == 0
        assert (tmp_path / "page" / "index.html").is_file()
    else:
        assert (code, "this installation has no play.zip" in text) == (2, True)


@pytest.mark.parametrize("folder", ["src", "tests", "docs", "benchmarks"])
def test_no_file_speaks_of_the_machine_it_was_written_on(folder: str) -> None:
    made = (".egg-info/", ".aux")  # by installing, and by building the proofs
    names = {name for name in files(ROOT / folder) if not any(part in name for part in made)}
    texts = {name: (ROOT / folder / name).read_text(errors="replace") for name in names}
    assert texts
    assert not {name for name, text in texts.items() if MACHINE.search(text)}
