"""The explorer, compared with the paper's examples, a replay, and a naive exploration."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sealcheck.errors import InputError
from sealcheck.explorers.channel_contents import (
    Owner,
    Step,
    closes,
    find_interference,
    find_seal,
    ordered_pairs,
    seals,
)
from sealcheck.explorers.occurrence import occurs, trimmed
from sealcheck.language.parser import parse
from sealcheck.programs.runs import GlobalRun, Interval, LocalEvent, Place
from sealcheck.programs.space import Space
from sealcheck.programs.straight_line import (
    Channel,
    DeadlockError,
    Event,
    Kind,
    StraightLine,
    channels,
    mt,
    rcv,
    snd,
)

X = (snd(1, 2), snd(2, 1), rcv(1, 2), rcv(2, 1))
"""The paper's unsealable program."""


def program(n: int, *events: Event) -> StraightLine:
    return StraightLine.of(n, events)


def pairs(n: int, messages: int) -> Iterator[tuple[StraightLine, StraightLine]]:
    spaces = [tuple(Space(n, m).programs()) for m in range(messages + 1)]
    for m in range(messages + 1):
        for p, q_space in product(spaces[m], spaces[: messages + 1 - m]):
            for q in q_space:
                yield p, q


def missing(p: StraightLine, q: StraightLine) -> dict[Channel, int]:
    """The later sends without which P;Q has no complete execution."""
    return {channel: -count for channel, count in p.then(q).imbalance.items() if count < 0}


# --- A naive exploration: everything spelt out, nothing left out --------------------------------

Numbers = tuple[int, ...]
Found = Callable[[Numbers, Event, Owner, Owner | None], bool]
OWNERS = tuple(Owner)


def explore_naively(
    p: StraightLine, q: StraightLine, found: Found, later_sends: int = 1, later_receives: int = 1
) -> bool:
    """Whether `found` holds at some event of some complete execution of P;Q and later events.

    A state has the positions, the number of messages of each owner in each channel, the later events done on
    each channel, and whether `found` held before. `found` gets the positions before the event, the event, its
    owner, and the owner of the message that it takes.
    """
    shares, ends = p.then(q).shares, [len(share) for share in p.shares]
    used = {event.channel for share in shares for event in share}
    number = {channel: k for k, channel in enumerate(sorted({*channels(p.n), *used}))}
    lacking = missing(p, q)

    def events(positions: Numbers, sent: Numbers, received: Numbers) -> Iterator[tuple[Event, Owner]]:
        for process, (at, share) in enumerate(zip(positions, shares, strict=True), 1):
            if at < len(share):
                yield share[at], Owner.P if at < ends[process - 1] else Owner.Q
                continue
            for channel, k in number.items():
                if channel.sender == process and sent[k] < later_sends + lacking.get(channel, 0):
                    yield Event(Kind.SEND, *channel), Owner.LATER
                if channel.receiver == process and received[k] < later_receives:
                    yield Event(Kind.RECEIVE, *channel), Owner.LATER

    def plus(numbers: Numbers, k: int, change: int = 1) -> Numbers:
        return (*numbers[:k], numbers[k] + change, *numbers[k + 1 :])

    none = (0,) * len(number)
    start = ((0,) * p.n, none * len(OWNERS), none, none, False)
    seen, stack = {start}, [start]
    while stack:
        positions, contents, sent, received, was_found = stack.pop()
        if was_found and all(at == len(share) for at, share in zip(positions, shares, strict=True)):
            return True
        for event, owner in events(positions, sent, received):
            k, later = number[event.channel], owner is Owner.LATER
            after = positions if later else plus(positions, event.process - 1)
            for message in [owner] if event.is_send else OWNERS:
                lane = k * len(OWNERS) + OWNERS.index(message)
                if not event.is_send and not contents[lane]:
                    continue
                state = (
                    after,
                    plus(contents, lane, 1 if event.is_send else -1),
                    plus(sent, k) if later and event.is_send else sent,
                    plus(received, k) if later and not event.is_send else received,
                    was_found or found(positions, event, owner, None if event.is_send else message),
                )
                if state not in seen:
                    seen.add(state)
                    stack.append(state)
    return False


def crosses(_positions: object, _event: Event, owner: Owner, took: Owner | None) -> bool:
    return took is not None and (owner is Owner.P) != (took is Owner.P)


def crosses_on(channel: Channel) -> Found:
    return lambda positions, event, owner, took: (
        event.channel == channel and crosses(positions, event, owner, took)
    )


def happens_too_early(first: tuple[int, int], second: tuple[int, int]) -> Found:
    return lambda positions, event, owner, _: (
        owner is Owner.P
        and (event.process, positions[event.process - 1] + 1) == second
        and positions[first[0] - 1] < first[1]
    )


# --- A replay -----------------------------------------------------------------------------------


def replay(
    p: StraightLine, q: StraightLine, steps: tuple[Step, ...], later_sends: int, later_receives: int
) -> None:
    """Check that `steps` is a complete execution of P;Q with interference, within the bounds."""
    left = [[*first, *then] for first, then in zip(p.shares, q.shares, strict=True)]
    done = [0] * p.n
    contents: Counter[tuple[Channel, Owner]] = Counter()
    later: Counter[Event] = Counter()
    for event, owner, took in steps:
        process = event.process - 1
        if left[process]:
            assert event == left[process].pop(0)
            assert owner is (Owner.P if done[process] < len(p.shares[process]) else Owner.Q)
            done[process] += 1
        else:
            assert owner is Owner.LATER
            later[event] += 1
        if event.is_send:
            assert took is None
            contents[event.channel, owner] += 1
        else:
            assert took is not None
            assert contents[event.channel, took] > 0
            contents[event.channel, took] -= 1
    assert not any(left)
    assert any(crosses(None, *step) for step in steps)
    lacking = missing(p, q)
    for event, count in later.items():
        allowed = later_sends + lacking.get(event.channel, 0) if event.is_send else later_receives
        assert count <= allowed


# --- Sealing ------------------------------------------------------------------------------------


def test_executions_replay():
    found = 0
    for p, q in [*pairs(2, 4), *pairs(3, 2)]:
        steps = find_interference(p, q)
        if steps is not None:
            replay(p, q, steps, later_sends=1, later_receives=1)
            found += 1
    assert found > 200


@pytest.mark.parametrize(("n", "messages"), [(2, 4), (3, 3)])
def test_naive_exploration_agrees(n: int, messages: int):
    """The naive exploration tries every later event on every channel."""
    verdicts = Counter()
    for p, q in pairs(n, messages):
        if p.length and p.is_canonical:
            sealed = seals(p, q)
            assert sealed is not explore_naively(p, q, crosses)
            verdicts[sealed] += 1
    assert min(verdicts.values()) > 5
    assert len(verdicts) == 2


@pytest.mark.parametrize(("n", "messages"), [(2, 4), (3, 2)])
def test_small_model(n: int, messages: int):
    """Two later sends and receives on each channel refute nothing more."""
    for p, q in pairs(n, messages):
        sealed = seals(p, q)
        assert sealed is (find_interference(p, q, later_sends=2, later_receives=2) is None)
        if sealed and p.length and p.is_canonical:
            assert not explore_naively(p, q, crosses, later_sends=2, later_receives=2)


# --- Unbalanced and deadlocking programs --------------------------------------------------------


def test_message_left_over():
    p, eps = program(2, snd(1, 2)), program(2)
    assert find_interference(p, eps) == (
        Step(snd(1, 2), Owner.P, None),
        Step(rcv(2, 1), Owner.LATER, Owner.P),
    )
    assert find_interference(p, eps, later_receives=0) is None
    assert find_interference(p, program(2, rcv(2, 1)), later_receives=0) is not None


def test_no_complete_execution():
    p = program(2, rcv(1, 2), rcv(2, 1), snd(1, 2), snd(2, 1))
    assert seals(p, program(2))
    assert closes(p, Channel(1, 2))
    assert ((1, 2), (1, 1)) in ordered_pairs(p)
    assert seals(program(2, rcv(2, 1)), program(2, *mt(2, 1)))
    with pytest.raises(DeadlockError, match="rcv 2<-1"):
        find_seal(program(2, rcv(2, 1)), 1)


@st.composite
def small_programs(draw: st.DrawFn, n: int, most: int) -> StraightLine:
    """Any straight-line program, balanced or not, with self-channels."""
    events = st.builds(Event, st.sampled_from(Kind), st.integers(1, n), st.integers(1, n))
    return program(n, *draw(st.lists(events, max_size=most)))


@settings(deadline=None, max_examples=300)
@given(small_programs(2, 5), small_programs(2, 4))
def test_any_two_programs(p: StraightLine, q: StraightLine):
    steps = find_interference(p, q)
    assert (steps is not None) is explore_naively(p, q, crosses)
    if steps is not None:
        replay(p, q, steps, 1, 1)


@settings(deadline=None, max_examples=60)
@given(small_programs(3, 4), small_programs(3, 2))
def test_any_two_programs_of_three_processes(p: StraightLine, q: StraightLine):
    assert seals(p, q) is not explore_naively(p, q, crosses)


# --- Closed channels, ordered events ------------------------------------------------------------


def test_closed_channels():
    verdicts = Counter()
    for p in [*Space(2, 3).programs(), *(p for p in Space(3, 2).programs() if p.is_canonical)]:
        for channel in channels(p.n):
            closed = closes(p, channel)
            assert closed is not explore_naively(p, program(p.n), crosses_on(channel))
            verdicts[closed] += 1
    assert min(verdicts[True], verdicts[False]) > 10


def test_all_pairs_of_events():
    verdicts = Counter()
    for p in [*Space(2, 2).programs(), *Space(3, 2).programs()]:
        events = [(i, k) for i, share in enumerate(p.shares, 1) for k in range(1, len(share) + 1)]
        pairs = ordered_pairs(p)
        for first, second in permutations(events, 2):
            ordered = (first, second) in pairs
            swapped = explore_naively(p, program(p.n), happens_too_early(first, second), 0, 0)
            assert ordered is not swapped
            verdicts[ordered] += 1
    assert min(verdicts[True], verdicts[False]) > 50


@settings(deadline=None, max_examples=200)
@given(small_programs(2, 6), st.data())
def test_order_in_any_program(p: StraightLine, data: st.DataObject):
    events = [(i, k) for i, share in enumerate(p.shares, 1) for k in range(1, len(share) + 1)]
    if len(events) > 1:
        first, second = data.draw(st.permutations(events))[:2]
        swapped = explore_naively(p, program(2), happens_too_early(first, second))
        assert ((first, second) in ordered_pairs(p)) is not swapped


# --- Making seals -------------------------------------------------------------------------------


def test_seals_are_least():
    every = [[]]
    for length in range(1, 4):
        every += [list(sequence) for sequence in product(channels(3), repeat=length)]
    candidates = [program(3, *(e for channel in sequence for e in mt(*channel))) for sequence in every]
    lengths = Counter()
    for p in [*Space(3, 2).programs(), program(3, *X), program(3, snd(1, 2))]:
        first = next((q for q in candidates if seals(p, q)), None)
        assert find_seal(p, 3) == first
        lengths[first and first.messages] += 1
    assert set(lengths) == {None, 1, 2, 3}


# --- Bad input ----------------------------------------------------------------------------------


def test_bad_input():
    p = program(2, *mt(1, 2))
    with pytest.raises(InputError, match="P is over 2 processes and Q over 3"):
        seals(p, program(3))
    with pytest.raises(InputError, match="at least 0"):
        find_interference(p, p, later_sends=-1)
    with pytest.raises(InputError, match="at least 0"):
        find_interference(p, p, later_receives=-1)
    with pytest.raises(InputError, match="at least 0, not -1"):
        find_seal(p, -1)
    with pytest.raises(InputError, match=r"channel 3->1 is not among the processes 1\.\.2"):
        closes(p, Channel(3, 1))


FIRST, SECOND, TAKEN = Place(1, 1), Place(1, 2), Place(2, 1)


def overtaken(first: int, second: int, stored: bool) -> Interval:
    after = {"x": second} if stored else {}
    run = GlobalRun(
        ((LocalEvent(snd(1, 2), first), LocalEvent(snd(1, 2), second)), (LocalEvent(rcv(2, 1), second),)),
        (({}, {}, {}), ({}, after)),
        {TAKEN: SECOND},
    )
    return Interval(run, (0, 0), (1, 1))


def keeps(text: str, found: Interval) -> bool:
    return occurs(found.run, found.c, found.d, parse(text))


def test_a_receive_takes_another_message_if_nobody_looks_at_what_it_holds() -> None:
    found = trimmed(overtaken(0, 1, stored=False), lambda found: keeps("mt 1->2", found))
    assert found.run.matching == {TAKEN: FIRST}
    assert [len(share) for share in found.run.events] == [1, 1]
    assert found.run.at(TAKEN).content == found.run.at(FIRST).content == 0


@pytest.mark.parametrize(("first", "second"), [(8, 9), (1, 2), (5, 0), (-1, 1)])
def test_values_are_plain_where_they_may_be(first: int, second: int) -> None:
    found = trimmed(overtaken(first, second, stored=True), stores_another_one)
    assert {found.run.at(FIRST).content, found.run.at(SECOND).content} == {0, 1}
    assert stores_another_one(found)


def stores_another_one(found: Interval) -> bool:
    content = found.run.at(TAKEN).content
    return found.run.states[1][1] == {"x": content} and found.run.at(FIRST).content != content
