"""What pages show of the command line is what it prints.

A block of a page is a session of a shell.  In what is shown, `...` on a line by itself stands for any
lines, and a number in front of a unit of time, or of speed, for any number.
"""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [
    page
    for page in (ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md")), *sorted(ROOT.glob("examples/*.md")))
    if page.name not in ("benchmarks.md", "cluster.md")  # other machines, and other speeds
]
BLOCK = re.compile(r"^```(?:text|json|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DIAGRAM = re.compile(r"^```mermaid\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DIAGRAM_FILE = re.compile(r"\(`(\w+\.mmd)`\)")
MODULE = re.compile(r"^```python\n(# (\w+\.py): .*?)^```$", re.MULTILINE | re.DOTALL)
"""A module of the page, which its first line names."""
WHOLE_AUDIT = "sealcheck audit"
"""What this prints, the tests of the manifest look at."""


@dataclass(frozen=True)
class Shown:
    """A command of a page, and the output that is shown."""

    page: Path
    command: str
    output: str


def sessions(page: Path) -> list[list[Shown]]:
    """Of each block of a page, its commands."""
    found = []
    for block in BLOCK.findall(page.read_text()):
        parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
        if parts:
            found.append([Shown(page, *(part.split("\n", 1))) for part in parts])
    return found


def agrees(printed: str, shown: str) -> bool:
    """Whether this is what the page shows, but for what the page leaves out."""
    pattern = "\n".join(re.escape(line.rstrip()) for line in shown.strip("\n").split("\n"))
    pattern = re.sub(r"(^|\n)\\\.\\\.\\\.(?=\n|$)", r"\1(?:.*\n)*?.*", pattern)
    pattern = re.sub(r"[\d.,\\]+(\\ (?:s|ms|seconds|programs/s)\b)", r"[\\d.,]+\1", pattern)
    return re.fullmatch(pattern, "\n".join(map(str.rstrip, printed.strip("\n").split("\n")))) is not None


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Our commands first, in a terminal of a hundred columns, with a cache of their own."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    cache = str(tmp_path_factory.mktemp("cache"))
    return os.environ | {"PATH": path, "XDG_CACHE_HOME": cache, "COLUMNS": "100"}


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if sessions(page)], ids=lambda page: page.name)
def test_commands_print_what_is_shown(page: Path, environment: dict[str, str], tmp_path: Path) -> None:
    """Every command of the page, in a folder with the examples, and the page's diagrams and modules."""
    shutil.copytree(ROOT / "examples", tmp_path, dirs_exist_ok=True)
    text = page.read_text()
    for name, diagram in zip(DIAGRAM_FILE.findall(text), DIAGRAM.findall(text), strict=True):
        (tmp_path / name).write_text(diagram)
    for module, name in MODULE.findall(text):
        (tmp_path / name).write_text(module)
    different = []
    for shown in (each for session in sessions(page) for each in session if each.command != WHOLE_AUDIT):
        done = subprocess.run(
            ["bash", "-c", shown.command], cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        if not agrees(done.stdout or done.stderr, shown.output):
            different.append(f"$ {shown.command}\n{done.stdout}{done.stderr}--- shown:\n{shown.output}")
    assert not different, "\n\n".join(different)
