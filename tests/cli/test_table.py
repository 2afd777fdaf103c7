"""``sealcheck table``: kinds, formats, and bad input."""

import csv
import io
import json
import os
import signal
from pathlib import Path

import pytest

from sealcheck.evidence.formats import FORMATS, parquet_lines
from sealcheck.evidence.tables import TABLES
from sealcheck.kernel.tables import KINDS
from sealcheck.spark_sweeps import tables
from sealcheck.spark_sweeps.tables import make_shard


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_accepted(kind, ask, tmp_path):
    """A table of each kind is written as JSON Lines and as Parquet, has the same rows, and is accepted."""
    for format in ("jsonl", "parquet"):
        out = str(tmp_path / format)
        made = ask(
            "table", kind, "--n", "2..3", "--messages", "4", "--format", format, "--out", out, "--json"
        )
        assert (made.code, made.err) == (0, "")
        checked = ask("verify", out, "--json")
        assert (checked.code, checked.document["ok"], checked.document["rejected"]) == (0, True, [])
        assert checked.document["rows"] == made.document["rows"] > 0
    lines = (tmp_path / "jsonl").read_bytes().splitlines()
    assert list(parquet_lines(tmp_path / "parquet")) == lines
    assert json.loads(lines[1]).keys() == {column.name for column in TABLES[kind].columns}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("format", ["csv", "latex", "markdown"])
def test_tables_for_people(kind, format, ask, tmp_path):
    """The formats for people have a line for each row, with the program's text in it."""
    size = ("--n", "3", "--messages", "4" if kind == "counterexamples" else "2")
    for name in (format, "jsonl"):
        assert ask("table", kind, *size, "--format", name, "--out", str(tmp_path / name)).code == 0
    rows = [json.loads(line) for line in (tmp_path / "jsonl").read_text().splitlines()[1:]]
    text = (tmp_path / format).read_text()
    programs = [row.get("program", row.get("p")) for row in rows]
    if format == "csv":
        read = list(csv.DictReader(io.StringIO(text)))
        assert [row.get("program", row.get("p")) for row in read] == programs
        return
    if format == "latex":
        programs = [p.replace("->", r"$\to$").replace("<-", r"$\gets$") for p in programs]
    lines = [line.removeprefix("| ") for line in text.splitlines()]
    found = [line for line in lines if line.startswith(tuple(f"{program} " for program in programs))]
    assert len(found) == len(rows)


@pytest.mark.parametrize("kind", KINDS)
def test_limits(kind, ask, tmp_path, monkeypatch):
    """Where a part hits a limit, there is no file, and one that was there stays; later it comes as ever."""
    out, size = tmp_path / "out", ("--n", "2..3", "--messages", "4")
    assert ask("table", kind, *size, "--out", str(out)).code == 0
    expected = out.read_bytes()
    out.write_bytes(b"older")

    def dying(shard):
        if (shard.n, shard.messages) == (3, 1):
            os.kill(os.getpid(), signal.SIGKILL)
        return make_shard(shard)

    with monkeypatch.context() as patched:
        patched.setattr(tables, "make_shard", dying)
        reply = ask("table", kind, *size, "--out", str(out), "--json")
    error = reply.document["error"]
    assert error.startswith(f"unknown: {kind}, n = 3, messages = 1, programs 0..")
    assert error.endswith(": the process that was to find it has died: is there enough memory?")
    assert (reply.code, reply.err) == (3, f"sealcheck: {error}\n")
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("out", b"older")]
    assert ask("table", kind, *size, "--out", str(out)).code == 0
    assert out.read_bytes() == expected


def test_counterexamples_are_those_of_the_ledger(ask, tmp_path):
    """Up to three processes and four messages, the printed theorem fails on one program."""
    out = tmp_path / "t"
    ask("table", "counterexamples", "--n", "1..3", "--messages", "4", "--out", str(out))
    (row,) = map(json.loads, out.read_text().splitlines()[1:])
    assert row["program"] == "snd 1->2; mt 2->1; rcv 2<-1; snd 2->3; mt 3->2; rcv 3<-2"
    assert row["parts"] == [[1, 3], [2]]


def test_worst_cases(ask, tmp_path):
    """With three processes and four messages, some program needs 3n - 5 = 4 messages."""
    out = tmp_path / "t"
    ask("table", "worst-cases", "--n", "3", "--messages", "4", "--out", str(out))
    rows = [json.loads(line) for line in out.read_text().splitlines()[1:]]
    assert {row["minimum_messages"] for row in rows if row["messages"] == 4} == {4}


def test_a_failure_leaves_the_old_file(ask, tmp_path, monkeypatch):
    """Where writing fails midway, the file that was there stays as it was, and nothing else is left."""
    out = tmp_path / "t"
    out.write_text("old")

    def broken(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setitem(FORMATS, "jsonl", broken)
    reply = ask("table", "sealability", "--n", "2", "--messages", "1", "--out", str(out))
    assert (reply.code, out.read_text()) == (2, "old")
    assert "No space left on device" in reply.err
    assert list(Path(tmp_path).iterdir()) == [out]
