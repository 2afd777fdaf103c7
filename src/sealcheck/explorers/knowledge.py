"""What messages after a program teach: who has heard that its last receive on a channel has happened.

A profile says, for each channel that the program receives on, who has heard of the last receive there when it
ends.  A message may be sent on such a channel only by one who has: or that receive could take it.
"""

from collections.abc import Iterable, Mapping

from sealcheck.programs.straight_line import Channel, channels

Heard = frozenset[tuple[int, Channel]]
"""Who has heard of the last receive on which channel."""


def heard_at_end(profile: Mapping[Channel, frozenset[int]]) -> Heard:
    """What is known when the program ends."""
    return frozenset((process, channel) for channel, informed in profile.items() for process in informed)


def may_send(process: int, channel: Channel, heard: Heard, profile: Mapping[Channel, frozenset[int]]) -> bool:
    """Whether a message of a process on the channel can't be received in the program."""
    return channel not in profile or (process, channel) in heard


def after(heard: Heard, channel: Channel) -> Heard:
    """What is known after a message on the channel: its receiver learns what its sender knew."""
    return heard | {(channel.receiver, each) for process, each in heard if process == channel.sender}


def is_sealed(heard: Heard, profile: Mapping[Channel, frozenset[int]]) -> bool:
    """Whether all who may send know that they may."""
    return all(may_send(channel.sender, channel, heard, profile) for channel in profile)


def seals(profile: Mapping[Channel, frozenset[int]], transmissions: Iterable[Channel]) -> bool:
    """Whether these transmissions, one after the other, are allowed and leave everything known.

    >>> once = {Channel(1, 2): frozenset({2})}
    >>> seals(once, [Channel(2, 1)]), seals(once, []), seals(once, [Channel(1, 2)])
    (True, False, False)
    """
    heard = heard_at_end(profile)
    for channel in transmissions:
        if not may_send(channel.sender, channel, heard, profile):
            return False
        heard = after(heard, channel)
    return is_sealed(heard, profile)


def fewest(n: int, profile: Mapping[Channel, frozenset[int]]) -> int | None:
    """How many transmissions seal it, as few as possible; None where nothing does.

    All that can be known after 0, 1, 2, ... transmissions is gone through, until nothing is new.  Exponential
    in n^3 at worst.  Source: sealability (section 4).

    >>> fewest(2, {Channel(1, 2): frozenset({2})}), fewest(2, {c: frozenset({c[1]}) for c in channels(2)})
    (1, None)
    """
    reached = latest = {heard_at_end(profile)}
    sent = 0
    while latest:
        if any(is_sealed(heard, profile) for heard in latest):
            return sent
        allowed = ((h, c) for h in latest for c in channels(n) if may_send(c.sender, c, h, profile))
        latest = {after(heard, channel) for heard, channel in allowed} - reached
        reached = reached | latest
        sent += 1
    return None
