"""Text over ports and protocol files: read as written, or refused with the place."""

from random import Random

import pytest
from tests.port_programs import random_phases

from sealcheck.errors import InputError
from sealcheck.language.names import NUMBERS
from sealcheck.language.ports import (
    Declared,
    is_over_ports,
    parse_expression,
    parse_layers,
    parse_port,
    parse_protocol_file,
    parse_statements,
)
from sealcheck.programs.ports import Overlap, Ports


def test_what_is_printed_is_read_again() -> None:
    rng = Random(1)
    for _ in range(300):
        about = random_phases(rng)
        texts = {f"layer {k}": layer.told(about.ports) for k, layer in enumerate(about.layers)}
        assert parse_layers(texts, about.n)[2] == list(about.layers)


def test_names_and_tags() -> None:
    n, names, layers = parse_layers({"A": 'snd "the client"->server:put\nrcv server <- * : put'}, None)
    assert (n, names.listed) == (2, ("the client", "server"))
    assert (
        layers[0].told(Ports.among(layers), names.quoted) == 'snd "the client"->server:put; rcv server<-*:put'
    )
    assert str(parse_port("server<-*:put", names)) == "2<-*:put"


@pytest.mark.parametrize("text", ["mt 1->2:a", "rcv 2<-*", "rcv b <- * :t", 'mt "a"->b:t'])
def test_is_over_ports(text: str) -> None:
    assert is_over_ports(text)


@pytest.mark.parametrize(
    "text",
    [
        "mt 1->2",
        "1.x := 2; mt 1->2 (x)",
        "(mt 1->2)*",
        "mt 1->2 # a:b <-*",
        'mt "host:80"->b',
        'mt "a->b:c <-*"->d # ->e:f',
    ],
)
def test_is_not_over_ports(text: str) -> None:
    assert not is_over_ports(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("snd 1->2:a b", "line 1, column 1: 'snd 1->2:a b' is not a statement"),
        ("mt 1->2\n\n  snd 1->*", "line 3, column 3"),
        ("cut", "is not a statement"),
    ],
)
def test_refused_statements(text: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        parse_statements(text)


@pytest.mark.parametrize(
    ("texts", "why"),
    [
        (["mt 1->a:x"], "layer 1: 'a' is a name, but process 1 a number"),
        (["mt a->b:x", "mt 1->2"], "layer 2: 1 is a number, but 'a' a name"),
        (["mt 1->1:x"], "process 1 sends to itself"),
        (["mt 0->1"], "numbered 1 to"),
        (["mt 1->7"], "process 7 is named, but n is 3"),
    ],
)
def test_refused_layers(texts: list[str], why: str) -> None:
    with pytest.raises(InputError, match=why):
        parse_layers({f"layer {k}": text for k, text in enumerate(texts, 1)}, 3)


def test_receives_that_overlap_are_refused() -> None:
    _, _, layers = parse_layers({"A": "snd 1->2; rcv 2<-*", "B": "mt 3->2"}, None)
    with pytest.raises(Overlap, match=r"'rcv 2<-3' and 'rcv 2<-\*' overlap"):
        Ports.among(layers)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("A (B", r"line 1, column 5: expected a layer, .* found the end"),
        ("A | * B", r"column 5: .* found '\*'"),
        ("A C", "column 3: there is no layer 'C'"),
        ("A)", "column 2"),
        ("(" * 60, "more than"),
        (f"A{'? *' * 26}", "nested more than 50 deep"),
    ],
)
def test_refused_expressions(text: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        parse_expression(text, ["A", "B"])


@pytest.mark.parametrize("protocol", ["", "A*", "A A"])
def test_a_layer_that_the_protocol_leaves_out_is_refused(protocol: str) -> None:
    declared = Declared({"layer A": "mt 1->2", "layer B": "mt 2->1"}, ["A", "B"], protocol=protocol)
    with pytest.raises(InputError, match=r"^protocol: it leaves out layer '[AB]': name each layer$"):
        declared.read()


def test_expressions() -> None:
    assert parse_expression("A+ | B?", "AB") == ("or", ("some", 0), ("or", 1, ("then",)))
    assert parse_expression("", "A") == ("then",)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("layer A: eps", "no line 'protocol"),
        ("protocol: A", "declares no layer"),
        ("layer A: eps\nlayer A: eps", "line 2: layer A: declared twice"),
        ("what: ever", "line 1: 'what: ever' is not a declaration"),
        ("processes: a, a", "declared twice"),
        ("port 2<-1: fifo\nport 2<-1: bag", "port 2<-1: declared twice"),
    ],
)
def test_refused_files(text: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        parse_protocol_file(text)


@pytest.mark.parametrize("port", ["2<-", "2->1", "2<-1:", "a<-b"])
def test_refused_ports(port: str) -> None:
    with pytest.raises(InputError):
        parse_port(port, NUMBERS)
