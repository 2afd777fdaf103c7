"""The program graph of a balanced straight-line program, and reachability in it.

Nodes are the places of the program's events; edges join successive events of one process and
the k'th send to the k'th receive of each channel (section `sec:rel`).  The dummy nodes Fd_i
and Ld_i of the paper add nothing here: reaching Ld_i is reaching some event of process i, or
starting there.
"""

from collections.abc import Iterable
from itertools import pairwise

from sealcheck.programs.runs import Place, events, fifo_run
from sealcheck.programs.straight_line import StraightLine

Edge = tuple[Place, Place]


def message_edges(program: StraightLine) -> tuple[Edge, ...]:
    """The edges from the k'th send to the k'th receive of each channel.  O(events).

    A send without a receive of the same number has no edge.  Source: the program graph (section 4).

    >>> from sealcheck.programs.straight_line import mt
    >>> message_edges(StraightLine.of(2, mt(1, 2)))
    ((Place(process=1, position=1), Place(process=2, position=1)),)
    """
    return tuple((send, receive) for receive, send in fifo_run(program).matching.items())


def normal_edges(program: StraightLine) -> tuple[Edge, ...]:
    """N_E: all edges of the program graph between events (none touches a dummy node).  O(events).

    Source: GraphCause.

    >>> from sealcheck.programs.straight_line import mt
    >>> len(normal_edges(StraightLine.of(2, mt(1, 2) + mt(1, 2))))
    4
    """
    local = (pair for pair in pairwise(events(program)) if pair[0].process == pair[1].process)
    return (*local, *message_edges(program))


def predecessors(program: StraightLine, targets: Iterable[Place]) -> frozenset[Place]:
    """All places from which a target can be reached, the targets included.  O(events).

    >>> from sealcheck.programs.straight_line import mt
    >>> program = StraightLine.of(3, mt(1, 2) + mt(3, 2))
    >>> [process for process, _ in sorted(predecessors(program, [Place(2, 1)]))]
    [1, 2]
    """
    sender_of = fifo_run(program).matching
    found: set[Place] = set()
    pending = list(targets)
    while pending:
        place = pending.pop()
        if place in found:
            continue
        found.add(place)
        if place.position > 1:
            pending.append(Place(place.process, place.position - 1))
        if place in sender_of:
            pending.append(sender_of[place])
    return frozenset(found)


def causal_pairs(program: StraightLine) -> frozenset[Edge]:
    """(N_E)+: all pairs of places joined by a path.  O(events^2) bit operations.

    Source: GraphCause.

    >>> from sealcheck.programs.straight_line import mt
    >>> len(causal_pairs(StraightLine.of(2, mt(1, 2) + mt(2, 1))))
    6
    """
    run = fifo_run(program)
    order = run.order
    number = {place: index for index, place in enumerate(order)}
    past: list[int] = []
    for place in order:
        mask = 0
        for earlier in (Place(place.process, place.position - 1), run.matching.get(place)):
            if earlier in number:
                mask |= past[number[earlier]] | 1 << number[earlier]
        past.append(mask)
    return frozenset(
        (order[low], order[high]) for high, mask in enumerate(past) for low in range(high) if mask >> low & 1
    )
