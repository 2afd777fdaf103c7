"""The paper's own examples."""

import pytest

from sealcheck.algorithms.minimum_seal import minimum_seal
from sealcheck.algorithms.sealability import (
    Problem,
    Sealable,
    Unsealable,
    closed_channel_graph,
    sealability,
    transmitting,
)
from sealcheck.algorithms.sealing import is_seal
from sealcheck.algorithms.signature import signature
from sealcheck.explorers import channel_contents
from sealcheck.explorers.channel_contents import find_seal
from sealcheck.programs.straight_line import Channel, StraightLine, channels, mt, rcv, snd
from sealcheck.theorems.checking.examples import phase

CROSSING = [snd(1, 2), snd(2, 1), rcv(1, 2), rcv(2, 1)]


def seals(p: StraightLine, q: StraightLine) -> bool:
    verdict = is_seal(signature(p), signature(q))
    assert verdict == channel_contents.seals(p, q)
    return verdict


def test_an_acknowledgment_seals() -> None:
    """Each of mt 1->2 and mt 2->1 seals the other, and neither seals itself. Source: fig:vtseals."""
    there, back = StraightLine.of(2, mt(1, 2)), StraightLine.of(2, mt(2, 1))
    assert seals(there, back)
    assert seals(back, there)
    assert not seals(there, there)
    assert not seals(there, StraightLine.of(2))


def test_a_message_with_its_acknowledgment_seals_itself() -> None:
    """Source: the conclusion."""
    both = StraightLine.of(2, mt(1, 2) + mt(2, 1))
    assert seals(both, both)


def test_a_transitive_acknowledgment_seals() -> None:
    """The causal chain from 2 through 3 to 1 seals mt 1->2, and half of the chain does not."""
    p = StraightLine.of(3, mt(1, 2))
    assert seals(p, StraightLine.of(3, mt(2, 3) + mt(3, 1)))
    assert not seals(p, StraightLine.of(3, mt(2, 3)))
    assert not seals(p, StraightLine.of(3, mt(3, 1) + mt(2, 3)))


def test_three_messages_sealed_by_two() -> None:
    """Source: fig:3seal."""
    p = StraightLine.of(3, mt(1, 2) + mt(2, 3) + mt(1, 3))
    assert signature(p).open_channels == ((1, 2), (1, 3), (2, 3))
    found = minimum_seal(Problem.of(signature(p)))
    assert len(found.transmissions) == 2
    assert seals(p, found.seal(3))
    assert seals(p, transmitting(3, [Channel(3, 1), Channel(3, 2)]))


def test_x_is_unsealable() -> None:
    """Source: fig:unseal."""
    x = StraightLine.of(2, CROSSING)
    found = sealability(x)
    assert isinstance(found, Unsealable)
    assert found.stuck == signature(x).open_channels == ((1, 2), (2, 1))
    assert closed_channel_graph(signature(x)) == set()
    assert find_seal(x, 8) is None


def test_x_is_sealable_with_a_third_process() -> None:
    """Source: fig:unsealS."""
    x = StraightLine.of(3, CROSSING)
    found = sealability(x)
    assert isinstance(found, Sealable)
    assert seals(x, found.seal(3))
    assert seals(x, transmitting(3, [Channel(1, 3), Channel(2, 3), Channel(3, 1), Channel(3, 2)]))
    least = minimum_seal(Problem.of(signature(x)))
    assert seals(x, least.seal(3))
    assert len(least.transmissions) == 3
    assert find_seal(x, 2) is None


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_the_phase_of_the_example(n: int) -> None:
    """n - 1 messages from process 1 seal L, and fewer do not. L leaves (n - 1)^2 channels open: the exchange
    has (n - 1)(n - 2) channels, and there are n - 1 reports. The paper prints n^2 - 3n + 3, which counts one
    report only."""
    found = signature(phase(n))
    everyone = channels(n)
    assert set(found.open_channels) == {channel for channel in everyone if channel.sender != 1}
    assert len(found.open_channels) == (n - 1) ** 2 == n**2 - 3 * n + 3 + (n - 2)
    seal = transmitting(n, [Channel(1, i) for i in range(2, n + 1)])
    assert is_seal(found, signature(seal))
    assert len(minimum_seal(Problem.of(found)).transmissions) == seal.messages == n - 1


@pytest.mark.parametrize("n", [3, 4])
def test_the_explorer_agrees_on_the_phase(n: int) -> None:
    broadcast = [Channel(1, i) for i in range(2, n + 1)]
    assert seals(phase(n), transmitting(n, broadcast))
    assert not seals(phase(n), transmitting(n, broadcast[1:]))
    assert [c for c in channels(n) if not channel_contents.closes(phase(n), c)] == list(
        signature(phase(n)).open_channels
    )
