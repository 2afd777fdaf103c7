"""Seals over ports, compared with the paper's decision and with the explorer."""

from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from tests.algorithms.test_ports import phases
from tests.port_programs import GUARANTEES, RECEIVES, random_layer

from sealcheck.algorithms.port_seals import decide_seal
from sealcheck.algorithms.ports import decide_ports
from sealcheck.algorithms.sealing import Interferes, Seals, decide
from sealcheck.errors import InputError, LimitReached
from sealcheck.explorers import ports as explorers
from sealcheck.explorers.ports import explore
from sealcheck.programs.ports import ANY, Guarantee, Port, PortEvent, PortProgram
from sealcheck.programs.protocol import PortPhases, Protocol
from sealcheck.programs.space import Space
from sealcheck.programs.straight_line import Kind


def sealing(*texts: str, **ports: str) -> dict[str, str]:
    return {str(each.port): str(each.later) for each in decide_seal(phases(*texts, **ports)).unsealed}


def test_over_the_papers_channels() -> None:
    """The answers for all pairs of a small level are those of `th:decide.sealing`."""
    answers = set()
    for first, second in product((1, 2), (0, 1, 2, 3)):
        if first + second > 4:
            continue
        for p, q in product(Space(3, first).programs(), Space(3, second).programs()):
            if not p.is_canonical:
                continue
            about = PortPhases(tuple(map(PortProgram.plain, (p, q))), Protocol.sequence(2))
            found, paper = decide_seal(about), decide(p, q)
            assert found.is_seal == isinstance(paper, Seals), (str(p), str(q))
            if isinstance(paper, Interferes):
                assert Port(paper.channel.receiver, paper.channel.sender) in {e.port for e in found.unsealed}
            answers.add(found.is_seal)
    assert answers == {True, False}


def random_pair(rng: Random) -> PortPhases:
    while True:
        n, receives = rng.choice((2, 3, 3, 3)), rng.choice(RECEIVES)
        p, q = (random_layer(rng, n, rng.choice((1, 2, 2)), receives) for _ in "PQ")
        readers = sorted({(e.receiver, e.sender) for e in p.events if not e.is_send})
        pairs = [(j, k) for j, i in readers for k in ([i] if i else range(1, n + 1)) if j != k]
        shared = {e.receiver for e in (*p.events, *q.events) if e.sender == ANY and not e.tag}
        acks = [(a, b) for a, b in pairs if rng.random() < 0.9]
        events = [PortEvent(Kind.SEND, a, b) for a, b in acks]
        events += [PortEvent(Kind.RECEIVE, ANY if b in shared else a, b) for a, b in acks]
        first, second = rng.choice(((q, PortProgram.of(n, events)), (PortProgram.of(n, events), q)))
        layers = p, rng.choice((q, joined(first, second)))
        try:
            about = PortPhases(layers, Protocol.sequence(2))
        except InputError:  # a tag is received from any source, and from a named one
            continue
        chosen = {port: Guarantee.of(rng.choice(GUARANTEES)) for port in about.used if rng.random() < 0.4}
        return replace(about, guarantees={port: given for port, given in chosen.items() if any(given)})


def joined(first: PortProgram, second: PortProgram) -> PortProgram:
    return PortProgram(tuple(a + b for a, b in zip(first.shares, second.shares, strict=True)))


def most_general(about: PortPhases, sends: int) -> PortProgram:
    """R: each process sends to each port where it may send, and then one message of each is received."""
    n = about.n
    events = [
        PortEvent(Kind.SEND, sender, port.reader, port.tag)
        for port in about.used
        for sender in about.may_send(port)
        for _ in range(sends)
    ]
    taken = [PortEvent(Kind.RECEIVE, port.sender, port.reader, port.tag) for port in about.used]
    return PortProgram.of(n, [*events, *taken])


def explored(about: PortPhases, rest: PortProgram) -> set[Port]:
    layers = [about.layers[0], joined(about.layers[1], rest)]
    return {port for port in about.used if explore(about, layers, untagged=frozenset({port})).wrong}


@pytest.mark.parametrize("seed", range(3))
def test_root_causes_are_those_of_the_explorer(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """R sends to each port once more than its reader can take in Q."""
    monkeypatch.setattr(explorers, "MOST_STATES", 2_000)
    rng, answers, helped = Random(seed), Counter[bool](), 0
    while answers.total() < 50:
        about = random_pair(rng)
        taken = Counter(port for share in about.resolved[1] for port, kind in share if kind is Kind.RECEIVE)
        try:
            found = explored(about, most_general(about, 1 + max(taken.values(), default=0)))
        except LimitReached:
            continue
        decision = decide_seal(about)
        assert {each.port for each in decision.unsealed} == found, about
        answers[decision.is_seal] += any(about.layers[0].shares)
        helped += any(each.later.messages > 1 for each in decision.unsealed)
    assert answers[True] > 10
    assert answers[False] > 10
    assert helped


def test_a_later_message_lets_a_receive_of_q_go_on() -> None:
    p, q = "mt 3->1", "snd 1->3; snd 2->3; rcv 3<-*; rcv 3<-*"
    assert sealing(p, q) == {"1<-3": "snd 2->3; snd 3->1"}
    assert sealing(p, "snd 1->3; snd 2->3; rcv 3<-1; rcv 3<-2") == {}
    assert {str(each.port) for each in decide_ports(phases(p, q, open=True)).interfering} == {"3<-*"}


def test_who_may_send_matters() -> None:
    """A receive from any source can take messages of processes that P and Q do not name."""
    assert sealing("snd 1->2; rcv 2<-*", "mt 2->1") == {}
    assert sealing("snd 1->2; rcv 2<-*", "mt 2->1; mt 2->3") == {}
    assert sealing("snd 1->2; rcv 2<-*", "mt 2->1; mt 3->1:x") == {"2<-*": "snd 3->2"}


def test_order_loss_and_copies() -> None:
    assert sealing("mt 1->2", "eps") == {"2<-1": "snd 1->2"}
    assert sealing("mt 1->2", "eps", fifo="2<-1") == {}
    assert sealing("mt 1->2", "mt 2->1", lossy="2<-1") == {}
    assert sealing("mt 1->2", "mt 2->1", duplicating="2<-1") == {"2<-1": "rcv 2<-1"}
    assert sealing("mt 1->2", "mt 2->1; mt 1->2", duplicating="2<-1") == {"2<-1": "eps"}
    assert sealing("mt 1->2", "mt 2->1", duplicating="1<-2") == {}
    assert sealing("eps", "mt 1->2") == {}


def test_a_message_of_q_needs_nothing_of_r() -> None:
    assert sealing("mt 1->2", "mt 1->2") == {"2<-1": "eps"}


def test_other_layers_are_refused() -> None:
    with pytest.raises(InputError, match="a seal is about two layers in sequence"):
        decide_seal(phases("mt 1->2", "mt 2->1", repeat=True))
