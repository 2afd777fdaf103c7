"""The cross-check objects to every wrong row, and to no right row."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from sealcheck.algorithms.minimum_seal import Minimum, minimum_or_unsealable
from sealcheck.algorithms.sealability import Problem, Unsealable
from sealcheck.algorithms.signature import signature
from sealcheck.encodings.solving import Solver, fresh_formulas, open_solver
from sealcheck.explorers import channel_contents
from sealcheck.programs.space import Space
from sealcheck.programs.straight_line import Channel, StraightLine, channels, mt, rcv, snd
from sealcheck.spark_sweeps.deciding import SHORTER_MESSAGES, disagreement

CROSSING = [snd(1, 2), snd(2, 1), rcv(1, 2), rcv(2, 1)]


@pytest.fixture
def solvers() -> Iterator[list[Solver]]:
    with fresh_formulas(), open_solver("z3") as z3:
        yield [z3]


def right(program: StraightLine) -> Minimum | Unsealable:
    return minimum_or_unsealable(Problem.of(signature(program)))


@pytest.mark.parametrize(("n", "m"), [(1, 0), (2, 3), (3, 2)])
def test_right_answers_are_agreed_with(n: int, m: int, solvers: list[Solver]) -> None:
    for program in Space(n, m).programs():
        assert disagreement(program, right(program), solvers) is None


def test_every_wrong_verdict_is_objected_to(solvers: list[Solver]) -> None:
    unsealable, sealable = StraightLine.of(2, CROSSING), StraightLine.of(2, mt(1, 2))
    assert (
        disagreement(unsealable, right(sealable), solvers)
        == "the sweep says True, all oracles of the question 'sealable' say False"
    )
    assert (
        disagreement(sealable, right(unsealable), solvers)
        == "the sweep says False, all oracles of the question 'sealable' say True"
    )


def test_every_minimum_that_is_none_is_objected_to(solvers: list[Solver]) -> None:
    tried = 0
    for program in Space(3, 3).programs(0, 60):
        found = right(program)
        if not isinstance(found, Minimum):
            continue
        kept = found.transmissions
        for left_out in range(len(kept)):
            short = replace(found, transmissions=kept[:left_out] + kept[left_out + 1 :])
            said = disagreement(program, short, solvers)
            assert said == f"the sweep says that '{short.seal(3)}' seals it, the explorer says it does not"
            tried += 1
        long = next(
            replace(found, transmissions=(*kept, channel))
            for channel in channels(3)
            if channel_contents.seals(program, replace(found, transmissions=(*kept, channel)).seal(3))
        )
        if len(kept) <= SHORTER_MESSAGES:
            said = disagreement(program, long, solvers)
            assert said is not None
            assert said.startswith(f"the sweep says that no seal is shorter than '{long.seal(3)}', the ")
            tried += 1
    assert tried > 100


def test_nothing_open_needs_no_message(solvers: list[Solver]) -> None:
    empty = StraightLine.of(2)
    found = right(empty)
    assert isinstance(found, Minimum)
    said = disagreement(empty, replace(found, transmissions=(Channel(1, 2),)), solvers)
    assert said == "the sweep says that no seal is shorter than 'mt 1->2', the explorer says 'eps' is one"
