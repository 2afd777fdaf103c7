"""Files with several diagrams: fences of Markdown pages, and several @startuml."""

import pytest

from sealcheck.errors import InputError
from sealcheck.language.readers import read_named, read_protocol

COPY = "```mermaid\nsequenceDiagram\ntitle Copy\nA->>B: x\n```"
BACK = "~~~ {.puml}\nA <- B : y\n~~~"


def refusal(text: str, file: str = "a.md") -> list[str]:
    with pytest.raises(InputError) as raised:
        read_protocol(text, file)
    return [str(raised.value), *(note.strip() for note in getattr(raised.value, "__notes__", []))]


def test_diagrams_are_layers_in_order() -> None:
    page = f"# How\n\n{COPY}\n\n```sh\n```mermaid\n```\n\n{BACK}\n\n````md\n{COPY}\n````\n"
    found = read_protocol(page, "a.md")
    assert found is not None
    assert found.layers == {"Copy": "mt A->B", "diagram 2": "mt B->A"}
    assert found.expression == ("then", 0, 1)


def test_aliases_belong_to_their_diagram() -> None:
    first = "```mermaid\nsequenceDiagram\nparticipant A as client\nA->>S: x\n```"
    second = "```plantuml\n@startuml\nparticipant cache as A\nclient -> A\n@enduml\n```"
    found = read_protocol(f"{first}\n{second}", "a.md")
    assert found is not None
    assert found.processes == ("client", "S", "cache")
    assert [*found.layers.values()] == ["mt client->S", "mt client->cache"]


def test_a_break_ends_its_diagram() -> None:
    leaving = "@startuml\nA -> B\nbreak b\nA -> C\nend\nB -> A\n@enduml\n"
    found = read_protocol(f"{leaving}\n' between\n@startuml last\nC -> A\n@enduml", "a.puml")
    assert found is not None
    assert found.expression == ("then", ("or", ("then", 0, 2), ("then", 0, 1)), 3)
    assert list(found.layers)[-1] == "last"


def test_one_diagram_of_a_page_is_a_program() -> None:
    program = read_named(f"text\n{BACK}\n", "a.md")
    assert program is not None
    assert program.names == ("B", "A")
    assert read_protocol(f"text\n{BACK}\n", "a.md") is None
    with pytest.raises(InputError, match=r"^line 6: a second diagram: a layer is one diagram: give the file"):
        read_named(f"{COPY}\n{BACK}", "a.md")


@pytest.mark.parametrize(
    "kind", ["flowchart LR", "%% c\ngraph TD", "---\ntitle: x\n---\nstateDiagram-v2", "pie"]
)
def test_diagrams_without_messages_are_left_out(kind: str) -> None:
    other = f"```mermaid\n{kind}\nA->>B: x\n```\n```puml\n@startmindmap\n* x\n@endmindmap\n```"
    found = read_named(f"{other}\n{COPY}", "a.md")
    assert found is not None
    assert len(found.events) == 2
    assert refusal(other) == [
        "no sequence diagram found: no fence of the page, such as ```mermaid, has one",
    ]


def test_all_errors_of_a_page() -> None:
    wrong = "```mermaid\nzenuml\n```\n> ```puml\n> A -> B\n> ```\n\n```plantuml\nA -> B\n[-> A\n```"
    assert [each.split(":")[0] for each in refusal(wrong)] == ["line 2", "line 4", "line 10"]
    assert refusal("```mermaid\nsequenceDiagram")[0] == "line 1: '```mermaid': no '```' closes this fence"
    assert refusal("1. ```mermaid\n```")[0].startswith("line 1: this fence: it is in a quotation, or behind")
    assert refusal("# nothing, not even ```mermaid")[0].startswith("no sequence diagram found")
    assert refusal("```mermaid\n```")[0] == "line 2: no sequence diagram found"


@pytest.mark.parametrize(
    ("file", "text", "reason"),
    [
        ("a.mmd", "sequenceDiagram\naccDescr {\nA->>B: x", "line 2: 'accDescr {': no '}' closes this"),
        ("a.mmd", "sequenceDiagram\nparticipant A@{ type\n", "line 2: 'participant A@{ type': no '}' closes"),
        ("a.mmd", "%%{init:\nsequenceDiagram\n", "line 1: '%%{init:': no '}%%' closes this"),
        ("a.puml", "@startuml\nnote left\nA -> B\n@enduml", "line 2: 'note left': no line below ends this"),
        ("a.puml", "@startuml\n/' A\n@enduml", "line 2: '/'': no line below ends this"),
        ("a.puml", "@startuml\nskinparam {\nx {\n}\n@enduml", "line 2: 'skinparam {': no line below ends"),
        ("a.puml", "@startuml\nlegend\nend note\n@enduml", "line 2: 'legend': no line below ends this"),
        ("a.puml", "@startuml\n@startuml\n@enduml", "line 2: '@startuml': a diagram starts before the one"),
        ("a.puml", "@startmindmap\n* x\n@endmindmap", "line 1: a diagram starts with '@startuml'"),
    ],
)
def test_what_does_not_end(file: str, text: str, reason: str) -> None:
    assert refusal(text, file)[0].startswith(reason)
