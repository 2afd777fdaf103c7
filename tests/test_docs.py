"""What pages show of Python, Python says."""

import doctest
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WRITTEN = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md")), *sorted(ROOT.glob("examples/*.md"))]
PAGES = [page for page in WRITTEN if ">>> " in page.read_text()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_of_python(page: Path) -> None:
    """Every example of a session has the output that is shown."""
    found = doctest.testfile(str(page), module_relative=False)
    assert found.attempted
    assert not found.failed
