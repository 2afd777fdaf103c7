"""The documentation site: `sphinx-build -W docs build/site`."""

import os
import re
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx
from sphinx.highlighting import lexers
from typer.main import get_command

import sealcheck
from sealcheck.cli.main import app, main

sys.path.insert(0, str(Path(__file__).parent))
from coq_pages import BUILT, LINKING, linked, places

project = "sealcheck"
copyright = "the authors of sealcheck"
release = sealcheck.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "furo"
html_title = "sealcheck"
html_show_sourcelink = False
html_theme_options = {"light_css_variables": {"code-font-size": "74%"}}  # a hundred columns fit
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
        text[0] = linked(text[0], places(BUILT))
    text[0] = OUT_OF_DOCS.sub(named, text[0]).replace(HELP, _every_help())


def setup(site: Sphinx) -> None:
    """Called by Sphinx."""
    site.connect("source-read", _read)
