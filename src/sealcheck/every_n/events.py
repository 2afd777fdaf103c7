"""The events of P;Q;later, for any number of processes and any length: what a program is, and what a run is.

`earlier` is one interleaving of the events, in which every receive takes the `oldest` message of its
channel; it exists as the programs are balanced and deadlock-free, and has what follows them last.  Process
order is `earlier` within a process.  A run has an order of its own, `before`, and a matching of its own,
`taken`.

Source: the General assumption, and the definition of a run, in section 2; the program graph in section 4.
"""

from collections.abc import Sequence

from pysmt.fnode import FNode
from pysmt.shortcuts import And, Equals, Iff, Implies, Not, Or

from sealcheck.every_n.obligation import (
    Fact,
    Obligation,
    Term,
    constant,
    equivalence,
    for_all,
    function,
    predicate,
)

EVENT = "Event"

earlier = predicate("earlier", EVENT, 2)
same_process = predicate("same_process", EVENT, 2)
same_channel = predicate("same_channel", EVENT, 2)
is_send = predicate("is_send", EVENT, 1)
is_receive = predicate("is_receive", EVENT, 1)
in_p = predicate("in_p", EVENT, 1)
oldest = function("oldest", EVENT)
taker = function("taker", EVENT)
before = predicate("before", EVENT, 2)
taken = function("taken", EVENT)
early = predicate("early", EVENT, 1)


def event(name: str) -> FNode:
    """One event."""
    return constant(name, EVENT)


def every(body: Term) -> FNode:
    """That something holds of all events."""
    return for_all(EVENT, body)


def strict_total_order(less: Term, sort: str = EVENT) -> FNode:
    """Irreflexive, transitive, total."""
    return And(
        for_all(sort, lambda a: Not(less(a, a))),
        for_all(sort, lambda a, b, c: Implies(And(less(a, b), less(b, c)), less(a, c))),
        for_all(sort, lambda a, b: Or(less(a, b), less(b, a), Equals(a, b))),
    )


def in_process_order(e: FNode, f: FNode) -> FNode:
    """Whether e is earlier in the same process."""
    return And(same_process(e, f), earlier(e, f))


def edge(e: FNode, f: FNode) -> FNode:
    """An edge of the program graph."""
    return Or(in_process_order(e, f), And(is_receive(f), Equals(e, oldest(f))))


def closed_under_predecessors(part: Term) -> FNode:
    """Whether there is no edge into a part from outside."""
    return every(lambda a, b: Implies(And(part(b), edge(a, b)), part(a)))


def program() -> dict[str, Fact]:
    """What is true of the events of programs, whether or not they are balanced."""
    return _what_events_are() | _ends_of_channels() | _the_part_of_p() | _what_is_taken()


def _what_events_are() -> dict[str, Fact]:
    """That each is a send or a receive, of a process, on a channel, and has its place in an interleaving."""
    return {
        "order": Fact("one interleaving is a strict total order", strict_total_order(earlier)),
        "processes": Fact("to be of one process is an equivalence", equivalence(same_process, EVENT)),
        "channels": Fact("to be on one channel is an equivalence", equivalence(same_channel, EVENT)),
        "kinds": Fact(
            "an event is a send or a receive, and not both",
            every(lambda a: Iff(is_send(a), Not(is_receive(a)))),
        ),
    }


def _ends_of_channels() -> dict[str, Fact]:
    """That a channel leads from one process to another one, and is the only one that does."""
    return {
        "sender": Fact(
            "the sends on a channel are of one process",
            every(lambda a, b: Implies(And(is_send(a), is_send(b), same_channel(a, b)), same_process(a, b))),
        ),
        "receiver": Fact(
            "the receives on a channel are of one process",
            every(
                lambda a, b: Implies(
                    And(is_receive(a), is_receive(b), same_channel(a, b)), same_process(a, b)
                )
            ),
        ),
        "pairs": Fact(
            "there is one channel between two processes",
            every(
                lambda a, b, c, d: Implies(
                    And(
                        And(is_send(a), is_receive(b), same_channel(a, b)),
                        And(is_send(c), is_receive(d), same_channel(c, d)),
                        And(same_process(a, c), same_process(b, d)),
                    ),
                    same_channel(a, c),
                )
            ),
        ),
        "no self-channels": Fact(
            "nobody sends to himself",
            every(
                lambda a, b: Implies(
                    And(is_send(a), is_receive(b), same_channel(a, b)), Not(same_process(a, b))
                )
            ),
        ),
    }


def _the_part_of_p() -> dict[str, Fact]:
    """Where the events of P are."""
    return {
        "initial": Fact(
            "P comes first at each process",
            every(lambda a, b: Implies(And(in_p(b), in_process_order(a, b)), in_p(a))),
        ),
    }


def _what_is_taken() -> dict[str, Fact]:
    """What is true of the messages that receives can take, oldest first."""
    return {
        "oldest": Fact(
            "the oldest message that a receive can take was sent earlier on its channel",
            every(
                lambda a: Implies(
                    is_receive(a),
                    And(is_send(oldest(a)), same_channel(oldest(a), a), earlier(oldest(a), a)),
                )
            ),
        ),
        "in order": Fact(
            "the receives on a channel take the oldest messages in the order of sending",
            every(
                lambda a, b: Implies(
                    And(is_receive(a), is_receive(b), same_channel(a, b), earlier(a, b)),
                    earlier(oldest(a), oldest(b)),
                )
            ),
        ),
        "none left out": Fact(
            "a message older than the oldest was taken by another receive",
            every(
                lambda a, b: Implies(
                    And(is_send(a), is_receive(b), same_channel(a, b), earlier(a, oldest(b))),
                    And(is_receive(taker(a)), same_channel(taker(a), a), Equals(oldest(taker(a)), a)),
                )
            ),
        ),
        "balanced": Fact(
            "P is balanced: its receives take its messages, oldest first, and no others do",
            every(lambda a: Implies(is_receive(a), Iff(in_p(a), in_p(oldest(a))))),
        ),
    }


def run() -> dict[str, Fact]:
    """What is true of a run of the program."""
    return {
        "run order": Fact("the order of the run is a strict total order", strict_total_order(before)),
        "process order": Fact(
            "the order of the run contains process order",
            every(lambda a, b: Implies(in_process_order(a, b), before(a, b))),
        ),
        "on channels": Fact(
            "a receive takes a message of its channel",
            every(lambda a: Implies(is_receive(a), And(is_send(taken(a)), same_channel(taken(a), a)))),
        ),
        "sent before": Fact(
            "a message is sent before it is received",
            every(lambda a: Implies(is_receive(a), before(taken(a), a))),
        ),
        "injective": Fact(
            "different receives take different messages",
            every(
                lambda a, b: Implies(
                    And(is_receive(a), is_receive(b), Equals(taken(a), taken(b))), Equals(a, b)
                )
            ),
        ),
    }


def obligation(
    text: str,
    conclusion: FNode,
    *,
    needs: Sequence[str],
    theory: dict[str, Fact],
    given: Sequence[Fact] = (),
    supposed: Sequence[Fact] = (),
    replaceable_by: Sequence[str] = (),
) -> Obligation:
    """That the conclusion follows from what it needs of the theory, and what is given.

    `replaceable_by` is what of the theory would do in place of something that is needed.
    """
    hypotheses = (*(theory[name] for name in needs), *given)
    others = theory.keys() - {*needs, *replaceable_by}
    setting = tuple(theory[name] for name in theory if name in others)
    return Obligation(text, hypotheses, conclusion, supposed=tuple(supposed), setting=setting)
