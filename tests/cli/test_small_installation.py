"""Without solvers and Spark: straight-line questions are answered, others say what is missing."""

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from importlib.metadata import requires
from pathlib import Path
from typing import NamedTuple

import pytest
from packaging.requirements import Requirement

from sealcheck.spark_sweeps.tables import write_table

NEEDED = {"lark", "typer"}
"""The packages of the small installation; typer requires rich."""

IMPORTED_AS = {"python_sat": "pysat", "z3_solver": "z3", "resvg_py": "resvg_py"}


def absent() -> list[str]:
    names = [re.split(r"[^\w-]", each)[0] for each in requires("sealcheck") or () if "extra ==" not in each]
    modules = [name.replace("-", "_") for name in names if name not in NEEDED | {"rich"}]
    assert len(modules) > 10
    return [IMPORTED_AS.get(name, name) for name in modules]


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str


def run(*commands: Sequence[str]) -> list[Ended]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input=json.dumps([absent(), commands]),
        capture_output=True,
        text=True,
        check=True,
    )
    return [Ended(*each) for each in json.loads(done.stdout)]


PROGRAM = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
absent, commands = json.load(sys.stdin)
sys.modules |= dict.fromkeys(absent)
from sealcheck.cli.main import main
ended = []
for words in commands:
    sys.stdin = io.TextIOWrapper(io.BytesIO(ended[-1][1].encode() if ended else b""))
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        code = main(words)
    ended.append((code, out.getvalue(), err.getvalue()))
print(json.dumps(ended))
"""
"""Runs commands; each gets the output of the previous command as its standard input."""


def test_straight_line_questions_need_nothing_else() -> None:
    verify = ["verify", "-", "--json"]
    asked: list[tuple[list[str], int]] = [
        (["analyze", "mt 1->2", "--json"], 0),
        (["decide", "mt 1->2", "mt 2->1", "--json"], 0),
        (["decide", "mt 1->2", "mt 1->2", "--json"], 1),
        (verify, 0),
        (["seal", "mt 1->2; mt 1->3", "--minimal", "--json"], 0),
        (["phases", "mt 1->2", "mt 1->2", "--json"], 1),
        (verify, 0),
        (["phases", "mt 1->2", "mt 2->1", "mt 1->2", "--json"], 0),
        (verify, 0),
    ]
    ended = run(*(words for words, _ in asked))
    assert [(each.code, each.err) for each in ended] == [(code, "") for _, code in asked]
    assert all(
        json.loads(each.out)["ok"] for (words, _), each in zip(asked, ended, strict=True) if words == verify
    )


def test_the_page_says_what_to_install() -> None:
    page = (Path(__file__).parents[2] / "docs" / "ci.md").read_text()
    shown = {Requirement(each) for each in re.findall(r"'(\w+[<>=][^']*)'", page)}
    needed = map(Requirement, requires("sealcheck") or ())
    assert shown == {each for each in needed if each.name in NEEDED and each.marker is None}


def test_tables_are_verified(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    write_table("sealability", "jsonl", path, [(2, 2)], nullcontext)
    (verified,) = run(["verify", str(path)])
    assert verified.code == 0


def test_the_page_needs_nothing_else(tmp_path: Path) -> None:
    (written,) = run(["play", str(tmp_path / "page")])
    assert written.code == 0 or "this installation has no play.zip" in written.err


def test_what_needs_more_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    sentence = r"sealcheck: this needs the package \w+, which is not installed: a full installation has it\n"
    for refused in run(
        ["diff", "--list"],
        ["draw", "mt 1->2", "--out", "x.svg"],
        ["audit"],
        ["refines", "1.x := 1", "eps"],
    ):
        assert refused.code == 2
        assert re.fullmatch(sentence, refused.err)
    assert not list(tmp_path.iterdir())
