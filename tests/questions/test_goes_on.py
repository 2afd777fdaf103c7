"""`goes-on`: executions and solvers agree on what gets through three iterations."""

import pytest
from tests.questions.asking import answers, who_knows

from sealcheck.language.parser import parse
from sealcheck.programs.semantics import PAPER, ChannelModel, CutReading, Semantics
from sealcheck.questions.instance import Instance
from sealcheck.questions.whole_language import GOES_ON
from sealcheck.theorems.checking.small_programs import tuples

EMPTY, FIFO = Semantics(reading=CutReading.EMPTY), Semantics(model=ChannelModel.REL_FIFO)


@pytest.mark.parametrize(
    ("p", "s", "diverges"),
    [
        ("eps", "(1.x := 1)*", True),
        ("mt 1->2", "(mt 2->1)*", True),
        ("eps", "(rcv 2<-1)*", True),
        ("eps", "eps + (snd 1->2)*", True),
        ("eps", "(cut)*", False),
        ("eps", "([1.x = 0])*", False),
        ("eps", "mt 1->2; mt 2->1", False),
        ("eps", "([1.x = 0]; 1.x := 1)*", False),
        ("eps", "([1.x = 0]; 1.x := 1; (2.y := 1)*)*", True),
        ("eps", "(mt 1->2)*; mt 1->2", False),
        ("[false]", "(1.x := 1)*", False),
    ],
)
def test_what_goes_on_for_ever(p: str, s: str, *, diverges: bool) -> None:
    """A seal diverges if it repeats something that happens, as often as one likes, after P."""
    (found,) = answers(GOES_ON, [Instance(2, (parse(p), parse(s)))])
    assert who_knows(found) == {"executions", "z3", "cvc5"}
    assert found.agreed == diverges


def test_the_reading_of_the_cut_matters() -> None:
    """After a message that is lost the channels are not empty; that none crosses the cut can be."""
    lost = Instance(2, (parse("snd 1->2"), parse("(1.x := 1)*")))
    for semantics, diverges in ((PAPER, True), (EMPTY, False), (FIFO, True)):
        (found,) = answers(GOES_ON, [lost], semantics)
        assert found.agreed == diverges


@pytest.mark.parametrize("semantics", [PAPER, EMPTY, FIFO], ids=str)
def test_all_oracles_agree(semantics: Semantics) -> None:
    """On all pairs of a program of an atom at most, and one of two."""
    pairs = [i for i in tuples(2, 2, 2) if i.programs[0] == parse("eps")] + list(tuples(1, 2, 2))
    found = answers(GOES_ON, pairs, semantics, solvers=("z3",))
    assert {each.agreed for each in found} == {True, False}
    assert all(who_knows(each) == {"executions", "z3"} for each in found)
