"""`closed channels`, for every n and every length.

P closes a channel exactly if its last receive r on it reaches the sender's end.

That is `decide-sealing` for Q = eps: s is the next send on the channel, and only events of its process lead
to it.
"""

from pysmt.shortcuts import And, Equals, Implies, Not, Or

from sealcheck.every_n.decide_sealing import obligations as of_sealing
from sealcheck.every_n.events import (
    early,
    edge,
    event,
    every,
    in_p,
    is_send,
    obligation,
    program,
    same_process,
)
from sealcheck.every_n.interference import closed
from sealcheck.every_n.obligation import Fact, FirstOrder, Obligation


def obligations() -> tuple[Obligation, ...]:
    """What is early for `decide-sealing`, and the obligations of that."""
    r, s = event("r"), event("s")
    nothing_else = Fact("nothing but s follows P", every(lambda a: Or(in_p(a), Equals(a, s))))
    of_sender = Fact(
        "the events of P of the process of s are early",
        every(lambda a: Implies(And(in_p(a), same_process(a, s)), early(a))),
    )
    next_send = obligation(
        "nothing leads into the early events and s from outside, and r is outside",
        And(
            every(
                lambda a, b: Implies(And(Or(early(b), Equals(b, s)), edge(a, b)), Or(early(a), Equals(a, s)))
            ),
            Not(Or(early(r), Equals(r, s))),
        ),
        needs=("kinds",),
        given=(
            nothing_else,
            of_sender,
            closed(),
            Fact("r is of P", in_p(r)),
            Fact("s is a send after P", And(is_send(s), Not(in_p(s)))),
            Fact("r is not early", Not(early(r))),
        ),
        replaceable_by=("sender", "balanced", "no self-channels"),
        theory=program(),
    )
    return next_send, *of_sealing()


FIRST_ORDER = FirstOrder(
    obligations,
    "graph-cause; induction along paths; that no path from r to the sender's end means a set with that end "
    "and without r that nothing leads into",
)
