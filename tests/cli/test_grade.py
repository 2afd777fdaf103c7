"""`sealcheck vectors` and `sealcheck grade`: the questions, and the grades for answers."""

import csv
import json
import os
import sys
import threading
import xml.etree.ElementTree as ElementTree
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from benchmarks.corpus.choosing import document
from benchmarks.corpus.faults import mutants
from benchmarks.corpus.naive import Naive
from jsonschema import Draft202012Validator

from sealcheck.cli.diff import submissions
from sealcheck.theorems.checking.targets import TARGETS

NAIVE = """\
#!{python}
import json, sys
sys.path.append({root!r})
from benchmarks.corpus.naive import Naive
naive = Naive({fault!r})
for line in sys.stdin:
    asked = json.loads(line)
    given = [[[tuple(event) for event in share] for share in asked[name]["processes"]] for name in "pq"]
    print(json.dumps({{"seq": asked["seq"], "result": naive.answer("is-seal", *given)}}), flush=True)
"""


def naive_run(fault: str) -> str:
    return NAIVE.format(python=sys.executable, root=str(Path(__file__).parents[2]), fault=fault)


RUNS = {
    "anna": naive_run(""),
    "bert": naive_run("an empty Q seals"),
    "cleo": naive_run("an empty Q seals"),
    "dora": "#!/bin/sh\nread -r line; echo oops >&2; exit 1\n",
    "emil": "this is no program\n",
    "index": '#!/bin/sh\nk=0; while read -r l; do k=$((k+1)); echo "{\\"seq\\":$k,\\"result\\":1}"; done\n',
}


@pytest.fixture(scope="module")
def graded(ask, tmp_path_factory):
    folder = tmp_path_factory.mktemp("graded")
    for name, text in RUNS.items():
        (folder / name).mkdir()
        (folder / name / "run").write_text(text)
        (folder / name / "run").chmod(0o755 if name != "emil" else 0o644)
    runs = [str(folder / name / "run") for name in RUNS]
    (folder / "rubric.toml").write_text('"empty Q" = 2\n"first send of Q" = 7.5\n')
    options = ("--out", str(folder / "out"), "--rubric", str(folder / "rubric.toml"))
    asked = ("grade", "--against", "is-seal", *runs, *options)
    return ask(*asked, "--junit", str(folder / "suite.xml"), "--json"), folder / "out"


def test_points(graded):
    reply, _ = graded
    assert reply.code == 3
    anna, bert, cleo, dora, emil, index = reply.document
    assert [each["submission"] for each in reply.document] == list(RUNS)
    assert anna["agrees"] is True
    assert all(of["right"] == of["of"] > 0 for of in anna["points"].values())
    assert bert["points"] == cleo["points"]
    assert 0 < bert["points"]["empty Q"]["right"] < bert["points"]["empty Q"]["of"]
    assert bert["finding"]["q"] == "eps"
    assert dora["points"] is emil["points"] is None
    assert dora["did_not_run"] == "it ended with exit code 1 without an answer"
    assert "cannot start" in emil["did_not_run"]
    assert index["finding"]["kind"] == "type"
    assert all(of["right"] == 0 for of in index["points"].values())


def test_names_of_submissions_are_escaped(ask, tmp_path):
    for name in (b"a\nb \x1b[2J", b"\xff"):
        Path(os.fsdecode(bytes(tmp_path) + b"/" + name)).write_text(RUNS["dora"])
    runs = [str(path) for path in sorted(tmp_path.iterdir())]
    for run in runs:
        os.chmod(run, 0o755)
    reply = ask("grade", "--against", "is-seal", *runs, "--out", str(tmp_path / "out"))
    named = [r"a\nb \x1b[2J", r"\udcff"]
    assert [line.partition("   ")[0] for line in reply.out.splitlines()[:2]] == named
    assert [row[0] for row in csv.reader((tmp_path / "out" / "grades.csv").open())][1:] == named
    assert {path.stem for path in (tmp_path / "out" / "pages").iterdir()} == set(named)
    assert ElementTree.parse(tmp_path / "out" / "junit.xml").getroot().get("tests") == "2"
    index = (tmp_path / "out" / "index.md").read_text()
    assert r"| [a\\nb \\x1b\[2J](pages/a%5Cnb%20%5Cx1b%5B2J.md) | did not run |" in index


@pytest.mark.parametrize(
    ("runs", "named"),
    [
        (["anna/run", "bert/run"], ["anna", "bert"]),
        (["anna/run", "bert/run", "guess.py", "mended.pl"], ["anna", "bert", "guess.py", "mended.pl"]),
        (["1/anna/run", "2/anna/run", "bert/run"], ["1-anna", "2-anna", "bert"]),
        (["x/anna/run", "bert/run", "y/anna"], ["x-anna", "bert", "y"]),
    ],
)
def test_names_of_submissions(tmp_path, runs, named):
    for run in runs:
        (tmp_path / run).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / run).touch()
    assert list(submissions([tmp_path / run for run in runs])) == named


def test_files(graded):
    _, out = graded
    rows = {row["submission"]: row for row in csv.DictReader((out / "grades.csv").open())}
    assert list(rows) == list(RUNS)
    assert set(list(rows["dora"].values())[2:]) == {""}
    suite = ElementTree.parse(out / "junit.xml").getroot()
    assert [len(case) for case in suite] == [0, 1, 1, 1, 1, 1]
    index = (out / "index.md").read_text()
    assert "- bert, cleo\n" in index
    assert "There is no sandbox" in index
    assert {path.stem for path in (out / "pages").iterdir()} == RUNS.keys()
    assert "takes message 2 of R" in (out / "pages" / "bert.md").read_text()


def test_rubric(ask, graded, tmp_path):
    reply, out = graded
    anna, bert, _, dora, *_ = reply.document
    assert anna["score"] == {"earned": 9.5, "of": 9.5}
    shares = {name: of["right"] / of["of"] for name, of in bert["points"].items()}
    expected = 2 * shares["empty Q"] + 7.5 * shares["first send of Q"]
    assert bert["score"] == {"earned": pytest.approx(expected), "of": 9.5}
    assert 0 < expected < 9.5
    assert dora["score"] == {"earned": None, "of": 9.5}
    rows = {row["submission"]: row["points (of 9.5)"] for row in csv.DictReader((out / "grades.csv").open())}
    given = {"anna": "9.5", "bert": f"{round(expected, 2):g}", "dora": ""}
    assert given.items() <= rows.items()
    assert "| submission | outcome | points of 9.5 |" in (out / "index.md").read_text()
    assert (out.parent / "suite.xml").read_bytes() == (out / "junit.xml").read_bytes()
    runs = [str(out.parent / name / "run") for name in ("anna", "dora")]
    options = ("--out", str(tmp_path), "--rubric", str(out.parent / "rubric.toml"))
    said = ask("grade", "--against", "is-seal", *runs, *options).out
    assert "anna    agrees, 9.5 of 9.5 points\n" in said
    assert "dora    did not run: it ended with exit code 1 without an answer\n" in said


def test_what_is_skipped_is_not_right(ask, tmp_path):
    run = tmp_path / "run"
    text = naive_run("")
    said = '"result": naive.answer("is-seal", *given)'
    assert said in text
    skipping = f'**({{"skipped": "large"}} if asked["n"] > 2 else {{{said}}})'
    run.write_text(text.replace(said, skipping))
    run.chmod(0o755)
    (grade,) = ask(
        "grade", "--against", "is-seal", str(run), "--out", str(tmp_path / "out"), "--json"
    ).document
    assert grade["agrees"] is False
    assert all(0 <= of["right"] < of["of"] for of in grade["points"].values())
    assert sum(of["right"] for of in grade["points"].values()) > 0


@pytest.mark.parametrize(
    ("out", "junit"), [("file/out", "junit.xml"), ("out", "file/junit.xml"), ("out", "folder")]
)
def test_nothing_is_graded_in_vain(ask, tmp_path, out, junit, monkeypatch):
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    monkeypatch.setattr("sealcheck.differential.grading.grade", lambda *_: pytest.fail("it was graded"))
    words = ["grade", "--against", "is-seal", sys.executable, "--out", str(tmp_path / out)]
    reply = ask(*words, "--junit", str(tmp_path / junit))
    assert (reply.code, len(reply.err.splitlines())) == (2, 1)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"x = " + 10**5 * b"[" + 10**5 * b"]", "it is nested too deeply"),
        (b'"empty Q" = 1' + 400 * b"0", "must be a number above 0, and at most"),
        (b'"empty Q" = 1' + 5000 * b"0", "is not TOML"),
        (b'"empty Q" = 1e400', "must be a number above 0, and at most"),
        (b'"empty Q" = nan', "must be a number above 0, and at most"),
        (b'"empty Q" = "\xff"', "not UTF-8 text"),
        (b"\0", "is not TOML"),
        (2**21 * b"#", "longer than 1 MiB"),
        (b"", "has no points: write lines such as "),
        (b'"empty Q" = ', "is not TOML: "),
        (b'"empty P" = 1', "has points for 'empty P': the classes are "),
        (b'"empty Q" = "2"', "the points for 'empty Q' must be a number above 0"),
        (b'"empty Q" = true', "the points for 'empty Q' must be a number above 0"),
        (b'"empty Q" = -1', "the points for 'empty Q' must be a number above 0"),
    ],
)
def test_bad_rubrics(ask, tmp_path, monkeypatch, content, sentence):
    monkeypatch.setattr("sealcheck.cli.inputs.MAX_BYTES", 2**20)
    rubric, fifo = tmp_path / "rubric.toml", tmp_path / "fifo"
    rubric.write_bytes(content)
    os.mkfifo(fifo)
    threading.Thread(target=_written, args=(fifo, content), daemon=True).start()
    words = ["grade", "--against", "is-seal", sys.executable, "--out", str(tmp_path / "out"), "--rubric"]
    for name in (str(rubric), str(fifo), "-"):
        reply = ask(*words, name, stdin=content)
        assert (reply.code, reply.out, len(reply.err.splitlines())) == (2, "", 1)
        assert sentence in reply.err
        assert repr(name) in reply.err
    assert not (tmp_path / "out").exists()
    assert "longer than 1 MiB" in ask(*words, "/dev/zero").err


def _written(fifo, content):
    with suppress(BrokenPipeError):
        fifo.write_bytes(content)


def test_vectors(ask, tmp_path):
    out = tmp_path / "vectors.json"
    reply = ask("vectors", "--against", "is-seal", "--out", str(out))
    document = json.loads(out.read_text())
    assert reply.out == f"wrote {out}: {len(document['vectors'])} vectors\n"
    check = Draft202012Validator(document["schema"])
    for vector in document["vectors"]:
        check.validate(vector)
        given = [[[tuple(e) for e in share] for share in vector[name]["processes"]] for name in "pq"]
        assert Naive().answer("is-seal", *given) == vector["expected"]
        assert ("empty Q" in vector["flags"]) == (vector["q"]["text"] == "eps")
    assert 200 <= len(document["vectors"]) <= 500


CHOSEN: dict[str, Any] = {
    "program-graph": (),
    "port-phases": pytest.mark.larger,
    "interfering-ports": pytest.mark.larger,
}
"""Targets whose vectors take a second to choose; the marked ones take a minute."""


@pytest.mark.parametrize(
    "target",
    [pytest.param(target, marks=CHOSEN.get(target, pytest.mark.slow)) for target in TARGETS],
)
def test_the_vectors_are_those_that_the_faults_choose(target):
    kept = json.loads(files("sealcheck.differential").joinpath("vectors.json").read_text())
    assert kept[target] == document(TARGETS[target])
    shown = {number for vector in kept[target]["vectors"] for number in vector["shows"]}
    assert shown == set(range(len(list(mutants(target)))))
