"""What processes know, for any number of them: `knows(p, i, j)`, that P's last receive on i->j has happened.

At P's end each knows `at_end`.  A message i->j is allowed when i knows the channel to be safe; then j
learns all that i knows.

Source: the reading of sealability in algorithms/sealability.py.
"""

from pysmt.fnode import FNode
from pysmt.shortcuts import And, Equals, Implies, Not, Or

from sealcheck.every_n.obligation import Term, constant, for_all, predicate

PROCESS = "Process"

knows = predicate("knows", PROCESS, 3)
at_end = predicate("at_end", PROCESS, 3)
together = predicate("together", PROCESS, 2)


def process(name: str) -> FNode:
    """One process."""
    return constant(name, PROCESS)


def every(body: Term) -> FNode:
    """That something holds of all processes."""
    return for_all(PROCESS, body)


def may_send(i: FNode, j: FNode) -> FNode:
    """Whether a message i->j is allowed."""
    return And(Not(Equals(i, j)), knows(i, i, j))


def has_heard_all(i: FNode, j: FNode) -> FNode:
    """Whether j knows all that i knows."""
    return every(lambda p, q: Implies(knows(i, p, q), knows(j, p, q)))


def unbridged(same: Term, known: Term) -> FNode:
    """Whether nobody knows a channel to be safe that leads from his own part to another one."""
    return every(lambda k, i, j: Implies(And(same(k, i), known(k, i, j)), same(i, j)))


def joined(i: FNode, j: FNode) -> FNode:
    """Whether i may send to j, or is j: the parts that come of what is known."""
    return Or(Equals(i, j), knows(i, i, j))
