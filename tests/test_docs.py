"""Pages show what Python and the command line print, and their links lead somewhere.

A block of a page is a session of a shell. In it, `...` on a line by itself stands for any lines, and a number
in front of a unit of time or speed stands for any number.
"""

import doctest
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from sealcheck.theorems.checking.statement import Verdict

ROOT = Path(__file__).parents[1]
WRITTEN = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md")), *sorted(ROOT.glob("examples/**/*.md"))]


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", [page for page in WRITTEN if ">>> " in page.read_text()], ids=name_of)
def test_examples_of_python(page: Path) -> None:
    found = doctest.testfile(str(page), module_relative=False)
    assert found.attempted
    assert not found.failed


LINK = re.compile(r"\]\(([^)\s]+)\)")


@pytest.mark.parametrize("page", [*WRITTEN, ROOT / "CHANGELOG.md"], ids=name_of)
def test_links(page: Path) -> None:
    """Network links are not opened, and the site's build checks anchors."""
    for link in LINK.findall(page.read_text()):
        if "://" in link:
            assert link.startswith("https://")
        else:
            path = link.partition("#")[0]
            assert not path or (page.parent / path).exists(), link


def test_the_glossary_has_every_verdict() -> None:
    glossary, door = (ROOT / "docs" / name for name in ("glossary.md", "start/paper.md"))
    for verdict in Verdict:
        assert f"**{verdict.value}**" in glossary.read_text()
        assert f"\n| {verdict.value} | " in door.read_text()


PAGES = [page for page in WRITTEN if page.name not in ("benchmarks.md", "cluster.md")]
"""The pages without those about the speed of other machines."""
BLOCK = re.compile(r"^```(?:text|json|sh)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^```(?:mermaid|python|toml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE_NAME = re.compile(r"\(`(\w+\.(?:mmd|py|toml))`\)")
"""If a page names files in parentheses, their contents follow in this order."""
WHOLE_AUDIT = "sealcheck audit"
"""The tests of the manifest check the output of this command."""


@dataclass(frozen=True)
class Shown:
    """A command of a page, and the output that is shown."""

    page: Path
    command: str
    output: str


def sessions(page: Path) -> list[list[Shown]]:
    found = []
    for block in BLOCK.findall(page.read_text()):
        parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
        if parts:
            found.append([Shown(page, *(part.split("\n", 1))) for part in parts])
    return found


def agrees(printed: str, shown: str) -> bool:
    pattern = "\n".join(re.escape(line.rstrip()) for line in shown.strip("\n").split("\n"))
    pattern = re.sub(r"(^|\n)\\\.\\\.\\\.(?=\n|$)", r"\1(?:.*\n)*?.*", pattern)
    pattern = re.sub(r"[\d.,\\]+(\\ (?:s|ms|seconds|programs/s)\b)", r"[\\d.,]+\1", pattern)
    return re.fullmatch(pattern, "\n".join(map(str.rstrip, printed.strip("\n").split("\n")))) is not None


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    cache = str(tmp_path_factory.mktemp("cache"))
    return os.environ | {"PATH": path, "XDG_CACHE_HOME": cache, "COLUMNS": "100"}


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if sessions(page)], ids=name_of)
def test_commands_print_what_is_shown(page: Path, environment: dict[str, str], tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path, dirs_exist_ok=True)
    text = page.read_text()
    if names := FILE_NAME.findall(text):
        for file, block in zip(names, FILE.findall(text), strict=True):
            (tmp_path / file).write_text(block)
    different = []
    for shown in (each for session in sessions(page) for each in session if each.command != WHOLE_AUDIT):
        done = subprocess.run(
            ["bash", "-c", shown.command], cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        if not agrees(done.stdout or done.stderr, shown.output):
            different.append(f"$ {shown.command}\n{done.stdout}{done.stderr}--- shown:\n{shown.output}")
    assert not different, "\n\n".join(different)
