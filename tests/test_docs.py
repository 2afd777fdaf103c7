"""What pages show of Python, Python says; and links lead somewhere."""

import doctest
import re
from pathlib import Path

import pytest

from sealcheck.theorems.checking.statement import Verdict

ROOT = Path(__file__).parents[1]
WRITTEN = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md")), *sorted(ROOT.glob("examples/*.md"))]
PAGES = [page for page in WRITTEN if ">>> " in page.read_text()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_of_python(page: Path) -> None:
    """Every example of a session has the output that is shown."""
    found = doctest.testfile(str(page), module_relative=False)
    assert found.attempted
    assert not found.failed


LINK = re.compile(r"\]\(([^)\s]+)\)")


@pytest.mark.parametrize(
    "page", [*WRITTEN, ROOT / "CHANGELOG.md"], ids=lambda page: str(page.relative_to(ROOT))
)
def test_links(page: Path) -> None:
    """Files are there, as the repository shows them; other sites are asked safely.

    Whether these answer is not tested: tests need no network.  Anchors are checked where the site is built.
    """
    for link in LINK.findall(page.read_text()):
        if "://" in link:
            assert link.startswith("https://")
        else:
            path = link.partition("#")[0]
            assert not path or (page.parent / path).exists(), link


def test_the_glossary_has_every_verdict() -> None:
    """And a page that shows the ledger explains each, too."""
    glossary, door = (ROOT / "docs" / name for name in ("glossary.md", "start/paper.md"))
    for verdict in Verdict:
        assert f"**{verdict.value}**" in glossary.read_text()
        assert f"\n| {verdict.value} | " in door.read_text()
