"""Each pasted Mermaid diagram is answered, or refused with a replacement."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.cli.play.pasted import READ, REFUSED, diagram

from sealcheck.cli.play.answer import answer

ROOT = Path(__file__).parents[3]


def pasted(text: str) -> Any:
    return json.loads(answer(json.dumps({"text": diagram(text)})))


@pytest.mark.parametrize("name", READ)
def test_a_construct_that_is_read_has_an_answer(name: str) -> None:
    verdict, text = READ[name]
    found = pasted(text)
    assert found["read"] == "a Mermaid diagram"
    (part,) = found["parts"]
    assert part["verdict"].startswith(verdict)
    assert part["is_checked"]


@pytest.mark.parametrize("name", REFUSED)
def test_a_construct_that_is_refused_says_what_to_write(name: str) -> None:
    instead, text = REFUSED[name]
    found = pasted(text)
    assert re.match(r"layer 1: diagram\.mmd: line \d+: ", found["error"])
    assert found["error"].endswith(instead)


def test_there_is_a_diagram_for_each_construct() -> None:
    section = (ROOT / "docs" / "diagrams.md").read_text().split("### Mermaid\n")[1].split("### PlantUML\n")[0]
    read, refused = (re.findall(r"^\|(.*)\|$", table, re.M) for table in section.split("| refused |"))
    texts = "\n".join(diagram(text) for _, text in [*READ.values(), *REFUSED.values()])
    names = [name.replace("\\|", "|") for row in read for name in re.findall(r"`([^`]+)`", row)]
    assert len(names) > 40
    words = [re.split(r" ?(?:…|: …|name$)", name)[0] for name in names]
    assert [word for word in words if word.lower() not in texts.lower()] == []
    assert len(refused[1:]) == len(REFUSED)
