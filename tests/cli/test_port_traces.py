"""Recorded traces with tags, any-source receives and phases, on the command line."""

import json
import shutil
import sys
from io import BytesIO
from pathlib import Path

import pytest
from tests.language.test_port_traces import Written

from sealcheck.cli.inputs import _content
from sealcheck.errors import InputError

ROOT = Path(__file__).parents[2]
ROUNDS = ("@round1.jsonl", "@round2.jsonl")


@pytest.fixture(autouse=True)
def _examples(tmp_path, monkeypatch):
    shutil.copytree(ROOT / "examples" / "traces", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)


def written(file, records):
    Path(file).write_text("\n".join(map(json.dumps, records)))


def test_overtaking_is_predicted_from_recorded_rounds(ask):
    found = ask("phases", *ROUNDS, "--order", "fifo")
    assert (found.code, found.err) == (1, "")
    assert "middle<-*:halo (fifo): a receive of round1 can take a message of round2." in found.out
    document = ask("phases", *ROUNDS, "--order", "fifo", "--json")
    assert document.document["processes"] == ["middle", "west", "east"]
    assert ask("verify", "-", stdin=document.out.encode()).code == 0
    drawn = ask("draw", "--run", "-", "--out", "run.txt", stdin=document.out.encode())
    assert drawn.code == 0
    assert "rcv middle<-*:halo" in Path("run.txt").read_text()


def test_phases_of_a_file_are_layers_with_their_names(ask):
    found = ask("phases", "@both.jsonl", "--order", "fifo", "--json").document
    assert found["layers"] == ["exchange 1", "exchange 2"]
    by_file = ask("phases", *ROUNDS, "--order", "fifo", "--json").document
    assert found["certificate"] == by_file["certificate"]
    assert found["interfering"] == by_file["interfering"]
    said = ask("phases", "@both.jsonl", "--order", "fifo").out
    assert "a receive of exchange 1 can take a message of exchange 2" in said
    assert ask("phases", "@both.jsonl", "--repeat", "--order", "fifo").code == 1


def test_named_sources_and_tags_keep_the_rounds_apart(ask):
    for old, new in (('"from": "*"', '"text": "named"'), ('"halo"', '"halo2"')):
        text = Path("round2.jsonl").read_text().replace(old, new)
        first = Path("round1.jsonl").read_text()
        Path("next.jsonl").write_text(text)
        Path("first.jsonl").write_text(first.replace(old, new) if "text" in new else first)
        assert ask("phases", "@first.jsonl", "@next.jsonl", "--order", "fifo").code == 0


def test_traces_are_layers_of_protocol_files(ask):
    Path("rounds.phases").write_text(
        "layer one: @round1.jsonl\nlayer ack: @ack.jsonl\nlayer end: @end.mmd\n"
        "transport: tcp\nprotocol: (one ack)* end\n"
    )
    ends = [
        {"host": "middle", "event": "send", "message": "m"},
        {"host": "west", "event": "receive", "message": "m"},
    ]
    more = [record | {"message": "n"} for record in ends]
    more[1]["host"] = "east"
    written("ack.jsonl", [*ends, *more])
    Path("end.mmd").write_text("sequenceDiagram\nmiddle->>west: bye\n")
    assert ask("phases", "@rounds.phases").code == 0
    Path("rounds.phases").write_text("layer one: @both.jsonl\nprotocol: one*\n")
    found = ask("phases", "@rounds.phases")
    assert found.code == 2
    assert found.err.startswith(
        "sealcheck: rounds.phases: layer one: both.jsonl: its events have phases, and each phase is a layer"
    )


@pytest.mark.parametrize(
    "words",
    [
        ("seal", "{}"),
        ("analyze", "{}"),
        ("refines", "{}", "{}"),
        ("is", "tcc", "{}"),
        ("draw", "{}", "--out", "a.svg"),
    ],
)
def test_other_commands_refuse_ports_and_phases(ask, words):
    for file, reason in (
        ("round1", "line 1: it has a tag, which only"),
        ("both", "its events have phases, and each"),
    ):
        found = ask(*(word.format(f"@{file}.jsonl") for word in words))
        assert (found.code, found.out) == (2, "")
        assert reason in found.err
        assert found.err.count("\n") == 1


def test_decide_takes_tags_and_no_phases(ask):
    assert ask("decide", "@round1.jsonl", "mt a->b").code == 1
    found = ask("decide", "@both.jsonl", "mt a->b")
    assert (found.code, found.out) == (2, "")
    assert "its events have phases, and each" in found.err


@pytest.mark.parametrize("seed", range(8))
def test_a_long_trace_is_read_and_decided_in_loops(ask, monkeypatch, seed):
    """The compiled loops and the plain code print the same bytes."""
    sources = {"from": "*"} if seed % 2 else {}
    records = Written(seed, clocks=seed == 7).records
    for record in records:
        record.pop("from", None)
        record |= sources if record["event"] == "receive" else {}
    written("long.jsonl", records + records[:1] if seed == 6 else records)
    given = "phases", "@long.jsonl", "--repeat", *[("--json",), (), ("--order", "fifo")][seed % 3]
    plain = ask(*given)
    monkeypatch.setattr("sealcheck.cli.inputs.LONG_TRACE", 0)
    monkeypatch.setattr("sealcheck.cli.inputs.BLOCK", 700)
    monkeypatch.setattr("sealcheck.algorithms.ports.LONG", 0)
    assert ask(*given) == plain
    assert (plain.code == 2) == (seed == 6)


def test_a_long_trace_needs_no_compiled_loops(ask, monkeypatch):
    plain = ask("phases", "@both.jsonl", "--json")
    for module in ("numba", "sealcheck.language.packed_traces", "sealcheck.algorithms.packed.plays"):
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setattr("sealcheck.cli.inputs.LONG_TRACE", 0)
    monkeypatch.setattr("sealcheck.algorithms.ports.LONG", 0)
    assert ask("phases", "@both.jsonl", "--json") == plain


def test_a_stream_is_not_longer_than_a_file(ask, monkeypatch):
    monkeypatch.setattr("sealcheck.cli.inputs.MAX_TRACE_BYTES", 1000)
    for long in (1 << 30, 0):
        monkeypatch.setattr("sealcheck.cli.inputs.LONG_TRACE", long)
        with pytest.raises(InputError, match="longer than 0 MiB: give the trace of a part of the run"):
            _content(BytesIO(Path("both.jsonl").read_bytes()), "both.jsonl", "both.jsonl")


def test_phases_are_for_one_file(ask):
    found = ask("phases", "@both.jsonl", "@round1.jsonl")
    assert (found.code, found.out) == (2, "")
    assert found.err.startswith("sealcheck: layer 1: both.jsonl: its events have phases")


def test_a_trace_is_read_line_by_line(ask, monkeypatch):
    monkeypatch.setattr("sealcheck.cli.inputs.MAX_BYTES", 200)
    assert ask("phases", "@both.jsonl").code == 1
    monkeypatch.setattr("sealcheck.cli.inputs.MAX_TRACE_BYTES", 1000)
    found = ask("phases", "@both.jsonl")
    assert found.code == 2
    assert "longer than 0 MiB: give the trace of a part of the run, such as two phases" in found.err
    Path("wrong.jsonl").write_bytes(b"\n" + Path("round1.jsonl").read_bytes() + b'{"host": "\xe9"}')
    size = Path("round1.jsonl").stat().st_size
    found = ask("phases", "@wrong.jsonl")
    assert found.err.startswith("sealcheck: layer 1: wrong.jsonl: not UTF-8")
    assert f"wrong.jsonl: not UTF-8 text: wrong byte 0xe9 at offset {size + 11}" in found.err
    Path("marked.jsonl").write_bytes(b"\xef\xbb\xbf" + Path("round1.jsonl").read_bytes())
    assert ask("phases", "@marked.jsonl", "@round2.jsonl").code == 1
