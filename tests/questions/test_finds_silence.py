"""`finds-silence`: all oracles agree; where P can end in one place only, it is the same as sealing."""

import pytest
from tests.questions.asking import answers, who_knows

from sealcheck.language.parser import parse
from sealcheck.programs.semantics import ChannelModel, CutReading, Semantics
from sealcheck.programs.syntax import seals
from sealcheck.questions.instance import Instance
from sealcheck.questions.whole_language import FINDS_SILENCE, REFINES, syntax
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.small_programs import tuples

SETTINGS = [Semantics(model=model, reading=reading) for model in ChannelModel for reading in CutReading]


@pytest.mark.parametrize(
    ("p", "q", "expected"),
    [
        ("eps", "eps", True),
        ("mt 1->2", "mt 2->1", True),
        ("mt 1->2", "mt 1->2", False),
        ("mt 1->2", "cut", True),
        ("snd 1->2", "rcv 2<-1", False),
        ("eps + snd 1->2", "(eps + snd 1->2); cut", True),
        ("snd 1->2; (eps + rcv 2<-1)", "(eps + rcv 2<-1); cut", False),
        ("1.x := 1; [1.x = 0]", "mt 1->2", True),
    ],
)
def test_examples(p: str, q: str, *, expected: bool) -> None:
    """Every way to part P from Q counts, where both may have done the same event."""
    (found,) = answers(FINDS_SILENCE, [Instance(2, (parse(p), parse(q)))])
    assert who_knows(found) == {"executions", "z3", "cvc5"}
    assert found.agreed == expected


@pytest.mark.parametrize("semantics", SETTINGS, ids=str)
def test_all_oracles_agree(semantics: Semantics) -> None:
    """On all pairs of programs of up to two atoms together."""
    found = answers(FINDS_SILENCE, list(tuples(2, 2, 2)), semantics)
    assert {each.agreed for each in found} == {True, False}
    assert all(who_knows(each) == {"executions", "z3", "cvc5"} for each in found)


def test_it_is_sealing_where_p_can_end_in_one_place_only() -> None:
    """Of single atoms P it asks no more than that Q seals P; of others it asks no less."""
    with inline(("z3",)) as ask:
        for pair in tuples(2, 2, 2):
            is_sealed = ask(REFINES, Instance(2, seals(*syntax(pair))))
            if pair.texts[0] == "eps" or not any(sign in pair.texts[0] for sign in "+*"):
                assert ask(FINDS_SILENCE, pair) == is_sealed, str(pair)
            assert is_sealed or not ask(FINDS_SILENCE, pair)
