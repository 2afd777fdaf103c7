"""Seal(P), as `th:sealability` means it, and other seals if its hypothesis fails.

If the undirected closed-channel graph is connected, a spanning tree of it carries a seal: first each parent
sends to every child that cannot safely send to it, then the knowledge of all processes is collected at the
root (converge-cast) and spread again (broadcast).  That is at most 3(n - 1) messages.  A program can be
sealable without that.  Besides the tree seal, two others exist for every sealable program: the one that
saturation finds, and one of at most 3n - 5 messages.  The shortest is taken.

Every sealable program of n >= 2 processes has a seal of at most 3n - 5 messages; some programs need as many.

A *bridge* (i, j, k) is a channel i->j and a process k that knows the channel to be safe: P's last receive on
the channel reaches the end of k, or k = i and P does not use the channel.  Crossing the bridge joins the
blocks of i and j; this is allowed only if k is already in the block of i.  P is sealable iff n - 1 crossings
can join all processes (`blocks`).

Enough.  Let each block of joined processes have a *holder*, which knows all that any process of the block
knew, and may send to all of them.  To cross (i, j, k), the holder of i's block hands over to i, and the
holder of j's block to j, unless i and j hold already.  Then i sends to j, and j holds.  Each block hands over
at most once; neither a single process nor the last block does.  That makes (n - 1) + (n - 2) messages.
Finally the holder tells the other processes: n - 1 more messages, 3n - 4 in all.

One message is saved.  Let (i, j, k) be the last bridge.  If it joins only j to the others, i has held, so i
knows all that it must and need not be told.  Otherwise cross the bridges on the side of i first, then
(i, j, k), then the bridges on the side of j.  The latter need none of the others, because they could be
crossed before (i, j, k).  If one of them meets the block of i and j, it does so at j, which holds the block:
this block does not hand over.

Not fewer.  In `hardest_program`, for i > 1, only j knows that i->j is safe, and i must learn it; 1->j is
closed.  So each i > 1 sends its first message after it has received one.  It never sends to a j > 1 that has
not sent, because that j alone knows i->j.  Let z be the last process to send for the first time.  Before z
sends, there were n - 1 messages to processes that had not sent, and n - 2 other messages: the first ones of
the other processes.  From then on, all but 1 and z have yet to hear what z alone knew: n - 2 more messages.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sealcheck.algorithms.sealability import (
    Problem,
    Sealable,
    Unsealable,
    closed_channel_graph,
    is_connected,
    parts,
    saturate,
    told,
    without_idle,
)
from sealcheck.algorithms.signature import Signature
from sealcheck.programs.straight_line import Channel, channels

MOST_PROCESSES = 60
"""For whom the search for the short seal, which takes O(n^4), is worth its time."""


def construct_seal(first: Signature) -> Sealable | Unsealable:
    """A seal of a program with this signature, or why there is none.

    For 2 <= n <= `MOST_PROCESSES` it has at most 3n - 5 messages; for more, fewer than 3n if the undirected
    closed-channel graph is connected.  Source: `th:sealability`.

    >>> from sealcheck.algorithms.signature import signature
    >>> from sealcheck.programs.straight_line import StraightLine, mt
    >>> print(construct_seal(signature(StraightLine.of(3, mt(1, 2) + mt(2, 3)))).seal(3))
    mt 2->1; mt 3->2
    """
    problem = Problem.of(first)
    found = saturate(problem)
    if isinstance(found, Unsealable) or not found.transmissions:
        return found
    seals = [found]
    closed = closed_channel_graph(first)
    if is_connected(first.n, closed):
        seals.append(Sealable(without_idle(problem, list(tree_seal(first.n, closed)))))
    if first.n <= MOST_PROCESSES and isinstance(short := short_seal(first), Sealable):
        seals.append(short)
    return min(seals, key=lambda seal: len(seal.transmissions))


def tree_seal(n: int, closed: frozenset[Channel]) -> Iterator[Channel]:
    """The three phases of Seal(P), over a breadth-first tree from process 1; `closed` connects 1..n.  O(n^2).

    Source: Seal(P), in the proof of `th:sealability`.

    >>> print(*tree_seal(3, frozenset([Channel(1, 2), Channel(2, 3), Channel(3, 2)])))
    1->2 3->2 2->1 1->2 2->3
    """
    parent_of = _tree(n, closed)
    for child, parent in parent_of.items():
        if Channel(child, parent) not in closed:
            yield Channel(parent, child)
    for child, parent in reversed(parent_of.items()):
        yield Channel(child, parent)
    for child, parent in parent_of.items():
        yield Channel(parent, child)


def _tree(n: int, closed: frozenset[Channel]) -> dict[int, int]:
    """The parent of every process but the root, parents before children."""
    parent_of: dict[int, int] = {}
    reached = [1]
    for process in reached:
        for other in range(2, n + 1):
            joined = Channel(process, other) in closed or Channel(other, process) in closed
            if joined and other not in parent_of:
                parent_of[other] = process
                reached.append(other)
    return parent_of


class Bridge(NamedTuple):
    """A channel, and a process that knows it to be safe at P's end."""

    channel: Channel
    informed: int


def short_seal(first: Signature) -> Sealable | Unsealable:
    """A seal of at most 3n - 5 messages of a program with this signature, or why there is none.

    It is empty if nothing is open.  O(n^4).

    >>> from sealcheck.algorithms.minimum_seal import hardest_program
    >>> from sealcheck.algorithms.signature import signature
    >>> print(short_seal(signature(hardest_program(3))).seal(3))
    mt 1->2; mt 2->1; mt 1->3; mt 3->2
    """
    problem = Problem.of(first)
    found = saturate(problem)
    if isinstance(found, Unsealable) or not found.transmissions:
        return found
    transmissions = list(_gathering(first.n, _ordered(first.n, bridges(first))))
    holder = transmissions[-1].receiver
    knowledge = problem.initial
    for channel in transmissions:
        knowledge = told(knowledge, channel)
    lacking = (j for j in range(1, first.n + 1) if problem.needs[j - 1] & ~knowledge[j - 1])
    transmissions += [Channel(holder, j) for j in lacking]
    return Sealable(without_idle(problem, transmissions))


def bridges(first: Signature) -> tuple[Bridge, ...]:
    """A longest sequence of bridges crossed one after another: n - 1 iff the program is sealable.  O(n^4).

    >>> from sealcheck.algorithms.signature import signature
    >>> from sealcheck.programs.straight_line import StraightLine, mt
    >>> bridges(signature(StraightLine.of(2, mt(1, 2))))
    (Bridge(channel=Channel(sender=2, receiver=1), informed=2),)
    """
    found: list[Bridge] = []
    while bridge := next(_crossable(first, found), None):
        found.append(bridge)
    return tuple(found)


def _crossable(first: Signature, crossed: Sequence[Bridge]) -> Iterator[Bridge]:
    part_of = parts(first.n, (bridge.channel for bridge in crossed))
    for channel in channels(first.n):
        i, j = channel
        if j not in part_of[i]:
            knowing = first.receives.get(channel, 1 << (i - 1))
            yield from (Bridge(channel, k) for k in sorted(part_of[i]) if knowing >> (k - 1) & 1)


def _ordered(n: int, found: Sequence[Bridge]) -> list[Bridge]:
    """The bridges in an order that saves a message, as above."""
    *others, last = found
    part_of = parts(n, (bridge.channel for bridge in others))
    i, j = last.channel
    if part_of[j] == {j}:
        return [*found]
    behind = [bridge for bridge in others if bridge.channel.sender in part_of[i]]
    return [*behind, last, *(bridge for bridge in others if bridge not in behind)]


def _gathering(n: int, order: Sequence[Bridge]) -> Iterator[Channel]:
    """The transmissions by which the receiver of the last learns all that anyone knew."""
    holder_of = {process: process for process in range(1, n + 1)}
    for number, (channel, _) in enumerate(order):
        part_of = parts(n, (bridge.channel for bridge in order[:number]))
        for process in channel:
            if holder_of[process] != process:
                yield Channel(holder_of[process], process)
        yield channel
        joined = part_of[channel.sender] | part_of[channel.receiver]
        holder_of |= dict.fromkeys(joined, channel.receiver)
