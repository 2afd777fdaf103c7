"""Arguments of a wrong type raise TypeError, or InputError with one sentence."""

from collections.abc import Callable
from inspect import Parameter, signature
from typing import Any

import pytest

import sealcheck
from sealcheck import Layers, Program, all_programs, audit, check, diff, phases, program, refines
from sealcheck.errors import InputError

FUNCTIONS = [getattr(sealcheck, name) for name in sealcheck.__all__ if name[0].islower()] + [
    Program.from_mermaid,
    Program.from_plantuml,
    Program.from_trace,
    Program.layers_from_trace,
    program("eps").over,
]
VALUES = [None, 0, 1, -1, 10**30, 1.5, float("nan"), b"eps", ["eps"], {}, object(), True, "\ud800", "("]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__qualname__)
def test_every_function_refuses_what_it_does_not_take(function: Callable[..., Any]) -> None:
    sound = {"p": "eps", "q": "eps", "text": "eps", "against": "sealable", "n": 1, "messages": 0}
    positional = {"layers": "eps", "statements": "graph-cause"}
    sound |= {"prediction": lambda p: None, "function": lambda p: True, "diagram": "", "lines": ""}
    parameters = signature(function).parameters
    required = {
        name: sound[name]
        for name, each in parameters.items()
        if each.default is Parameter.empty and each.kind is not Parameter.VAR_POSITIONAL
    }
    for name, parameter in parameters.items():
        for value in VALUES:
            given = required | {name: value}
            several = [each for other, each in positional.items() if other in parameters]
            if parameter.kind is Parameter.VAR_POSITIONAL:
                del given[name]
                several = [value]
            try:
                function(*several, **given)
            except (TypeError, InputError):
                continue
            assert value is None or _fits(value, str(parameter.annotation)), (name, value)


def _fits(value: Any, annotation: str) -> bool:
    kinds = {bool: "bool", int: "int", float: "float", str: "str", list: "Sequence", dict: "Mapping"}
    return kinds.get(type(value), "Any") in annotation or (type(value) is int and "float" in annotation)


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: phases(), InputError, "there are no layers"),
        (lambda: phases("eps", repeat=0), TypeError, "repeat must be True or False, not 0"),
        (lambda: program(None), TypeError, "text must be a text or a Program, not None"),
        (lambda: program("eps", True), TypeError, "n must be a whole number or None, not True"),
        (lambda: program("eps").over(10**30), InputError, "n must be in 1..10000"),
        (lambda: program("eps") >> 5, TypeError, "programs must be a text or a Program, not 5"),
        (lambda: program("mt a->b", names=["b", "b"]), InputError, "^names: 'b' is given twice$"),
        (lambda: program("mt a->b", 1, names=["b"]), InputError, "over 2 processes, which is more than 1"),
        (lambda: Program.from_trace("\n"), InputError, "^no process is named$"),
        (lambda: Program.layers_from_trace(""), InputError, "^no process is named$"),
        (lambda: Program.from_mermaid("sequenceDiagram"), InputError, "^no process is named$"),
        (lambda: Program.from_shares([]), InputError, "the list is empty: give a number for each process"),
        (
            lambda: phases("mt 1->2", ports={"2<-1": "fifo"}),  # type: ignore[dict-item]
            TypeError,
            "ports must be a mapping from texts to sequences of texts or None, not {'2<-1': 'fifo'}",
        ),
        (
            lambda: Layers.read(["mt 1->2"], {2: ["fifo"]}),  # type: ignore[dict-item]
            TypeError,
            "ports must be a mapping from texts to sequences of texts or None, not {2: ",
        ),
        (
            lambda: Layers.read("mt 1->2"),
            TypeError,
            "read: layers must be a sequence of texts, not 'mt 1->2'",
        ),
        (lambda: refines("eps", "eps", unroll="3"), TypeError, "unroll must be a whole number, not '3'"),
        (lambda: refines("eps", "eps", unroll=-1), InputError, "^unroll must be in 0"),
        (lambda: audit("graph-cause", n=-1), InputError, "^n must be at least 1, not -1"),
        (lambda: audit("graph-cause", messages=-1), InputError, "^messages must be at least 0, not -1"),
        (lambda: diff(lambda p: 1, against="sealable", n=99), InputError, "^n must be at most"),
        (
            lambda: check(lambda *layers: True, against="port-phases", n=3, messages=3),
            InputError,
            "are too many: messages must be at most 2",
        ),
        (lambda: audit(None), TypeError, "statements must be a text, not None"),
        (lambda: list(all_programs(2, -1)), InputError, "at least 0, not -1"),
        (lambda: diff(lambda p: 1, against="sealable", random=float("nan")), InputError, "not nan"),
        (lambda: check(lambda p: True, against="sealable", n="3"), TypeError, "n must be a whole number"),
    ],
)
def test_the_sentence_names_the_argument(call: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        call()
