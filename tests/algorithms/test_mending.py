"""Remedies that keep layers apart: tags, and as few messages as trying all plans finds."""

import random
from collections.abc import Iterator
from itertools import combinations, product, zip_longest

import pytest
from tests.strategies import compositions

from sealcheck.algorithms.mending import Mending, mend, stay_apart
from sealcheck.algorithms.minimum_seal import minimum_seal
from sealcheck.algorithms.phases import decide
from sealcheck.algorithms.sealability import Problem, Sealable, transmitting
from sealcheck.algorithms.signature import signature
from sealcheck.language.parser import parse_straight_line
from sealcheck.programs.phases import Phases
from sealcheck.programs.straight_line import Channel, Kind, StraightLine, channels, mt
from sealcheck.theorems.checking.domains import Sequences

FLAGS = ((False, False), (True, False), (False, True), (True, True))


def fewest(phases: Phases, most: int) -> int | None:
    """The least number of transmissions at boundaries that keep the layers apart, by trying all."""
    boundaries = len(phases.layers) - (not (phases.repeat or phases.open))
    slots = [(at, channel) for at in range(boundaries) for channel in channels(phases.n)]
    for count in range(most + 1):
        for plan in product(slots, repeat=count):
            if list(plan) == sorted(plan, key=lambda slot: slot[0]):
                by_boundary = ([channel for at, channel in plan if at == k] for k in range(boundaries))
                if stay_apart(phases, [transmitting(phases.n, each) for each in by_boundary]):
                    return count
    return None


def fewest_changes(phases: Phases, most: int) -> int:
    """The fewest changes below a bound: pairs of transmissions, and of channels that still interfere."""
    boundaries = len(phases.layers) - (not (phases.repeat or phases.open))
    slots = [(at, channel) for at in range(boundaries) for channel in channels(phases.n)]
    for count in range(most):
        for plan in combinations_with_order(slots, count):
            added = [transmitting(phases.n, [c for at, c in plan if at == k]) for k in range(boundaries)]
            for tags in range(most - count):
                subsets = combinations(channels(phases.n), tags)
                if any(stay_apart(phases, added, frozenset(tagged)) for tagged in subsets):
                    most = count + tags
                    break
    return most


def combinations_with_order(
    slots: list[tuple[int, Channel]], count: int
) -> Iterator[tuple[tuple[int, Channel], ...]]:
    return (
        plan for plan in product(slots, repeat=count) if [*plan] == sorted(plan, key=lambda slot: slot[0])
    )


def told_apart(phases: Phases, added: tuple[StraightLine, ...], tagged: tuple[Channel, ...]) -> bool:
    """Whether no execution has a wrong receive; on tagged channels, receives take messages of their layer."""
    both = [
        part
        for pair in zip_longest(phases.layers, added, fillvalue=StraightLine.of(phases.n))
        for part in pair
    ]
    rounds = both * (2 if phases.repeat else 1)
    todo = [
        [(at, event) for at, part in enumerate(rounds) for event in part.shares[k]] for k in range(phases.n)
    ]
    start = (0,) * phases.n, frozenset[tuple[Channel, int, int]]()
    seen, pending = {start}, [start]
    while pending:
        done, there = pending.pop()
        for k, position in enumerate(done):
            if position == len(todo[k]):
                continue
            at, event = todo[k][position]
            after = (*done[:k], position + 1, *done[k + 1 :])
            if event.kind == Kind.SEND:
                states = [(after, there | {(event.channel, at, position)})]
            else:
                takes = {each for each in there if each[0] == event.channel}
                if event.channel in tagged:
                    takes = {each for each in takes if each[1] == at}
                if any(each[1] != at for each in takes):
                    return False
                states = [(after, there - {each}) for each in takes]
            pending += [state for state in states if state not in seen]
            seen.update(states)
    return True


def check(phases: Phases, most: int) -> Mending | None:
    decision = decide(phases)
    if decision.is_safe:
        return None
    found, least = mend(decision), fewest(phases, most)
    if least is None:
        assert found.messages is None or found.messages > most
    else:
        assert (found.messages, found.is_fewest) == (least, True), str(phases)
    assert found.at_least <= (found.messages or most + 1) or found.messages is None
    if found.changes is not None and found.changes <= most:
        alone = min(len(found.tags or ()), most if found.messages is None else found.messages)
        assert found.is_fewest_changes
        assert found.changes == fewest_changes(phases, alone), str(phases)
    return found


def texts(n: int, *layers: str, repeat: bool = False, is_open: bool = False) -> Phases:
    return Phases(tuple(parse_straight_line(text, n) for text in layers), repeat, is_open)


@pytest.mark.parametrize(("repeat", "is_open"), FLAGS)
@pytest.mark.parametrize(("n", "messages", "most"), [(2, 2, 2), (3, 2, 1)])
def test_no_fewer_messages_do(n: int, messages: int, most: int, repeat: bool, is_open: bool) -> None:
    domain = Sequences(2, "pairs")
    for instance in domain.instances(n, messages, 0, domain.size(n, messages)):
        check(Phases(instance.straight, repeat, is_open), most)


@pytest.mark.larger
@pytest.mark.parametrize(("repeat", "is_open"), FLAGS)
@pytest.mark.parametrize(
    ("layers", "n", "messages", "most"),
    [(2, 2, 3, 2), (2, 2, 4, 3), (3, 2, 3, 3), (2, 3, 2, 2), (3, 3, 2, 2)],
)
def test_no_fewer_messages_do_for_more(
    layers: int, n: int, messages: int, most: int, repeat: bool, is_open: bool
) -> None:
    domain = Sequences(layers, "layers")
    for instance in domain.instances(n, messages, 0, domain.size(n, messages)):
        check(Phases(instance.straight, repeat, is_open), most)


MIXED = (
    (texts(3, "mt 2->1", "mt 3->1", "snd 2->3; mt 3->1; rcv 3<-2", repeat=True), 3, 3, (1, 1)),
    (
        texts(5, "mt 1->2; mt 3->4; mt 3->5; mt 4->5", *["mt 1->2"] * 3, "mt 3->4; mt 3->5; mt 4->5"),
        4,
        4,
        (1, 1),
    ),
)


@pytest.mark.parametrize(("phases", "messages", "tags", "both"), MIXED)
def test_acknowledgments_and_tags_together(
    phases: Phases, messages: int, tags: int, both: tuple[int, int]
) -> None:
    """One message and one tag are enough; trying all plans finds nothing smaller."""
    found = mend(decide(phases))
    assert found.both is not None
    assert (found.messages, len(found.tags or ())) == (messages, tags)
    assert (found.both.messages, len(found.both.tags)) == both
    assert found.is_fewest_changes
    assert found.changes == fewest_changes(phases, 3)
    assert told_apart(phases, found.both.acknowledgments, found.both.tags)
    assert not told_apart(phases, found.both.acknowledgments, ())
    assert not told_apart(phases, (), found.both.tags)


def test_whatever_follows_takes_a_seal() -> None:
    domain = Sequences(2, "pairs")
    for instance in domain.instances(3, 2, 0, domain.size(3, 2)):
        layer = instance.p.then(instance.q)
        found = mend(decide(Phases((layer,), open=True)))
        seal = minimum_seal(Problem.of(signature(layer)))
        assert found.messages == (len(seal.transmissions) if isinstance(seal, Sealable) else None)


def test_to_keep_two_apart_takes_less_than_a_seal() -> None:
    star = "mt 1->2; mt 1->3; mt 1->4"
    found = mend(decide(texts(4, star, "mt 1->2")))
    assert (found.messages, [str(each) for each in found.acknowledgments or ()]) == (1, ["mt 2->1"])
    assert len(minimum_seal(Problem.of(signature(parse_straight_line(star)))).transmissions) == 3


def test_no_acknowledgment_helps() -> None:
    """Two processes both send first, and the acknowledgment could be taken for one of these messages."""
    layers = "mt 1->2", "snd 1->2; snd 2->1; rcv 2<-1; rcv 1<-2"
    found = mend(decide(texts(2, *layers)))
    assert found.acknowledgments is None
    assert found.reason.startswith("no acknowledgments help")
    assert found.tags == (Channel(1, 2),)
    found = mend(decide(texts(3, *layers)))
    assert [str(each) for each in found.acknowledgments or ()] == ["mt 2->3; mt 3->1"]
    assert found.is_fewest


def test_a_message_for_another_layer_cannot_be_mended() -> None:
    """With a tag, the receive would wait forever."""
    found = mend(decide(texts(2, "snd 1->2", "rcv 2<-1")))
    assert (found.acknowledgments, found.tags) == (None, None)
    assert "layer 2 by itself deadlocks" in found.reason
    found = mend(decide(texts(2, "rcv 2<-1; snd 2->1", "snd 1->2; rcv 1<-2")))
    assert (found.acknowledgments, found.tags) == (None, None)
    assert "layer 1 by itself deadlocks" in found.reason


def test_messages_that_are_left_over_may_do_no_harm() -> None:
    for layers in (("mt 1->2", "snd 1->2"), ("snd 1->2; mt 1->2", "snd 1->2")):
        found = mend(decide(texts(2, *layers)))
        assert [str(each) for each in found.acknowledgments or ()] == ["mt 2->1"]
        assert (found.is_fewest, found.tags) == (True, (Channel(1, 2),))
    layers = "snd 2->1; mt 1->2", "mt 1->2"
    found = mend(decide(texts(2, *layers)))
    assert (found.acknowledgments, found.tags) == (None, (Channel(1, 2),))
    assert found.reason == "no acknowledgments help: a layer could receive their own messages"
    found = mend(decide(texts(3, *layers)))
    assert [str(each) for each in found.acknowledgments or ()] == ["mt 2->3; mt 3->1"]


LEFT = (
    (texts(2, "snd 1->2", "eps", "mt 1->2"), "layer 1 leaves a message over, which layer 3 can receive"),
    (
        texts(2, "mt 1->2; mt 2->1; snd 1->2", repeat=True),
        "layer 1 leaves a message over, which layer 1 in the next round can receive",
    ),
    (texts(2, "snd 1->2", is_open=True), "layer 1 leaves a message over, which a later program can receive"),
)


@pytest.mark.parametrize(("phases", "reason"), LEFT)
def test_messages_that_are_left_over_for_a_later_receive_need_a_tag(phases: Phases, reason: str) -> None:
    found = mend(decide(phases))
    assert (found.acknowledgments, found.tags) == (None, (Channel(1, 2),))
    assert found.reason == f"no acknowledgments help: {reason}"
    assert found.is_fewest_changes


def test_a_tag_for_what_is_left_over_and_messages_for_the_rest() -> None:
    first, *others = "mt 1->2; mt 3->4; mt 3->5; mt 4->5", *["mt 1->2"] * 3, "mt 3->4; mt 3->5; mt 4->5"
    phases = texts(6, f"snd 5->6; {first}", *others, "mt 5->6")
    found = mend(decide(phases))
    assert (found.acknowledgments, len(found.tags or ())) == (None, 5)
    assert found.both is not None
    assert (found.both.messages, found.both.tags) == (1, (Channel(1, 2), Channel(5, 6)))
    assert found.is_fewest_changes
    assert told_apart(phases, found.both.acknowledgments, found.both.tags)


def test_no_fewer_messages_do_where_some_are_left_over() -> None:
    found = [
        check(phases, 2 if phases.n == 2 else 1)
        for phases in compositions(random.Random(22), 400, 5)
        if phases.n < 4 and all(layer.is_deadlock_free for layer in phases.layers)
    ]
    unbalanced = [each for each in found if each and each.tags]
    assert {each.acknowledgments is None for each in unbalanced} == {True, False}


def halo(side: int) -> str:
    """Each process of a square sends to all its neighbours, and receives from them."""
    places = list(product(range(side), repeat=2))
    pairs = [
        (places.index(u) + 1, places.index(v) + 1)
        for u, v in product(places, repeat=2)
        if abs(u[0] - v[0]) + abs(u[1] - v[1]) == 1
    ]
    return "; ".join([*(f"snd {u}->{v}" for u, v in pairs), *(f"rcv {v}<-{u}" for u, v in pairs)])


@pytest.mark.parametrize(("layers", "repeat"), [(2, False), (1, True)])
def test_many_neighbours_are_kept_apart_by_a_barrier_on_other_channels(layers: int, repeat: bool) -> None:
    found = mend(decide(texts(16, *[halo(4)] * layers, repeat=repeat)))
    assert (found.messages, found.is_fewest) == (30, False)


@pytest.mark.parametrize("repeat", [False, True])
def test_that_none_can_help_is_found_without_counting_up(repeat: bool) -> None:
    crossing = "snd 1->2; snd 2->1; rcv 2<-1; rcv 1<-2"
    found = mend(decide(texts(2, *[crossing] * (1 if repeat else 2), repeat=repeat)))
    assert found.reason.startswith("no acknowledgments help")
    assert found.at_least < 10


def test_where_none_can_help_twice_none_can_help_in_rounds() -> None:
    twice, repeated = (mend(decide(texts(4, *[halo(2)] * layers, repeat=layers == 1))) for layers in (2, 1))
    assert twice.reason == repeated.reason
    assert repeated.reason.startswith("no acknowledgments help")


@pytest.mark.parametrize("repeat", [False, True])
def test_many_processes(repeat: bool) -> None:
    """32 pairs need 32 messages, or 64 if they are repeated; no search is needed."""
    pairs = StraightLine.of(64, [event for k in range(1, 64, 2) for event in mt(k, k + 1)])
    found = mend(decide(Phases((pairs, pairs), repeat)))
    assert (found.messages, found.is_fewest) == (64 if repeat else 32, True)
