"""`closed-by-definition`: executions and solvers agree, also where programs are not straight-line."""

import pytest
from tests.questions.asking import answers, who_knows

from sealcheck.language.parser import parse
from sealcheck.programs.semantics import ChannelModel, CutReading, Semantics
from sealcheck.questions.closed_channels import CLOSED_BY_DEFINITION
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.small_programs import tuples


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("eps", ["1->2", "2->1"]),
        ("mt 1->2", ["2->1"]),
        ("snd 1->2", ["2->1"]),
        ("mt 1->2; mt 2->1", ["1->2"]),
        ("mt 1->2; cut", ["1->2", "2->1"]),
        ("mt 1->2; (mt 2->1 + eps)", []),
        ("1.x := 1; [1.x = 0]; snd 1->2", ["1->2", "2->1"]),
    ],
)
def test_examples(text: str, expected: list[str]) -> None:
    """An answer closes a channel, a silent cut all of them; a program that never occurs closes everything."""
    (found,) = answers(CLOSED_BY_DEFINITION, [Instance(2, (parse(text),))])
    assert who_knows(found) == {"executions", "z3", "cvc5"}
    assert sorted(map(str, found.agreed)) == expected


@pytest.mark.parametrize("model", ChannelModel)
def test_all_oracles_agree(model: ChannelModel) -> None:
    """On all programs of two processes and up to two atoms, in both models."""
    programs = [instance for size in range(3) for instance in tuples(2, size, 1)]
    found = answers(CLOSED_BY_DEFINITION, programs, Semantics(model=model))
    assert len({each.agreed for each in found}) == 4
    assert all(who_knows(each) == {"executions", "z3", "cvc5"} for each in found)


def test_messages_that_are_lost_are_seen_by_the_solvers_only() -> None:
    """Where a channel has to be empty in words, a message that nobody receives leaves it open."""
    lost, semantics = Instance(2, (parse("snd 1->2"),)), Semantics(reading=CutReading.EMPTY)
    (found,) = answers(CLOSED_BY_DEFINITION, [lost], semantics)
    assert who_knows(found) == {"z3", "cvc5"}
    assert sorted(map(str, found.agreed)) == ["2->1"]
