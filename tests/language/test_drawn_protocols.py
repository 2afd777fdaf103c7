"""Diagrams with blocks and dividers: layers, the protocol, and all errors of a file."""

import re

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
    with pytest.raises(InputError, match=r"^line 4: 'else': no 'alt' block is open here$"):
        read_protocol("@startuml\ngroup g\nA -> B\nelse\nC -> D\nend\n@enduml", "a.puml")


def test_all_errors_are_reported() -> None:
    with pytest.raises(InputError) as raised:
        read_named("sequenceDiagram\nA-xB: x\nA->>B: y\nnonsense\nA->>A: z", "a.mmd")
    told = [str(raised.value), *raised.value.__notes__]
    assert [each.strip().split(":")[0] for each in told] == ["line 2", "line 4", "line 5"]


def test_created_participants() -> None:
    text = "sequenceDiagram\ncreate actor N as D\nA->>N: x\ndestroy N"
    program = read_named(text, "a.mmd")
    assert program is not None
    assert program.names == ("D", "A")


@pytest.mark.parametrize(
    ("drawn", "messages"),
    [
        (["A -> B ++", "B -> C ++", "return", "return"], "mt A->B; mt B->C; mt C->B; mt B->A"),
        (["A -> B", "activate B", "B -> C --++", "return"], "mt A->B; mt B->C; mt C->B"),
        (["A -> B ++", "B -> C", "deactivate B", "return"], "mt A->B; mt B->C; mt C->B"),
        (["autoactivate on", "A -> B", "B -> C", "C --> B", "return"], "mt A->B; mt B->C; mt C->B; mt B->A"),
        (["A -> B", "note left: B -> C", "... later ...", "return"], "mt A->B; mt B->A"),
        (
            ["autoactivate on", "A -> B", "B -[#red]> C", "C -[#red]-> B", "return"],
            "mt A->B; mt B->C; mt C->B; mt B->A",
        ),
        (["A <- B ++", "A ++", "C -> B --", "return"], "mt B->A; mt C->B; mt A->B"),
    ],
)
def test_a_return_answers_the_message_of_its_activation(drawn: list[str], messages: str) -> None:
    found = read_protocol("\n".join(["@startuml", "== all ==", *drawn, "@enduml"]), "a.puml")
    assert found is not None
    assert found.layers == {"all": messages}


@pytest.mark.parametrize("drawn", [["return"], ["group g", "A -> B", "end", "return"]])
def test_a_return_that_answers_nothing(drawn: list[str]) -> None:
    with pytest.raises(InputError, match="'return': no message is above: write the arrow"):
        read_named("\n".join(["@startuml", *drawn, "@enduml"]), "a.puml")


@pytest.mark.parametrize(
    ("file", "drawn", "names"),
    [
        ("a.mmd", 'participant A@{ "type": "queue", "alias": "the queue" }', ("the queue",)),
        ("a.mmd", "participant A@{\ntype: queue\nalias: 'x; y'\n} as <br/>the queue", ("the queue",)),
        ("a.mmd", 'actor A as "a"\nA->>Bob (the b): x', ("a", "Bob (the b)")),
        ("a.mmd", "participant A as wrap: one<br>two", ("one two",)),
        ("a.mmd", "user@host->>A#45;B: x", ("user@host", "A-B")),
        ("a.puml", '"a.b" -> 1.2@x : t', ("a.b", "1.2@x")),
        ("a.puml", 'A -> "Bob()" as B\nB -> A', ("A", "Bob()")),
        ("a.puml", 'participant A as "one\\ntwo%n()three"\nB as "b b" -> A', ("one two three", "b b")),
        ("a.puml", "loop -> end : x\nlegend.x -> return", ("loop", "end", "legend.x", "return")),
    ],
)
def test_names(file: str, drawn: str, names: tuple[str, ...]) -> None:
    text = f"sequenceDiagram\n{drawn}" if file == "a.mmd" else f"@startuml\n{drawn}\n@enduml"
    program = read_named(text, file)
    assert program is not None
    assert program.names == names


@pytest.mark.parametrize(
    ("file", "line", "reason"),
    [
        ("a.mmd", "A-xB: x", "'-x': this arrow marks a lost message, which no layer has: write -) if"),
        (
            "a.mmd",
            "A<<-->>B: x",
            "'<<-->>': this arrow is two messages, and does not say which is first: write",
        ),
        ("a.mmd", "A->>B", "'A->>B': Mermaid needs a text after the second participant: write A->>B: text"),
        ("a.mmd", "A->>end: x", "'end': this name starts with a word of Mermaid's own"),
        ("a.mmd", "A->>A: x", "'A' sends to itself: write a note"),
        (
            "a.mmd",
            "box b\nA->>B: x\nend",
            "a message in a 'box': a box has participants only: write it below",
        ),
        ("a.mmd", "note A: x", "'note A: x': write Note over A,B: text, or"),
        ("a.mmd", "participant A@{ type }", "'participant A@{ type…': write participant A as the name, or"),
        ("a.mmd", "sequenceDiagram", "'sequenceDiagram': a second diagram: give each a file, or a fence"),
        ("a.mmd", "A->>B: x %% y", "'%%': a comment, or a whole directive, needs a line of its own"),
        ("a.mmd", "A->>B: #1; B->>A: x", "'#…;': Mermaid reads a message after it as text: give it a line"),
        (
            "a.mmd",
            "A->>B: x # y; B->>A: x",
            "'#': Mermaid reads the rest of the line as a comment: write #35;",
        ),
        ("a.mmd", "A=>B: #35;", "'A=>B: #': not a participant, an arrow with a text, or a note"),
        ("a.puml", "A ->x B", "'->x': this arrow marks a lost message, which no layer has: write -> if"),
        ("a.puml", "A <-> B", "'<->': this arrow is two messages, and does not say which is first: write"),
        ("a.puml", "[-> B", "'[-> B': this message comes from outside or leaves the diagram: declare"),
        (
            "a.puml",
            "A ->? : x",
            "'A ->? : x': this message comes from outside or leaves the diagram: declare",
        ),
        ("a.puml", "A -> B & C", "'A -> B & C': this arrow has two receivers: write an arrow to each"),
        ("a.puml", "& A -> B", "'& A -> B': '&' draws at the same height, so the order is open: write one"),
        ("a.puml", "A -[hidden]> B", "'-[hidden]>': this arrow is not drawn: leave it out, or draw it"),
        ("a.puml", "ref over A\nA -> B\nend ref", "'ref over A': this stands for another diagram: write"),
        (
            "a.puml",
            "!include x",
            "'!include x': the preprocessor is not run: give the output of plantuml -pre",
        ),
        ("a.puml", 'participant "%date()"', "'\"%date()\"': the preprocessor is not run: give the output"),
        ("a.puml", "legend -> b", "'legend -> b': PlantUML reads an arrow here, or a text: write the text"),
        ("a.puml", "A -> B /' x '/", "a comment behind a statement: give it a line of its own"),
        ("a.puml", "/' x '/ A -> B", "'A -> B': a comment ends in front of it: give it a line of its own"),
        ("a.puml", "note A", "'note A': write note over A : text, or note left, lines, and end note"),
        ("a.puml", "' rcv A", "'' rcv A': write ' rcv B<-A where a slanted arrow arrives"),
        ("a.puml", '"a b" ->(9) C', 'a slanted arrow: write the line \' rcv C<-"a b" where it arrives'),
        ("a.puml", "A -- B", "'A -- B': not a participant, an arrow, or a note"),
    ],
)
def test_a_refusal_says_what_to_write(file: str, line: str, reason: str) -> None:
    text = f"sequenceDiagram\n\n{line}" if file == "a.mmd" else f"@startuml\n\n{line}\n@enduml"
    with pytest.raises(InputError) as raised:
        read_named(text, file)
    assert re.sub(r"^line [34]: ", "", str(raised.value)).startswith(reason)
    assert not getattr(raised.value, "__notes__", [])


def test_a_parallel_block_is_reported_once() -> None:
    with pytest.raises(InputError) as raised:
        read_protocol("@startuml\nopt\nA -> B\nend\n& & opt\nA -> B\nend\n@enduml", "a.puml")
    assert str(raised.value).startswith("line 5: '& & opt': '&' draws at the same height")
    assert not getattr(raised.value, "__notes__", [])
