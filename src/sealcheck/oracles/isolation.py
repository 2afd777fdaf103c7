"""Programs that run by themselves: from empty channels, and nothing comes before or after them."""

from collections.abc import Iterator

from sealcheck.programs.events import Channel
from sealcheck.programs.straight_line import StraightLine

Progress = tuple[int, ...]
"""How many of its events each process has done."""


def never_stuck(program: StraightLine) -> bool:
    """Whether no execution can get to where nothing more can happen, and the program is not done.

    All executions are gone through, so this takes time exponential in the number of processes.
    Source: the general assumption, in section 2.

    >>> from sealcheck.programs.events import rcv, snd
    >>> first, second = [snd(1, 2), rcv(1, 2)], [rcv(2, 1), snd(2, 1)]
    >>> never_stuck(StraightLine.of(2, first + second)), never_stuck(StraightLine.of(2, first[::-1] + second))
    (True, False)
    """
    complete = tuple(map(len, program.shares))
    start = (0,) * program.n
    reached, pending = {start}, [start]
    while pending:
        done = pending.pop()
        after = set(_next(program, done))
        if not after and done != complete:
            return False
        pending += after - reached
        reached |= after
    return True


def _next(program: StraightLine, done: Progress) -> Iterator[Progress]:
    """What one more event leads to."""
    for process, share in enumerate(program.shares):
        if done[process] < len(share):
            event = share[done[process]]
            if event.is_send or _held(program, done, event.channel):
                yield (*done[:process], done[process] + 1, *done[process + 1 :])


def _held(program: StraightLine, done: Progress, channel: Channel) -> int:
    """How many messages the channel holds."""
    happened = [event for share, past in zip(program.shares, done, strict=True) for event in share[:past]]
    on_channel = [event.is_send for event in happened if event.channel == channel]
    return on_channel.count(True) - on_channel.count(False)
