"""Counterexamples: a run in which a receive of P takes a message from outside P."""

from collections.abc import Sequence

from sealcheck.kernel.programs import SEND, Event, shares_of
from sealcheck.kernel.reading import items, numbers
from sealcheck.kernel.rejected import Rejected


def check_run(
    p: Sequence[Event], rest: Sequence[Event], n: int, order: object, matching: object, receive: object
) -> None:
    """That P, followed by `rest`, has this run, and that in it `receive` of P takes a message of `rest`.

    `order` lists the places [process, position] of all events as they happen, from empty channels;
    `matching` has pairs of a receive and the send whose message it takes.
    """
    inside = [len(share) for share in shares_of(p, n)]
    program = shares_of([*p, *rest], n)
    taken = _pairs(matching)
    if len(set(taken.values())) != len(taken):
        raise Rejected("two receives take the same message")
    named, interferes = numbers(receive, 2), False
    reached = [0] * n
    sent = set()
    for place in map(_place, items(order)):
        process, position = place
        if not 1 <= process <= n or not position == reached[process - 1] + 1 <= len(program[process - 1]):
            raise Rejected(f"{list(place)} is not the next event of its process")
        reached[process - 1] = position
        kind, i, j = program[process - 1][position - 1]
        if kind == SEND:
            sent.add(place)
            continue
        source = taken.pop(place, None)
        if source is None or source not in sent:
            raise Rejected(f"{list(place)} takes no message that has been sent")
        if program[source[0] - 1][source[1] - 1] != (SEND, i, j):
            raise Rejected(f"{list(place)} takes a message of another channel")
        interferes |= place == named and position <= inside[j - 1] and source[1] > inside[i - 1]
    if taken:
        raise Rejected("something is matched that is no receive of the run")
    if reached != [len(share) for share in program]:
        raise Rejected("the order leaves events out")
    if not interferes:
        raise Rejected("the receive that is named is none of P that takes a message from outside P")


def _pairs(value: object) -> dict[tuple[int, int], tuple[int, int]]:
    pairs = [items(pair) for pair in items(value)]
    if any(len(pair) != 2 for pair in pairs):
        raise Rejected("the matching is no list of pairs")
    matched = {_place(receive): _place(send) for receive, send in pairs}
    if len(matched) != len(pairs):
        raise Rejected("a receive takes two messages")
    return matched


def _place(value: object) -> tuple[int, int]:
    process, position = numbers(value, 2)
    return process, position
