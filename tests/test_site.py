"""The documentation site can be built, and no page or link is lost."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

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


@pytest.mark.slow
def test_every_page_is_there(site: Path) -> None:
    """Each page of the folder is a page of the site, and is on its front page's list."""
    front = (site / "index.html").read_text()
    for page in SOURCE.glob("**/*.md"):
        name = page.relative_to(SOURCE).with_suffix(".html")
        assert (site / name).exists()
        assert page.name == "index.md" or f'href="{name}"' in front


@pytest.mark.slow
def test_what_is_on_the_site_is_linked(site: Path) -> None:
    """Only what is no page of it is named by its file, such as a module."""
    pages = [page for page in site.glob("**/*.html") if page.name not in ("genindex.html", "search.html")]
    assert pages
    for page in pages:
        assert not re.findall(r'class="file[^>]*><span class="pre">docs/[^<]*', page.read_text()), page.name


@pytest.mark.slow
def test_every_command_has_its_help(site: Path) -> None:
    """The reference has what each command says of itself."""
    from sealcheck.cli.main import app

    text = (site / "reference" / "commands.html").read_text()
    assert text.count("Usage: ") == len(app.registered_commands)


@pytest.mark.slow
def test_every_public_name_is_documented(site: Path) -> None:
    """What `import sealcheck` offers is in the reference."""
    import sealcheck

    text = (site / "reference" / "api.html").read_text()
    for name in sealcheck.__all__:
        assert f'id="sealcheck.{name}"' in text
