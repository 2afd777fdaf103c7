"""What would keep layers apart: as few messages as trying everything finds, and tags."""

from itertools import product

import pytest

from sealcheck.algorithms.mending import Mending, mend, stay_apart
from sealcheck.algorithms.minimum_seal import minimum_seal
from sealcheck.algorithms.phases import decide
from sealcheck.algorithms.sealability import Problem, Sealable, transmitting
from sealcheck.algorithms.signature import signature
from sealcheck.harness.domains import Sequences
from sealcheck.language.parser import parse_straight_line
from sealcheck.programs.events import Channel, channels, mt
from sealcheck.programs.phases import Phases
from sealcheck.programs.straight_line import StraightLine

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


def check(phases: Phases, most: int) -> Mending | None:
    """What mends layers that interfere has the fewest messages, as far as all plans can be tried."""
    decision = decide(phases)
    if decision.is_safe:
        return None
    found, least = mend(decision), fewest(phases, most)
    if least is None:
        assert found.messages is None or found.messages > most
    else:
        assert (found.messages, found.is_fewest) == (least, True), str(phases)
    assert found.at_least <= (found.messages or most + 1) or found.messages is None
    return found


def texts(n: int, *layers: str, repeat: bool = False, is_open: bool = False) -> Phases:
    return Phases(tuple(parse_straight_line(text, n) for text in layers), repeat, is_open)


@pytest.mark.parametrize(("repeat", "is_open"), FLAGS)
@pytest.mark.parametrize(("n", "messages", "most"), [(2, 2, 2), (3, 2, 1)])
def test_no_fewer_messages_do(n: int, messages: int, most: int, repeat: bool, is_open: bool) -> None:
    """All pairs of layers of few messages."""
    domain = Sequences(2, "pairs")
    for instance in domain.instances(n, messages, 0, domain.size(n, messages)):
        check(Phases(instance.straight, repeat, is_open), most)


@pytest.mark.slow
@pytest.mark.parametrize(("repeat", "is_open"), FLAGS)
@pytest.mark.parametrize(
    ("layers", "n", "messages", "most"),
    [(2, 2, 3, 2), (2, 2, 4, 3), (3, 2, 3, 3), (2, 3, 2, 2), (3, 3, 2, 2)],
)
def test_no_fewer_messages_do_for_more(
    layers: int, n: int, messages: int, most: int, repeat: bool, is_open: bool
) -> None:
    """Pairs and triples of larger levels."""
    domain = Sequences(layers, "layers")
    for instance in domain.instances(n, messages, 0, domain.size(n, messages)):
        check(Phases(instance.straight, repeat, is_open), most)


def test_whatever_follows_takes_a_seal() -> None:
    """Of one layer, if anything may follow: as many messages as a shortest seal has."""
    domain = Sequences(2, "pairs")
    for instance in domain.instances(3, 2, 0, domain.size(3, 2)):
        layer = instance.p.then(instance.q)
        found = mend(decide(Phases((layer,), open=True)))
        seal = minimum_seal(Problem.of(signature(layer)))
        assert found.messages == (len(seal.transmissions) if isinstance(seal, Sealable) else None)


def test_to_keep_two_apart_takes_less_than_a_seal() -> None:
    """What never comes after needs no answer."""
    star = "mt 1->2; mt 1->3; mt 1->4"
    found = mend(decide(texts(4, star, "mt 1->2")))
    assert (found.messages, [str(each) for each in found.acknowledgments or ()]) == (1, ["mt 2->1"])
    assert len(minimum_seal(Problem.of(signature(parse_straight_line(star)))).transmissions) == 3


def test_no_acknowledgment_helps() -> None:
    """Where it would itself be taken for a message of two that both send first; a third one can tell."""
    layers = "mt 1->2", "snd 1->2; snd 2->1; rcv 2<-1; rcv 1<-2"
    found = mend(decide(texts(2, *layers)))
    assert found.acknowledgments is None
    assert found.reason.startswith("no acknowledgments can")
    assert found.tags == (Channel(1, 2),)
    found = mend(decide(texts(3, *layers)))
    assert [str(each) for each in found.acknowledgments or ()] == ["mt 2->3; mt 3->1"]
    assert found.is_fewest


def test_a_message_for_another_layer_cannot_be_mended() -> None:
    """It is meant to get there; and one that nobody receives has nobody who could acknowledge it."""
    found = mend(decide(texts(2, "snd 1->2", "rcv 2<-1")))
    assert (found.acknowledgments, found.tags) == (None, None)
    assert "even where channels deliver in order" in found.reason
    found = mend(decide(texts(2, "snd 1->2; mt 1->2", "snd 1->2")))
    assert (found.acknowledgments, found.tags) == (None, (Channel(1, 2),))


@pytest.mark.parametrize("repeat", [False, True])
def test_many_processes(repeat: bool) -> None:
    """32 pairs need 32 messages, and 32 more if they are repeated; that is shown without a search."""
    pairs = StraightLine.of(64, [event for k in range(1, 64, 2) for event in mt(k, k + 1)])
    found = mend(decide(Phases((pairs, pairs), repeat)))
    assert (found.messages, found.is_fewest) == (64 if repeat else 32, True)
