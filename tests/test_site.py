"""The documentation site is built without a warning, is complete, and fits a phone."""

import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import sealcheck
from sealcheck.cli.main import app
from sealcheck.cli.play.folder import NAME

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "docs"
PHONE = {"width": 400, "height": 850}
BEYOND = """() => {
    const edge = document.documentElement.clientWidth;
    const has = (kinds, element) => kinds.includes(getComputedStyle(element).overflowX);
    const scrolls = (it) => it && (has(["auto", "scroll"], it) || scrolls(it.parentElement));
    const isCut = (element) => element.scrollWidth > element.clientWidth && has(["hidden", "clip"], element);
    const isOutside = (element) => element.getBoundingClientRect().right > edge + 1 && !scrolls(element);
    const all = [...document.querySelectorAll("article *")].filter((element) => element.clientWidth > 1);
    const found = all.filter((element) => isCut(element) || isOutside(element));
    const isWide = document.scrollingElement.scrollWidth > edge;
    return found.map((element) => element.outerHTML.slice(0, 100)).concat(isWide ? ["the page"] : []);
}"""
"""What is cut off, or outside the window and not in a box that scrolls; and whether the page itself
scrolls."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    cache = tmp_path_factory.mktemp("doctrees")
    build = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-d", cache, SOURCE, out]
    done = subprocess.run(build, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return out


def pages(site: Path) -> list[Path]:
    return [page for page in sorted(site.glob("**/*.html")) if "page" not in page.relative_to(site).parts]


@pytest.mark.slow
def test_every_page_is_there(site: Path) -> None:
    front = (site / "index.html").read_text()
    for page in SOURCE.glob("**/*.md"):
        name = page.relative_to(SOURCE).with_suffix(".html")
        assert (site / name).exists()
        assert page.name == "index.md" or f'href="{name}"' in front


@pytest.mark.slow
def test_what_is_on_the_site_is_linked(site: Path) -> None:
    found = [page for page in pages(site) if page.name not in ("genindex.html", "search.html")]
    assert found
    for page in found:
        assert not re.findall(r'class="file[^>]*><span class="pre">docs/[^<]*', page.read_text()), page.name


@pytest.mark.slow
def test_commands_and_public_names_are_documented(site: Path) -> None:
    text = (site / "reference" / "commands.html").read_text()
    assert text.count("Usage: ") == len(app.registered_commands)
    text = (site / "reference" / "api.html").read_text()
    assert all(f'id="sealcheck.{name}"' in text for name in sealcheck.__all__)


@pytest.mark.slow
def test_the_page_that_answers_is_there_if_it_was_built(site: Path) -> None:
    is_built = (files("sealcheck.cli.play") / NAME).is_file()
    assert (site / "page" / "index.html").is_file() == is_built
    for name in ("index.html", "play.html"):
        assert ('href="page/index.html"' in (site / name).read_text()) == is_built


@pytest.mark.browser
def test_no_page_scrolls_sideways_on_a_phone(site: Path, browser: Any) -> None:
    window = browser.new_page(viewport=PHONE)
    beyond = {}
    for page in pages(site):
        window.goto(page.as_uri())
        beyond[str(page.relative_to(site))] = window.evaluate(BEYOND)
    window.close()
    assert len(beyond) > 30
    assert not {name: found for name, found in beyond.items() if found}


@pytest.mark.browser
def test_the_answers_for_transports_fit_a_phone(site: Path, browser: Any) -> None:
    window = browser.new_page(viewport=PHONE)
    for page, selector in (("transports", ".table-wrapper"), ("ports", "pre:has-text('--transports')")):
        window.goto((site / f"{page}.html").as_uri())
        (box,) = window.locator(selector).all()
        assert box.evaluate("box => box.scrollWidth <= box.clientWidth"), page
    window.close()


@pytest.mark.browser
def test_what_goes_on_has_a_shadow(site: Path, browser: Any) -> None:
    window = browser.new_page(viewport=PHONE)
    for page, selector in (("findings", ".table-wrapper"), ("start/exchange", "pre")):
        window.goto((site / f"{page}.html").as_uri())
        attached = window.locator(selector).evaluate_all(
            "all => all.filter((box) => box.scrollWidth > box.clientWidth)"
            ".map((box) => getComputedStyle(box).backgroundAttachment)"
        )
        assert set(attached) == {"local, local, scroll, scroll"}
    window.close()
