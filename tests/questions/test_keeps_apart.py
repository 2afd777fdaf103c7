"""`keeps-apart`: all oracles agree, each as far as it knows."""

import pytest
from tests.questions.asking import answers, who_knows

from sealcheck.language.parser import parse, parse_straight_line
from sealcheck.programs.semantics import ChannelModel, CutReading, Semantics
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.instance import Instance
from sealcheck.questions.phases import KEEPS_APART
from sealcheck.questions.whole_language import as_program
from sealcheck.theorems.checking.domains import indexed_space
from sealcheck.theorems.checking.hypotheses import unbalanced

DEFINITION = {"executions", "z3", "cvc5"}


def small(*levels: tuple[int, int]) -> list[StraightLine]:
    """The programs of these levels."""
    return [program for level in levels for program in indexed_space(*level).programs()]


def test_all_oracles_agree_on_bsls() -> None:
    """About pairs of two and three processes; some are kept apart, by everybody's account."""
    programs = small((2, 0), (2, 1), (2, 2))
    pairs = [Instance.of(p, q) for p in programs for q in programs]
    pairs += [Instance.of(p, q) for p in small((3, 0), (3, 1)) for q in small((3, 0), (3, 1))]
    found = answers(KEEPS_APART, pairs)
    assert all(who_knows(each) == {"signatures", "explorer"} | DEFINITION for each in found)
    kept = [each.asked.instance for each in found if each.agreed]
    assert {str(pair) for pair in kept} == {"P = eps   Q = eps"}


def test_all_oracles_agree_on_unbalanced_programs() -> None:
    """The signatures are about balanced ones only; a lone receive that never comes keeps everything apart."""
    lone = [instance.p for instance in unbalanced(2, 1)]
    pairs = [Instance.of(p, q) for p in lone for q in (*small((2, 0), (2, 1)), *lone)]
    found = answers(KEEPS_APART, pairs)
    assert all(who_knows(each) == {"explorer"} | DEFINITION for each in found)
    assert {each.agreed for each in found} == {True, False}


@pytest.mark.parametrize(
    "semantics",
    [Semantics(model=ChannelModel.REL_FIFO), Semantics(reading=CutReading.EMPTY)],
    ids=str,
)
def test_other_settings_are_left_to_the_definition(semantics: Semantics) -> None:
    """In RelFi eps does not keep a message apart that nobody receives; a transmission it does."""
    messages = [parse_straight_line(text, 2) for text in ("snd 1->2", "mt 1->2")]
    found = answers(KEEPS_APART, [Instance.of(p, StraightLine.of(2)) for p in messages], semantics)
    assert all(who_knows(each) == DEFINITION for each in found)
    assert [each.agreed for each in found] == [False, semantics.model is ChannelModel.REL_FIFO]


def test_programs_of_the_whole_language_are_left_to_the_definition() -> None:
    """Whether P is given as a straight-line program or as a syntax tree makes no difference."""
    p, back = parse_straight_line("mt 1->2"), parse("cut; mt 2->1; cut")
    found = answers(KEEPS_APART, [Instance(2, (p, back)), Instance(2, (as_program(p), back))])
    assert all(who_knows(each) == DEFINITION and each.agreed for each in found)
