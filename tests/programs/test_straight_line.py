"""Straight-line programs: events, texts and renaming."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise, permutations, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import (
    any_program,
    balanced_program,
    balanced_programs,
    events,
    programs_up_to,
    renamings,
    unhurried,
)

from sealcheck.errors import InputError
from sealcheck.language.parser import parse_straight_line
from sealcheck.programs.straight_line import (
    Channel,
    DeadlockError,
    Event,
    Kind,
    StraightLine,
    channels,
    mt,
    rcv,
    require_balanced_straight_line,
    snd,
    text,
)

X = StraightLine.of(2, [snd(1, 2), snd(2, 1), rcv(1, 2), rcv(2, 1)])
"""The paper's unsealable program."""


def all_small_programs() -> Iterator[StraightLine]:
    """All programs over 1..2 with at most 3 events, with self-channels and faults."""
    usable = [[event for event in events(2) if event.process == process] for process in (1, 2)]
    for length in range(4):
        for first in range(length + 1):
            shares = (product(usable[0], repeat=first), product(usable[1], repeat=length - first))
            yield from map(StraightLine, product(*shares))


def stops(program: StraightLine) -> set[tuple[int, ...]]:
    """The points at which all executions stop."""
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
    at = data.draw(st.integers(0, len(word) - 2))
    swapped = [*word[:at], word[at + 1], word[at], *word[at + 2 :]]
    differs = word[at].process == word[at + 1].process and word[at] != word[at + 1]
    assert (StraightLine.of(3, swapped) != StraightLine.of(3, word)) == differs


@unhurried
@given(balanced_programs(3))
def test_layering_laws(programs: list[StraightLine]) -> None:
    p, q, r = programs
    empty = StraightLine.of(p.n)
    assert p.then(q).then(r) == p.then(q.then(r))
    assert p.then(empty) == empty.then(p) == p
    assert p.then(q) == StraightLine.of(p.n, p.linearization + q.linearization)
    assert p.then(q).messages == p.messages + q.messages
    assert p.then(q).length == p.length + q.length == 2 * p.then(q).messages


def test_layering_needs_the_same_processes() -> None:
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
    with pytest.raises(InputError) as caught:
        StraightLine.of(2, [*mt(1, 2), event])
    assert str(caught.value) == sentence


@pytest.mark.parametrize("n", [1, 2, 5])
def test_the_empty_program(n: int) -> None:
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
    found = Counter(event for share in program.shares for event in share)
    pairs = list(product(range(1, program.n + 1), repeat=2))
    excess = {(i, j): found[snd(i, j)] - found[rcv(j, i)] for i, j in pairs}
    assert list(program.imbalance.items()) == [(channel, count) for channel, count in excess.items() if count]
    assert program.is_balanced == (not any(excess.values()))
    assert program.messages == sum(found[snd(i, j)] for i, j in pairs)


def check_execution(program: StraightLine) -> None:
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
    programs = list(all_small_programs())
    for program in programs:
        check_execution(program)
    assert len(programs) == 1 + 2 * 4 + 3 * 16 + 4 * 64


@settings(unhurried, max_examples=200)
@given(any_program(max_n=4, max_events=9) | balanced_program(max_n=4, max_messages=5, self_channels=True))
def test_execution_of_larger_programs(program: StraightLine) -> None:
    check_execution(program)


def test_a_long_program_is_linear() -> None:
    """40 000 events that alternate between two processes."""
    program = StraightLine.of(2, 10_000 * (mt(1, 2) + mt(2, 1)))
    assert program.linearization == 10_000 * (mt(1, 2) + mt(2, 1))


# --- The hypotheses of the paper's results ------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "word", "sentence"),
    [
        (1, mt(1, 1), "P uses the self-channel 1->1: only --self-channels (self_channels=True) allows it"),
        (2, [rcv(2, 2)], "P uses the self-channel 2->2: only --self-channels (self_channels=True) allows it"),
        (2, [snd(1, 2)], "P is not balanced: channel 1->2 has 1 more send than receives"),
        (2, 2 * (rcv(1, 2),), "P is not balanced: channel 2->1 has 2 more receives than sends"),
        (
            1,
            [*mt(1, 1), snd(1, 1)],
            "P uses the self-channel 1->1: only --self-channels (self_channels=True) allows it",
        ),
    ],
)
def test_require_balanced_straight_line(n: int, word: list[Event], sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        require_balanced_straight_line(StraightLine.of(n, word), "P")
    assert str(caught.value) == sentence


def test_a_deadlock_is_named() -> None:
    waiting = StraightLine.of(2, [rcv(1, 2), *mt(1, 2), snd(2, 1)])
    with pytest.raises(InputError) as caught:
        require_balanced_straight_line(waiting, "P")
    assert str(caught.value) == "P: the program deadlocks: 'rcv 2<-1', 'rcv 1<-2' can never happen"


@unhurried
@given(any_program(max_n=3, max_events=6) | balanced_program(self_channels=True))
def test_what_is_required_is_what_it_says(program: StraightLine) -> None:
    try:
        require_balanced_straight_line(program, "P", self_channels=True)
    except InputError:
        assert not (program.is_balanced and program.is_deadlock_free)
    else:
        assert program.is_balanced
        assert program.is_deadlock_free


@pytest.mark.parametrize(("i", "j"), [(1, 2), (2, 1), (3, 3)])
def test_a_message_has_two_ends(i: int, j: int) -> None:
    send, receive = mt(i, j)
    assert (send, receive) == (snd(i, j), rcv(j, i))
    assert (send.is_send, receive.is_send) == (True, False)
    assert (send.process, receive.process) == (i, j)
    assert send.channel == receive.channel == Channel(i, j)


def test_texts() -> None:
    assert (str(snd(1, 12)), str(rcv(1, 12)), str(Channel(1, 12))) == ("snd 1->12", "rcv 1<-12", "1->12")


def test_an_event_is_its_kind_and_its_channel() -> None:
    assert rcv(2, 1) == Event(Kind.RECEIVE, 1, 2) == (1, 1, 2)
    assert sorted([rcv(2, 1), snd(2, 1), snd(1, 2)]) == [snd(1, 2), snd(2, 1), rcv(2, 1)]


@pytest.mark.parametrize("n", range(5))
def test_channels(n: int) -> None:
    pairs = list(product(range(1, n + 1), repeat=2))
    assert list(channels(n, self_channels=True)) == pairs
    assert list(channels(n)) == [(i, j) for i, j in pairs if i != j]


def inverse(renaming: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(renaming.index(process) + 1 for process in range(1, len(renaming) + 1))


@unhurried
@given(any_program(), st.data())
def test_renaming_is_a_group_action(program: StraightLine, data: st.DataObject) -> None:
    f, g = data.draw(renamings(program.n)), data.draw(renamings(program.n))
    f_then_g = tuple(g[f[p - 1] - 1] for p in range(1, program.n + 1))
    assert program.renamed(tuple(range(1, program.n + 1))) == program
    assert program.renamed(f).renamed(g) == program.renamed(f_then_g)
    assert program.renamed(f).renamed(inverse(f)) == program
    word = [event for share in program.shares for event in share]
    renamed = [Event(event.kind, f[event.sender - 1], f[event.receiver - 1]) for event in word]
    assert program.renamed(f) == StraightLine.of(program.n, renamed)


@unhurried
@given(balanced_programs(2, max_n=4), st.data())
def test_renaming_respects_layering(programs: list[StraightLine], data: st.DataObject) -> None:
    p, q = programs
    f = data.draw(renamings(p.n))
    assert p.then(q).renamed(f) == p.renamed(f).then(q.renamed(f))
    assert p.renamed(f).is_balanced
    assert p.renamed(f).is_deadlock_free


@unhurried
@given(any_program(max_n=4))
def test_canonical_programs_represent_orbits(program: StraightLine) -> None:
    orbit = {program.renamed(f) for f in permutations(range(1, program.n + 1))}
    assert program.orbit_size == len(orbit)
    assert {other.canonical() for other in orbit} == {min(orbit, key=lambda other: other.shares)}
    assert [other for other in orbit if other.is_canonical] == [program.canonical()]


@unhurried
@given(any_program() | balanced_program(self_channels=True))
def test_text_parses_back(program: StraightLine) -> None:
    assert parse_straight_line(str(program), program.n) == program


@unhurried
@given(st.lists(st.sampled_from(events(3)), max_size=10))
def test_text_of_events(word: list[Event]) -> None:
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
    assert str(program) == expected


def test_what_is_waited_for_is_received_at_once() -> None:
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
