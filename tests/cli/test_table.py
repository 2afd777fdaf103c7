"""``sealcheck table``: kinds, formats, and bad input."""

import csv
import io
import json
import os
import signal

import pytest

from sealcheck.evidence.formats import parquet_lines
from sealcheck.evidence.tables import TABLES
from sealcheck.kernel.tables import KINDS
from sealcheck.spark_sweeps import tables
from sealcheck.spark_sweeps.tables import make_shard


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_accepted(kind, ask, tmp_path):
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


@pytest.mark.parametrize("kind", ["sealability", "counterexamples"])
def test_limits(kind, ask, tmp_path, monkeypatch):
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
    assert error.endswith(": the process that computed the answer has died, perhaps for lack of memory")
    assert (reply.code, reply.err) == (3, f"sealcheck: {error}\n")
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("out", b"older")]
    assert ask("table", kind, *size, "--out", str(out)).code == 0
    assert out.read_bytes() == expected
