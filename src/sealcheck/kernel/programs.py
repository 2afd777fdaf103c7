"""Read programs from their text, decide whether they are canonical, and count all programs.

A program is *balanced* if each channel has as many sends as receives. It is *canonical* if no renaming of its
processes gives a smaller program.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import permutations
from math import comb

from sealcheck.kernel.reading import Rejected

SEND, RECEIVE = 0, 1

Event = tuple[int, int, int]
"""SEND or RECEIVE, then the sender and the receiver of the channel."""

Shares = tuple[tuple[Event, ...], ...]
"""For each process the sequence of its events. Programs with the same sequences have the same runs."""

MOST_PROCESSES = 8
MOST_MESSAGES = 20
MOST_CONTENTS = 60_000
"""For `count`: the most ways to place the messages of a program on channels."""

_STATEMENT = re.compile("(mt|snd) (N)->(N)|rcv (N)<-(N)".replace("N", "[1-9][0-9]{0,5}"))


@lru_cache(maxsize=4096)
def _statement(text: str) -> tuple[Event, ...]:
    found = _STATEMENT.fullmatch(text)
    if not found:
        raise Rejected(f"{text[:40]!r} is not a statement of a straight-line program")
    word, sender, receiver, to, by = found.groups()
    if word is None:
        return ((RECEIVE, int(by), int(to)),)
    send, receive = (SEND, int(sender), int(receiver)), (RECEIVE, int(sender), int(receiver))
    return (send, receive) if word == "mt" else (send,)


def events_of(text: str, n: int, *, self_channels: bool = False) -> list[Event]:
    """The events of a program over the processes 1..n, from left to right.

    With `self_channels`, a process may send to itself. Programs in tables do not.

    >>> events_of("snd 1->2; rcv 2<-1", 2)
    [(0, 1, 2), (1, 1, 2)]
    """
    if text == "eps":
        return []
    events = [event for statement in text.split("; ") for event in _statement(statement)]
    for _, sender, receiver in events:
        if (sender == receiver and not self_channels) or sender > n or receiver > n:
            raise Rejected(f"the channel {sender}->{receiver} does not join two of the processes 1..{n}")
    return events


def balanced_events(text: str, n: int, *, self_channels: bool = False) -> list[Event]:
    """The events of a balanced program, from left to right.

    Raises Rejected if the events cannot happen in this order. If they can, the program does not deadlock.
    """
    events = events_of(text, n, self_channels=self_channels)
    for (i, j), left in left_over(events).items():
        if left:
            raise Rejected(f"the channel {i}->{j} has more sends than receives")
    return events


def left_over(events: Iterable[Event]) -> Counter[tuple[int, int]]:
    """The number of messages left on each channel.

    Raises Rejected if the events cannot happen in this order.
    """
    contents: Counter[tuple[int, int]] = Counter()
    for kind, *channel in events:
        i, j = channel
        contents[i, j] += 1 if kind == SEND else -1
        if contents[i, j] < 0:
            raise Rejected(f"'rcv {j}<-{i}' is written before the send that it needs")
    return contents


def shares_of(events: Iterable[Event], n: int) -> Shares:
    """The events of each process.

    >>> shares_of(events_of("mt 1->2", 2), 2)
    (((0, 1, 2),), ((1, 1, 2),))
    """
    shares: list[list[Event]] = [[] for _ in range(n)]
    for event in events:
        shares[event[2 - (event[0] == SEND)] - 1].append(event)
    return tuple(map(tuple, shares))


def orbit_size(programs: Sequence[Shares], n: int) -> int:
    """The number of different results of renaming the processes in this sequence of programs.

    Raises Rejected if some result is smaller than `programs`: then the programs are not canonical.

    >>> orbit_size([shares_of(events_of("mt 1->2", 2), 2)], 2)
    2
    """
    original = tuple(programs)
    images = set()
    for renaming in permutations(range(1, n + 1)):
        image = tuple(_renamed(shares, renaming) for shares in original)
        if image < original:
            raise Rejected("renaming processes gives a smaller program: this one is not canonical")
        images.add(image)
    return len(images)


def _renamed(shares: Shares, renaming: tuple[int, ...]) -> Shares:
    renamed: list[tuple[Event, ...]] = [()] * len(shares)
    for process, share in enumerate(shares):
        renamed[renaming[process] - 1] = tuple(
            [(kind, renaming[i - 1], renaming[j - 1]) for kind, i, j in share]
        )
    return tuple(renamed)


@cache
def count(n: int, m: int) -> int:
    """The number of balanced programs over 1..n with m messages that do not deadlock.

    The count is a sum with alternating signs (inclusion and exclusion), over the sets of processes that do
    their next event. Two facts make the sum right:

    1. As long as a program has events left, some processes can do their next event.
    2. No process can prevent the next event of another process.

    The recursion is over the number of messages on each channel and the number of sends left.

    >>> count(2, 1), count(3, 2)
    (2, 39)
    """
    pairs = [(i, j) for i in range(n) for j in range(n) if i != j]
    if m > MOST_MESSAGES or comb(m + len(pairs), m) > MOST_CONTENTS:
        raise Rejected(f"there are too many programs with n = {n} and {m} messages to count them")
    into = [[c for c, (_, j) in enumerate(pairs) if j == k] for k in range(n)]
    out = [[c for c, (i, _) in enumerate(pairs) if i == k] for k in range(n)]

    @cache
    def behind(contents: tuple[int, ...], left: int) -> int:
        return -begun(0, contents, left, 0) if left or any(contents) else 1

    @cache
    def begun(turn: int, contents: tuple[int, ...], left: int, who: int) -> int:
        """The sum of inclusion and exclusion over the turns from `turn` on.

        In each turn, one process may do its next event, which changes the sign.

        - In turns 0 to n - 1, the event may be a receive.
        - In turns n to 2n - 1, the event may be a send, if the process has not received.

        `who` is a mask of the processes that have done an event.
        """
        if turn == 2 * n:
            return behind(contents, left) if who else 0
        process, total = turn % n, begun(turn + 1, contents, left, who)
        if turn < n:
            for c in into[process]:
                if contents[c]:
                    total -= begun(turn + 1, _changed(contents, c, -1), left, who | 1 << process)
        elif left and not who >> process & 1:
            for c in out[process]:
                total -= begun(turn + 1, _changed(contents, c, 1), left - 1, who | 1 << process)
        return total

    return behind((0,) * len(pairs), m)


def _changed(contents: tuple[int, ...], channel: int, by: int) -> tuple[int, ...]:
    return (*contents[:channel], contents[channel] + by, *contents[channel + 1 :])
