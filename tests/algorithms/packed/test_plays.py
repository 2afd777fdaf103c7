"""The compiled loops that play layers decide like the plain loop."""

from random import Random

import pytest
from tests.port_programs import explorable

from sealcheck.algorithms import ports
from sealcheck.algorithms.ports import decide_ports


def test_decisions_are_those_of_the_plain_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    rng, safe = Random(3), 0
    for _ in range(150):
        about, _ = explorable(rng, events=20)
        found = []
        for long in (1 << 30, 0):
            monkeypatch.setattr(ports, "LONG", long)
            decided = decide_ports(about)
            runs = [(each.port, each.crossing, each.run) for each in decided.interfering]
            found.append((decided.holds, decided.steps, runs))
        assert found[0] == found[1]
        safe += not found[0][2]
    assert 20 < safe < 130
