"""Construct seals: Seal(P) of `th:sealability`, and seals for programs that do not meet its hypothesis.

A *seal* is a program after P such that no receive of P can take a later message. Process k *knows* a channel
to be *safe* if P's last receive on the channel happens before k's next event. P *closes* a channel if P does
not use it, or if the channel's sender knows at P's end that it is safe. `construct_seal` takes the shortest
of three seals:

- **Over a tree** (`tree_seal`), if closed channels connect all processes. Each parent sends to every child
  that cannot safely send to its parent. Then the root collects the knowledge of all processes (converge-cast)
  and spreads it (broadcast). All this takes at most 3(n - 1) messages.
- **By saturation** (`sealcheck.algorithms.sealability`).
- **Over bridges** (`short_seal`), with at most 3n - 5 messages for n >= 2. Some programs need as
  many (`hardest_program`). Coq has proved these two facts (`WorstCase.v`).

A *bridge* (i, j, k) is a channel i->j and a process k that knows at P's end that the channel is safe. If P
does not use the channel, (i, j, i) is a bridge, too.

At the start, each process is a *block* of its own. *Crossing* a bridge (i, j, k) joins the blocks of i and j.
Crossing is allowed only if k is already in i's block. P can be sealed exactly if n - 1 crossings join all
processes (`blocks`).

**Messages over bridges.** In each block, one process is the *holder*, which has learnt all that any process
of the block knew. A process x of the block knew all channels to x to be safe, because it had done P's last
receive on them. So the holder may send to x. To cross (i, j, k):

1. The holder of i's block *hands over*: it sends to i, if i is not the holder. Likewise, the holder of j's
   block sends to j.
2. Then i sends to j, and j is the holder of the joined block.

After the last crossing, the holder sends to all others.

**Why at most 3n - 5.** Step 2 takes n - 1 messages, and the end takes n - 1. Each block that a crossing has
made, except the final block of all processes, hands over at most once. That takes at most n - 2 messages. The
sum is 3n - 4. The last bridge (i, j, k) saves one message:

- Suppose that j is alone in its block. Then all other processes form one block, and i is its holder when i
  sends to j. So i knows all that any of them knew. That includes all that i must know: the receiver of each
  open channel i->x knew the channel to be safe, and k knew i->j to be safe. So i needs no message at the end.
- Otherwise, change the order: first the bridges within i's block, then (i, j, k), then the bridges within j's
  block. Crossing (i, j, k) makes j the holder of the joined block. From j's old block, only j is in the
  joined block so far. So the next bridge to the joined block starts or ends at j, the holder. Crossing this
  bridge takes no message within the joined block.
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
"""The most processes for which `construct_seal` tries `short_seal`, in O(n^4) steps."""


def construct_seal(first: Signature) -> Sealable | Unsealable:
    """A seal of a program with this signature, or why there is none.

    For 2 <= n <= `MOST_PROCESSES`, the seal has at most 3n - 5 messages. For larger n, it has fewer than 3n
    messages if closed channels connect all processes. Source: `th:sealability`.

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
    """The messages of Seal(P), over a breadth-first tree from process 1.

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
    """A seal of at most 3n - 5 messages (n >= 2) for a program with this signature, or why there is none.

    O(n^4).

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
    """The messages that cross the bridges. The last receiver learns all that any process knew."""
    holder_of = {process: process for process in range(1, n + 1)}
    for number, (channel, _) in enumerate(order):
        part_of = parts(n, (bridge.channel for bridge in order[:number]))
        for process in channel:
            if holder_of[process] != process:
                yield Channel(holder_of[process], process)
        yield channel
        joined = part_of[channel.sender] | part_of[channel.receiver]
        holder_of |= dict.fromkeys(joined, channel.receiver)
