"""Pictures, names of layers, reports, files in batches, and hooks."""

import json
import re
import shlex
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[2]
WRITE = "sequenceDiagram\n    client->>server: put\n"
PUBLISH = "sequenceDiagram\n    title Publish it\n    client->>server: publish\n"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "phases").mkdir()
    (tmp_path / "phases" / "write.mmd").write_text(WRITE)
    (tmp_path / "phases" / "publish.mmd").write_text(PUBLISH)
    return tmp_path


BOTH = ("@phases/write.mmd", "@phases/publish.mmd")


@pytest.mark.parametrize("suffix", [".svg", ".png", ".tex", ".dot", ".mmd", ".txt"])
@pytest.mark.parametrize(
    "layers", [BOTH, (BOTH[0], "mt server->client", BOTH[1]), ("snd 1->2; rcv 2<-*", "snd 3->2; rcv 2<-*")]
)
def test_the_picture_is_that_of_draw(ask, here, suffix, layers):
    plain = ask("phases", *layers)
    assert ask("phases", *layers, "--out", f"a{suffix}") == plain
    assert ask("draw", *layers, "--out", f"b{suffix}").code == 0
    (here / "answer.json").write_text(ask("phases", *layers, "--json").out)
    assert ask("draw", "--run", "answer.json", "--out", f"c{suffix}").code == 0
    first, second, third = ((here / f"{name}{suffix}").read_bytes() for name in "abc")
    assert first == second == third


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ("mt 1->2", "--out", "a.gif"),
            "a picture ends in .svg, .png, .tex, .dot, .mmd or .txt, not in",
        ),
        (("mt 1->2", "--out", ""), "--out is empty: name a file"),
        (("mt 1->2", "--out", "a.itf.json"), "not in '.json'"),
        (("mt 1->2", "--out", "none/a.svg"), "cannot write none/a.svg"),
        (("mt 1->2", "--transports", "--out", "a.svg"), "--out draws one answer"),
        (("--batch", "-", "--out", "a.svg"), "--out draws one answer"),
        (("--batch", "-", "--each"), "give either --batch or --each, not both"),
    ],
)
def test_a_picture_that_cannot_be(ask, here, words, sentence):
    reply = ask("phases", *words)
    assert (reply.code, reply.out) == (2, "")
    assert sentence in reply.err
    assert {each.name for each in here.iterdir()} == {"phases"}


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("mt 1->2", "--n", "2000"), 3),
        (("snd 1->2; snd 3->2; rcv 2<-*; rcv 2<-3", "mt 1->3", "--search"), 0),
    ],
)
def test_an_answer_without_a_picture(ask, here, words, code):
    reply = ask("phases", *words, "--out", "a.svg")
    assert (reply.code, reply.out) == (code, ask("phases", *words).out)
    assert reply.err == "sealcheck: this answer has no picture: a.svg is not written\n"
    assert not (here / "a.svg").exists()


PAIRS = ("mt 1->2:x; mt 3->2:y", "mt 1->2:x; mt 3->2:y"), ("mt a->b; mt c->b", "mt a->b; mt c->b")


@pytest.mark.parametrize("layers", PAIRS)
@pytest.mark.parametrize("flags", [(), ("--repeat",), ("--open",)])
def test_each_root_cause_can_be_drawn(ask, here, layers, flags):
    answer = ask("phases", *layers, *flags, "--json")
    (here / "answer.json").write_text(answer.out)
    found = answer.document["interfering"]
    assert len(found) == 2
    titles = set()
    for each in found:
        reply = ask("draw", "--run", "answer.json", "--port", each["port"])
        title = reply.out.splitlines()[0].removeprefix("The layers interfere on ")
        assert ask("draw", "--run", "answer.json", "--port", title) == reply
        titles.add(title)
        for suffix in (".itf.json", ".shiviz.log", ".steps.tex"):
            written = ask("draw", "--run", "answer.json", "--port", title, "--out", f"run{suffix}")
            assert written.code == 0
        assert ask("verify", "run.itf.json").code == 0
        trace = json.loads((here / "run.itf.json").read_text())
        trace["#meta"]["port"] = next(other["port"] for other in found if other != each)
        (here / "run.itf.json").write_text(json.dumps(trace))
        assert ask("verify", "run.itf.json").code == 1
    assert len(titles) == 2


@pytest.mark.parametrize(
    ("layers", "port", "sentence"),
    [
        (PAIRS[0], "3<-1:x", "'3<-1:x' is not a root cause; root causes are: 2<-1:x, 2<-3:y"),
        (PAIRS[1], "b", "'b' is not a root cause; root causes are: b<-a, b<-c"),
        (PAIRS[1], "", "--port is empty: name the port of a root cause"),
        (("mt 1->2",), "2<-1", "'2<-1' is not a root cause; root causes are: none, since the answer is yes"),
    ],
)
def test_a_port_that_is_no_root_cause(ask, layers, port, sentence):
    reply = ask("draw", "--run", "-", "--port", port, stdin=ask("phases", *layers, "--json").out.encode())
    assert (reply.code, reply.out, reply.err) == (2, "", f"sealcheck: {sentence}\n")


def test_a_run_of_decide_has_one_run_only(ask):
    answer = ask("decide", "mt 1->2", "mt 1->2", "--json").out.encode()
    reply = ask("draw", "--run", "-", "--port", "2<-1", stdin=answer)
    assert reply.code == 2
    assert "a port is a root cause of phases, or of decide over ports; this is another answer" in reply.err


def test_layers_are_called_by_title_and_file(ask, here):
    reply = ask("phases", *BOTH, "--junit", "report.xml", "--out", "a.txt")
    assert "client->server: a receive of write can take a message of Publish it, which" in reply.out
    assert "    after write     mt server->client\n" in reply.out
    assert "\nPublish it    o==2==>      |" in (here / "a.txt").read_text()
    (case,) = ElementTree.parse("report.xml").getroot()
    assert case.get("name") == "write | Publish it"
    answer = ask("phases", BOTH[0], "mt client->server", "--json")
    assert answer.document["layers"] == ["write", "layer 2"]
    assert "2 layers (write, layer 2)" in ask("verify", "-", stdin=answer.out.encode()).out
    assert "write" in ask("draw", "--run", "-", stdin=answer.out.encode()).out
    assert "layers" not in ask("phases", "mt 1->2", "mt 1->2", "--json").document


def test_names_are_different(ask, here):
    for name in ("write 1.txt", "later.txt", "layer 3.txt", "\x1b[31m.txt"):
        Path(name).write_text("mt client->server")
    given = ("@phases/write.mmd", "@write 1.txt", "mt client->server", "@phases/write.mmd", "@later.txt")
    document = ask("phases", *given, "@layer 3.txt", "@\x1b[31m.txt", "--json").document
    expected = ["write 2", "write 1", "layer 3 1", "write 3", "later 1", "layer 3 2", "layer 7"]
    assert document["layers"] == expected


def test_a_reason_has_the_names(ask, here):
    Path("half.txt").write_text("snd a->b")
    Path("rest.txt").write_text("rcv b<-a")
    told = "rest by itself deadlocks, so it has to take a message of another layer"
    assert told in ask("phases", "@half.txt", "@rest.txt", "--json").document["remedies"]["reason"]


def lines_of(*lines):
    return "\n".join(map(json.dumps, lines)) + "\n"


def test_lines_name_files_and_have_names(ask, here):
    (here / "phases" / "both.phases").write_text("layer A: @write.mmd\nlayer B: mt c->d\nprotocol: A B*\n")
    acknowledged = ["@write.mmd", "mt server->client", "@publish.mmd"]
    asked = [["@write.mmd", "@publish.mmd"], acknowledged, ["@both.phases"]]
    text = lines_of(*({"name": f"number {k}", "layers": layers} for k, layers in enumerate(asked)))
    (here / "phases" / "batch.jsonl").write_text(text)
    reply = ask("phases", "--batch", "phases/batch.jsonl", "--junit", "report.xml")
    inside = [[layer.replace("@", "@phases/") for layer in layers] for layers in asked]
    alone = [ask("phases", *layers, "--json").document for layers in inside]
    assert reply.lines == [{"name": f"number {k}"} | each for k, each in enumerate(alone)]
    assert [next(iter(line)) for line in reply.lines] == ["name"] * 3
    report = ElementTree.parse("report.xml").getroot()
    assert [case.get("name") for case in report] == ["number 0", "number 1", "number 2"]
    again = lines_of(*({"layers": layers} for layers in inside)).encode()
    assert ask("phases", "--batch", "-", stdin=again).lines == alone
    protocol = {"layers": {"A": "@phases/write.mmd", "B": "mt c->d"}, "protocol": "A B*"}
    assert ask("phases", "--batch", "-", stdin=lines_of(protocol).encode()).lines == [alone[2]]


@pytest.mark.parametrize(
    ("text", "why"),
    [("A->>B: x\nB-xA: y", "line 3: '-x'"), ("participant A\nloop again\nend", "the diagram has no message")],
)
def test_an_error_names_its_layer_and_file(ask, here, text, why):
    (here / "bad.mmd").write_text(f"sequenceDiagram\n{text}\n")
    found = ask("phases", "@bad.mmd")
    assert (found.code, f"layer 1: bad.mmd: {why}" in found.err) == (2, True)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ({"layers": ["@gone.mmd"]}, "layer 1: cannot read 'gone.mmd'"),
        ({"layers": ["@-"]}, "only a layer of the command line can be standard input"),
        ({"layers": ["-", "@phases/write.mmd"]}, "only a layer of the command line can be standard input"),
        ({"layers": ["-"]}, "layer 1: line 1, column 1"),
        ({"layers": ["phases/write.mmd"]}, "layer 1: line 1, column 1"),
        ({"layers": ["@phases/write.mmd"], "name": ""}, "key 'name' must be a name, not an empty string"),
        ({"layers": ["eps"], "name": 3}, "key 'name' must be a name, not a number"),
    ],
)
def test_bad_lines_are_errors(ask, here, line, sentence):
    good, wrong = {"name": "good", "layers": ["mt 1->2"]}, {"name": "wrong"} | line
    reply = ask("phases", "--batch", "-", "--junit", "report.xml", stdin=lines_of(good, wrong, good).encode())
    assert reply.code == 2
    assert [each.get("safe") for each in reply.lines] == [True, None, True]
    assert sentence in reply.lines[1]["error"]
    report = ElementTree.parse("report.xml").getroot()
    assert (report.get("errors"), report.get("failures")) == ("1", "0")
    assert [[part.tag for part in case] for case in report] == [[], ["error"], []]
    if "name" not in line:
        assert reply.lines[1]["name"] == report[1].get("name") == "wrong"


def test_a_line_that_hits_a_limit_keeps_its_name(ask, here):
    line = {"name": "wide", "n": 2000, "layers": ["mt 1->2"]}
    reply = ask("phases", "--batch", "-", "--junit", "report.xml", stdin=lines_of(line).encode())
    assert (reply.code, reply.lines[0]["name"]) == (3, "wide")
    (case,) = ElementTree.parse("report.xml").getroot()
    assert (case.get("name"), [part.tag for part in case]) == ("wide", ["skipped"])


def test_a_batch_of_pairs_has_names(ask):
    stdin = lines_of({"name": "x", "p": "mt 1->2", "q": "eps"}, {"name": "y", "p": "@a", "q": "eps"}).encode()
    first, second = ask("decide", "--batch", "-", stdin=stdin).lines
    assert (first["name"], first["seals"], second["name"]) == ("x", False, "y")
    assert "P: line 1, column 1" in second["error"]


def test_bad_input_is_an_error_of_the_report(ask, here):
    assert ask("phases", "@gone.mmd", "mt 1->2", "--junit", "report.xml").code == 2
    (case,) = ElementTree.parse("report.xml").getroot()
    assert (case.get("name"), [part.tag for part in case]) == ("@gone.mmd | mt 1->2", ["error"])


def test_each_file_is_a_question(ask, here):
    Path("good.phases").write_text("layer A: mt 1->2\nprotocol: A\n")
    Path("bad.phases").write_text("layer A: mt 1->2\nprotocol: A*\n")
    words = ("phases", "--each", "good.phases", "@bad.phases", "--junit", "report.xml")
    reply = ask(*words)
    assert reply.code == 1
    assert reply.out == "good.phases:\n{}\nbad.phases:\n{}\n2 files: yes 1, no 1\n".format(
        *(ask("phases", f"@{name}").out for name in ("good.phases", "bad.phases"))
    )
    report = ElementTree.parse("report.xml").getroot()
    assert [(case.get("name"), len(case)) for case in report] == [("good.phases", 0), ("bad.phases", 1)]
    reply = ask("phases", "--each", "gone.phases", "good.phases", "--json")
    assert [each["name"] for each in reply.lines] == ["gone.phases", "good.phases"]
    assert (reply.code, reply.lines[1]["safe"]) == (2, True)
    assert "cannot read 'gone.phases'" in reply.lines[0]["error"]
    assert "cannot read 'gone.phases'" in reply.err


def test_the_hook_asks_about_each_file(ask, here):
    """The test runs the hook's entry with names of files, as pre-commit does."""
    text = (ROOT / ".pre-commit-hooks.yaml").read_text()
    program, *words = shlex.split(re.findall(r"entry: (.*)", text)[0])
    assert program == "sealcheck"
    Path("a.phases").write_text("layer A: mt 1->2\nprotocol: A\n")
    assert re.search(re.findall(r"files: (.*)", text)[0], "a.phases")
    assert ask(*words, "a.phases").code == 0
    Path("b.phases").write_text("layer A: mt 1->2\nprotocol: A A\n")
    assert ask(*words, "a.phases", "b.phases").code == 1
