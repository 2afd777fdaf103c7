"""Decisions over ports, compared with the explorer; special cases."""

from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from tests.port_programs import explorable, random_layer

from sealcheck.algorithms.mending.acknowledging import (
    Acknowledging,
    at_least_needed,
    planned,
    to_be_told,
    to_tell,
)
from sealcheck.algorithms.mending.over_ports import remedies, room, tag_values
from sealcheck.algorithms.phases import decide
from sealcheck.algorithms.ports import decide_ports
from sealcheck.errors import LimitReached
from sealcheck.explorers.ports import goes_wrong, wrong_ports
from sealcheck.language.names import NUMBERS
from sealcheck.language.parser import parse_straight_line
from sealcheck.language.ports import parse_expression, parse_layers, parse_port
from sealcheck.programs.phases import Phases
from sealcheck.programs.ports import FIFO, Guarantee, Port, PortProgram
from sealcheck.programs.protocol import PortPhases, Protocol


def phases(
    *texts: str, expression: str = "", repeat: bool = False, open: bool = False, **ports: str
) -> PortPhases:
    _, _, layers = parse_layers({f"layer {k}": text for k, text in enumerate(texts, 1)}, None)
    protocol = Protocol.sequence(len(texts), repeat=repeat)
    if expression:
        protocol = Protocol.of(parse_expression(expression, "ABCDE"[: len(texts)]))
    given = {parse_port(p, NUMBERS): Guarantee.of([word]) for word, all in ports.items() for p in all.split()}
    return PortPhases(tuple(layers), protocol, given, open)


def roots(about: PortPhases) -> set[str]:
    return {str(found.port) for found in decide_ports(about).interfering}


@pytest.mark.parametrize("seed", range(6))
def test_root_causes_are_those_of_the_explorer(seed: int) -> None:
    rng = Random(seed)
    for _ in range(60):
        about, most = explorable(rng, events=12)
        assert {found.port for found in decide_ports(about).interfering} == wrong_ports(about, most), about


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_root_causes_are_those_of_the_explorer_in_longer_words(seed: int) -> None:
    rng = Random(1000 + seed)
    for _ in range(400):
        about, most = explorable(rng, events=16)
        try:
            explored = wrong_ports(about, most)
            assert goes_wrong(about, most) == bool(explored), about
        except LimitReached:
            continue
        assert {found.port for found in decide_ports(about).interfering} == explored, about


def test_a_wrong_receive_makes_others_wrong_but_is_the_only_root() -> None:
    """Root causes are ports, not receives."""
    about = phases("snd 1->2; rcv 2<-*", "snd 3->2; snd 3->2; rcv 2<-*; rcv 2<-*", fifo="2<-*")
    assert roots(about) == {"2<-*"}


def test_one_sender_in_order_never_interferes() -> None:
    assert roots(phases("mt 1->2", repeat=True, fifo="2<-1")) == set()
    assert roots(phases("mt 1->2", repeat=True, open=True, fifo="2<-1")) == set()
    assert roots(phases("mt 1->2", repeat=True)) == {"2<-1"}


def test_loss_makes_order_worthless_and_duplicates_make_two_uses_too_many() -> None:
    assert roots(replace_guarantee(phases("mt 1->2", repeat=True), "2<-1", ["fifo", "lossy"])) == {"2<-1"}
    acknowledged = phases("mt 1->2; mt 2->1", repeat=True)
    assert roots(acknowledged) == set()
    assert roots(replace_guarantee(acknowledged, "2<-1", ["duplicating"])) == {"2<-1"}
    assert roots(replace_guarantee(phases("mt 1->2; mt 2->1"), "2<-1", ["duplicating"])) == set()


def replace_guarantee(about: PortPhases, port: str, words: list[str]) -> PortPhases:
    return replace(about, guarantees={parse_port(port, NUMBERS): Guarantee.of(words)})


def test_a_skipped_layer_does_not_protect() -> None:
    """B acknowledges A. If B's layer is optional, A's receive can take A's next message."""
    layers = "mt 1->2", "mt 2->1"
    assert roots(phases(*layers, expression="(A B)*")) == set()
    assert roots(phases(*layers, expression="(A B?)*")) == {"2<-1"}


def test_choices_that_cannot_be_skipped_are_limited() -> None:
    texts = [f"mt 1->{k}; mt {k}->1:x" for k in range(3, 25)]
    _, _, layers = parse_layers({str(k): text for k, text in enumerate(["mt 1->2", *texts])}, None)
    choice = ("any", ("or", *range(1, len(layers))))
    about = PortPhases(tuple(layers), Protocol.of(("then", 0, choice, 0)))
    assert decide_ports(about).interfering


def test_receives_that_name_their_sources_keep_rounds_apart() -> None:
    about = phases("snd 1->2; snd 3->2; rcv 2<-*; rcv 2<-*", repeat=True, fifo="2<-*")
    assert roots(about) == {"2<-*"}
    assert remedies(decide_ports(about)).name_sources == (Port(2, 0),)


@pytest.mark.parametrize("others", [4, 24])
def test_a_reader_tells_each_sender(others: int) -> None:
    """A gather needs one message for each sender, not two."""
    sent = "; ".join(f"snd {k}->1" for k in range(2, others + 2))
    about = phases("; ".join([sent, *["rcv 1<-*"] * others]), repeat=True, fifo="1<-*")
    found = remedies(decide_ports(about))
    assert found.acknowledgments is not None
    (told,) = found.acknowledgments
    assert {(e.sender, e.receiver) for e in told.events} == {(1, k) for k in range(2, others + 2)}
    assert found.messages == found.at_least == others


def test_each_reader_of_a_broadcast_tells() -> None:
    layer = "; ".join(f"mt 1->{k}:x" for k in range(2, 9))
    decision = decide_ports(phases(layer, open=True))
    assert (to_be_told(decision), to_tell(decision)) == ({1}, {*range(2, 9)})
    found = remedies(decision)
    assert found.messages == found.at_least == 7
    answered = decide_ports(phases(f"{layer}; mt 2->1:y; mt 3->4:z", open=True))
    assert to_tell(answered) == {1, 4, 5, 6, 7, 8}
    assert to_tell(decide_ports(phases("mt 1->2; mt 1->3", "mt 3->1", "mt 1->2; mt 1->3"))) == {2}


@pytest.mark.parametrize("seed", range(6))
def test_no_plan_has_fewer_messages_than_the_bound(seed: int) -> None:
    rng, bounds = Random(90 + seed), Counter[int]()
    for _ in range(60):
        about, _ = explorable(rng, events=12, words=6)
        decision = decide_ports(about)
        if decision.is_safe or any(about.guarantee(each.port).duplicating for each in decision.interfering):
            continue
        search, bound = Acknowledging(about), at_least_needed(decision)
        if len(search.moves) ** max(0, bound - 1) > 200:
            continue
        for size in range(1, bound):
            assert not any(map(search.is_enough, map(planned, product(search.moves, repeat=size)))), about
        bounds[bound] += 1
    assert bounds[1]
    assert max(bounds) > 1


def test_acknowledgments_are_not_taken_for_later_ones() -> None:
    """1 must not tell 2 or 3 of both rounds, because 1 waits for neither."""
    about = phases("snd 2->1; rcv 1<-*", "mt 3->2:y", expression="A? A?", open=True)
    found = remedies(decide_ports(about)).acknowledgments
    assert found
    both = PortPhases((about.layers[0], found[0]), Protocol.of(("then", 0, 1, 0, 1)))
    assert decide_ports(both).is_safe


@pytest.mark.parametrize(("most", "messages", "at_least"), [(4, None, 2), (6, 3, 3)])
def test_a_plan_that_is_too_large_to_decide_shows_nothing(
    most: int, messages: int | None, at_least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three layers are decided within the limit, six layers are not."""
    monkeypatch.setattr("sealcheck.algorithms.ports.MOST_STATES", most)
    decision = decide_ports(phases("mt 1->2", "mt 1->2", "mt 1->3", repeat=True))
    found = remedies(decision)
    assert (found.messages, found.at_least) == (messages, at_least)


@pytest.mark.parametrize(
    ("layer", "values"),
    [
        ("mt 1->2", None),
        ("snd 1->2; snd 2->1; rcv 2<-1; rcv 1<-2", 2),
        ("snd 1->2; snd 2->3; snd 3->1; rcv 2<-1; rcv 3<-2; rcv 1<-3", 3),
    ],
)
def test_how_many_rounds_a_tag_has_to_tell_apart(layer: str, values: int | None) -> None:
    """An alternating bit is enough if each process waits for the other. If the sender never waits, no bound
    is."""
    assert tag_values(decide_ports(phases(layer, repeat=True)))[Port(2, 1)] == values


@pytest.mark.parametrize(
    ("expression", "guarantee", "values"),
    [
        ("A A A", "bag", 3),
        ("A A A", "duplicating", 3),
        ("A (A A)? B", "bag", 3),
        ("(A A A B)*", "bag", 3),
        ("(A A A B)*", "duplicating", None),
        ("A A A+", "bag", None),
    ],
)
def test_a_layer_that_comes_so_often(expression: str, guarantee: str, values: int | None) -> None:
    about = phases("mt 1->2", "mt 2->1", expression=expression, **{guarantee: "2<-1"})
    assert tag_values(decide_ports(about))[Port(2, 1)] == values


@pytest.mark.parametrize("seed", range(3))
def test_tags_with_so_many_values_are_enough_and_with_one_fewer_are_not(seed: int) -> None:
    rng, tight = Random(50 + seed), 0
    for _ in range(40):
        about, most = explorable(rng, events=12, words=6)
        about = replace(about, open=False)
        values = tag_values(decide_ports(about))
        for word in about.protocol.words(most, whole=False):
            assert not goes_wrong(tagged(about, word, values), len(word)), (about, values)
        for port, count in values.items():
            fewer = {**values, port: (count or 2) - 1}
            if count != 1:
                tight += any(
                    goes_wrong(tagged(about, w, fewer), len(w))
                    for w in about.protocol.words(most, whole=False)
                )
    assert tight


@pytest.mark.parametrize("seed", range(4))
def test_so_many_messages_can_wait(seed: int) -> None:
    rng, exact = Random(70 + seed), Counter[int]()
    for _ in range(60):
        about, most = explorable(rng, events=12, words=6)
        about = replace(about, open=False)
        is_finite = not any(map(about.protocol.comes_again, range(len(about.protocol.layers))))
        for port, messages in room(decide_ports(about)).items():
            words = about.protocol.words(most, whole=False)
            seen = max(most_waiting(about, about.of_word(word), port) for word in words)
            if messages is None:
                assert about.guarantee(port).duplicating or not is_finite
            else:
                assert seen == messages if is_finite else seen <= messages, (about, port)
                exact[messages] += seen == messages
    assert len(exact) > 1


def most_waiting(about: PortPhases, layers: list[PortProgram], port: Port) -> int:
    """The most messages that wait in a port at once, in any execution in which receives heed tags."""
    events = [
        [
            (about.ports.of(event), at, event.is_send)
            for at, each in enumerate(layers)
            for event in each.shares[k]
        ]
        for k in range(about.n)
    ]
    start = (0,) * about.n
    seen, going, most = {start}, [start], 0
    while going:
        done = going.pop()
        past = [event for share, at in zip(events, done, strict=True) for event in share[:at]]
        held = Counter(event[:2] for event in past if event[2])
        held -= Counter(e[:2] for e in past if not e[2] and not about.guarantee(e[0]).duplicating)
        most = max(most, sum(count for (where, _), count in held.items() if where == port))
        for k, at in enumerate(done):
            if at < len(events[k]) and (events[k][at][2] or held[events[k][at][:2]]):
                after = (*done[:k], at + 1, *done[k + 1 :])
                if after not in seen:
                    seen.add(after)
                    going.append(after)
    return most


@pytest.mark.parametrize(
    ("layers", "messages"),
    [
        (["snd 1->2; snd 3->2; rcv 2<-*; rcv 2<-*", "mt 2->1:go", "snd 1->2; rcv 2<-*"], 2),
        (["snd 1->2; snd 3->2; rcv 2<-*; rcv 2<-*", "snd 3->2; rcv 2<-*"], 3),
    ],
)
def test_how_many_early_messages_a_port_has_to_hold(layers: list[str], messages: int) -> None:
    found = room(decide_ports(phases(*layers)))
    assert found == ({Port(2, 0): messages} if messages > 2 else {})


@pytest.mark.parametrize(
    ("layer", "messages"), [("mt 1->2", None), ("snd 1->2; snd 2->1; rcv 2<-1; rcv 1<-2", 2)]
)
def test_without_an_answer_any_number_of_rounds_can_wait(layer: str, messages: int | None) -> None:
    assert room(decide_ports(phases(layer, repeat=True)))[Port(2, 1)] == messages


def tagged(about: PortPhases, word: tuple[int, ...], values: dict[Port, int | None]) -> PortPhases:
    """The layers of a word, with tags: the layer, and its number modulo `rounds`."""
    seen, layers, given = Counter[int](), [], {}
    for layer in (about.protocol.layers[each] for each in word):
        shares = []
        for share in about.layers[layer].shares:
            events = []
            for event in share:
                port = about.ports.of(event)
                if port in values:
                    number = seen[layer] % values[port] if values[port] else seen[layer]
                    event = event._replace(tag=f"{event.tag}_{layer}_{number}")
                given[port._replace(tag=event.tag)] = about.guarantee(port)
                events.append(event)
            shares.append(tuple(events))
        seen[layer] += 1
        layers.append(PortProgram(tuple(shares)))
    return PortPhases(tuple(layers), Protocol.sequence(len(layers)), given)


@pytest.mark.parametrize("seed", range(2))
def test_remedies_are_decided_again(seed: int) -> None:
    rng, found = Random(80 + seed), Counter[str]()
    for _ in range(40):
        about, _ = explorable(rng, events=12)
        decision = decide_ports(about)
        if decision.is_safe:
            continue
        remedy = remedies(decision)
        if remedy.order is not None:
            ordered = {**about.guarantees, **dict.fromkeys(remedy.order, FIFO)}
            assert decide_ports(replace(about, guarantees=ordered)).is_safe
        found.update(key for key in ("order", "acknowledgments") if getattr(remedy, key) is not None)
        assert remedy.messages is None or remedy.messages >= remedy.at_least >= 1
    assert min(found["order"], found["acknowledgments"]) > 0


def test_a_halo_exchange_is_acknowledged_over_unused_channels() -> None:
    """A hub hears from all processes and tells all processes, over channels that the layers do not use."""
    side = 3
    at = {(x, y): side * x + y + 1 for x in range(side) for y in range(side)}
    near = [(a, b) for (x, y), a in at.items() for b in (at.get((x + 1, y)), at.get((x, y + 1))) if b]
    pairs = [*near, *((b, a) for a, b in near)]
    text = "; ".join([f"snd {a}->{b}" for a, b in pairs] + [f"rcv {b}<-{a}" for a, b in pairs])
    remedy = remedies(decide_ports(phases(text, repeat=True)))
    assert remedy.messages == 2 * (side * side - 1)


@pytest.mark.parametrize("repeat", [False, True])
@pytest.mark.parametrize("seed", range(60))
def test_over_channels_the_answers_are_those_without_ports(seed: int, repeat: bool) -> None:
    rng = Random(seed)
    texts = [str(random_layer(rng, 3, 3, [("", False)])) for _ in range(rng.randint(1, 3))]
    about = Phases(tuple(parse_straight_line(text, 3) for text in texts), repeat, bool(seed % 2))
    roots = sorted((each.channel.receiver, each.channel.sender) for each in decide(about).interfering)
    assert [each.port[:2] for each in decide_ports(PortPhases.plain(about)).interfering] == roots
