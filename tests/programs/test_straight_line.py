"""Straight-line programs: layering, balance, execution and hypotheses, against brute force."""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import (
    any_program,
    balanced_program,
    balanced_programs,
    events,
    unhurried,
)

from sealcheck.errors import InputError
from sealcheck.programs.straight_line import (
    DeadlockError,
    Event,
    StraightLine,
    mt,
    rcv,
    require_balanced_straight_line,
    snd,
)

X = StraightLine.of(2, [snd(1, 2), snd(2, 1), rcv(1, 2), rcv(2, 1)])
"""The paper's unsealable program."""


def all_small_programs() -> Iterator[StraightLine]:
    """Every program over 1..2 with at most 3 events, on self-channels too, whatever its faults."""
    usable = [[event for event in events(2) if event.process == process] for process in (1, 2)]
    for length in range(4):
        for first in range(length + 1):
            shares = (product(usable[0], repeat=first), product(usable[1], repeat=length - first))
            yield from map(StraightLine, product(*shares))


def stops(program: StraightLine) -> set[tuple[int, ...]]:
    """How far the processes have got where nothing more can happen, over all executions."""
    found: set[tuple[int, ...]] = set()
    seen: set[tuple[int, ...]] = set()
    stack = [(0,) * program.n]
    while stack:
        at = stack.pop()
        if at in seen:
            continue
        seen.add(at)
        done = [share[:k] for share, k in zip(program.shares, at, strict=True)]
        contents: Counter[tuple[int, int]] = Counter()
        for event in (event for share in done for event in share):
            contents[event.channel] += 1 if event.is_send else -1
        nexts = [
            (*at[:p], at[p] + 1, *at[p + 1 :])
            for p, share in enumerate(program.shares)
            if at[p] < len(share) and (share[at[p]].is_send or contents[share[at[p]].channel])
        ]
        stack += nexts
        if not nexts:
            found.add(at)
    return found


def is_executable(word: tuple[Event, ...]) -> bool:
    """Whether no receive comes before a message is there for it."""
    contents: Counter[tuple[int, int]] = Counter()
    for event in word:
        contents[event.channel] += 1 if event.is_send else -1
        if contents[event.channel] < 0:
            return False
    return True


# --- Layering -----------------------------------------------------------------------------------


@unhurried
@given(st.lists(st.sampled_from(events(4)), max_size=10), st.randoms(use_true_random=False))
def test_equality_is_up_to_layering(word: list[Event], random: Random) -> None:
    """Any reordering that keeps the order at every process gives the same program, with the same hash."""
    program = StraightLine.of(4, word)
    left = [list(share) for share in program.shares]
    shuffled = []
    while any(left):
        shuffled.append(random.choice([share for share in left if share]).pop(0))
    assert StraightLine.of(4, shuffled) == program
    assert hash(StraightLine.of(4, shuffled)) == hash(program)


@unhurried
@given(st.lists(st.sampled_from(events(3)), min_size=2, max_size=6), st.data())
def test_order_at_a_process_matters(word: list[Event], data: st.DataObject) -> None:
    """Swapping neighbours changes the program exactly if they are different events of one process."""
    at = data.draw(st.integers(0, len(word) - 2))
    swapped = [*word[:at], word[at + 1], word[at], *word[at + 2 :]]
    differs = word[at].process == word[at + 1].process and word[at] != word[at + 1]
    assert (StraightLine.of(3, swapped) != StraightLine.of(3, word)) == differs


@unhurried
@given(balanced_programs(3))
def test_layering_laws(programs: list[StraightLine]) -> None:
    """Layering concatenates words, is associative, and has the empty program as its unit."""
    p, q, r = programs
    empty = StraightLine.of(p.n)
    assert p.then(q).then(r) == p.then(q.then(r))
    assert p.then(empty) == empty.then(p) == p
    assert p.then(q) == StraightLine.of(p.n, p.linearization + q.linearization)
    assert p.then(q).messages == p.messages + q.messages
    assert p.then(q).length == p.length + q.length == 2 * p.then(q).messages


def test_layering_needs_the_same_processes() -> None:
    """Programs over different processes cannot be layered, not even where the third process is idle."""
    with pytest.raises(InputError) as caught:
        StraightLine.of(2).then(StraightLine.of(3))
    assert str(caught.value) == "cannot layer a program over 2 processes with one over 3"


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (snd(1, 3), "'snd 1->3' names a process outside 1..2"),
        (snd(3, 1), "'snd 3->1' names a process outside 1..2"),
        (rcv(0, 2), "'rcv 0<-2' names a process outside 1..2"),
        (rcv(2, -1), "'rcv 2<--1' names a process outside 1..2"),
    ],
)
def test_events_name_processes_of_the_program(event: Event, sentence: str) -> None:
    """An event at either end outside 1..n is refused, naming it."""
    with pytest.raises(InputError) as caught:
        StraightLine.of(2, [*mt(1, 2), event])
    assert str(caught.value) == sentence


@pytest.mark.parametrize("n", [1, 2, 5])
def test_the_empty_program(n: int) -> None:
    """It is balanced, does not deadlock, is canonical, alone in its orbit, and prints as eps."""
    empty = StraightLine.of(n)
    assert (empty.n, empty.messages, empty.length, empty.linearization) == (n, 0, 0, ())
    assert empty.is_balanced
    assert empty.is_deadlock_free
    assert empty.is_canonical
    assert (empty.orbit_size, empty.canonical(), str(empty)) == (1, empty, "eps")


# --- Balance and execution ----------------------------------------------------------------------


@unhurried
@given(any_program())
def test_imbalance_is_sends_minus_receives(program: StraightLine) -> None:
    """It says so for every channel where that is not zero, in order, and a balanced program has none."""
    found = Counter(event for share in program.shares for event in share)
    pairs = list(product(range(1, program.n + 1), repeat=2))
    excess = {(i, j): found[snd(i, j)] - found[rcv(j, i)] for i, j in pairs}
    assert list(program.imbalance.items()) == [(channel, count) for channel, count in excess.items() if count]
    assert program.is_balanced == (not any(excess.values()))
    assert program.messages == sum(found[snd(i, j)] for i, j in pairs)


def check_execution(program: StraightLine) -> None:
    """Compare deadlock-freedom and the linearization with all executions."""
    complete = tuple(map(len, program.shares))
    ends = stops(program)
    assert len(ends) == 1, "running one process shut out another"
    assert program.is_deadlock_free == (ends == {complete})
    if program.is_deadlock_free:
        assert is_executable(program.linearization)
        assert StraightLine.of(program.n, program.linearization) == program
        return
    stuck = [share[at] for share, at in zip(program.shares, ends.pop(), strict=True) if at < len(share)]
    named = ", ".join(f"'{event}'" for event in sorted(stuck))
    with pytest.raises(DeadlockError) as caught:
        program.linearization  # noqa: B018 - evaluated for the exception
    assert str(caught.value) == f"the program deadlocks: {named} can never happen"


def test_execution_of_all_small_programs() -> None:
    """Every execution stops at one place; a deadlock names what waits there; else the order is executable."""
    programs = list(all_small_programs())
    for program in programs:
        check_execution(program)
    assert len(programs) == 1 + 2 * 4 + 3 * 16 + 4 * 64


@settings(unhurried, max_examples=200)
@given(any_program(max_n=4, max_events=9) | balanced_program(max_n=4, max_messages=5, self_channels=True))
def test_execution_of_larger_programs(program: StraightLine) -> None:
    """The same with more processes and events than can be tried exhaustively."""
    check_execution(program)


def test_a_long_program_is_linear() -> None:
    """Execution neither recurses nor rescans: 40 000 events that alternate between two processes."""
    program = StraightLine.of(2, 10_000 * (mt(1, 2) + mt(2, 1)))
    assert program.linearization == 10_000 * (mt(1, 2) + mt(2, 1))


# --- The hypotheses of the paper's results ------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "word", "sentence"),
    [
        (1, mt(1, 1), "P uses the self-channel 1->1: switch on --self-channels to allow it"),
        (2, [rcv(2, 2)], "P uses the self-channel 2->2: switch on --self-channels to allow it"),
        (2, [snd(1, 2)], "P is not balanced: channel 1->2 has 1 more send than receives"),
        (2, 2 * (rcv(1, 2),), "P is not balanced: channel 2->1 has 2 more receives than sends"),
        (1, [*mt(1, 1), snd(1, 1)], "P uses the self-channel 1->1: switch on --self-channels to allow it"),
    ],
)
def test_require_balanced_straight_line(n: int, word: list[Event], sentence: str) -> None:
    """The hypothesis that fails is named: self-channels first, then balance, then deadlock."""
    with pytest.raises(InputError) as caught:
        require_balanced_straight_line(StraightLine.of(n, word), "P")
    assert str(caught.value) == sentence


def test_a_deadlock_is_named() -> None:
    """Both processes wait for the other's message: the sentence names the program and both receives."""
    waiting = StraightLine.of(2, [rcv(1, 2), *mt(1, 2), snd(2, 1)])
    with pytest.raises(InputError) as caught:
        require_balanced_straight_line(waiting, "P")
    assert str(caught.value) == "P: the program deadlocks: 'rcv 2<-1', 'rcv 1<-2' can never happen"


@unhurried
@given(any_program(max_n=3, max_events=6) | balanced_program(self_channels=True))
def test_what_is_required_is_what_it_says(program: StraightLine) -> None:
    """With self-channels allowed it passes exactly the balanced programs that do not deadlock."""
    try:
        require_balanced_straight_line(program, "P", self_channels=True)
    except InputError:
        assert not (program.is_balanced and program.is_deadlock_free)
    else:
        assert program.is_balanced
        assert program.is_deadlock_free


def test_what_balanced_programs_are_let_through() -> None:
    """The paper's programs pass, and a self-channel passes where it is switched on."""
    require_balanced_straight_line(X, "X")
    require_balanced_straight_line(StraightLine.of(3), "Q")
    require_balanced_straight_line(StraightLine.of(1, mt(1, 1)), "P", self_channels=True)
