"""Named programs, diagrams and traces: what is read, and what is refused with the line."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import balanced_program, process_names, unhurried

from sealcheck.api.programs import program as program_of
from sealcheck.errors import InputError
from sealcheck.language.names import Names, parse_named, together
from sealcheck.language.readers import DIAGRAMS, RECORDED, read_named
from sealcheck.programs.straight_line import StraightLine, mt


def read(file: str, *lines: str) -> tuple[tuple[str, ...], str]:
    program = read_named("\n".join(lines), file)
    assert program is not None
    (straight,), names = together([program])
    return names.listed, names.program(straight)


def trace(*records: dict[str, object]) -> list[str]:
    return [json.dumps(record) for record in records]


def by_name(program: StraightLine, names: Names) -> dict[str, list[str]]:
    shares = {names.process(k): [*map(names.event, share)] for k, share in enumerate(program.shares, 1)}
    return {name: share for name, share in shares.items() if share}


@unhurried
@given(balanced_program(), st.sampled_from(["p{}", "the process {}", "ö{}"]))
def test_what_is_printed_is_read(program: StraightLine, form: str) -> None:
    names = Names(tuple(form.format(k) for k in range(1, program.n + 1)))
    (found,), read_names = together([parse_named(names.program(program))])
    assert by_name(found, read_names) == by_name(program, names)


def test_processes_are_the_same_where_their_names_are() -> None:
    programs, names = together([parse_named("mt a->b"), parse_named("mt c->b; mt b->a")])
    assert names.listed == ("a", "b", "c")
    assert [str(program) for program in programs] == ["mt 1->2", "mt 3->2; mt 2->1"]


def test_what_a_diagram_looks_like_is_left_out() -> None:
    front = ["---", "title: x", "---", "%%{init: {}}%%", "sequenceDiagram", "autonumber"]
    assert read("a.mmd", *front, "a->>+b: x", "b-->>-a: y") == (("a", "b"), "mt a->b; mt b->a")


def test_mermaid() -> None:
    names, program = read(
        "a.mmd",
        "%% a comment",
        "sequenceDiagram",
        "  autonumber",
        "  participant C as the client",
        "  actor S",
        "  C->>+S: one",
        "  S-->>-C: two;",
        "  Note over C,S: nothing -> happens",
        "  activate S",
        "  C-)Other one: three",
        "  C -> S: four",
        "  S --> C: five",
    )
    assert names == ("the client", "S", "Other one")
    assert program.split("; ")[:3] == [
        'mt "the client"->S',
        'mt S->"the client"',
        'mt "the client"->"Other one"',
    ]
    assert len(program.split("; ")) == 5


def test_plantuml() -> None:
    names, program = read(
        "a.puml",
        "@startuml an example",
        "' a comment",
        "title Example",
        'participant "the client" as C',
        'database D as "the store"',
        "C -> D : one",
        "C <-- D : two",
        '"the log" <<- C',
        "== later ==",
        "note over C : nothing",
        "@enduml",
    )
    assert names == ("the client", "the store", "the log")
    assert program == 'mt "the client"->"the store"; mt "the store"->"the client"; mt "the client"->"the log"'


def test_plantuml_with_messages_that_overtake() -> None:
    lines = ["@startuml", "A ->(60) B : slow", "A -> C : quick", "C -> B : quick", "' rcv B<-A", "@enduml"]
    names, program = read("a.puml", *lines)
    assert names == ("A", "B", "C")
    found = parse_named("snd A->B; mt A->C; mt C->B; rcv B<-A")
    assert by_name(together([parse_named(program)])[0][0], Names(parse_named(program).names)) == by_name(
        together([found])[0][0], Names(found.names)
    )
    assert read("a.puml", "@startuml", "B (9)<-- A : x", "' rcv B<-A", "@enduml")[1] == "mt A->B"


def test_a_trace_with_message_ids() -> None:
    names, program = read(
        "a.jsonl",
        *trace(
            {"host": "a", "event": "send", "message": "1"},
            {"host": "a", "event": "send", "message": "2", "to": "b"},
            {"host": "b", "event": "local", "text": "writes"},
            {"host": "b", "event": "receive", "message": "2"},
            {"host": "b", "event": "receive", "message": "1"},
            {"host": "b", "event": "send", "message": "3", "to": "c"},
        ),
    )
    assert names == ("a", "b", "c")
    assert program == "mt a->b; mt a->b; snd b->c"


def test_a_trace_with_vector_clocks() -> None:
    names, program = read(
        "a.jsonl",
        *trace(
            {"host": "a", "event": "send", "clock": {"a": 1}},
            {"host": "b", "event": "receive", "clock": {"a": 1, "b": 1}},
            {"host": "b", "event": "send", "clock": {"a": 1, "b": 2}},
            {"host": "c", "event": "receive", "clock": {"a": 1, "b": 2, "c": 1}},
            {"host": "c", "event": "send", "clock": {"a": 1, "b": 2, "c": 2}},
            {"host": "c", "event": "local", "clock": {"a": 1, "b": 2, "c": 3}},
            {"host": "a", "event": "receive", "clock": {"a": 2, "b": 2, "c": 2}},
        ),
    )
    assert names == ("a", "b", "c")
    assert program == "mt a->b; mt b->c; mt c->a"


@pytest.mark.parametrize(
    ("file", "lines", "reason"),
    [
        ("a.mmd", ["graph TD"], "line 1: a sequence diagram starts with 'sequenceDiagram'"),
        ("a.mmd", ["%% nothing"], "no sequence diagram found"),
        (
            "a.mmd",
            ["sequenceDiagram", "loop daily", "A->>B: x", "end"],
            "line 2: 'loop': a layer has no branches",
        ),
        ("a.mmd", ["sequenceDiagram", "", "alt ok"], "line 3: 'alt'"),
        ("a.mmd", ["sequenceDiagram", "rect rgb(0,0,0)"], "line 2: 'rect': no 'end' closes this block"),
        ("a.mmd", ["sequenceDiagram", "A-xB: x"], "line 2: '-x': this arrow marks a lost message"),
        ("a.mmd", ["sequenceDiagram", "A->>A: x"], "line 2: 'A' sends to itself"),
        ("a.mmd", ["sequenceDiagram", "A<<->>B: x"], "line 2: '<<->>': this arrow is two messages"),
        ("a.mmd", ["sequenceDiagram", "A->>B: x", "participant A as C"], "line 3: 'A': this participant is"),
        (
            "a.mmd",
            ["sequenceDiagram", "participant A as x", "participant B as x"],
            "line 3: 'x': two participants have this name",
        ),
        (
            "a.mmd",
            ["sequenceDiagram", "participant A as a&amp;b", "A->>c: x"],
            "line 2: '&amp;': ';' ends a line in Mermaid: write #amp;",
        ),
        ("a.mmd", ["---", "title: x", "sequenceDiagram"], "line 1: '---': no '---' closes this"),
        ("a.puml", ["A -> B"], "line 1: a diagram starts with '@startuml'"),
        ("a.puml", ["@startuml", "A -> B"], "no diagram from '@startuml' to '@enduml' found"),
        ("a.puml", ["@startuml", "@enduml", "A -> B"], "line 3: a diagram starts with '@startuml'"),
        (
            "a.puml",
            ["@startuml", "A ->(10) B : x", "@enduml"],
            "line 2: a slanted arrow: write the line ' rcv B<-A",
        ),
        (
            "a.puml",
            ["@startuml", "A (10)<- B : x", "@enduml"],
            "line 2: a slanted arrow: write the line ' rcv A<-B",
        ),
        ("a.puml", ["@startuml", "A -> B", "' rcv B<-A", "@enduml"], "line 3: .*no slanted arrow is open"),
        ("a.puml", ["@startuml", "group x", "@enduml"], "line 2: 'group': no 'end' closes this block"),
        ("a.puml", ["@startuml", "A ->x B : x", "@enduml"], "line 2: '->x': this arrow marks a lost message"),
        ("a.jsonl", ["{"], "line 1: not JSON: .* at column 2"),
        ("a.jsonl", ['{"host": "a"', "{}"], "line 1: not JSON: .* at column 13$"),
        ("a.jsonl", ['{"event": "send"}'], "line 1: there must be an object with a 'host'"),
        (
            "a.jsonl",
            trace({"host": "a", "event": "receive", "message": "1"}),
            "line 1: the message '1' is received but",
        ),
        (
            "a.jsonl",
            trace({"host": "a", "event": "send", "message": "1"}),
            "line 1: the message '1': it has no receive",
        ),
        ("a.jsonl", trace({"host": "a", "event": "send"}), "line 1: a send needs the id of its 'message'"),
        (
            "a.jsonl",
            trace(*[{"host": "a", "event": "send", "message": "1", "to": "b"}] * 2),
            "line 2: .* second time",
        ),
        (
            "a.jsonl",
            trace(
                {"host": "a", "event": "send", "message": "1", "to": "b"},
                {"host": "c", "event": "receive", "message": "1"},
            ),
            "line 2: '1' was sent to 'b'",
        ),
        (
            "a.jsonl",
            trace(
                {"host": "a", "event": "receive", "message": "2"},
                {"host": "a", "event": "send", "message": "1", "to": "b"},
                {"host": "b", "event": "receive", "message": "1"},
                {"host": "b", "event": "send", "message": "2", "to": "a"},
            ),
            "line 1: the message '2' is received before it can have been sent",
        ),
        ("a.jsonl", ['{"host": "a", "host": "b"}'], "line 1: a key occurs twice"),
        ("a.jsonl", trace({"host": "a", "clock": {"a": 1}}, {"host": "a"}), "line 2: the clock is missing"),
        (
            "a.jsonl",
            trace({"host": "a", "event": "receive", "clock": {"a": 2}}),
            "line 1: this is event 1 of 'a', but its clock says 2",
        ),
        (
            "a.jsonl",
            trace({"host": "a", "event": "receive", "clock": {"a": True}}),
            "line 1: a clock must be an object with a count for each host",
        ),
        (
            "a.jsonl",
            trace({"host": "a", "event": "receive", "clock": {"a": 1, "b": 1}}),
            "line 1: the clock refers to event 1 of 'b'",
        ),
        (
            "a.jsonl",
            trace(
                {"host": "a", "event": "receive", "clock": {"a": 1, "b": 1}},
                {"host": "b", "event": "receive", "clock": {"a": 1, "b": 1}},
            ),
            "line 1: no single event explains",
        ),
        (
            "a.jsonl",
            trace(
                {"host": "b", "event": "receive", "clock": {"b": 1}},
                {"host": "a", "event": "receive", "clock": {"a": 1, "b": 1}},
                {"host": "a", "event": "receive", "clock": {"a": 2}},
            ),
            "line 3: the clock of 'a' goes backwards",
        ),
        (
            "a.jsonl",
            trace(
                {"host": "b", "event": "receive", "clock": {"b": 1}},
                {"host": "c", "event": "receive", "clock": {"c": 1}},
                {"host": "a", "event": "receive", "clock": {"a": 1, "b": 1, "c": 1}},
            ),
            "line 3: no single event explains",
        ),
        ("a.txt", ["mt a->b", "mt a->"], "line 2, column 1: 'mt a->' is not a statement"),
    ],
)
def test_what_is_refused(file: str, lines: list[str], reason: str) -> None:
    with pytest.raises(InputError, match=reason.replace("(", r"\(").replace("+", r"\+")):
        read_named("\n".join(lines), file)


def test_suffixes() -> None:
    assert set(DIAGRAMS) == {".mmd", ".mermaid", ".puml", ".plantuml", ".pu", ".md", ".markdown"}
    assert set(RECORDED) == {".jsonl", ".json"}
    assert read_named("mt 1->2 # mt a->b", "a.txt") is None


UNSHOWN = [
    "a\x1b[2J",
    "a\nsealcheck: yes",
    "a\r",
    "a\x7f",
    "a\x9b2J",
    "a\t",
    "a\u202e",
    "a\u2066",
    "a\u200b",
    "a\ufeff",
]
UNSHOWN += ["a\u2028", "a\u2029", "a\x85", "a\xa0b", "\ud800", "e\u0301", "a ", " a", 'a"->b; mt b->"c']


def spans_of(name: str) -> str:
    described = {"attributes": [{"key": "service.name", "value": {"stringValue": name}}]}
    return json.dumps({"resourceSpans": [{"resource": described}]})


WAYS_IN = {
    "program text": lambda name: parse_named(f'mt "{name}"->b'),
    "the receiver in program text": lambda name: parse_named(f'rcv b<-"{name}"'),
    "Mermaid": lambda name: read_named(f"sequenceDiagram\nparticipant A as {name}\nA->>B: x", "a.mmd"),
    "an arrow of Mermaid": lambda name: read_named(f"sequenceDiagram\nB->>{name}: x", "a.mmd"),
    "PlantUML": lambda name: read_named(f'@startuml\n"{name}" -> B\n@enduml', "a.puml"),
    "an alias of PlantUML": lambda name: read_named(f'@startuml\nactor "{name}" as a\n@enduml', "a.puml"),
    "a host": lambda name: read_named(json.dumps({"host": name, "event": "local"}), "a.jsonl"),
    "a receiver": lambda name: read_named(
        json.dumps({"host": "x", "event": "send", "message": "m", "to": name}), "a.jsonl"
    ),
    "spans": lambda name: read_named(spans_of(name), "a.json"),
    "Python": lambda name: program_of("eps", names=("b", name)),
    "names themselves": lambda name: Names((name,)),
}

CUT = ("Mermaid", "an arrow of Mermaid")
"""The notations in which blanks and line breaks at the end do not belong to a name."""


@pytest.mark.parametrize(
    ("way", "name"),
    [(way, name) for way in WAYS_IN for name in UNSHOWN if way not in CUT or name == name.strip()],
)
def test_a_name_is_shown_as_it_is(way: str, name: str) -> None:
    with pytest.raises(InputError):
        WAYS_IN[way](name)


@unhurried
@given(st.lists(process_names(), min_size=2, max_size=2, unique=True))
def test_names_in_quotes_are_read_back(found: list[str]) -> None:
    program = StraightLine.of(2, [*mt(1, 2), *mt(2, 1)])
    read = parse_named(f"{Names(tuple(found)).program(program)}  # mt x->y; mt")
    assert read.names == tuple(found)
    assert read.events == program.linearization


def test_two_spellings_of_a_name_are_no_two_processes() -> None:
    assert parse_named('mt "\u00e9"->b').names == ("\u00e9", "b")
    with pytest.raises(InputError, match=r"line 2: the name 'e.u0301' is decomposed"):
        parse_named('mt a->b\nmt "e\u0301"->b')
