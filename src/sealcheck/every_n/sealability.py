"""`th:sealability`, repaired, for every n, in terms of what processes know.

A: where messages teach nobody anything any more, and some channel is not safe, processes that may send to
each other form several parts, and at P's end nobody knew a channel from his part to another one to be safe.
B: if that is so of some parts, it stays so after every allowed message; so some channel is never safe.
"""

from pysmt.fnode import FNode
from pysmt.shortcuts import And, Equals, Implies, Not, Or

from sealcheck.every_n.knowledge import (
    PROCESS,
    at_end,
    every,
    has_heard_all,
    joined,
    knows,
    may_send,
    process,
    together,
    unbridged,
)
from sealcheck.every_n.obligation import Fact, FirstOrder, Obligation, equivalence


def obligations() -> tuple[Obligation, ...]:
    """A in three steps, B in two."""
    return (
        _parts(),
        _several(),
        _unbridged_at_end(),
        _stays_unbridged(),
        _some_channel_unsafe(),
    )


def _saturated() -> tuple[Fact, ...]:
    return (
        Fact("a receiver knows his own last receive", every(lambda i, j: at_end(j, i, j))),
        Fact(
            "what was known at P's end is known",
            every(lambda p, i, j: Implies(at_end(p, i, j), knows(p, i, j))),
        ),
        Fact(
            "no allowed message teaches anybody anything",
            every(lambda i, j: Implies(may_send(i, j), has_heard_all(i, j))),
        ),
    )


def _parts() -> Obligation:
    conclusion = equivalence(joined, PROCESS)
    return Obligation("A: processes that may send to each other form parts", _saturated(), conclusion)


def _several() -> Obligation:
    a, b = process("a"), process("b")
    unsafe = Fact("a->b is not safe", And(Not(Equals(a, b)), Not(knows(a, a, b))))
    return Obligation("A: a and b are of different parts", (unsafe,), Not(joined(a, b)), setting=_saturated())


def _unbridged_at_end() -> Obligation:
    conclusion = unbridged(joined, at_end)
    own, *needed = _saturated()
    text = "A: at P's end nobody knew a channel from his part to another to be safe"
    return Obligation(text, tuple(needed), conclusion, setting=(own,))


def _parts_given() -> tuple[Fact, ...]:
    return (
        Fact("being together is an equivalence", equivalence(together, PROCESS)),
        Fact("nobody knows a channel from his part to another to be safe", unbridged(together, knows)),
    )


def _stays_unbridged() -> Obligation:
    i, j = process("i"), process("j")
    allowed = Fact("i may send to j", may_send(i, j))

    def known_then(k: FNode, p: FNode, q: FNode) -> FNode:
        return Or(knows(k, p, q), And(Equals(k, j), knows(i, p, q)))

    text = "B: after an allowed message nobody does, either"
    return Obligation(text, (*_parts_given(), allowed), unbridged(together, known_then))


def _some_channel_unsafe() -> Obligation:
    a, b = process("a"), process("b")
    apart = Fact("a and b are of different parts", Not(together(a, b)))
    return Obligation("B: then a->b is not safe", (*_parts_given(), apart), Not(knows(a, a, b)))


FIRST_ORDER = FirstOrder(
    obligations,
    "induction on the messages of a seal; that knowledge, being finite, stops growing; that a seal is a "
    "program whose messages are all allowed and after which all channels are safe (decide-sealing)",
)
