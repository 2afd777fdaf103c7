"""How straight-line programs print, and that what is printed parses back."""

from collections import Counter
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import any_program, balanced_program, events, programs_up_to, unhurried

from sealcheck.language.parser import parse_straight_line
from sealcheck.programs.straight_line import Event, Kind, StraightLine, mt, rcv, snd, text

X = StraightLine.of(2, [snd(1, 2), snd(2, 1), rcv(1, 2), rcv(2, 1)])
"""The paper's unsealable program."""


@unhurried
@given(any_program() | balanced_program(self_channels=True))
def test_text_parses_back(program: StraightLine) -> None:
    """What is printed denotes the same program, also where that deadlocks or is not balanced."""
    assert parse_straight_line(str(program), program.n) == program


@unhurried
@given(st.lists(st.sampled_from(events(3)), max_size=10))
def test_text_of_events(word: list[Event]) -> None:
    """A send with its receive right behind it prints as mt, so that no such pair is left to see."""
    statements = text(word).split("; ")
    expanded = [part for statement in statements for part in _expanded(statement)]
    assert expanded == ([str(event) for event in word] or ["eps"])
    pairs = [(f"snd {i}->{j}", f"rcv {j}<-{i}") for i, j in product(range(1, 4), repeat=2)]
    assert not any(pair in pairs for pair in pairwise(statements))


def _expanded(statement: str) -> list[str]:
    if not statement.startswith("mt "):
        return [statement]
    i, j = statement.removeprefix("mt ").split("->")
    return [f"snd {i}->{j}", f"rcv {j}<-{i}"]


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        (X, "snd 1->2; mt 2->1; rcv 2<-1"),
        (StraightLine.of(2, [snd(1, 2), *mt(1, 2), rcv(2, 1)]), "mt 1->2; mt 1->2"),
        (StraightLine.of(3, mt(1, 2) + mt(2, 3) + mt(3, 1)), "mt 1->2; mt 2->3; mt 3->1"),
        (StraightLine.of(2, mt(1, 2) + 2 * mt(2, 1)), "mt 1->2; mt 2->1; mt 2->1"),
        (StraightLine.of(4, mt(3, 4) + mt(1, 2)), "mt 1->2; mt 3->4"),
        (StraightLine.of(1, mt(1, 1)), "mt 1->1"),
        (StraightLine.of(2, [rcv(2, 1)]), "rcv 2<-1"),
        (StraightLine.of(2, [rcv(1, 2), snd(1, 2), snd(2, 1), rcv(2, 1)]), "mt 2->1; mt 1->2"),
        (StraightLine.of(2, [rcv(1, 2), rcv(2, 1), snd(2, 1)]), "rcv 1<-2; rcv 2<-1; snd 2->1"),
    ],
)
def test_readable_texts(program: StraightLine, expected: str) -> None:
    """A message that is waited for is received at once; a deadlocking program prints process by process."""
    assert str(program) == expected


def test_what_is_waited_for_is_received_at_once() -> None:
    """Where a receive is next at its process and its channel empty, the send comes right before it."""
    for program in [*programs_up_to(2, 5), *programs_up_to(3, 3)]:
        left = [list(share) for share in program.shares]
        contents: Counter[tuple[int, int]] = Counter()
        awaited: Event | None = None
        for event in program.linearization:
            assert awaited in (None, event), str(program)
            left[event.process - 1].remove(event)
            receive = Event(Kind.RECEIVE, *event.channel)
            is_next = left[receive.process - 1][:1] == [receive]
            awaited = receive if event.is_send and is_next and not contents[event.channel] else None
            contents[event.channel] += 1 if event.is_send else -1
