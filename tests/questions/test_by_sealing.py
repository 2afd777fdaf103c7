"""Refinements decided by algorithms: a solver and executions agree."""

from collections.abc import Callable, Iterator
from itertools import product

import pytest

from sealcheck.encodings.refinement import leaves_open, refute
from sealcheck.encodings.solving import fresh_formulas, open_solver
from sealcheck.explorers.executions import find_counterexample
from sealcheck.explorers.occurrence import outside_of
from sealcheck.language.parser import parse
from sealcheck.operations.by_sealing import balanced, closes, decided
from sealcheck.programs import syntax
from sealcheck.programs.semantics import ChannelModel, CutReading, Semantics
from sealcheck.programs.space import Space
from sealcheck.programs.straight_line import Channel, channels
from sealcheck.programs.syntax import Program, as_program

SMALL = [as_program(p) for m in range(3) for p in Space(2, m).programs()]
NOTIONS: dict[str, tuple[int, Callable[..., syntax.Refinement]]] = {
    "refines": (2, lambda p, q: (p, q)),
    "tcc": (1, syntax.tcc),
    "seals": (2, syntax.seals),
    "ccl": (3, syntax.ccl),
    "barrier": (3, syntax.barrier),
    "fits-after": (2, syntax.fits_after),
    "separates": (3, syntax.separates),
}
READINGS = [Semantics(reading=reading) for reading in CutReading]


def questions(name: str) -> Iterator[syntax.Refinement]:
    taken, sides = NOTIONS[name]
    for programs in product(SMALL if taken < 3 else SMALL[:3], repeat=taken):
        yield sides(*programs)


@pytest.mark.parametrize("semantics", READINGS, ids=str)
@pytest.mark.parametrize("name", NOTIONS)
def test_solver_and_algorithms_agree(name: str, semantics: Semantics) -> None:
    with fresh_formulas(), open_solver("z3") as z3:
        for p, q in questions(name):
            fast = decided(p, q, 2, semantics)
            assert fast is not None
            assert (fast.refuting is None) == (refute(p, q, 2, z3, semantics) is None)


@pytest.mark.parametrize("name", NOTIONS)
def test_no_execution_has_fewer_events_outside(name: str) -> None:
    """With one event less outside, executions find no counterexample."""
    for p, q in questions(name):
        fast = decided(p, q, 2, Semantics())
        assert fast is not None
        if fast.refuting is not None:
            outside = outside_of(fast.refuting)
            assert find_counterexample(p, q, 2, outside=outside) is not None
            assert not outside or find_counterexample(p, q, 2, outside=outside - 1) is None


@pytest.mark.parametrize("semantics", READINGS, ids=str)
def test_closed_channels_are_those_of_the_solver(semantics: Semantics) -> None:
    with fresh_formulas(), open_solver("z3") as z3:
        for p, channel in product(SMALL, channels(2)):
            fast = closes(p, channel, 2, semantics)
            assert fast is not None
            assert (fast.refuting is None) == (leaves_open(p, channel, 2, z3, semantics) is None)


OTHERS = {
    "data": "1.x := 1; mt 1->2",
    "stored": "mt 1->2 (1 -> x)",
    "guard": "[1.x = 0]; mt 1->2",
    "choice": "mt 1->2 + eps",
    "repetition": "(mt 1->2)*",
    "unbalanced": "snd 1->2",
    "deadlock": "rcv 2<-1; rcv 1<-2; snd 1->2; snd 2->1",
}


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_others_are_left_to_solvers(text: str) -> None:
    program = parse(text)
    assert decided(*syntax.tcc(program), 2, Semantics()) is None
    assert closes(program, Channel(1, 2), 2, Semantics()) is None


def test_channels_that_keep_the_order_are_left_to_solvers() -> None:
    there, fifo = parse("mt 1->2"), Semantics(model=ChannelModel.REL_FIFO)
    assert decided(*syntax.tcc(there), 2, fifo) is None
    assert closes(there, Channel(1, 2), 2, fifo) is None
    for other, refines in ((there, True), (parse("eps"), False)):
        found = decided(there, other, 2, fifo)
        assert found is not None
        assert (found.refuting is None) == refines


def test_a_silent_cut_on_the_left_that_is_in_the_way() -> None:
    left: Program = parse("cut; mt 1->2; cut; mt 2->1")
    assert decided(left, parse("mt 1->2; mt 2->1; cut"), 2, Semantics()) is None
    same = decided(left, parse("mt 1->2; cut; mt 2->1"), 2, Semantics())
    assert same is not None
    assert same.refuting is None


def test_what_is_balanced_by_counting() -> None:
    assert balanced(parse("mt 1->2; cut"), 2) is not None
    assert balanced(parse("snd 1->2"), 2) is None
