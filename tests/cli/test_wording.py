"""Singular and plural of counts; narrow terminals."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios

import pytest

from sealcheck.cli.audit import _print_aligned
from sealcheck.cli.page.page import as_markdown
from sealcheck.evidence.rows import evidence, summary
from sealcheck.theorems.checking.statement import Verdict
from sealcheck.theorems.checking.verdicts import Finding
from sealcheck.theorems.registry import STATEMENTS
from sealcheck.words import singular

SINGULARS = {
    "examples": "example",
    "exchanges with data": "exchange with data",
    "pairs": "pair",
    "pairs of a P and the loop": "pair of a P and the loop",
    "pairs of programs": "pair of programs",
    "program": "program",
    "programs": "program",
    "programs B": "program B",
    "programs M;snd 1->2": "program M;snd 1->2",
    "programs of these forms": "program of these forms",
    "programs other than repetitions, in which each receive directly follows its send": (
        "program other than repetitions, in which each receive directly follows its send"
    ),
    "programs, balanced or not": "program, balanced or not",
    "sequences of two or three layers": "sequence of two or three layers",
    "small programs": "small program",
    "transmissions with data": "transmission with data",
    "triples of layers, of which one at most is eps": "triple of layers, of which one at most is eps",
    "triples of programs": "triple of programs",
    "unbalanced programs": "unbalanced program",
    "values of n": "value of n",
}


def test_every_noun_has_its_singular():
    nouns = {about.domain.noun for about in STATEMENTS.values() if about.domain is not None}
    assert {noun: singular(noun) for noun in nouns} == {noun: SINGULARS[noun] for noun in nouns}


def found(name, instances, of=0):
    about = STATEMENTS[name]
    return Finding(
        statement=about,
        claim=about.claims[of],
        n=1,
        messages=1,
        verdict=Verdict.REFUTED,
        bounded=Verdict.REFUTED,
        instances=instances,
        vacuous=0,
        counterexample=None,
        queries=1,
        level_solvers=("z3",),
        counts=None,
        unknown=0,
        oracles=(),
        abstained={},
        ablations=(),
    )


@pytest.mark.parametrize(
    ("name", "instances", "said"),
    [
        ("worst-case-seal", 1, "1 value of n, 1 query"),
        ("worst-case-seal", 2, "2 values of n, 1 query"),
        ("decide-sealing", 1, "1 pair, 1 query"),
        ("decide-sealing", 0, "0 pairs, 1 query"),
        ("sealability", 1, "1 program, 1 query"),
    ],
)
def test_evidence(name, instances, said):
    assert evidence(found(name, instances)) == said


def test_misprints_are_counted_apart():
    every = [found("sealability", 1), found("deadlock-free", 1, of=0), found("deadlock-free", 1, of=2)]
    said = (
        "Of 2 claims as printed, 2 are refuted: 1 because of misprints in pseudocode, 1 because of the"
        " paper's text, which has several readings in places."
    )
    assert summary(every) == said
    assert said in as_markdown(every, "sealcheck report docs")


def test_each_limit_is_said_once():
    names = (
        "tcc-basic",
        "tcc-closed",
        "barrier-is-tcc",
        "sealability-undecidable",
        "sealability",
        "seal-size",
    )
    text = as_markdown([found(name, 1) for name in names], "sealcheck report docs")
    shared = "- **tcc-basic**, **tcc-closed**, **barrier-is-tcc**:\n  - atoms are snd, rcv and mt"
    assert shared in text
    said = text.partition("## Limits")[2]
    for about in map(STATEMENTS.__getitem__, names):
        beyond = [f"not boundable: {about.not_boundable}"] if about.not_boundable else []
        assert [said.count(limit) for limit in (*about.limits, *beyond)] == [1] * len(
            (*about.limits, *beyond)
        )


def test_report_says_all_of_its_command(ask, tmp_path, monkeypatch):
    asked = []

    def run(names, bounds, *, master, limits):
        asked.append((bounds, master))
        return [found("sealability", 1)]

    monkeypatch.setattr("sealcheck.spark_sweeps.audit.decided", run)
    monkeypatch.setattr("sealcheck.cli.play.folder.is_there", lambda: False)
    folder = tmp_path / "it's here"
    options = ("--n", "1", "--messages", "0", "--master", "local[1]")
    reply = ask("report", str(folder), *options, "--json")
    assert reply.code == 0
    names = ["report.html", "findings.md", "ledger.tex", "references.bib"]
    assert reply.document == {"files": [str(folder / name) for name in names]}
    assert all((folder / name).stat().st_size for name in names)
    assert asked == [([(1, 0)], "local[1]")]
    text = (folder / "findings.md").read_text()
    quoted = str(folder).replace("'", "'\"'\"'")
    command = f"sealcheck report '{quoted}' --n 1 --messages 0 --master 'local[1]'"
    assert f"**This file is written by `{command}`**" in text
    assert "up to n = 1 and 1 message.\n" in text
    assert "Of 1 claim as printed, 1 is refuted: 0 because of misprints in pseudocode, 1 because" in text


def on_terminal(columns, *arguments, environment=()):
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    inherited = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    command = subprocess.Popen(
        [sys.executable, "-m", "sealcheck", *arguments],
        stdout=follower,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=inherited | {"TERM": "xterm"} | dict(environment),
    )
    os.close(follower)
    parts = []
    while True:
        try:
            part = os.read(leader, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        parts.append(part)
    os.close(leader)
    _, said = command.communicate()
    assert (command.returncode, said) == (0, b"")
    return re.sub(r"\x1b\[[\d;]*m", "", b"".join(parts).decode()).replace("\r\n", "\n")


PLAN = ("sweep", "--n", "3", "--messages", "7", "--plan")


@pytest.fixture(scope="module")
def whole_plan():
    return subprocess.check_output([sys.executable, "-m", "sealcheck", *PLAN], text=True)


@pytest.mark.parametrize(
    ("columns", "environment"), [(200, ()), (80, ()), (40, ()), (200, [("COLUMNS", "20")]), (9, ())]
)
def test_no_number_is_cut(columns, environment, whole_plan):
    shown = on_terminal(columns, *PLAN, environment=environment)
    width = int(dict(environment).get("COLUMNS", columns))
    numbers = [re.findall(r"\d[\d.]*", text) for text in (whole_plan, shown)]
    assert numbers[0] == numbers[1]
    assert max(map(len, numbers[1])) == 7
    table = shown.partition("\nAbout")[0].splitlines()
    assert all(len(line) <= width or " " not in line for line in table)


CELLS = ("tcc-impossibility", "as-printed", "refuted", "1958615 small programs (52 vacuous)")


@pytest.mark.parametrize(
    ("columns", "lines"),
    [
        (None, ["tcc-impossibility  as-printed  refuted  1958615 small programs (52 vacuous)"]),
        (76, ["tcc-impossibility  as-printed  refuted  1958615 small programs (52 vacuous)"]),
        (60, ["tcc-impossibility  as-printed  refuted", "  1958615 small programs (52 vacuous)"]),
        (20, [*CELLS[:3], "  1958615 small", "  programs (52", "  vacuous)"]),
    ],
)
def test_narrow_ledger(columns, lines, monkeypatch, capsys):
    monkeypatch.setattr("sealcheck.cli.audit.terminal_width", lambda: columns)
    _print_aligned(CELLS, (17, 10, 7))
    assert capsys.readouterr().out.splitlines() == lines
