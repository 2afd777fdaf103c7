"""coqdoc's pages of the proofs, and the links to them from the documentation."""

import doctest
import re
import sys
from pathlib import Path

import pytest
from tests.proofs.building import ROOT, make

from sealcheck.evidence.coq import named
from sealcheck.theorems.checking.record import PAGE

sys.path.insert(0, str(ROOT / "docs"))
from coq_pages import LINKING, linked, names_on, places


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    (tmp_path / "coq").mkdir()
    for page in ("theory.Bsl", "MainTheorems", "PortTheorems"):
        anchors = "".join(f'<a id="{name}" class="idref" href="#{name}">' for name in ("seal_size", "n:5"))
        (tmp_path / "coq" / f"Sealcheck.{page}.html").write_text(anchors)
    return tmp_path


def test_links_go_to_the_file_that_proves_a_theorem(pages: Path) -> None:
    assert places(pages) == {
        "Bsl.v": "coq/Sealcheck.theory.Bsl.html",
        "MainTheorems.v": "coq/Sealcheck.MainTheorems.html",
        "PortTheorems.v": "coq/Sealcheck.PortTheorems.html",
        "seal_size": "coq/Sealcheck.theory.Bsl.html#seal_size",
    }


def test_the_examples_of_its_functions_are_right() -> None:
    found = doctest.testmod(sys.modules["coq_pages"])
    assert found.failed == 0 < found.attempted


def test_examples_get_no_links(pages: Path) -> None:
    unlinked = ("\n```sh\n`seal_size`\n```\n", "\n## The verified checker\n\n`seal_size`\n\n")
    text = f"`seal_size`{'`seal_size`'.join(unlinked)}| `seal_size` |\n"
    assert linked(text, places(pages)).count("<a href=") == 3
    assert all(part in linked(text, places(pages)) for part in unlinked)
    assert linked(text, places(pages / "nothing")) == text


@pytest.mark.coq
def test_pages_have_every_theorem_on_record(built: Path) -> None:
    made = make(built, "doc")
    assert made.returncode == 0
    assert "arning" not in made.stdout + made.stderr
    found = places(built / "html")
    for theorem in named():
        assert re.fullmatch(
            rf"coq/Sealcheck\.\w+\.{theorem.module}\.html#{theorem.name}", found[theorem.name]
        )
    texts = {
        page: linked((ROOT / "docs" / f"{page}.md").read_text(), names_on(page, found)) for page in LINKING
    }
    for theorem in named():
        for page in ("proofs", "ports") if theorem.page != PAGE else ("findings",):
            assert found[theorem.name] in texts[page], theorem.name
        assert not any(f"`{theorem.name}`" in text for text in texts.values()), theorem.name
    for page in (built / "html" / "coq").glob("*.html"):
        text = page.read_text()
        assert text.count("<i>") == text.count("</i>"), page.name
