"""The folder of the page is written as a whole, or not at all."""

import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from tests.cli.play.made_up import ROOT, made_up

from sealcheck.cli.play.examples import examples
from sealcheck.cli.play.folder import (
    CHECKER,
    COMPILED,
    CONTENTS,
    EXAMPLES,
    LEVELS,
    NAME,
    OWN,
    PACKAGES,
    compiled_name,
    fragment,
    own_files,
    packed,
    page_files,
)


def test_the_folder_is_written(place: Path, ask: Callable[..., Any], tmp_path: Path) -> None:
    (place / NAME).write_bytes(packed(made_up()))
    target = tmp_path / "deep" / "page"
    said = ask("play", str(target))
    assert (said.code, said.err) == (0, "")
    assert said.out == (
        f"wrote {target / 'index.html'}; to see it: python3 -m http.server --directory {target}\n"
    )
    page = (target / "index.html").read_text()
    assert "Pyodide 1.2.3, lark 4, drawsvg 5" in page
    assert "$" not in page
    scripts = ("player.js", "sketch.js", "find.js", "play.js", "worker.js")
    for name in ("page.css", "play.css", "player.css", *scripts, CHECKER, PACKAGES, OWN):
        assert (target / name).is_file()
        assert name in page + (target / "worker.js").read_text() + (target / "play.js").read_text()
    assert not any((target / name).exists() for name in (EXAMPLES, LEVELS))
    assert page.count('<a href="#q=') == sum(len(group["examples"]) for group in examples(ROOT))


def test_files_are_listed_as_json(place: Path, ask: Callable[..., Any], tmp_path: Path) -> None:
    (place / NAME).write_bytes(packed(made_up()))
    listed = ask("play", str(tmp_path / "page"), "--json").document["files"]
    assert sorted(listed) == sorted(str(path) for path in (tmp_path / "page").rglob("*") if path.is_file())


def test_our_modules_are_enough(tmp_path: Path) -> None:
    for name in ("lark", "drawsvg"):
        (tmp_path / name).symlink_to(str(files(name)))
    with zipfile.ZipFile(BytesIO(page_files(made_up())[OWN])) as own:
        own.extractall(tmp_path)
    requests = [
        {"text": "mt 1->2\n\nmt 1->2"},
        {"text": "snd a->b:x; rcv b<-*:x", "repeat": True, "open": True, "channels": "udp"},
        {"text": "sequenceDiagram\na->>b: x\n"},
        {"kind": "seals", "p": "mt 1->2", "q": "mt 2->1"},
        {"kind": "draw", "p": "mt 1->2", "q": "mt 1->2"},
        {"text": (ROOT / "examples" / "traces" / "both.jsonl").read_text()},
        {"text": (ROOT / "examples" / "spans" / "order.json").read_text()},
    ]
    program = (
        f"import json, sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from sealcheck.cli.play.answer import answer, find, written\n"
        f"requests = [json.dumps(each) for each in {requests!r}]\n"
        "print(json.dumps([json.loads(answer(each)) for each in requests]))\n"
        "assert all(written(requests[0], 0, 0, suffix) for suffix in ('.svg', '.tex', '.mmd', '.txt'))\n"
        "assert json.loads(find(json.dumps({'n': 2})))['count'] == 5\n"
    )
    ran = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
    verdicts = [[part["verdict"][:3] for part in found["parts"]] for found in json.loads(ran.stdout)]
    assert verdicts == [["no:"], ["no:"], ["yes"], ["yes", "yes"], ["no:", "yes", "2 p"], ["no:"], ["yes"]]


def test_modules_come_compiled_if_they_are_those_of_the_archive() -> None:
    sources = dict(own_files(files("sealcheck")))
    name, changed = "sealcheck/errors.py", "sealcheck/words.py"
    compiled = {compiled_name(sources[name]): b"code", compiled_name(sources[changed] + b"#"): b"other"}
    with zipfile.ZipFile(BytesIO(page_files(made_up() | {COMPILED: packed(compiled)})[OWN])) as own:
        found = {each: own.read(each) for each in own.namelist()}
    del sources[name]
    assert found == sources | {f"{name}c": b"code", f"sealcheck/cli/play/{LEVELS}": made_up()[LEVELS]}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, f"this installation has no {NAME}, which has the parts of the page: "),
        (b"PK", f"{NAME} of this installation is damaged: "),
        (packed({CONTENTS: b"{}"}), f"{NAME} of this installation has no {CHECKER}: "),
    ],
)
def test_without_a_whole_archive_nothing_is_written(
    content: bytes | None, sentence: str, place: Path, ask: Callable[..., Any], tmp_path: Path
) -> None:
    if content is not None:
        (place / NAME).write_bytes(content)
    said = ask("play", str(tmp_path / "page"))
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"sealcheck: {sentence}`make -C proofs page && python -m")
    assert said.err.count("\n") == 1
    assert not (tmp_path / "page").exists()


def test_a_folder_that_is_not_empty_stays_as_it_is(
    place: Path, ask: Callable[..., Any], tmp_path: Path
) -> None:
    (place / NAME).write_bytes(packed(made_up()))
    target = tmp_path / "page"
    target.mkdir()
    (target / "mine.txt").write_text("mine")
    said = ask("play", str(target))
    assert said.code == 2
    assert said.err == f"sealcheck: {target} is not empty: name a folder that is, or a new one\n"
    assert [path.name for path in target.iterdir()] == ["mine.txt"]
    said = ask("play", str(target / "mine.txt"))
    assert (said.code, said.err) == (2, f"sealcheck: {target / 'mine.txt'} is not a folder\n")
    assert ask("play", "").err == "sealcheck: DIR is empty: name a folder\n"


def test_an_empty_folder_is_filled(place: Path, ask: Callable[..., Any], tmp_path: Path) -> None:
    (place / NAME).write_bytes(packed(made_up()))
    (tmp_path / "page").mkdir()
    assert ask("play", str(tmp_path / "page")).code == 0
    assert (tmp_path / "page" / "index.html").is_file()


def test_an_address_holds_any_text() -> None:
    found = fragment({"text": "mt müller->server\n" * 100})
    assert found.removeprefix("#q=").replace("-", "").replace("_", "").isalnum()
    assert len(found) < 100
