"""Occurrence, clause by clause, on runs made by hand."""

import pytest

from sealcheck.errors import InputError
from sealcheck.language.parser import parse
from sealcheck.occurrence import ends, occurs
from sealcheck.programs.events import mt, rcv, snd
from sealcheck.programs.global_runs import CutReading, GlobalRun, LocalEvent, Model
from sealcheck.programs.runs import Place

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
    assert occurs(NEVER_RECEIVED, (0, 0), (1, 0), parse("snd 1->2; cut"), reading=reading) == expected


def test_both_readings_see_what_crosses() -> None:
    """A message that is received after the cut, or was received before it was sent, is no silence."""
    for reading in CutReading:
        for between in ((1, 0), (0, 1)):
            assert not occurs(SENT_AND_RECEIVED, between, between, parse("cut"), reading=reading)
        assert occurs(SENT_AND_RECEIVED, (1, 1), (1, 1), parse("cut"), reading=reading)


WRONG = {
    "receive 1 of process 2 is not matched": run([LocalEvent(S)], [LocalEvent(R)], {}),
    "receive 1 of process 2 gets 1, but 0 was sent": run(
        [LocalEvent(S)], [LocalEvent(R, 1)], {Place(2, 1): ONE}
    ),
    "receive 2 of process 2 takes a message that another receive takes": run(
        [LocalEvent(S)], [LocalEvent(R), LocalEvent(R)], {Place(2, 1): ONE, Place(2, 2): ONE}
    ),
    "receive 1 of process 2 is matched to an event that does not exist": run(
        [], [LocalEvent(R)], {Place(2, 1): ONE}
    ),
    "receive 1 of process 2 is matched to an event that is no send": run(
        [LocalEvent()], [LocalEvent(R)], {Place(2, 1): ONE}
    ),
    "receive 1 of process 2 is matched to a send on 2->1": run(
        [], [LocalEvent(R), LocalEvent(snd(2, 1))], {Place(2, 1): Place(2, 2)}
    ),
    "the matching is about events that are no receives of the run": run(
        [LocalEvent(S)], [], {Place(1, 1): ONE}
    ),
    "event 1 of process 1 happens before itself": run(
        [LocalEvent(rcv(1, 2)), LocalEvent(S)],
        [LocalEvent(R), LocalEvent(snd(2, 1))],
        {Place(1, 1): Place(2, 2), Place(2, 1): Place(1, 2)},
    ),
    "every process must have one local state more than it has events": GlobalRun(((), ()), (({},), ()), {}),
}


@pytest.mark.parametrize("sentence", WRONG)
def test_what_is_no_run(sentence: str) -> None:
    """Every condition on a run is checked, and the error says which one fails where."""
    with pytest.raises(InputError) as refusal:
        WRONG[sentence].check()
    assert str(refusal.value) == sentence


def test_fifo() -> None:
    """Messages that cross on a channel are a run of Rel, and none of RelFi."""
    CROSSED.check(Model.REL)
    with pytest.raises(InputError, match=r"^receive 1 on 1->2 does not take message 1$"):
        CROSSED.check(Model.REL_FIFO)
    SENT_AND_RECEIVED.check(Model.REL_FIFO)
