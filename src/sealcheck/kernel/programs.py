"""Read programs from their text, decide whether they are canonical, and count all programs.

A program is *balanced* if each channel has as many sends as receives. A program is *canonical* if no renaming
of its processes gives a smaller program. Programs are compared by their events, process by process.
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
"""An action of a process: SEND or RECEIVE, then the sender and the receiver of the channel."""

Shares = tuple[tuple[Event, ...], ...]
"""For each process, the sequence of its events. Programs with equal `Shares` have the same runs."""

MOST_PROCESSES = 8
MOST_MESSAGES = 20
MOST_CONTENTS = 60_000
"""`count` refuses to count if there are more ways than this to place the messages on channels."""

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

    With `self_channels`, a process may send to itself. In programs of tables, no process does.

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

    Raises Rejected if the program is not balanced, or if its events cannot happen from left to right. A
    program whose events can happen in this order does not deadlock.
    """
    events = events_of(text, n, self_channels=self_channels)
    for (i, j), left in left_over(events).items():
        if left:
            raise Rejected(f"the channel {i}->{j} has more sends than receives")
    return events


def left_over(events: Iterable[Event]) -> Counter[tuple[int, int]]:
    """The number of messages that are left on each channel after the events.

    Raises Rejected if the events cannot happen in the given order.
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
    """The number of different results of renaming the processes of `programs`, in all programs alike.

    Raises Rejected if some result is smaller than `programs`: then `programs` is not canonical.

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

    `behind` counts the continuations of a program from a state. The state has the number of messages on each
    channel, and the number of sends left. A continuation has the remaining events of each process. Let E be
    the set of processes that can do their first remaining event. E is not empty, because the program does not
    deadlock. No process can prevent the event of another process. So any subset of E can do these events.

    Over the non-empty subsets S of E, the sum of (-1)^(|S| + 1) is 1. So the following sum counts each
    continuation once: for each non-empty set S of processes, and each way to choose an event for each process
    in S, add (-1)^(|S| + 1) times the number of continuations after these events.

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
        """The sum over all sets of processes and all ways to choose an event for each, from `turn` on.

        - In turns 0 to n - 1, process `turn` may receive.
        - In turns n to 2n - 1, process `turn - n` may send, if it has not received.

        Each event changes the sign. `who` is a mask of the processes that have done an event.
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
