"""Diagrams with blocks and dividers: their layers, the expression, and all errors of a file."""

import pytest

from sealcheck.errors import InputError
from sealcheck.language.readers import read_named, read_protocol

ONE, TWO, THREE = "A->>B: x", "B->>A: y", "A->>B: z"
NOTHING = ("then",)


@pytest.mark.parametrize(
    ("drawn", "layers", "expression"),
    [
        ([ONE, "loop l", TWO, "end", THREE], 3, ("then", 0, ("any", 1), 2)),
        (["alt a", ONE, "else b", TWO, "end"], 2, ("or", 0, 1)),
        (["alt a", ONE, "end"], 1, ("or", 0, NOTHING)),
        (["opt a", ONE, TWO, "end"], 1, ("or", 0, NOTHING)),
        (["critical a", ONE, "option b", TWO, "end"], 2, ("then", 0, ("or", 1, NOTHING))),
        ([ONE, "break a", TWO, "end", THREE], 3, ("or", ("then", 0, 2), ("then", 0, 1))),
        (
            ["loop l", ONE, "break a", TWO, "end", "end"],
            2,
            ("then", ("any", 0), ("or", ("then", 0, 1), NOTHING)),
        ),
        (["loop l", "par p", ONE, "and q", "C->>D: x", "end", "end"], 1, ("any", 0)),
        (["loop l", "rect red", ONE, "end", TWO, "end"], 1, ("any", 0)),
    ],
)
def test_blocks_of_mermaid(drawn: list[str], layers: int, expression: object) -> None:
    found = read_protocol("\n".join(["sequenceDiagram", *drawn]), "a.mmd")
    assert found is not None
    assert (len(found.layers), found.expression) == (layers, expression)


def test_dividers_of_plantuml_are_boundaries() -> None:
    """They name layers; by itself each such file is still one program."""
    text = "@startuml\nA -> B\n== Write ==\nA -> B\nloop 3 > 2\nB -> A\nend loop\n@enduml"
    found = read_protocol(text, "a.puml")
    assert found is not None
    assert found.layers == {"line 2": "mt A->B", "Write, line 4": "mt A->B", "Write, line 6": "mt B->A"}
    assert found.expression == ("then", 0, 1, ("any", 2))
    assert read_named("@startuml\nA -> B\n== x ==\nB -> A\n@enduml", "a.puml") is not None


@pytest.mark.parametrize(
    ("drawn", "reason"),
    [
        (["par p", ONE, "and q", TWO, "end"], "line 2: 'par': 'A' is in two of the sections"),
        (["opt o", "break b", ONE, "end", "end"], "line 3: 'break': a break in 'opt' may leave more"),
        (
            ["par p", ONE, "and q", "break b", "C->>D: x", "end", "end"],
            "line 5: 'break': a break in 'par' may",
        ),
        (["critical c", ONE, "else x", TWO, "end"], "line 4: 'else': no 'alt' block is open here"),
        (["loop l", ONE], "line 2: 'loop': no 'end' closes this block"),
        (["loop l", "else x", "end"], "line 3: 'else': no 'alt' block is open here"),
        (["end"], "line 2: 'end': no block is open here"),
    ],
)
def test_blocks_that_are_refused(drawn: list[str], reason: str) -> None:
    with pytest.raises(InputError) as raised:
        read_protocol("\n".join(["sequenceDiagram", *drawn]), "a.mmd")
    assert str(raised.value).startswith(reason)


def test_a_group_has_no_else() -> None:
    """In PlantUML it is drawn as a choice, which a frame is not."""
    with pytest.raises(InputError, match=r"^line 4: 'else': no 'alt' block is open here$"):
        read_protocol("@startuml\ngroup g\nA -> B\nelse\nC -> D\nend\n@enduml", "a.puml")


def test_all_errors_are_reported() -> None:
    """In the order of lines."""
    with pytest.raises(InputError) as raised:
        read_named("sequenceDiagram\nA-xB: x\nA->>B: y\nnonsense\nA->>A: z", "a.mmd")
    told = [str(raised.value), *raised.value.__notes__]
    assert [each.strip().split(":")[0] for each in told] == ["line 2", "line 4", "line 5"]


def test_created_participants() -> None:
    """They are participants, with their names."""
    text = "sequenceDiagram\ncreate actor N as D\nA->>N: x\ndestroy N"
    program = read_named(text, "a.mmd")
    assert program is not None
    assert program.names == ("D", "A")
