"""Seals over ports: against the paper's decision, and against the explorer, which knows no theory."""

from dataclasses import replace
from itertools import product
from random import Random

import pytest
from tests.algorithms.test_ports import phases
from tests.port_programs import GUARANTEES, RECEIVES, random_layer

from sealcheck.algorithms.port_seals import decide_seal
from sealcheck.algorithms.sealing import Seals, decide
from sealcheck.errors import LimitReached
from sealcheck.explorers.ports import explore
from sealcheck.programs.ports import Guarantee, Port, PortEvent, PortProgram
from sealcheck.programs.protocol import PortPhases, Protocol
from sealcheck.programs.space import Space
from sealcheck.programs.straight_line import Kind


def sealing(*texts: str, **ports: str) -> tuple[dict[str, str], PortPhases]:
    """The root causes, each with the events of R in its run."""
    about = phases(*texts, **ports)
    return {str(each.port): str(each.later) for each in decide_seal(about).unsealed}, about


def test_over_the_papers_channels() -> None:
    """All pairs of a small level: the same answers as `th:decide.sealing`."""
    answers = set()
    for first, second in product((1, 2), (0, 1, 2, 3)):
        if first + second > 4:
            continue
        for p, q in product(Space(3, first).programs(), Space(3, second).programs()):
            if not p.is_canonical:
                continue
            about = PortPhases(tuple(map(PortProgram.plain, (p, q))), Protocol.sequence(2))
            found = decide_seal(about).is_seal
            assert found == isinstance(decide(p, q), Seals), (str(p), str(q))
            answers.add(found)
    assert answers == {True, False}


def random_pair(rng: Random) -> PortPhases:
    """P and Q, with guarantees of their ports."""
    n, receives = rng.choice((2, 3, 3)), rng.choice(RECEIVES)
    layers = tuple(random_layer(rng, n, most, receives) for most in rng.choice(((2, 2), (1, 3), (3, 1))))
    about = PortPhases(layers, Protocol.sequence(2))
    chosen = {port: Guarantee.of(rng.choice(GUARANTEES)) for port in about.used if rng.random() < 0.5}
    return replace(about, guarantees={port: given for port, given in chosen.items() if any(given)})


def most_general(about: PortPhases, sends: int) -> PortProgram:
    """R: each process sends so often to each port where it may send; then one message of each is received."""
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
    """The root causes: P by itself is a layer, and Q and R are one."""
    p, q = about.layers
    joined = PortProgram(tuple(a + b for a, b in zip(q.shares, rest.shares, strict=True)))
    return {port for port in about.used if explore(about, [p, joined], untagged=frozenset({port})).wrong}


@pytest.mark.parametrize("seed", range(6))
def test_root_causes_are_those_of_the_explorer(seed: int) -> None:
    rng, tried, seals = Random(seed), 0, 0
    while tried < 30:
        about = random_pair(rng)
        try:
            found = explored(about, most_general(about, 2))
        except LimitReached:
            continue
        tried += 1
        decision = decide_seal(about)
        assert {each.port for each in decision.unsealed} == found, about
        seals += decision.is_seal and any(about.layers[0].shares)
    assert seals
