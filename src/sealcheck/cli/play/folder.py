"""The folder of the page: static files, which any web server serves."""

import json
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from io import BytesIO
from pathlib import Path
from string import Template
from typing import Any
from zipfile import ZipFile

from sealcheck import __version__
from sealcheck.cli.play.archive import COMPILED, CONTENTS, EXAMPLES, LEVELS, compiled_name, members, packed
from sealcheck.cli.play.examples import TWICE
from sealcheck.drawing.player import SCRIPT, STYLE, frame
from sealcheck.errors import InputError
from sealcheck.programs.ports import TRANSPORTS
from sealcheck.support.files import make_folder, write_file

PAGE = "index.html"
OWN = "sealcheck.zip"
"""Our modules, which the page runs."""
ROOMS = (
    "algorithms",
    "cli",
    "drawing",
    "explorers",
    "kernel",
    "language",
    "operations",
    "programs",
    "support",
)
LEFT_OUT = ("as_printed", "packed", "page")
"""Folders in these rooms that an answer does not need."""
WRITTEN = {
    "sealcheck.cli.play": ("play.css", "sketch.js", "find.js", "play.js", "worker.js"),
    "sealcheck.cli.page": ("page.css",),
    "sealcheck.drawing": (STYLE, SCRIPT),
}
"""Our styles and scripts, by package; page.css is also the report's, and the last two are the players'."""


def require_empty(folder: Path) -> None:
    """Raise InputError if there is something in the folder, or it is not a folder."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is not a folder")
    if folder.is_dir() and any(folder.iterdir()):
        raise InputError(f"{folder} is not empty: name a folder that is, or a new one")


def write_folder(target: Path) -> list[str]:
    """Write the page, and return the names of its files.

    Raises InputError, before anything is written, if the folder is not empty, or the archive is missing.
    """
    require_empty(target)
    found = page_files(members())
    for folder in sorted({(target / name).parent for name in found}):
        make_folder(folder)
    for name in sorted(found, key=lambda name: (name == PAGE, name)):  # the page itself is the last
        write_file(target / name, found[name])
    return sorted(found)


def page_files(archive: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files of the page, by name, from the members of the archive."""
    kept_back = (COMPILED, CONTENTS, EXAMPLES, LEVELS)
    found = {name: content for name, content in archive.items() if name not in kept_back}
    for package, names in WRITTEN.items():
        found |= {name: (files(package) / name).read_bytes() for name in names}
    found[OWN] = packed(dict(_own(archive)) | {f"sealcheck/cli/play/{LEVELS}": archive[LEVELS]})
    text = Template((files("sealcheck.cli.play") / PAGE).read_text(encoding="utf-8"))
    fields = {
        "version": __version__,
        "first": escape(TWICE),
        "player": frame(),
        "transports": "\n".join(_transports()),
        "examples": "\n".join(_examples(json.loads(archive[EXAMPLES]))),
    }
    found[PAGE] = text.substitute(fields | json.loads(archive[CONTENTS])).encode()
    return found


def _own(archive: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """Our modules and grammars.  A module that has changed since the archive was built is its source."""
    with ZipFile(BytesIO(archive.get(COMPILED, packed({})))) as compiled:
        known = {*compiled.namelist()}
        for name, content in own_files(files("sealcheck")):
            if (found := compiled_name(content)) in known:
                yield f"{name}c", compiled.read(found)
            else:
                yield name, content


def own_files(package: Traversable) -> Iterator[tuple[str, bytes]]:
    """Our modules and grammars that answers need, with their paths."""
    for each in package.iterdir():
        if each.name in ROOMS:
            yield from _modules(each, f"sealcheck/{each.name}")
        elif each.name.endswith(".py"):
            yield f"sealcheck/{each.name}", each.read_bytes()


def _modules(folder: Traversable, name: str) -> Iterator[tuple[str, bytes]]:
    for each in folder.iterdir():
        if each.is_dir():
            if each.name not in LEFT_OUT:
                yield from _modules(each, f"{name}/{each.name}")
        elif each.name.endswith((".py", ".lark")):
            yield f"{name}/{each.name}", each.read_bytes()


def fragment(request: Mapping[str, Any]) -> str:
    """The end of the page's address that holds a question.

    >>> fragment({"text": "mt 1->2"})
    '#q=q1YqSa0oUbJSyi1RMNS1M1KqBQA'
    """
    content = deflated(json.dumps(request, separators=(",", ":"), ensure_ascii=False).encode())
    return "#q=" + urlsafe_b64encode(content).decode().rstrip("=")


def deflated(content: bytes) -> bytes:
    """The content as browsers inflate it: without a header."""
    packing = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packing.compress(content) + packing.flush()


def _transports() -> Iterator[str]:
    for name, guarantee in TRANSPORTS.items():
        yield f'<option value="{escape(name)}">{escape(name)} ({escape(str(guarantee))})</option>'


def _examples(groups: list[dict[str, Any]]) -> Iterator[str]:
    for group in groups:
        yield f"<h3>{escape(group['title'])}</h3>"
        yield "<ul>"
        for each in group["examples"]:
            link = f'<a href="{fragment(each["request"])}">{escape(each["name"])}</a>'
            yield f"<li>{link}<span>{escape(each['about'])}</span></li>"
        yield "</ul>"
