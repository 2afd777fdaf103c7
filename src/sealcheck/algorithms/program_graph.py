"""The program graph of a balanced straight-line program, and reachability in it.

Nodes are the places of the program's events. Edges lead from each event to the next event of its process, and
from the k'th send to the k'th receive of each channel (section `sec:rel`). The paper also has dummy nodes for
the start and the end of each process, which are not needed here.

`pasts` is slow but simple: it enumerates all runs, as the paper defines them, of a small program P. A
*matching* gives each receive a send of its channel, in P or after P. No two receives get the same send. A
matching gives a run if happens-before, with this matching, has no cycle.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from sealcheck.programs.runs import Place, events, fifo_run
from sealcheck.programs.straight_line import Channel, StraightLine

Edge = tuple[Place, Place]


def message_edges(program: StraightLine) -> tuple[Edge, ...]:
    """The edges from the k'th send to the k'th receive of each channel, as far as both exist. O(events).

    Source: the program graph (section 4).

    >>> from sealcheck.programs.straight_line import mt
    >>> message_edges(StraightLine.of(2, mt(1, 2)))
    ((Place(process=1, position=1), Place(process=2, position=1)),)
    """
    return tuple((send, receive) for receive, send in fifo_run(program).matching.items())


def normal_edges(program: StraightLine) -> tuple[Edge, ...]:
    """All edges of the program graph, without those of dummy nodes. O(events). Source: N_E in GraphCause.

    >>> from sealcheck.programs.straight_line import mt
    >>> len(normal_edges(StraightLine.of(2, mt(1, 2) + mt(1, 2))))
    4
    """
    local = (pair for pair in pairwise(events(program)) if pair[0].process == pair[1].process)
    return (*local, *message_edges(program))


def predecessors(program: StraightLine, targets: Iterable[Place]) -> frozenset[Place]:
    """All places from which a target can be reached, the targets included. O(events).

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
    """All pairs (e, f) of places such that a path leads from e to f. O(events^2) bit operations.

    Source: (N_E)+ in GraphCause.

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


LATER = -1
"""Stands for a send after P, which comes after all events of its process in P."""

Past = tuple[int, ...]
"""For each event (by number) the events that happen before it, as a mask."""


def ordered_in_every_run(program: StraightLine) -> frozenset[Edge]:
    """The pairs of places (e, f) such that e causally precedes f in every run of `program`.

    If the program has no run, these are all pairs. The time is the product, over all channels, of the number
    of ways to match. Source: GraphCause.

    >>> from sealcheck.programs.straight_line import mt
    >>> sorted(ordered_in_every_run(StraightLine.of(2, mt(1, 2) + mt(1, 2))))[1]
    (Place(process=1, position=1), Place(process=2, position=1))
    """
    places = list(events(program))
    common: list[int] | None = None
    for past in pasts(program):
        common = list(past) if common is None else [a & b for a, b in zip(common, past, strict=True)]
    if common is None:
        return frozenset((e, f) for e in places for f in places)
    later = zip(places, common, strict=True)
    return frozenset((e, f) for f, mask in later for at, e in enumerate(places) if mask >> at & 1)


def pasts(program: StraightLine) -> Iterator[Past]:
    """The happens-before relation on the events of P, for each run of P.

    Source: the definition of runs, in section 2.2.

    >>> from sealcheck.programs.straight_line import mt
    >>> len(list(pasts(StraightLine.of(2, mt(1, 2) + mt(1, 2)))))
    7
    """
    event_at = events(program)
    number = {place: index for index, place in enumerate(event_at)}
    sends: dict[Channel, list[int]] = {}
    receives: list[tuple[int, Channel]] = []
    for place, event in event_at.items():
        if event.is_send:
            sends.setdefault(event.channel, []).append(number[place])
        else:
            receives.append((number[place], event.channel))
    before = [number.get(Place(process, position - 1), -1) for process, position in event_at]
    last_of = [number.get(Place(process, len(share)), -1) for process, share in enumerate(program.shares, 1)]
    senders = {receive: last_of[channel.sender - 1] for receive, channel in receives}
    for source in _sources(receives, sends):
        effective = {r: senders[r] if send == LATER else send for r, send in source.items()}
        past = _past(before, effective)
        if past is not None:
            yield past


def _sources(
    receives: list[tuple[int, Channel]], sends: dict[Channel, list[int]]
) -> Iterator[dict[int, int]]:
    """All ways to give each receive a message of its channel: one of P, not given before, or a later one."""
    if not receives:
        yield {}
        return
    *others, (receive, channel) = receives
    for source in _sources(others, sends):
        for send in (*sends.get(channel, []), LATER):
            if send == LATER or send not in source.values():
                yield source | {receive: send}


def _past(before: list[int], source: dict[int, int]) -> Past | None:
    """For each event, the events before it in its process or by the matching; None if there is a cycle."""
    either = [(earlier, source.get(event, -1)) for event, earlier in enumerate(before)]
    causes = [[cause for cause in pair if cause >= 0] for pair in either]
    past: dict[int, int] = {}
    pending = list(range(len(before)))
    while pending:
        waiting = []
        for event in pending:
            if all(cause in past for cause in causes[event]):
                mask = 0
                for cause in causes[event]:
                    mask |= past[cause] | 1 << cause
                past[event] = mask
            else:
                waiting.append(event)
        if len(waiting) == len(pending):
            return None
        pending = waiting
    return tuple(past[event] for event in range(len(before)))
