"""No program without silent cuts is a barrier."""

import pytest

from sealcheck.language.parser import parse
from sealcheck.programs.semantics import PAPER
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.statement import Outcome
from sealcheck.theorems.section4.no_barrier_whole_language import (
    is_barrier,
    is_passed_unclosed,
    layers,
    printed,
    repaired,
)

# --- The whole language -----------------------------------------------------------------------


def program(text: str) -> Instance:
    return Instance(2, (parse(text),))


@pytest.mark.parametrize(
    ("text", "is_none"),
    [
        ("eps", True),
        ("cut", False),
        ("cut; mt 1->2", True),
        ("mt 1->2; cut", True),
        ("cut; mt 1->2; cut", False),
        ("cut; snd 1->2; cut", False),
        ("1.x := 1; cut; [1.x = 1]", False),
        ("cut + eps", True),
        ("1.x := 1; [1.x = 0]; mt 1->2 + cut", False),
    ],
)
def test_the_repaired_criterion_on_examples(text: str, *, is_none: bool) -> None:
    instance = program(text)
    with inline() as ask:
        assert is_passed_unclosed(instance, ask, PAPER) == is_none
        assert is_barrier(instance, ask, PAPER) != is_none


def test_programs_that_never_occur_are_counted_apart() -> None:
    with inline() as ask:
        for check in (printed, repaired):
            assert check(program("1.x := 1; [1.x = 0]"), ask) is Outcome.VACUOUS


def test_every_layer_is_tried() -> None:
    last = layers(2)[-1][-1]
    listed = [p for some in layers(2) for p in some]
    assert (len(listed), len(set(listed))) == (43, 41)

    class AllButTheLast:
        """An oracle that lets a program keep all layers apart but the last."""

        def __call__(self, question, instance, *semantics):  # type: ignore[no-untyped-def]
            return instance.programs[0] != last

        def all(self, question, about):  # type: ignore[no-untyped-def]
            return [self(question, *each) for each in about]

    assert not is_barrier(program("cut"), AllButTheLast(), PAPER)
