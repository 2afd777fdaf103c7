"""`sealcheck draw`: programs, answers and recorded runs, in every format."""

import json
from pathlib import Path
from time import sleep
from xml.etree import ElementTree

import pytest


def test_one_program_is_its_graph(ask):
    reply = ask("draw", "mt 1->2")
    assert reply.code == 0
    assert reply.out == (
        "Program graph of P\n\n"
        "     1            2\n"
        "     |            |\n"
        "P    o--1-->      |   snd 1->2  sends message 1\n"
        "P    |      --1-->o   rcv 2<-1  takes message 1 of P\n\n"
        "1 message among 2 processes. It leaves 1->2 open.\n"
    )


@pytest.mark.parametrize(
    ("programs", "title"),
    [
        (["--seals", "mt 1->2", "mt 2->1"], "Q seals P"),
        (["--seals", "mt 1->2", "mt 1->2"], "Q does not seal P"),
        (["mt 1->2", "mt 2->1"], "The layers stay apart"),
        (["mt 1->2", "mt 1->2"], "The layers interfere on 1->2"),
        (["snd 1->2; rcv 2<-*", "snd 3->2; rcv 2<-*"], "The layers interfere on 2<-*"),
        (["mt a->b", "mt b->a", "mt a->b"], "The layers stay apart"),
        (["mt a->b", "eps", "mt a->b"], "The layers interfere on a->b"),
        (["--signature", "mt 1->2"], "sig(mt 1->2)"),
    ],
)
def test_what_is_drawn(ask, programs, title):
    reply = ask("draw", *programs)
    assert reply.code == 0
    assert reply.out.splitlines()[0] == title


@pytest.mark.parametrize(
    ("suffix", "begins"),
    [
        ("svg", b"<svg"),
        ("png", b"\x89PNG"),
        ("tex", b"% Q does not seal P"),
        ("dot", b"digraph {"),
        ("mmd", b"sequenceDiagram\n"),
        ("txt", b"     1            2\n"),
    ],
)
def test_formats(ask, tmp_path, suffix, begins):
    target = tmp_path / f"picture.{suffix}"
    reply = ask("draw", "--seals", "mt 1->2", "mt 1->2", "--out", str(target))
    assert (reply.code, reply.out, reply.err) == (0, f"wrote {target}\n", "")
    assert target.read_bytes().startswith(begins)


@pytest.mark.parametrize(
    ("command", "title"),
    [
        (["decide", "mt 1->2", "mt 1->2"], "Q does not seal P"),
        (["decide", "mt 1->2", "eps"], "Q does not seal P"),
        (["decide", "mt 1->2", "mt 2->1"], "Q seals P"),
        (["seal", "mt a->b"], "Q seals P"),
        (["phases", "mt a->b", "mt a->b"], "The layers interfere on a->b"),
        (["phases", "mt a->b", "mt b->a", "--repeat"], "The layers stay apart"),
        (["phases", "mt a->b", "--repeat"], "The layers interfere on a->b"),
        (["phases", "mt a->b", "--open"], "The layers interfere on a->b"),
    ],
)
def test_recorded_runs_are_drawn_as_the_command_draws_them(ask, tmp_path, command, title):
    recorded = tmp_path / "run.json"
    recorded.write_text(ask(*command, "--json").out)
    reply = ask("draw", "--run", str(recorded))
    assert reply.code == 0
    lines = reply.out.splitlines()
    assert lines[0] == title
    if "interfere" in title or "not" in title:
        assert "\n".join(lines[2:-2]) in ask(*command).out


@pytest.mark.parametrize(
    ("command", "port"),
    [("decide", ()), ("phases", ()), ("phases", ("--port", "2<-1")), ("decide --order bag", ())],
)
def test_a_trace_is_drawn_as_the_run_that_it_has(ask, tmp_path, command, port):
    answer, trace = tmp_path / "run.json", tmp_path / "run.itf.json"
    answer.write_text(ask(*command.split(), "mt 1->2", "mt 1->2", "--json").out)
    assert ask("draw", "--run", str(answer), *port, "--out", str(trace)).code == 0
    drawn = ask("draw", "--run", str(trace))
    assert (drawn.code, drawn.out) == (0, ask("draw", "--run", str(answer), *port).out)
    again = tmp_path / "again.itf.json"
    assert ask("draw", "--run", str(trace), "--out", str(again)).code == 0
    assert again.read_text() == trace.read_text()


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (["phases", "mt 1->2", "mt 2->1"], "the layers stay apart"),
        (["decide", "mt 1->2", "mt 2->1"], "Q seals P"),
        (["seal", "mt 1->2"], "P can be sealed"),
        (["seal", "snd 1->2; mt 2->1; rcv 2<-1"], "no program seals P"),
    ],
)
def test_an_answer_without_a_run_has_no_trace(ask, tmp_path, command, says):
    answer = tmp_path / "answer.json"
    answer.write_text(ask(*command, "--json").out)
    reply = ask("draw", "--run", str(answer), "--out", str(tmp_path / "run.itf.json"))
    assert (reply.code, reply.err.count("\n")) == (2, 1)
    assert reply.err.startswith(f"sealcheck: {says}, ")
    assert not (tmp_path / "run.itf.json").exists()


def test_a_run_from_standard_input(ask):
    answer = ask("phases", "mt a->b", "mt a->b", "--repeat", "--json").out
    reply = ask("draw", "--run", "-", stdin=answer.encode())
    assert reply.code == 0
    assert "layer 1, round 1" in reply.out


def test_a_run_that_the_kernel_rejects_is_not_drawn(ask, tmp_path):
    document = ask("decide", "mt 1->2", "mt 1->2", "--json").document
    document["certificate"]["order"].reverse()
    (tmp_path / "run.json").write_text(json.dumps(document))
    reply = ask("draw", "--run", str(tmp_path / "run.json"))
    assert reply.code == 2
    assert "is not the next event of its process" in reply.err


def test_json_has_where_everything_stands(ask, tmp_path):
    scene = ask("draw", "mt 1->2", "--json").document
    assert scene["title"] == "Program graph of P"
    assert [dot["step"] for dot in scene["dots"] if dot["step"]] == [1, 2]
    target = str(tmp_path / "a.svg")
    assert ask("draw", "mt 1->2", "--json", "--out", target).document == {"file": target}


def test_what_does_not_matter_is_folded(ask, tmp_path):
    programs = ["; ".join(["mt 1->2; mt 2->3"] * 30), "mt 1->2"]
    for options, events in ([], 40), (["--all"], 122):
        target: Path = tmp_path / "a.svg"
        assert ask("draw", "--seals", *programs, *options, "--n", "3", "--out", str(target)).code == 0
        root = ElementTree.parse(target).getroot()
        steps = [each for each in root.iter() if each.get("data-step")]
        folded = [t.text for t in root.iter() if t.text and t.text.endswith("more events")]
        assert len(steps) <= events
        assert len(steps) + sum(int(text.split()[0]) for text in folded) == 122


def test_a_limit_is_no_picture(ask, monkeypatch):
    monkeypatch.setattr("sealcheck.drawing.drawing.Drawing.text", lambda _: sleep(600))
    reply = ask("draw", "mt 1->2", "--seconds", "1")
    assert (reply.code, reply.out) == (3, "")
    assert reply.err == "sealcheck: unknown: it takes more than 1 s (--seconds)\n"
