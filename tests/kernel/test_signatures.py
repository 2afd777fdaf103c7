"""Signatures, as the kernel derives them."""

from collections import Counter

import pytest
from tests.kernel.edits import events
from tests.strategies import programs_up_to

from sealcheck.algorithms.certificates import signature_document
from sealcheck.algorithms.signature import signature as signature_of
from sealcheck.explorers.channel_contents import closes, ordered_pairs
from sealcheck.kernel.programs import balanced_events
from sealcheck.kernel.reading import canonical
from sealcheck.kernel.signatures import signature
from sealcheck.programs.straight_line import Channel, Event, StraightLine, channels, mt, rcv, text


@pytest.mark.parametrize(("n", "m"), [(1, 1), (2, 5), (3, 4), (4, 2)])
def test_signatures_are_those_of_the_algorithms(n: int, m: int) -> None:
    """On whole levels both find the same edges, whether few or many messages are in transit at a time."""
    for program in programs_up_to(n, m, canonical=True):
        expected = canonical(signature_document(signature_of(program)))
        assert canonical(signature(events(program), n)) == expected
        crowded = balanced_events(text(sends_first(program)), n)
        assert canonical(signature(crowded, n)) == expected


def sends_first(program: StraightLine) -> list[Event]:
    """The events in an order in which they can happen, receives as late as possible."""
    left, transit, order = [list(share) for share in program.shares], Counter[Channel](), list[Event]()
    while any(left):
        heads = [share for share in left if share]
        share = min(heads, key=lambda share: (share[0].kind, not transit[share[0].channel]))
        event = share.pop(0)
        transit[event.channel] += 1 if event.is_send else -1
        order.append(event)
    return order


@pytest.mark.parametrize(("n", "m"), [(2, 3), (3, 2)])
def test_open_channels_are_those_that_the_explorer_leaves_open(n: int, m: int) -> None:
    """By going through all executions: a channel has a node among the receives just if it is not closed."""
    for program in programs_up_to(n, m, canonical=True):
        nodes = [tuple(node["channel"]) for node in signature(events(program), n)["receives"]]
        assert nodes == [channel for channel in channels(n) if not closes(program, channel)]


@pytest.mark.parametrize(("n", "m"), [(2, 2), (3, 2)])
def test_receives_reach_what_always_comes_later(n: int, m: int) -> None:
    """A last receive reaches the end of k just if, in every execution, it comes before what k does last."""
    for program in programs_up_to(n, m, canonical=True):
        for node in signature(events(program), n)["receives"]:
            i, j = node["channel"]
            last = max(at for at, event in enumerate(program.shares[j - 1], 1) if event == rcv(j, i))
            for k in set(range(1, n + 1)) - {j}:
                assert (k in node["reaches"]) == comes_before_end(program, (j, last), k)


def comes_before_end(program: StraightLine, place: tuple[int, int], k: int) -> bool:
    """Whether the event at a place comes before the last one of k, in every execution."""
    length = len(program.shares[k - 1])
    return bool(length) and (place, (k, length)) in ordered_pairs(program)


def test_a_signature_by_hand() -> None:
    """2 hears from 1 before it sends to 3, so 1's message is known there, but not at 1."""
    program = StraightLine.of(3, [*mt(1, 2), *mt(2, 3)])
    assert signature(events(program), 3) == {
        "receives": [{"channel": [1, 2], "reaches": [2, 3]}, {"channel": [2, 3], "reaches": [3]}],
        "sends": [{"channel": [1, 2], "reached_from": [1]}, {"channel": [2, 3], "reached_from": [1, 2]}],
        "starts": [[1, 2], [1, 3], [2, 3]],
    }
