"""How straight-line programs print, and that what is printed parses back."""

from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import any_program, balanced_program, events, unhurried

from sealcheck.language.parser import parse_straight_line
from sealcheck.programs.events import Event, mt, rcv, snd
from sealcheck.programs.straight_line import StraightLine, text

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


def test_waiting_senders_receive_at_once() -> None:
    """Process 1 waits for an answer, having sent: the answer should print as mt, not as two halves."""
    program = StraightLine.of(2, mt(1, 2) + mt(2, 1) + mt(2, 1))
    assert str(program) == "mt 1->2; mt 2->1; mt 2->1"
