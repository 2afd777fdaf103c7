"""What people read is spelled right, as far as a list of common misspellings tells."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
READ = ("README.md", "CHANGELOG.md", "docs", "examples", "src")


def misspelled(*where: str | Path) -> list[str]:
    """Each fault with its place; pyproject.toml says what is left out."""
    command = [sys.executable, "-m", "codespell_lib", *map(str, where)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode in (0, 65), done.stderr
    return done.stdout.splitlines()


def test_what_people_read() -> None:
    """Pages, docstrings, messages, templates and examples."""
    assert not misspelled(*READ)


@pytest.mark.parametrize("name", ["page.md", "module.py", "card.html.jinja", "page.js"])
def test_a_fault_is_seen(name: str, tmp_path: Path) -> None:
    """In every kind of file."""
    (tmp_path / name).write_text("# The message that it recieves\n")
    (found,) = misspelled(tmp_path)
    assert found.endswith("recieves ==> receives")
