"""No program without silent cuts is a barrier: mistakes that are caught."""

from functools import partial

import pytest
from tests.theorems.rows import checked, claiming, explained, holds

from sealcheck.language.parser import parse
from sealcheck.programs.semantics import PAPER
from sealcheck.programs.straight_line import StraightLine
from sealcheck.programs.syntax import has_cut
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.statement import Outcome
from sealcheck.theorems.section4 import no_barrier_whole_language
from sealcheck.theorems.section4.no_barrier import STATEMENT, is_no_barrier
from sealcheck.theorems.section4.no_barrier_whole_language import STATEMENT as WHOLE_LANGUAGE
from sealcheck.theorems.section4.no_barrier_whole_language import (
    is_barrier,
    is_passed_unclosed,
    layers,
    never_occurring,
    printed,
    repaired,
)


def test_the_printed_proof_does_not_reach_eps() -> None:
    """That a barrier is TCC, which is all that P = eps shows, does not rule out eps; any other P does."""
    only_eps = partial(is_no_barrier, layers=lambda n: iter([StraightLine.of(n)]))
    assert str(claiming(STATEMENT, only_eps, [(2, 0), (2, 1), (2, 2)]).refuting) == "eps"
    assert holds(claiming(STATEMENT, only_eps, [(2, 1), (2, 2)]))


# --- The whole language -----------------------------------------------------------------------


def program(text: str) -> Instance:
    """The program of two processes."""
    return Instance(2, (parse(text),))


def test_what_breaks_without_hypotheses() -> None:
    """What never occurs is a barrier; the other reading of the cut makes no difference."""
    with inline() as ask:
        assert str(never_occurring(2, 2, ask)) == "1.x := 1; [1.x = 0]"


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
    """A barrier keeps its messages between two silent cuts, on every path that occurs."""
    instance = program(text)
    with inline() as ask:
        assert is_passed_unclosed(instance, ask, PAPER) == is_none
        assert is_barrier(instance, ask, PAPER) != is_none


def test_a_criterion_that_asks_for_one_cut_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages before the only cut can be swapped with those of P."""
    monkeypatch.setattr(no_barrier_whole_language, "is_closed", has_cut)
    (_, tally) = checked(WHOLE_LANGUAGE, [(2, 2)])
    assert str(tally.refuting) == "cut; rcv 1<-2"


def test_programs_that_never_occur_are_counted_apart() -> None:
    """They would be barriers for want of a run."""
    with inline() as ask:
        for check in (printed, repaired):
            assert check(program("1.x := 1; [1.x = 0]"), ask) is Outcome.VACUOUS


def test_every_layer_is_tried() -> None:
    """A program that only the last P tells from a barrier is none; snd; rcv is there twice, as mt."""
    last = layers(2)[-1][-1]
    listed = [p for some in layers(2) for p in some]
    assert (len(listed), len(set(listed))) == (43, 41)

    class AllButTheLast:
        """Says that everything is kept apart but the last of the layers."""

        def __call__(self, question, instance, *semantics):  # type: ignore[no-untyped-def]
            return instance.programs[0] != last

        def all(self, question, about):  # type: ignore[no-untyped-def]
            return [self(question, *each) for each in about]

    assert not is_barrier(program("cut"), AllButTheLast(), PAPER)


def test_the_explanation_shows_the_path_between_cuts() -> None:
    """A reader sees where no message passes."""
    assert explained(WHOLE_LANGUAGE, program("cut")).startswith(
        "on its path cut it begins and ends with a silent cut"
    )
