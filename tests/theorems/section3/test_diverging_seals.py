"""`diverging-seals`: the verdicts on record, and mistakes that are caught."""

from tests.theorems.rows import explained

from sealcheck.language.parser import parse
from sealcheck.questions.instance import Instance
from sealcheck.questions.whole_language import OCCURS
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.section3.diverging_seals import LOOP, NOTIONS, STATEMENT, UNGUARDED, notions, occurs


def test_without_its_guards_the_loop_occurs_and_does_not_seal() -> None:
    """So the two are not taken for each other: TCC in RelFi it is, having nothing to communicate."""
    unguarded = Instance(2, (parse("mt 1->2"), UNGUARDED))
    with inline() as ask:
        assert notions(unguarded, ask) == {"is TCC in RelFi"}
        assert occurs(unguarded, ask)
        assert not occurs(Instance(2, (parse("mt 1->2"), LOOP)), ask)


def test_what_may_occur_over_infinite_intervals_counts_as_occurring() -> None:
    """Finite intervals do not show that a guard never holds; only the guard [not true] does."""
    never_true = Instance(2, (parse("eps"), parse("1.x := 1; [1.x = 0]")))
    with inline() as ask:
        assert not ask(OCCURS, Instance(2, never_true.programs[1:]))
        assert occurs(never_true, ask)


def test_the_explanation_names_the_three_notions() -> None:
    """A reader sees what holds of the loop, and why."""
    assert STATEMENT.domain is not None
    lines = explained(STATEMENT, next(STATEMENT.domain.instances(2, 0, 0, 1)))
    assert "Q does not occur" in lines
    assert all(notion in lines for notion in NOTIONS)
