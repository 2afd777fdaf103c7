"""Iterations written out: each of them has an event."""

from sealcheck.encodings.refinement import iterated, with_event
from sealcheck.language.parser import parse
from sealcheck.language.printer import show


def test_iterations_have_events() -> None:
    """An iteration in which nothing happens is none; in a repetition some iteration has an event."""
    assert [show(p) for p in with_event(parse("(snd 1->2 + cut)*"))] == [
        "(snd 1->2 + cut)*; snd 1->2; (snd 1->2 + cut)*"
    ]
    assert with_event(parse("cut; [true]")) == []
    assert [show(p) for p in iterated(parse("cut; (1.x := 1 + eps)*"), 3)] == [
        "cut; 1.x := 1; 1.x := 1; 1.x := 1"
    ]


def test_only_repetitions_at_the_end_count() -> None:
    """What something follows does not go on for ever; a repetition in the body of another may."""
    assert iterated(parse("(mt 1->2)*; mt 1->2"), 3) == []
    assert [show(p) for p in iterated(parse("(cut; (snd 1->2)*)*"), 2)][-1] == (
        "(cut; (snd 1->2)*)*; cut; snd 1->2; snd 1->2"
    )
