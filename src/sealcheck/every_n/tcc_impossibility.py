"""`th:TCCbadforREL`, for every n and every length: the last receive of P can take a later message.

Let r be P's last event in the interleaving in which receives take the oldest message, and s a later send on
its channel.  Then all events but r are early, s among them, and there is a run in which r takes s.
"""

from pysmt.shortcuts import And, Equals, Implies, Not, Or

from sealcheck.every_n.events import (
    earlier,
    edge,
    event,
    every,
    in_p,
    is_receive,
    is_send,
    obligation,
    program,
    same_channel,
    taker,
)
from sealcheck.every_n.interference import interfering_run
from sealcheck.every_n.obligation import Fact, FirstOrder, Obligation


def obligations() -> tuple[Obligation, ...]:
    """Which event the last one is, that nothing needs it, and the run."""
    return _is_a_receive(), _leads_nowhere(), *interfering_run()


def _last() -> Fact:
    r = event("r")
    later = every(lambda a: Implies(And(in_p(a), Not(Equals(a, r))), earlier(a, r)))
    return Fact("r is the last event of P in the interleaving", And(in_p(r), later))


def _is_a_receive() -> Obligation:
    received = every(
        lambda a: Implies(
            And(is_send(a), in_p(a)), And(is_receive(taker(a)), in_p(taker(a)), earlier(a, taker(a)))
        )
    )
    return obligation(
        "the last event of P is a receive",
        is_receive(event("r")),
        needs=("order", "kinds"),
        given=(_last(), Fact("a message that P sends is received in P, later", received)),
        theory=program(),
    )


def _leads_nowhere() -> Obligation:
    r, s = event("r"), event("s")
    return obligation(
        "nothing of P and s comes after r",
        every(lambda a, b: Implies(And(edge(a, b), Not(Equals(b, r))), Not(Equals(a, r)))),
        needs=("order", "processes", "channels", "oldest", "no self-channels"),
        given=(
            _last(),
            Fact("r is a receive", is_receive(r)),
            Fact("s is a send on the channel of r", And(is_send(s), same_channel(r, s))),
            Fact("nothing but s follows P", every(lambda a: Or(in_p(a), Equals(a, s)))),
        ),
        theory=program(),
    )


FIRST_ORDER = FirstOrder(
    obligations,
    "that a balanced program without deadlock has an interleaving in which receives take the oldest message, "
    "and that one of its events is the last",
)
