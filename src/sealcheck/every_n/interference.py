"""A run in which a receive r of P takes a later message s, for every n and every length.

`early` is a set of events that nothing leads into from outside, with s and without r: there is one exactly
if there is no path from r to s.  The run has the early events first, and otherwise goes like the
interleaving in which receives take the oldest message; r takes s, who would have taken s takes what r gives
up, and all others the oldest.

Source: the proofs of `th:decide.sealing`, of its consequences, and of `th:TCCbadforREL`.
"""

from pysmt.fnode import FNode
from pysmt.shortcuts import And, Equals, Iff, Implies, Ite, Not, Or

from sealcheck.every_n.events import (
    closed_under_predecessors,
    earlier,
    early,
    event,
    every,
    in_p,
    in_process_order,
    is_receive,
    is_send,
    obligation,
    oldest,
    program,
    same_channel,
    strict_total_order,
)
from sealcheck.every_n.obligation import Fact, Obligation


def sooner(e: FNode, f: FNode) -> FNode:
    """The order of the run: the early events first."""
    return Or(And(early(e), Not(early(f))), And(Iff(early(e), early(f)), earlier(e, f)))


def takes(e: FNode) -> FNode:
    """The matching of the run."""
    r, s = event("r"), event("s")
    return Ite(Equals(e, r), s, Ite(Equals(oldest(e), s), oldest(r), oldest(e)))


def closed() -> Fact:
    """What `early` is, for any two events."""
    return Fact("nothing leads into the early events from outside", closed_under_predecessors(early))


def is_an_order() -> Obligation:
    """That the run has an order."""
    return obligation(
        "early events first is a strict total order",
        strict_total_order(sooner),
        needs=("order",),
        theory=program(),
    )


def has_process_order() -> Obligation:
    """That each process goes through its events as the program says."""
    return obligation(
        "early events first contains process order",
        every(lambda a, b: Implies(in_process_order(a, b), sooner(a, b))),
        needs=(),
        given=(closed(),),
        theory=program(),
    )


def oldest_is_sent_before() -> Obligation:
    """That this order allows everybody to take the oldest message."""
    return obligation(
        "with early events first, the oldest message is sent before it is received",
        every(lambda a: Implies(is_receive(a), sooner(oldest(a), a))),
        needs=("oldest",),
        given=(closed(),),
        theory=program(),
    )


def _chosen() -> dict[str, Fact]:
    r, s = event("r"), event("s")
    return {
        "r": Fact("r is a receive of P", And(is_receive(r), in_p(r))),
        "s": Fact("s is a send after P", And(is_send(s), Not(in_p(s)))),
        "channel": Fact("r and s are on one channel", same_channel(r, s)),
        "s early": Fact("s is early", early(s)),
        "r late": Fact("r is not early", Not(early(r))),
    }


def on_channels() -> Obligation:
    """That a receive takes a message of its channel."""
    given = _chosen()
    return obligation(
        "in the new matching, a receive takes a message of its channel",
        every(lambda a: Implies(is_receive(a), And(is_send(takes(a)), same_channel(takes(a), a)))),
        needs=("channels", "oldest"),
        given=(given["r"], given["s"], given["channel"]),
        theory=program(),
    )


def sent_before() -> Obligation:
    """That a message is sent before it is received."""
    return obligation(
        "in the new matching, a message is sent before it is received",
        every(lambda a: Implies(is_receive(a), sooner(takes(a), a))),
        needs=("order", "channels", "sender", "initial", "oldest", "balanced"),
        given=(closed(), *_chosen().values()),
        replaceable_by=("receiver",),
        theory=program(),
    )


def injective() -> Obligation:
    """That no message is taken twice."""
    given = _chosen()
    return obligation(
        "in the new matching, different receives take different messages",
        every(
            lambda a, b: Implies(And(is_receive(a), is_receive(b), Equals(takes(a), takes(b))), Equals(a, b))
        ),
        needs=("order", "in order", "channels", "oldest"),
        given=(given["r"],),
        theory=program(),
    )


def crosses() -> Obligation:
    """That the run shows what it is to show."""
    given = _chosen()
    return obligation(
        "r, of P, takes a message from after P",
        And(is_receive(event("r")), in_p(event("r")), Not(in_p(takes(event("r"))))),
        needs=(),
        given=(given["r"], given["s"]),
        theory=program(),
    )


def interfering_run() -> tuple[Obligation, ...]:
    """All that makes it a run in which r takes s."""
    return (
        is_an_order(),
        has_process_order(),
        on_channels(),
        sent_before(),
        injective(),
        crosses(),
    )
