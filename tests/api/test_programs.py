"""Programs as values."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from tests.strategies import any_program, unhurried

from sealcheck import Program, all_programs, phases, program, seals
from sealcheck.api.programs import together
from sealcheck.errors import InputError
from sealcheck.programs.space import count_canonical, count_programs


@unhurried
@given(any_program())
def test_reprs_evaluate_back(straight: object) -> None:
    shown = Program(straight.n, straight)  # type: ignore[attr-defined,arg-type]
    assert eval(repr(shown), {"program": program}) == shown


@pytest.mark.parametrize("text", ["(mt 1->2)*; cut", "mt 1->2 + eps", "[1.x = 5]; snd 1->2 (x)"])
def test_the_whole_language_is_read(text: str) -> None:
    found = program(text, 3)
    assert eval(repr(found), {"program": program}) == found
    assert not found.is_straight_line
    with pytest.raises(InputError, match="not straight-line"):
        found.processes  # noqa: B018


@pytest.mark.parametrize("text", ["mt client->server", "mt b->a; snd a->b; rcv b<-a"])
def test_processes_may_have_names(text: str) -> None:
    for found in (program(text), program(text).over(4), together("mt x->client", text)[1]):
        assert eval(repr(found), {"program": program}) == found
        assert str(found) == str(program(text))


def test_names_and_numbers_do_not_mix() -> None:
    with pytest.raises(InputError, match="some of the programs have names"):
        program("mt a->b") >> "mt 1->2"
    assert program("mt a->b") >> "eps" == program("mt a->b")


def test_diagrams_and_traces_are_programs() -> None:
    expected = program("mt a->b; mt b->a")
    trace = [("a", "send", "1", "b"), ("b", "receive", "1"), ("b", "send", "2", "a"), ("a", "receive", "2")]
    keys = ("host", "event", "message", "to")
    lines = "\n".join(json.dumps(dict(zip(keys, event, strict=False))) for event in trace)
    assert Program.from_mermaid("sequenceDiagram\na->>b: x\nb-->>a: y") == expected
    assert Program.from_plantuml("@startuml\na -> b: x\nb --> a: y\n@enduml") == expected
    assert Program.from_trace(lines) == expected
    with pytest.raises(InputError, match="line 2"):
        Program.from_mermaid("sequenceDiagram\nloop x")


SENT = {"host": "a b", "event": "send", "message": "m", "to": "c"}
TAKEN = {"host": "c", "event": "receive", "message": "m"}


@pytest.mark.parametrize(
    ("sent", "taken", "why", "layer"),
    [
        ({"tag": "x"}, {}, "line 1: it has a tag", 'snd "a b"->c:x; rcv c<-"a b":x'),
        ({}, {"from": "*"}, "line 2: it has a receive from any source", 'snd "a b"->c; rcv c<-*'),
        ({"phase": "p"}, {"phase": "p"}, "its events have phases", 'snd "a b"->c; rcv c<-"a b"'),
    ],
)
def test_what_a_program_cannot_have_is_in_layers(
    sent: dict[str, str], taken: dict[str, str], why: str, layer: str
) -> None:
    lines = "\n".join(map(json.dumps, (SENT | sent, TAKEN | taken)))
    with pytest.raises(InputError, match=rf"^{why}: Program.layers_from_trace reads them"):
        Program.from_trace(lines)
    assert Program.layers_from_trace(lines) == (layer,)
    assert not phases(layer, layer)
    assert not seals(layer, "eps")


def test_layers_of_a_trace_and_of_spans() -> None:
    examples = Path(__file__).parents[2] / "examples"
    both = Program.layers_from_trace((examples / "traces" / "both.jsonl").read_text())
    assert len(both) > 1
    assert phases(*both, transport="mpi").to_json()["interfering"]
    with (
        pytest.warns(UserWarning, match="answer-at-end"),
        pytest.warns(UserWarning, match="left out: 2 CLIENT spans without a SERVER span"),
    ):
        (order,) = Program.layers_from_trace((examples / "spans" / "order.json").read_text())
    assert ":reply" in order
    plain = "\n".join(map(json.dumps, (SENT, TAKEN)))
    assert program(*Program.layers_from_trace(plain)) == Program.from_trace(plain)


def test_layering_takes_text_on_either_side() -> None:
    assert program("mt 1->2") >> "mt 2->3" == "mt 1->2" >> program("mt 2->3") == program("mt 1->2; mt 2->3")
    assert str(program("mt 1->2") >> "cut" >> "mt 2->1") == "mt 1->2; cut; mt 2->1"


def test_more_processes_never_fewer() -> None:
    assert program("mt 1->2").over(4).processes == (("snd 1->2",), ("rcv 2<-1",), (), ())
    with pytest.raises(InputError, match="is over 2 processes, which is more than 1"):
        program("mt 1->2").over(1)
    for n in (0, 10_001, 10**30):
        with pytest.raises(InputError, match=r"n must be in 1\.\.10000"):
            program("mt a->b", n)


@pytest.mark.parametrize(("n", "messages"), [(1, 0), (2, 3), (3, 2)])
def test_all_programs_are_listed(n: int, messages: int) -> None:
    every = list(all_programs(n, messages))
    assert len(set(every)) == len(every) == count_programs(n, messages)
    assert len(list(all_programs(n, messages, canonical=True))) == count_canonical(n, messages)


@pytest.mark.parametrize("text", ["mt 1->", "mt 1->2; mt 3->9000000000", "mt 1->2;; mt"])
def test_what_is_no_program_is_said(text: str) -> None:
    with pytest.raises(InputError):
        program(text)
