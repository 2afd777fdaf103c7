"""Answers on the page: those of the command line, and those of the verified program."""

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sealcheck.cli.play import answer as answer_module
from sealcheck.cli.play.answer import FILES, answer, layers_in, picture, recordings, written
from sealcheck.cli.play.examples import TWICE, examples
from sealcheck.errors import Disagreement, LimitReached

ROOT = Path(__file__).parents[3]
EXAMPLES = [each for group in examples(ROOT) for each in group["examples"]]

MERMAID = "sequenceDiagram\nclient->>server: put\nserver->>log: append\n"
PLANTUML = "@startuml\nclient -> server : put\nserver -> log : append\n@enduml\n"


def answered(**request: object) -> Any:
    return json.loads(answer(json.dumps(request)))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: each["name"])
def test_the_command_line_says_the_same(
    example: dict[str, Any], ask: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for file, _, _ in FILES:
        (tmp_path / file).write_text(example["request"].get("text", ""))
    found = answered(**example["request"])
    assert found["parts"]
    for part in found["parts"]:
        words = shlex.split(part["command"])[1:]
        said = ask(*words)
        assert (said.code, said.err) == (part["code"], "")
        first, _, rest = said.out.rstrip("\n").partition("\n")
        assert (first, rest.strip("\n")) == (part["verdict"], part["words"])
        assert ask(*words, "--json").document == part["document"]


@pytest.mark.parametrize(
    "text",
    [
        "mt 1->",
        "mt 1->2 (x)",
        "snd 1->2:x\nrcv 2<-1:x\n\nrcv 1<-*",
        "rcv 1<-2; snd 1->2; rcv 2<-1; snd 2->1",
        "mt 1->2\n\nmt a->b",
        "mt a->b:x; rcv b<-*:x",
    ],
)
def test_errors_are_those_of_the_command_line(text: str, ask: Callable[..., Any]) -> None:
    found = answered(text=text)
    said = ask("phases", *layers_in(text))
    assert (said.code, found["code"]) == (2, 2)
    assert said.err == "\n".join([f"sealcheck: {found['error']}", *found["notes"], ""])


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        ({}, "no layers: give at least one"),
        ({"kind": "seals"}, "the program P is missing"),
        ({"kind": "x"}, "kind must be layers, seals or draw"),
        ({"text": 1}, "key 'text' must be a text, not a number"),
        ({"repeat": "yes"}, "key 'repeat' must be true or false, not a string"),
        ({"layers": []}, "unknown key 'layers'"),
        ({"text": "mt 1->2", "n": 1}, "layer 1: process 2 is named at line 1, column 7, but n is 1"),
        ({"text": "mt 1->2:x", "channels": "pigeon"}, "unknown transport 'pigeon'"),
        ({"text": "layer A: @b\nprotocol: A"}, "layer A: there are no files here: write the program itself"),
        ({"text": "layer A: -\nprotocol: A"}, "layer A: there are no files here: write the program itself"),
        ({"text": "sequenceDiagram\nA->>B"}, "layer 1: diagram.mmd: line 2: 'A->>B': Mermaid needs a text"),
    ],
)
def test_what_is_no_question_gets_a_sentence(request_: dict[str, object], sentence: str) -> None:
    found = answered(**request_)
    assert found["code"] == 2
    assert sentence in found["error"]


def test_a_limit_is_no_answer() -> None:
    names = "; ".join(f"mt {k}->{k + 1}" for k in range(1, 1_002))
    (part,) = answered(text=names)["parts"]
    assert part["code"] == 3
    assert part["verdict"].startswith("unknown: with 1002 processes there are too many channels")
    assert (part["checks"], part["uncovered"]) == (
        [],
        "The answer is not known, so there is nothing to check.",
    )


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [(LimitReached("out of time"), 3, "unknown: out of time"), (Disagreement("x"), 1, "disagreement: x")],
)
def test_what_is_not_an_answer_says_so(
    error: Exception, code: int, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise error

    monkeypatch.setattr(answer_module, "_asked", failing)
    found = answered(text="mt 1->2")
    assert (found["code"], found["error"]) == (code, sentence)


@pytest.mark.parametrize(
    ("text", "called"),
    [
        (MERMAID, "a Mermaid diagram"),
        (PLANTUML, "a PlantUML diagram"),
        (f"# Design\n```mermaid\n{MERMAID}```\n", "Markdown with diagrams"),
        ("layer A: mt client->server; mt server->log\nprotocol: A", "a protocol file"),
        ("mt client->server\nmt server->log", "1 layer"),
    ],
)
def test_texts_are_known_by_what_is_in_them(text: str, called: str) -> None:
    found = answered(text=text)
    assert found["read"] == called
    assert [part["verdict"] for part in found["parts"]] == ["yes: the layers stay apart"]


def test_each_root_cause_has_its_picture() -> None:
    request = json.dumps({"text": "mt a->b; mt c->d\n\nmt a->b; mt c->d"})
    (part,) = json.loads(answer(request))["parts"]
    assert part["causes"] == ["b<-a", "d<-c"]
    first, second = (json.loads(picture(request, 0, k)) for k in range(2))
    assert part["picture"] == first
    assert "rcv b<-a in layer 1" in first["description"]
    assert "rcv d<-c in layer 1" in second["description"]
    assert second["steps"][second["wrong"] - 1] == ["layer 1", "rcv d<-c", "takes 2", "c->d: 1"]
    assert second["source"] == "layer 2"
    assert second["svg"].startswith("<svg")
    assert "participant" in written(request, 0, 1, ".mmd")


def test_remedies_are_those_of_the_text() -> None:
    for request in ({"text": TWICE}, {"text": "snd a->b; snd c->b; rcv b<-*; rcv b<-*", "repeat": True}):
        (part,) = answered(**request)["parts"]
        assert len(part["remedies"]) >= 3
        unbroken = " ".join(part["words"].split())
        for label, text in part["remedies"]:
            assert f"{label.strip()} {text}" in unbroken


def test_yes_needs_no_remedies() -> None:
    (part,) = answered(text="mt 1->2", repeat=False)["parts"]
    assert (part["code"], part["remedies"], part["causes"]) == (0, [], [])


def test_long_executions_are_cut() -> None:
    (part,) = answered(text="mt 1->2\n" * 300)["parts"]
    assert (len(part["picture"]["steps"]), part["picture"]["left_out"]) == (500, 100)


def test_answers_over_ports_are_checked_with_their_certificates() -> None:
    (part,) = answered(text="mt 1->2:x", repeat=True, channels="mpi")["parts"]
    (check,) = part["checks"]
    assert check["asked"]["answer"].keys() == {"safe", "interfering", "certificate"}
    assert (check["expected"], part["uncovered"]) == (True, "")


@pytest.mark.parametrize("q", ["mt b->a", "mt b->a:x", "eps"])
def test_seals_over_ports(q: str, ask: Callable[..., Any]) -> None:
    p = "snd a->b; snd c->b; rcv b<-*; rcv b<-*; mt a->c:x"
    found = answered(kind="seals", p=p, q=q)
    (part,) = found["parts"]
    said = ask("decide", p, q, "--json")
    assert (found["read"], part["document"], part["code"]) == ("P and Q", said.document, said.code)
    assert part["command"] == shlex.join(["sealcheck", "decide", p, q])
    assert [check["about"] for check in part["checks"]] == ["the answer"]
    assert len(part["causes"]) == len(part["document"]["interfering"])


def test_each_root_cause_of_a_seal_has_its_picture() -> None:
    request = json.dumps({"kind": "seals", "p": "mt a->b:x; mt a->b:y", "q": "eps"})
    assert json.loads(answer(request))["parts"][0]["causes"] == ["b<-a:x", "b<-a:y"]
    for number, tag in enumerate("xy"):
        assert f"rcv b<-a:{tag}" in json.loads(picture(request, 0, number))["description"]


def test_a_seal_over_ports_is_not_looked_for() -> None:
    assert "tag" in answered(kind="seals", p="mt a->b:x")["error"]


@pytest.mark.parametrize(("processes", "is_asked"), [(4, True), (8, False)])
def test_a_large_certificate_is_left_to_the_command_line(
    processes: int, is_asked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sealcheck.cli.play.verified.LARGEST", 10_000)
    ends = [(i, j) for i in range(processes) for j in range(processes) if i != j]
    sends, receives = (
        [line.format(i + 1, j + 1) for i, j in ends] for line in ("snd {}->{}:X", "rcv {1}<-{0}:X")
    )
    layer = "; ".join(sends + receives)
    (part,) = answered(text="\n\n".join(layer.replace("X", tag) for tag in "ab"))["parts"]
    assert part["code"] == 0
    assert [check["about"] for check in part["checks"]] == ["the answer"] * is_asked
    assert ("too large" in part["uncovered"]) is not is_asked


@pytest.mark.parametrize(("processes", "is_asked"), [(8, True), (18, False)])
def test_long_executions_are_left_to_the_command_line(processes: int, is_asked: bool) -> None:
    """The program still decides that the layers do not stay apart."""
    ends = [(i, j) for i in range(1, processes + 1) for j in range(1, processes + 1) if i != j]
    layer = "; ".join([f"snd {i}->{j}" for i, j in ends] + [f"rcv {j}<-{i}" for i, j in ends])
    (part,) = answered(text=f"{layer}\n\n{layer}")["parts"]
    assert [check["about"] for check in part["checks"]] == ["the answer", "the root causes"][: 1 + is_asked]
    assert ("executions take too long to check" in part["uncovered"]) is not is_asked


def test_a_message_that_is_taken_twice_is_beyond_the_verified_program() -> None:
    """In the paper's runs channels make no copies. The program checks all other runs."""
    twice = {"text": "mt 1->2:x\n\nmt 1->2:x", "channels": "sqs"}
    for request, count in ((twice, 0), (twice | {"channels": ""}, 1), ({"text": TWICE}, 1)):
        (part,) = answered(**request)["parts"]
        assert part["code"] == 1
        assert len(part["picture"]["checks"]) == count


@pytest.mark.parametrize(
    "request_",
    [
        {"text": TWICE},
        {"text": TWICE, "repeat": True},
        {"text": "mt 1->2\n\nmt 3->4\n\nmt 1->2"},
        {"text": "snd a->b\nsnd c->b\nrcv b<-*\nrcv b<-*", "repeat": True, "channels": "mpi"},
        {"text": "mt a->b:x # in a tag\n\nmt c->b:x\n\nmt a->b:x", "channels": "bag"},
    ],
)
def test_inserted_acknowledgments_keep_layers_apart(request_: dict[str, object]) -> None:
    (part,) = answered(**request_)["parts"]
    assert part["code"] == 1
    (mended,) = answered(**request_ | {"text": part["mended"]})["parts"]
    assert (mended["code"], mended["mended"]) == (0, "")


def test_acknowledgments_that_are_not_safe_themselves_are_not_inserted() -> None:
    """If anything may follow, it may overtake the last acknowledgment."""
    (part,) = answered(text="mt 1->2", open=True)["parts"]
    assert part["document"]["remedies"]["acknowledgments"] == ["mt 2->1"]
    assert part["mended"] == ""


def test_nothing_is_inserted_into_files() -> None:
    (part,) = answered(text=MERMAID, repeat=True)["parts"]
    assert part["document"]["remedies"]["acknowledgments"]
    assert part["mended"] == ""


@pytest.mark.parametrize(
    ("files", "read"),
    [
        (["traces/round1.jsonl", "traces/round2.jsonl"], "2 recordings"),
        (["traces/both.jsonl"], "1 recording"),
        (["spans/order.json", "spans/cancel.json"], "2 recordings"),
    ],
)
@pytest.mark.parametrize("channels", ["", "fifo"])
def test_recordings_are_answered(
    files: list[str],
    read: str,
    channels: str,
    ask: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    texts = [(ROOT / "examples" / file).read_text() for file in files]
    found = answered(text="\n\n".join(texts), channels=channels)
    (part,) = found["parts"]
    words = shlex.split(part["command"])[1:]
    for word, text in zip([word for word in words if word.startswith("@")], texts, strict=True):
        Path(word[1:]).write_text(text)
    said = ask(*words)
    assert said.code == part["code"]
    assert said.out.strip().partition("\n")[0] == part["verdict"]
    assert said.err.splitlines() == [f"sealcheck: {remark}" for remark in found["remarks"]]
    assert bool(found["remarks"]) == files[0].startswith("spans")
    assert ask(*words, "--json").document == part["document"]
    assert found["read"] == read


@pytest.mark.parametrize(
    "text",
    [
        '{"host": "a", "event": "send", "message": "m"}\n{"host": "b", "event": "take"}',
        '{"host": "a", "event": "send", "message": "m"}\n\n{',
        '{"resourceSpans": 1}',
        '{"x": 1}',
        "{}",
        '{"host": "a", "event": "send", "message": "\ud800"}',
    ],
)
def test_recordings_that_are_wrong_get_the_sentence_of_the_command_line(
    text: str, ask: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = answered(text=text)
    files = recordings(text)
    for name, content in files.items():
        Path(name).write_text(content, errors="surrogatepass")
    said = ask("phases", *(f"@{name}" for name in files))
    assert (said.code, found["code"]) == (2, 2)
    assert said.err.splitlines()[0] == f"sealcheck: {found['error']}"
