"""Runs that are shown have no more in them than a reader has to follow."""

import pytest

from sealcheck.explorers.occurrence import occurs, trimmed
from sealcheck.language.parser import parse
from sealcheck.programs.runs import GlobalRun, Interval, LocalEvent, Place
from sealcheck.programs.straight_line import rcv, snd

FIRST, SECOND, TAKEN = Place(1, 1), Place(1, 2), Place(2, 1)


def overtaken(first: int, second: int, stored: bool) -> Interval:
    """Two messages with these contents; the receive, inside as the first send is, takes the second one."""
    after = {"x": second} if stored else {}
    run = GlobalRun(
        ((LocalEvent(snd(1, 2), first), LocalEvent(snd(1, 2), second)), (LocalEvent(rcv(2, 1), second),)),
        (({}, {}, {}), ({}, after)),
        {TAKEN: SECOND},
    )
    return Interval(run, (0, 0), (1, 1))


def keeps(text: str, found: Interval) -> bool:
    """Whether the program occurs over the interval."""
    return occurs(found.run, found.c, found.d, parse(text))


def test_a_receive_takes_another_message_if_nobody_looks_at_what_it_holds() -> None:
    """Then the message outside is not needed, whatever it held."""
    found = trimmed(overtaken(0, 1, stored=False), lambda found: keeps("mt 1->2", found))
    assert found.run.matching == {TAKEN: FIRST}
    assert [len(share) for share in found.run.events] == [1, 1]
    assert found.run.at(TAKEN).content == found.run.at(FIRST).content == 0


@pytest.mark.parametrize(("first", "second"), [(8, 9), (1, 2), (5, 0), (-1, 1)])
def test_values_are_plain_where_they_may_be(first: int, second: int) -> None:
    """All that matters here is that another value is stored than was sent: 0 and 1 show that."""
    found = trimmed(overtaken(first, second, stored=True), stores_another_one)
    assert {found.run.at(FIRST).content, found.run.at(SECOND).content} == {0, 1}
    assert stores_another_one(found)


def stores_another_one(found: Interval) -> bool:
    """Whether process 2 stores what it takes, and that is not what the first message holds."""
    content = found.run.at(TAKEN).content
    return found.run.states[1][1] == {"x": content} and found.run.at(FIRST).content != content
