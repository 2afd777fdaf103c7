"""Occurrence, clause by clause, on runs made by hand."""

import pytest

from sealcheck.errors import InputError
from sealcheck.explorers.occurrence import ends, occurs, value
from sealcheck.language.parser import parse
from sealcheck.programs.runs import Frontier, GlobalRun, LocalEvent, Place
from sealcheck.programs.semantics import CutReading, Semantics
from sealcheck.programs.straight_line import mt
from sealcheck.programs.syntax import Integer, Negation, Product, Sum, Variable

S, R = mt(1, 2)
ONE, TWO = Place(1, 1), Place(1, 2)


def run(first, second, matching, *, x=None, y=None):
    """A run of two processes; x and y are the successive values of 1.x and 2.y."""
    states = tuple(
        tuple({name: value} for value in values or [0] * (len(events) + 1))
        for name, values, events in (("x", x, first), ("y", y, second))
    )
    return GlobalRun((tuple(first), tuple(second)), states, matching)


SENT_AND_RECEIVED = run([LocalEvent(S, 7)], [LocalEvent(R, 7)], {Place(2, 1): ONE}, y=[0, 7])
NEVER_RECEIVED = run([LocalEvent(S)], [], {})
SENT_AND_CHANGED = run([LocalEvent(S)], [], {}, x=[3, 4])
ASSIGNED = run([LocalEvent()], [], {}, x=[3, 4])
CROSSED = run(
    [LocalEvent(S, 1), LocalEvent(S, 2)],
    [LocalEvent(R, 2), LocalEvent(R, 1)],
    {Place(2, 1): TWO, Place(2, 2): ONE},
)

CASES = [
    (SENT_AND_RECEIVED, (0, 0), (1, 1), "mt 1->2", False),  # 2.y changes
    (SENT_AND_RECEIVED, (0, 0), (1, 1), "mt 1->2 (7 -> y)", True),
    (SENT_AND_RECEIVED, (0, 0), (1, 1), "mt 1->2 (x + 7 -> y)", True),
    (SENT_AND_RECEIVED, (0, 0), (1, 1), "mt 1->2 (6 -> y)", False),
    (SENT_AND_RECEIVED, (0, 0), (1, 1), "mt 1->2 (7 -> z)", False),
    (SENT_AND_RECEIVED, (0, 0), (1, 1), "rcv 2<-1 (y); snd 1->2", True),
    (SENT_AND_RECEIVED, (0, 0), (1, 0), "snd 1->2", True),
    (SENT_AND_RECEIVED, (0, 0), (0, 1), "rcv 2<-1 (y)", True),
    (SENT_AND_RECEIVED, (0, 0), (1, 1), "snd 1->2; rcv 2<-1 (y); [2.y = 7]", True),
    (SENT_AND_RECEIVED, (0, 0), (1, 1), "[2.y = 7]; snd 1->2; rcv 2<-1 (y)", False),
    (SENT_AND_RECEIVED, (0, 0), (1, 1), "cut; mt 1->2 (7 -> y); cut", True),
    (SENT_AND_RECEIVED, (0, 0), (1, 1), "snd 1->2; cut; rcv 2<-1 (y)", False),
    (SENT_AND_RECEIVED, (0, 0), (1, 1), "eps + mt 1->2 (7 -> y)", True),
    (SENT_AND_RECEIVED, (0, 0), (0, 0), "eps", True),
    (SENT_AND_RECEIVED, (0, 0), (1, 1), "eps", False),
    (SENT_AND_RECEIVED, (0, 0), (1, 1), "mt 2->1", False),
    (SENT_AND_RECEIVED, (0, 0), (1, 1), "mt 1->2 (7 -> y); mt 1->2", False),
    (SENT_AND_RECEIVED, (0, 0), (1, 1), "mt 1->3", False),
    (SENT_AND_CHANGED, (0, 0), (1, 0), "1.x := 4", False),
    (SENT_AND_CHANGED, (0, 0), (1, 0), "snd 1->2", False),
    (ASSIGNED, (0, 0), (1, 0), "1.x := 4", True),
    (ASSIGNED, (0, 0), (1, 0), "1.x := 1.x + 1", True),
    (ASSIGNED, (0, 0), (1, 0), "1.x := -1 * (2 - 6)", True),
    (ASSIGNED, (0, 0), (1, 0), "1.x := 3", False),
    (ASSIGNED, (0, 0), (1, 0), "snd 1->2", False),
    (ASSIGNED, (1, 0), (1, 0), "[1.x = 4 and not 1.x < 2.y]", True),
    (ASSIGNED, (0, 0), (0, 0), "[1.x > 3 or false]", False),
    (ASSIGNED, (0, 0), (1, 0), "while 1.x < 4 do 1.x := 1.x + 1 od", True),
    (ASSIGNED, (0, 0), (1, 0), "while 1.x < 5 do 1.x := 1.x + 1 od", False),
    (ASSIGNED, (0, 0), (1, 0), "if 1.x = 3 then 1.x := 4 else eps fi", True),
    (CROSSED, (0, 0), (2, 2), "(mt 1->2)*", True),
    (CROSSED, (0, 0), (2, 2), "mt 1->2; cut; mt 1->2", False),
    (CROSSED, (0, 0), (2, 2), "(mt 1->2; cut)*", False),
    (CROSSED, (0, 0), (2, 2), "snd 1->2; (rcv 2<-1)*; snd 1->2", True),
]


@pytest.mark.parametrize(("about", "c", "d", "text", "expected"), CASES)
def test_clauses(about: GlobalRun, c: tuple[int, ...], d: tuple[int, ...], text: str, expected: bool) -> None:
    """Each construct occurs exactly where its clause says."""
    about.check()
    assert occurs(about, c, d, parse(text)) == expected


def test_a_repetition_ends_after_any_number_of_iterations() -> None:
    """Zero, one or two: every cut that iterations reach is an end."""
    assert ends(CROSSED, (0, 0), parse("(snd 1->2)*")) == {(0, 0), (1, 0), (2, 0)}


@pytest.mark.parametrize(("reading", "expected"), [(CutReading.MATCHING, True), (CutReading.EMPTY, False)])
def test_the_two_readings_of_the_cut(reading: CutReading, expected: bool) -> None:
    """After a send that is never received nothing is matched across, and yet the channel is not empty."""
    assert (
        occurs(NEVER_RECEIVED, (0, 0), (1, 0), parse("snd 1->2; cut"), Semantics(reading=reading)) == expected
    )
    assert occurs(NEVER_RECEIVED, (0, 0), (1, 0), parse("cut; snd 1->2"), Semantics(reading=reading))


def test_both_readings_see_what_crosses() -> None:
    """A message that is received after the cut, or was received before it was sent, is no silence."""
    for reading in CutReading:
        for between in ((1, 0), (0, 1)):
            assert not occurs(SENT_AND_RECEIVED, between, between, parse("cut"), Semantics(reading=reading))
        assert occurs(SENT_AND_RECEIVED, (1, 1), (1, 1), parse("cut"), Semantics(reading=reading))


NONSENSE = [
    ((0,), (0, 0), "eps", "(0,) is no cut of the run, whose processes have (1, 1) events"),
    ((0, 0), (0, 2), "eps", "(0, 2) is no cut of the run, whose processes have (1, 1) events"),
    ((-1, 0), (0, 0), "eps", "(-1, 0) is no cut of the run, whose processes have (1, 1) events"),
    ((0, 0), (0, 0), "rcv 3<-1", "the program names process 3, but the run has only 2"),
    ((0, 0), (0, 0), "3.x := 1", "the program names process 3, but the run has only 2"),
    ((0, 0), (0, 0), "[1.x < 3.x]", "the program names process 3, but the run has only 2"),
]


@pytest.mark.parametrize(("c", "d", "text", "sentence"), NONSENSE)
def test_questions_that_make_no_sense(c: Frontier, d: Frontier, text: str, sentence: str) -> None:
    """A cut or a process that the run does not have is refused, and the error says which."""
    with pytest.raises(InputError) as refusal:
        occurs(SENT_AND_RECEIVED, c, d, parse(text))
    assert str(refusal.value) == sentence


@pytest.mark.parametrize(
    ("text", "d"), [("snd 1->2; 1.x := 1; snd 1->2", (3, 0)), ("snd 1->2; snd 1->2", (2, 0))]
)
def test_every_event_of_the_interval_counts(text: str, d: Frontier) -> None:
    """Nothing, not even an internal event, may happen in the interval that the program does not say."""
    about = run([LocalEvent(S), LocalEvent(), LocalEvent(S)], [], {}, x=[0, 0, 1, 1])
    assert occurs(about, (0, 0), d, parse(text)) == (d == (3, 0))


def test_a_program_occurs_before_and_after_other_events() -> None:
    """The interval may begin and end anywhere in the run, also where the cuts are not consistent."""
    assert occurs(CROSSED, (1, 0), (2, 1), parse("mt 1->2"))
    assert occurs(CROSSED, (0, 1), (1, 2), parse("mt 1->2"))
    assert not occurs(CROSSED, (1, 1), (2, 1), parse("mt 1->2"))


def test_an_interval_does_not_go_back() -> None:
    """No program occurs from a cut to an earlier one."""
    assert not occurs(CROSSED, (1, 0), (0, 0), parse("(snd 1->2)*"))


def test_nested_repetitions() -> None:
    """A repetition in a repetition ends where one of them can, and each can pass what the other cannot."""
    assert ends(CROSSED, (0, 0), parse("((snd 1->2)*; rcv 2<-1)*")) == {
        (0, 0),
        *((sent, received) for sent in range(3) for received in (1, 2)),
    }


def test_values() -> None:
    """Expressions are integer arithmetic; a variable that a state leaves out is 0."""
    x, y = Variable(1, "x"), Variable(1, "y")
    assert value(Sum((Product((x, Integer(3))), Negation(y), Integer(1))), {"x": 5}) == 16
