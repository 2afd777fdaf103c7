"""Without solvers, Spark and the like: straight-line questions are answered; the rest says what it lacks."""

import json
import re
import subprocess
import sys
from contextlib import nullcontext
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from sealcheck.spark_sweeps.tables import write_table

NEEDED = {"lark", "typer"}
"""What the small installation has; typer brings rich."""

IMPORTED_AS = {"python_sat": "pysat", "z3_solver": "z3", "resvg_py": "resvg_py"}


def absent() -> list[str]:
    """The modules of all other packages that an installation has."""
    names = [re.split(r"[^\w-]", each)[0] for each in requires("sealcheck") or () if "extra ==" not in each]
    modules = [name.replace("-", "_") for name in names if name not in NEEDED | {"rich"}]
    assert len(modules) > 10
    return [IMPORTED_AS.get(name, name) for name in modules]


def run(*arguments: str, input: str = "") -> subprocess.CompletedProcess[str]:
    """A command, in a Python that has no other packages than are needed."""
    program = f"import sys; sys.modules |= dict.fromkeys({absent()}); "
    program += f"from sealcheck.cli.main import main; sys.exit(main({list(arguments)}))"
    return subprocess.run([sys.executable, "-c", program], input=input, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (["analyze", "mt 1->2"], 0),
        (["decide", "mt 1->2", "mt 2->1"], 0),
        (["decide", "mt 1->2", "mt 1->2"], 1),
        (["seal", "mt 1->2; mt 1->3", "--minimal"], 0),
        (["phases", "mt 1->2", "mt 1->2"], 1),
        (["phases", "mt 1->2", "mt 2->1", "mt 1->2"], 0),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)
def test_straight_line_questions_need_nothing_else(command: list[str], code: int) -> None:
    """Neither a solver, nor Spark, nor numpy; and what they print, verify checks."""
    answered = run(*command, "--json")
    assert (answered.returncode, answered.stderr) == (code, "")
    if command[0] == "phases" or (command[0] == "decide" and code == 1):
        assert json.loads(run("verify", "-", "--json", input=answered.stdout).stdout)["ok"]


def test_the_page_says_what_to_install() -> None:
    """The two packages, in the versions that we ask for."""
    page = (Path(__file__).parents[2] / "docs" / "ci.md").read_text()
    shown = {Requirement(each) for each in re.findall(r"'(\w+[<>=][^']*)'", page)}
    needed = map(Requirement, requires("sealcheck") or ())
    assert shown == {each for each in needed if each.name in NEEDED and each.marker is None}


def test_tables_are_verified(tmp_path: Path) -> None:
    """The kernel needs nothing but the standard library, and what reads tables for it little more."""
    path = tmp_path / "table.jsonl"
    write_table("sealability", "jsonl", path, [(2, 2)], nullcontext)
    assert run("verify", str(path)).returncode == 0


@pytest.mark.parametrize(
    "command",
    [["diff", "--list"], ["draw", "mt 1->2", "--out", "x.svg"], ["audit"], ["refines", "1.x := 1", "eps"]],
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)
def test_what_needs_more_says_so(command: list[str], tmp_path, monkeypatch) -> None:
    """In one sentence, with the name of a package; nothing is written."""
    monkeypatch.chdir(tmp_path)
    refused = run(*command)
    assert refused.returncode == 2
    assert re.fullmatch(
        r"sealcheck: this needs the package \w+, which is not installed: a full installation has it\n",
        refused.stderr,
    )
    assert not list(tmp_path.iterdir())
