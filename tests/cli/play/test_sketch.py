"""The drawing of a program on the page, with all answers about it."""

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sealcheck.cli.play.answer import MOST_MESSAGES, MOST_PROCESSES, answer, written

THERE_AND_ON = "mt 1->2\nmt 2->3"
X = "snd 1->2; snd 2->1; rcv 1<-2; rcv 2<-1"


def drawn(**request: object) -> Any:
    return json.loads(answer(json.dumps({"kind": "draw"} | request)))


@pytest.mark.parametrize(
    ("request_", "commands"),
    [
        ({"p": THERE_AND_ON}, ["seal", "analyze"]),
        ({"p": THERE_AND_ON, "q": "mt 3->1"}, ["decide", "seal", "analyze"]),
        ({"p": "mt a->b", "q": "mt b->a", "n": 4}, ["decide", "seal", "analyze"]),
        ({"p": X}, ["seal", "analyze"]),
        ({"p": "snd 1->2"}, ["analyze"]),
        ({"p": "rcv 2<-1; snd 2->1; rcv 1<-2; snd 1->2"}, ["analyze"]),
    ],
)
def test_the_command_line_says_the_same(
    request_: dict[str, object], commands: list[str], ask: Callable[..., Any]
) -> None:
    found = drawn(**request_)
    assert [shlex.split(part["command"])[1] for part in found["parts"]] == commands
    for part in found["parts"]:
        words = shlex.split(part["command"])[1:]
        said = ask(*words)
        assert (said.code, said.err) == (part["code"], "")
        assert said.out.split() == f"{part['verdict']} {part['words']}".split()
        assert ask(*words, "--json").document == part["document"]


def test_the_drawing_has_p_and_a_shortest_seal() -> None:
    found = drawn(p=THERE_AND_ON)["sketch"]
    assert found["names"] == ["1", "2", "3"]
    assert found["p"] == [[["snd", 2]], [["rcv", 1], ["snd", 3]], [["rcv", 2]]]
    assert found["open"] == [[1, 2], [2, 3]]
    assert (found["q"], found["seals"]) == (None, None)
    assert found["seal"] == [[["rcv", 2]], [["rcv", 3], ["snd", 1]], [["snd", 2]]]
    assert found["seal_text"] == "mt 3->2; mt 2->1"


def test_names_are_as_program_text_has_them() -> None:
    found = drawn(p='mt "the client"->server', q="mt server->log", n=4)["sketch"]
    assert found["names"] == ['"the client"', "server", "log", "idle1"]
    assert found["q"] == [[], [["snd", 3]], [["rcv", 2]], []]
    assert found["seals"] is False
    assert found["seal_text"] == 'mt server->"the client"'


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        (
            {"p": THERE_AND_ON},
            "P leaves 1->2, 2->3 open, and every other channel closed. A shortest seal has 2 messages.",
        ),
        (
            {"p": "mt a->b", "q": "mt b->a"},
            "P leaves a->b open, and every other channel closed. A shortest seal has 1 message. Q seals P.",
        ),
        (
            {"p": X, "q": "eps"},
            "P leaves 1->2, 2->1 open, and every other channel closed. P cannot be sealed."
            " Q does not seal P.",
        ),
        ({"p": "eps", "n": 2}, "P leaves every channel closed. A shortest seal has 0 messages."),
    ],
)
def test_the_answers_are_said_in_a_few_words(request_: dict[str, object], sentence: str) -> None:
    assert drawn(**request_)["sketch"]["said"] == sentence


def test_a_limit_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sealcheck.algorithms.minimum_seal.STATES", 1)
    found = drawn(p="mt 1->2; mt 2->1; snd 1->3; mt 3->1; rcv 3<-1; mt 3->2")
    assert found["parts"][0]["code"] == 3
    assert found["sketch"]["seal"] is None
    limit = "P can be sealed, but the search for a shortest seal hit its limit."
    assert found["sketch"]["said"].endswith(limit)


@pytest.mark.parametrize(
    ("p", "why"),
    [
        ("mt a->b; snd b->a", "P is not balanced: channel b->a has 1 more send than receives"),
        ("rcv 2<-1; snd 2->1; rcv 1<-2; snd 1->2", "P: the program deadlocks: "),
        (
            f"mt 1->{MOST_PROCESSES + 1}",
            "P is too large for a drawing, which has up to 12 processes and 40 messages",
        ),
        ("; ".join(["mt 1->2"] * (MOST_MESSAGES + 1)), "P is too large for a drawing"),
    ],
)
def test_what_cannot_be_drawn_says_why(p: str, why: str) -> None:
    found = drawn(p=p)
    assert found["sketch"].keys() == {"why"}
    assert found["sketch"]["why"].startswith(why)
    (part,) = found["parts"]
    assert part["command"].startswith("sealcheck analyze")


def test_the_largest_drawing_is_drawn() -> None:
    chain = [f"mt {k}->{k + 1}" for k in range(1, MOST_PROCESSES)]
    text = "; ".join(chain + ["mt 1->2"] * (MOST_MESSAGES - len(chain)))
    assert len(drawn(p=text)["sketch"]["p"]) == MOST_PROCESSES


def test_errors_are_those_of_the_command_line(ask: Callable[..., Any]) -> None:
    found = drawn(p="mt 1->2", q="mt 1->")
    assert found["error"] == ask("decide", "mt 1->2", "mt 1->").err.splitlines()[0].removeprefix(
        "sealcheck: "
    )
    assert "sketch" not in found
    assert drawn()["error"] == "the program P is missing"


def test_the_drawing_is_written_in_other_formats() -> None:
    request = json.dumps({"kind": "draw", "p": THERE_AND_ON})
    mermaid = written(request, 1, 0, ".mmd")
    assert mermaid.startswith("sequenceDiagram")
    assert mermaid.count("->>") + mermaid.count("-)") >= 2


def test_layers_have_no_drawing() -> None:
    assert json.loads(answer(json.dumps({"text": "mt 1->2"})))["sketch"] is None


def test_the_docs_have_the_bounds() -> None:
    docs = " ".join((Path(__file__).parents[3] / "docs" / "play.md").read_text().split())
    assert f"Drawings have up to {MOST_PROCESSES} processes and {MOST_MESSAGES} messages" in docs
