"""`diverging-seals`: the verdicts on record, and mistakes that are caught."""

from dataclasses import replace

import pytest
from tests.theorems.rows import checked, without

from sealcheck.language.parser import parse
from sealcheck.theorems.diverging_seals import (
    NOTIONS,
    OCCURS,
    STATEMENT,
    UNGUARDED,
    by_structure,
    never_occurs,
    when_played,
)
from sealcheck.theorems.statement import Instance


def test_the_loop_does_not_occur_and_so_is_all_the_rest() -> None:
    """The printed claim is refuted with the first P; the repaired one holds for every P."""
    tally = checked(STATEMENT, [(2, 0), (2, 1)])
    assert (tally.checked, tally.disputed, tally.vacuous, tally.unknown) == (8, None, 0, 0)
    assert set(tally.refuting) == {0}
    assert tally.refuting[0].texts[1] == "([true]; 1.x := 5; 2.x := 17)*; [not true]"


def test_what_breaks_without_the_closing_guard() -> None:
    """What may stop before it begins seals no send."""
    assert without(STATEMENT, n=2, messages=1) == {
        "the closing guard of the loop": "P = snd 1->2   Q = (1.x := 5; 2.x := 17)*"
    }


def test_without_its_guards_the_loop_occurs_and_does_not_seal() -> None:
    """So the plays do tell the two apart: TCC in RelFi it is, having nothing to communicate."""
    assert when_played(Instance(2, (parse("mt 1->2"), UNGUARDED))) == {OCCURS, "is TCC in RelFi"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[not true]", True),
        ("cut; [not true]; snd 1->2", True),
        ("[not true] + [not true]; cut", True),
        ("[not true] + cut", False),
        ("([not true])*", False),
        ("[not 1.x = 1]", False),
        ("[true]", False),
    ],
)
def test_a_program_never_occurs_if_every_occurrence_would_pass_the_guard(text: str, expected: bool) -> None:
    """A repetition can be left out, and a choice gone round."""
    assert never_occurs(parse(text)) == expected


def test_a_structure_that_overlooks_the_guard_is_disputed() -> None:
    """If Q were said to occur, plays and solvers would contradict."""
    lenient = {**STATEMENT.ways, "structure": lambda instance: by_structure(instance) | {OCCURS}}
    assert checked(replace(STATEMENT, ways=lenient), [(2, 0)]).disputed is not None


def test_the_story_names_the_three_notions() -> None:
    """A reader sees what holds of the loop, and why."""
    story = STATEMENT.claims[0].story
    assert story is not None
    assert STATEMENT.domain is not None
    told = story(next(STATEMENT.domain.instances(2, 0, 0, 1)))
    assert "Q does not occur" in told
    assert all(notion in told for notion in NOTIONS)
