"""Construct seals: Seal(P) of `th:sealability`, and seals for programs that do not meet its hypothesis.

A process *knows* a channel to be *safe* if P's last receive on it happens before the process's next event
(`sealcheck.algorithms.sealability`). P *closes* a channel if P does not use it, or if the sender knows at P's
end that it is safe. If the undirected graph of closed channels is connected, a spanning tree gives a seal.
First, each parent sends to every child that cannot safely send to the parent. Then the root collects the
knowledge of all processes (converge-cast) and spreads it again (broadcast). That takes at most 3(n - 1)
messages. A program can be sealable even if the graph is not connected. Every sealable program has two other
seals: a seal that saturation finds, and a seal of at most 3n - 5 messages. `construct_seal` takes the
shortest of these seals.

The rest of this text shows that every sealable program of n >= 2 processes has a seal of at most 3n - 5
messages, and that some programs need as many.

A *bridge* (i, j, k) is a channel i->j and a process k that knows the channel to be safe: P's last receive on
it reaches the end of k; or k = i and P does not use the channel. At the start, each process is a *block* of
its own. *Crossing* a bridge (i, j, k) joins the blocks of i and j. It is allowed only if k is already in i's
block. P is sealable exactly if n - 1 crossings can join all processes (`blocks`).

**3n - 5 messages are enough.** In each block, one process is the *holder*. It has learnt all that any process
of the block knew, so it may send to all processes of the block. To cross (i, j, k), the block of i first
*hands over*: its holder sends to i, if i is not the holder itself. In the same way, the block of j hands over
to j. Then i sends to j, and j is the holder of the new block. These are n - 1 messages from i to j, and at
most one message to hand over for each block that is neither a single process nor the last block: n - 2
messages. Finally the last holder sends to the n - 1 others. So there are at most 3n - 4 messages.

One of these messages can be saved. Let (i, j, k) be the last bridge. If j is a single process before this
crossing, then i has held the block of all other processes. So i knows all that it must know, and needs no
message at the end. Otherwise, cross the bridges between processes of i's block first, then (i, j, k), then
the bridges between processes of j's block. This order is allowed, because the bridges of the two blocks do
not depend on each other. After (i, j, k), the new block consists of i's block and j, and j is its holder. All
later bridges are on j's side. So the next bridge that meets the new block meets it at j, and the new block
does not hand over.

**Fewer are not enough.** In `hardest_program`, the channels 1->j are closed. If i > 1, only j knows that i->j
is safe, and i must learn it. So each i > 1 must receive a message before it sends its first message. Process
i cannot send to a process j > 1 that has not sent yet, because then only j knows that i->j is safe. Let z be
the last process to send its first message. Before z does so, n - 1 messages go to processes j > 1 that have
not sent yet, and each of the n - 2 other processes i > 1 sends its first message. No message is counted
twice. Afterwards, all processes except 1 and z must still learn what only z knew: n - 2 more messages.
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
"""The most processes for which `construct_seal` tries `short_seal`, which takes O(n^4) steps."""


def construct_seal(first: Signature) -> Sealable | Unsealable:
    """A seal of a program with this signature, or why there is none.

    For 2 <= n <= `MOST_PROCESSES`, the seal has at most 3n - 5 messages. For larger n, it has fewer than 3n
    messages if the undirected graph of closed channels is connected. Source: `th:sealability`.

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
    """The messages of the three phases of Seal(P), over a breadth-first tree from process 1.

    The channels in `closed` must connect the processes 1..n. O(n^2). Source: Seal(P), in the proof of
    `th:sealability`.

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
    """The parent of each process except the root. Parents come before their children."""
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
    """A seal of at most 3n - 5 messages for a program with this signature, or why there is none.

    The seal is empty if P leaves no channel open. O(n^4).

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
    """A longest sequence of bridges that can be crossed one after another. O(n^4).

    It has n - 1 bridges exactly if the program is sealable.

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
    """The bridges in the order that saves a message (see the module's docstring)."""
    *others, last = found
    part_of = parts(n, (bridge.channel for bridge in others))
    i, j = last.channel
    if part_of[j] == {j}:
        return [*found]
    behind = [bridge for bridge in others if bridge.channel.sender in part_of[i]]
    return [*behind, last, *(bridge for bridge in others if bridge not in behind)]


def _gathering(n: int, order: Sequence[Bridge]) -> Iterator[Channel]:
    """Transmissions along the bridges; the last receiver learns all that any process knew."""
    holder_of = {process: process for process in range(1, n + 1)}
    for number, (channel, _) in enumerate(order):
        part_of = parts(n, (bridge.channel for bridge in order[:number]))
        for process in channel:
            if holder_of[process] != process:
                yield Channel(holder_of[process], process)
        yield channel
        joined = part_of[channel.sender] | part_of[channel.receiver]
        holder_of |= dict.fromkeys(joined, channel.receiver)
