"""Paths of programs, what comes before and after their cuts, and programs that no path of which occurs."""

import pytest

from sealcheck.language.parser import parse
from sealcheck.language.printer import show
from sealcheck.programs.syntax import (
    Path,
    after_last_cut,
    before_first_cut,
    communicates,
    has_cut,
    layered,
    missing,
    never_occurs,
    paths,
)


def texts(found: frozenset[Path]) -> set[str]:
    """The paths as programs."""
    return {show(layered(*path)) for path in found}


def only(text: str) -> Path:
    """The only path of a program."""
    (path,) = paths(parse(text))
    return path


def test_choices_and_repetitions_are_settled() -> None:
    """Every alternative, and up to two iterations of what is repeated, or as many as are asked for."""
    assert texts(paths(parse("cut; (snd 1->2 + eps)"))) == {"cut; snd 1->2", "cut"}
    assert texts(paths(parse("(snd 1->2)*"))) == {"eps", "snd 1->2", "snd 1->2; snd 1->2"}
    assert texts(paths(parse("(snd 1->2)*"), 1)) == {"eps", "snd 1->2"}
    assert len(paths(parse("((snd 1->2)*)*"), 3)) == 1 + 9
    assert len(paths(parse("(snd 1->2 + snd 2->1)*"))) == 1 + 2 + 4


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        ("mt 1->2", "mt 1->2", "mt 1->2"),
        ("mt 1->2; cut", "mt 1->2", "eps"),
        ("cut; mt 1->2", "eps", "mt 1->2"),
        ("snd 1->2; cut; rcv 2<-1; cut; mt 2->1", "snd 1->2", "mt 2->1"),
    ],
)
def test_what_is_outside_the_cuts(text: str, before: str, after: str) -> None:
    """Before the first one and after the last one; everything where there is none."""
    path = only(text)
    assert has_cut(path) == ("cut" in text)
    assert (show(layered(*before_first_cut(path))), show(layered(*after_last_cut(path)))) == (before, after)


def test_only_sends_and_receives_communicate() -> None:
    """Not so assignments, guards and cuts."""
    assert communicates(only("1.x := 1; rcv 2<-1"))
    assert not communicates(only("1.x := 1; cut; [1.x = 0]"))


def test_messages_that_are_missing() -> None:
    """Counted by channel, on the path that lacks most."""
    assert missing(parse("snd 2->1; rcv 2<-1; rcv 2<-1 + rcv 2<-1")) == 2
    assert missing(parse("(rcv 2<-1)*")) == 2
    assert missing(parse("(rcv 2<-1)*"), 3) == 3


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
def test_a_program_never_occurs_if_all_occurrences_would_pass_the_guard(text: str, *, expected: bool) -> None:
    """A repetition can be left out, and a choice gone round."""
    assert never_occurs(parse(text)) == expected
