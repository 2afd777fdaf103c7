"""The page as one file has the contents of the folder, and no outside links."""

import base64
import hashlib
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.page.reading import Node, tree
from tests.cli.play.made_up import made_up

from sealcheck.cli.play.folder import NAME, PAGE, packed, page_files, single


def more() -> dict[str, bytes]:
    return made_up() | {
        "licences/NOTICE.txt": b"This page consists of:\n<script>\n",
        "licences/MIT.txt": b"MIT",
        "pyodide/pyodide.asm.wasm": bytes(range(256)) * 9,
        "later.json": b"{}",
    }


@pytest.fixture(scope="module")
def page() -> Node:
    return tree(single(more()).decode())


def parcels(page: Node) -> dict[str, bytes]:
    found = [node for node in page.all("script") if "data-file" in node.attributes]
    return {
        node.attributes["data-file"] or "": zlib.decompress(base64.b64decode(node.raw), -15) for node in found
    }


def test_it_has_every_file_of_the_folder(page: Node) -> None:
    files = page_files(more())
    del files[PAGE]
    shown = [node.raw.strip().encode() for tag in ("script", "style", "pre") for node in page.all(tag)]
    inside = parcels(page)
    assert {"worker.js", "later.json", "pyodide/pyodide.asm.wasm"} <= set(inside)
    for name, content in files.items():
        assert inside.get(name) == content or content.strip() in shown, name


def test_it_names_nothing_outside(page: Node) -> None:
    for node in page.walk():
        assert not {"src", "srcset", "action"} & set(node.attributes)
        assert (node.attributes.get("href") or "#").startswith(("#", "data:"))
    policy = page.the("meta", **{"http-equiv": "Content-Security-Policy"}).attributes["content"] or ""
    assert policy.startswith("default-src 'none'; ")
    assert not re.search(r"'self'|https?:|\*|script-src[^;]*'unsafe-(inline|eval)'", policy)


def test_the_policy_allows_the_scripts_and_no_other(page: Node) -> None:
    policy = page.the("meta", **{"http-equiv": "Content-Security-Policy"}).attributes["content"] or ""
    scripts = [node.raw for node in page.all("script") if "type" not in node.attributes]
    digests = [base64.b64encode(hashlib.sha256(each.encode()).digest()).decode() for each in scripts]
    assert len(scripts) >= 2
    assert re.findall(r"'sha256-([^']*)'", policy) == digests
    others = [node.attributes for node in page.all("script") if "type" in node.attributes]
    assert {each["type"] for each in others} == {"text/plain"}
    types = {each["data-file"]: each["data-type"] for each in others}
    assert types["pyodide/pyodide.asm.wasm"] == "application/wasm"
    assert types["pyodide/pyodide.mjs"] == types["worker.js"] == "text/javascript"
    assert types["packages.zip"] == "application/octet-stream"


@pytest.mark.parametrize("name", ["page.html", "PAGE.HTML"])
def test_the_command_writes_one_file(name: str, place: Path, ask: Callable[..., Any], tmp_path: Path) -> None:
    (place / NAME).write_bytes(packed(more()))
    target = tmp_path / name
    said = ask("play", str(target))
    assert (said.code, said.err) == (0, "")
    assert said.out == f"wrote {target}; to see it, open it in a browser\n"
    assert target.read_bytes() == single(more())
    target.write_text("older")
    assert ask("play", str(target), "--json").document == {"files": [str(target)]}
    assert target.read_bytes() == single(more())


def test_one_sentence_and_nothing_written(place: Path, ask: Callable[..., Any], tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    said = ask("play", str(target))
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert said.err.startswith(f"sealcheck: this installation has no {NAME}")
    assert not target.exists()
    target.mkdir()
    said = ask("play", str(target))
    assert (said.code, said.err) == (2, f"sealcheck: cannot write {target}: it is a folder\n")
