"""The documentation site can be built, and no page or link is lost."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import sealcheck
from sealcheck.cli.main import app

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "docs"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built without a warning."""
    out = tmp_path_factory.mktemp("site")
    cache = tmp_path_factory.mktemp("doctrees")
    build = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-d", cache, SOURCE, out]
    done = subprocess.run(build, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return out


pytestmark = pytest.mark.slow


def test_every_page_is_there(site: Path) -> None:
    """Each page of the folder is a page of the site, and is on its front page's list."""
    front = (site / "index.html").read_text()
    for page in SOURCE.glob("**/*.md"):
        name = page.relative_to(SOURCE).with_suffix(".html")
        assert (site / name).exists()
        assert page.name == "index.md" or f'href="{name}"' in front


def test_what_is_on_the_site_is_linked(site: Path) -> None:
    """Only what is no page of it is named by its file, such as a module."""
    pages = [page for page in site.glob("**/*.html") if page.name not in ("genindex.html", "search.html")]
    assert pages
    for page in pages:
        assert not re.findall(r'class="file[^>]*><span class="pre">docs/[^<]*', page.read_text()), page.name


def test_commands_and_public_names_are_documented(site: Path) -> None:
    """The reference has the help of each command, and all that `import sealcheck` offers."""
    text = (site / "reference" / "commands.html").read_text()
    assert text.count("Usage: ") == len(app.registered_commands)
    text = (site / "reference" / "api.html").read_text()
    assert all(f'id="sealcheck.{name}"' in text for name in sealcheck.__all__)
