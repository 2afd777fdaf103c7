"""From a path to safety, for every n and every length: a path from P's last receive r to the next send s."""

from pysmt.shortcuts import And, Equals, Implies, Not, Or

from sealcheck.every_n.events import (
    before,
    edge,
    event,
    every,
    in_p,
    is_receive,
    is_send,
    obligation,
    oldest,
    program,
    run,
    same_channel,
    taken,
)
from sealcheck.every_n.obligation import Fact, Obligation


def paths_are_causal() -> Obligation:
    """That a path of the program graph is causal in every run, given `graph-cause`."""
    r = event("r")
    return obligation(
        "what is after r in a run, and r, has no edge of the program graph that leads out",
        every(
            lambda a, b: Implies(
                And(Or(Equals(a, r), before(r, a)), edge(a, b)), Or(Equals(b, r), before(r, b))
            )
        ),
        needs=("run order", "process order"),
        given=(
            Fact(
                "in the run the oldest message is sent before its receive (graph-cause)",
                every(lambda a: Implies(is_receive(a), before(oldest(a), a))),
            ),
        ),
        replaceable_by=("injective",),
        theory=program() | run(),
    )


def no_later_message() -> Obligation:
    """That P's last receive before the next send keeps later messages out."""
    r, s = event("r"), event("s")
    on_channel = Fact("r and s are on one channel", same_channel(r, s))
    last = Fact(
        "no receive of P on the channel is after r in the run",
        every(lambda a: Implies(And(is_receive(a), in_p(a), same_channel(a, r)), Not(before(r, a)))),
    )
    first = Fact(
        "no send after P on the channel is before s in the run",
        every(lambda a: Implies(And(is_send(a), Not(in_p(a)), same_channel(a, s)), Not(before(a, s)))),
    )
    return obligation(
        "no receive of P on the channel takes a message from after P",
        every(lambda a: Implies(And(is_receive(a), in_p(a), same_channel(a, r)), in_p(taken(a)))),
        needs=("channels", "run order", "on channels", "sent before"),
        given=(on_channel, last, first, Fact("r is before s in the run", before(r, s))),
        theory=program() | run(),
    )
