"""The text that the page selects for an error."""

import json

import pytest
from tests.cli.play.pasted import REFUSED, diagram

from sealcheck.cli.play.answer import answer

PROTOCOL = "layer A: mt 1->2\nlayer  B :  mt 2->1; mt 1->\nprotocol: A (C"
MARKDOWN = "# A page\n\n```mermaid\nsequenceDiagram\n a->>b: x\n b-xa: lost\n```\n"
SPLIT = '{"host":"a","event":"local"}\n\n{"host":"a","event":"send","to":"b","message":"m"}\n{"host":1}\n'


def marked(**request: str) -> str | None:
    found = json.loads(answer(json.dumps(request)))
    assert found["error"]
    if "place" not in found:
        return None
    text = request[found["place"]["field"]].encode("utf-16-le")
    return text[2 * found["place"]["start"] : 2 * found["place"]["end"]].decode("utf-16-le")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("mt 1->2\n\nmt 1->2\nmt 2-3", "-3"),
        ("\n\n  mt 1->2\n \t\n\n  mt 1->2\n  mt 2-3  \nmt 2->1\n", "-3"),
        ("mt 1->2\n\n  mt 1->", "mt 1->"),
        ("mt 1->2  # 😀\n\nmt 2-3", "-3"),
        (PROTOCOL, "mt 1->"),
        (PROTOCOL.replace("mt 1->\n", "mt 1->2\n"), "C"),
        (PROTOCOL.replace("protocol: ", "protocal: "), "protocal: A (C"),
        (MARKDOWN, "b-xa: lost"),
        (diagram(REFUSED["a lost message"][1]), "Shop-xBank: gone"),
        (SPLIT, '{"host":1}'),
        (SPLIT.replace("\n\n", "\n"), '{"host":1}'),
        ("mt 1->2\n\nmt 2-3", "-3"),
    ],
)
def test_the_place_in_layers(text: str, place: str) -> None:
    assert marked(text=text) == place


def test_the_place_in_programs() -> None:
    assert marked(kind="seals", p="\nmt 1->2\n  mt 1-2", q="mt 2->1") == "-2"
    assert marked(kind="draw", p="mt 1->2", q="mt 2->1\nfoo") == "foo"


def test_other_errors_have_no_place() -> None:
    assert marked(text="mt 1->2\n\nrcv 2<-1") is None
    assert marked(text="mt 1->2\n\nmt a->b") is None
    assert marked(text="") is None
    assert marked(kind="seals") is None
