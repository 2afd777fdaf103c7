"""Events and channels: who performs them, where, and how they print."""

from itertools import product

import pytest

from sealcheck.programs.straight_line import Channel, Event, Kind, channels, mt, rcv, snd


@pytest.mark.parametrize(("i", "j"), [(1, 2), (2, 1), (3, 3)])
def test_a_message_has_two_ends(i: int, j: int) -> None:
    """The sender sends, the receiver receives, and both do so on the same channel."""
    send, receive = mt(i, j)
    assert (send, receive) == (snd(i, j), rcv(j, i))
    assert (send.is_send, receive.is_send) == (True, False)
    assert (send.process, receive.process) == (i, j)
    assert send.channel == receive.channel == Channel(i, j)


def test_texts() -> None:
    """A send names its sender first, a receive its receiver, as the program language does."""
    assert (str(snd(1, 12)), str(rcv(1, 12)), str(Channel(1, 12))) == ("snd 1->12", "rcv 1<-12", "1->12")


def test_an_event_is_its_kind_and_its_channel() -> None:
    """Events compare and hash as (kind, sender, receiver), the order that canonical programs go by."""
    assert rcv(2, 1) == Event(Kind.RECEIVE, 1, 2) == (1, 1, 2)
    assert sorted([rcv(2, 1), snd(2, 1), snd(1, 2)]) == [snd(1, 2), snd(2, 1), rcv(2, 1)]


@pytest.mark.parametrize("n", range(5))
def test_channels(n: int) -> None:
    """All ordered pairs of processes, in lexicographic order, with i = j only where asked for."""
    pairs = list(product(range(1, n + 1), repeat=2))
    assert list(channels(n, self_channels=True)) == pairs
    assert list(channels(n)) == [(i, j) for i, j in pairs if i != j]
