"""The documentation site: `sphinx-build -W docs build/site`.

If this checkout or source distribution has the parts of the page that answers, the site has the page, too.
"""

import os
import re
import shutil
import sys
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx
from sphinx.highlighting import lexers
from typer.main import get_command

import sealcheck
from sealcheck.cli.main import app, main
from sealcheck.cli.play.folder import members, write_folder
from sealcheck.errors import InputError

sys.path.insert(0, str(Path(__file__).parent))
from coq_pages import BUILT, LINKING, linked, names_on, places

project = "sealcheck"
copyright = "the authors of sealcheck"
release = sealcheck.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "furo"
html_title = "sealcheck"
html_show_sourcelink = False
html_static_path = ["static"]
html_css_files = ["site.css"]
myst_heading_anchors = 4
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
lexers["mermaid"] = TextLexer()

# The help texts have this width on every machine.
os.environ |= {"COLUMNS": "100", "NO_COLOR": "1"}

html_extra_path = [str(BUILT)] if BUILT.exists() else []

ROOT = Path(__file__).parent.parent
OUT_OF_DOCS = re.compile(r"\[([^\]]*)\]\((\.\./[^)#]+)\)")
HELP = "% every command's help\n"
PAGE = "page"
"""The folder of the page that answers."""
OPEN = "<!-- the page that answers -->\n"
LINK = f'<p><a href="{PAGE}/index.html"><strong>Ask in the browser</strong></a>: nothing to install.</p>\n'


def _help(*command: str) -> str:
    """The help of a command."""
    with redirect_stdout(StringIO()) as said:
        main([*command, "--help"])
    return said.getvalue()


def _every_help() -> str:
    names = vars(get_command(app))["commands"]
    return "\n".join(f"## {name}\n\n```text\n{_help(name)}```\n" for name in names)


def _read(site: Sphinx, page: str, text: list[str]) -> None:
    """Insert the help texts; turn links to files outside the site into names, those to proofs into links.

    Raises FileNotFoundError if such a file does not exist.
    """
    folder = (Path(site.srcdir) / page).parent

    def named(match: re.Match[str]) -> str:
        there = (folder / match[2]).resolve()
        if not there.exists():
            raise FileNotFoundError(f"{page}.md links to {match[2]}, which is not there")
        if there.is_relative_to(site.srcdir):
            return match[0]
        return f"{match[1]} ({{file}}`{there.relative_to(ROOT)}`)"

    if page in LINKING:
        text[0] = linked(text[0], names_on(page, places(BUILT)))
    text[0] = OUT_OF_DOCS.sub(named, text[0]).replace(HELP, _every_help())
    text[0] = text[0].replace(OPEN, LINK if _has_page() else "")


@cache
def _has_page() -> bool:
    try:
        members()
    except InputError:
        return False
    return True


def _write_page(site: Sphinx, error: Exception | None) -> None:
    """Write the page that answers, in place of an older one."""
    folder = Path(site.outdir) / PAGE
    if error is None and site.builder.format == "html" and _has_page():
        shutil.rmtree(folder, ignore_errors=True)
        write_folder(folder)


def setup(site: Sphinx) -> None:
    """Called by Sphinx."""
    site.connect("source-read", _read)
    site.connect("build-finished", _write_page)
