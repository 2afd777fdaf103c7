"""Check counterexamples: runs in which a receive of P takes a message from outside P."""

from collections.abc import Sequence

from sealcheck.kernel.programs import SEND, Event, Shares, shares_of
from sealcheck.kernel.reading import Rejected, items, numbers

Place = tuple[int, int]
"""A process and the position of one of its events, from 1."""


def check_run(
    p: Sequence[Event], rest: Sequence[Event], n: int, order: object, matching: object, receive: object
) -> None:
    """Check a run of P followed by `rest`, in which the event `receive` of P takes a message of `rest`.

    The run starts with empty channels. `order` lists the places [process, position] of all events, in the
    order in which they happen. `matching` has pairs of a receive and the send whose message it takes.
    """
    inside = [len(share) for share in shares_of(p, n)]
    program = shares_of([*p, *rest], n)
    reached, taken = played(program, order, matching)
    if reached != [len(share) for share in program]:
        raise Rejected("the order leaves events out")
    receiver, position = named = place_of(receive)
    source = taken.get(named)
    if not source or position > inside[receiver - 1] or source[1] <= inside[source[0] - 1]:
        raise Rejected("the named receive is not a receive of P that takes a message from outside P")


def played(program: Shares, order: object, matching: object) -> tuple[list[int], dict[Place, Place]]:
    """Check the beginning of a run, given by the order of its events and their matching.

    Returns the number of events of each process, and the matching. Raises Rejected if the program has no such
    run.
    """
    taken = pairs_of(matching)
    if len(set(taken.values())) != len(taken):
        raise Rejected("two receives take the same message")
    waiting = dict(taken)
    reached = [0] * len(program)
    sent = set()
    for place in map(place_of, items(order)):
        process, position = place
        if not 1 <= process <= len(program) or not (
            position == reached[process - 1] + 1 <= len(program[process - 1])
        ):
            raise Rejected(f"{list(place)} is not the next event of its process")
        reached[process - 1] = position
        kind, i, j = program[process - 1][position - 1]
        if kind == SEND:
            sent.add(place)
            continue
        source = waiting.pop(place, None)
        if source is None or source not in sent:
            raise Rejected(f"{list(place)} takes no message that has been sent")
        if program[source[0] - 1][source[1] - 1] != (SEND, i, j):
            raise Rejected(f"{list(place)} takes a message of another channel")
    if waiting:
        raise Rejected("something is matched that is not a receive of the run")
    return reached, taken


def pairs_of(value: object) -> dict[Place, Place]:
    """Read a matching: pairs of a receive and the send whose message it takes."""
    pairs = [items(pair) for pair in items(value)]
    if any(len(pair) != 2 for pair in pairs):
        raise Rejected("the matching is not a list of pairs")
    matched = {place_of(receive): place_of(send) for receive, send in pairs}
    if len(matched) != len(pairs):
        raise Rejected("a receive takes two messages")
    return matched


def place_of(value: object) -> Place:
    """Read a place."""
    process, position = numbers(value, 2)
    return process, position
