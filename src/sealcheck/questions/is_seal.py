"""Does Q seal P?  In no run of P;Q and what follows does a message cross the end of P (section 3)."""

from pysmt.fnode import FNode
from pysmt.shortcuts import Not, Or

from sealcheck.algorithms.certificates import sealing_document
from sealcheck.algorithms.program_graph import causal_pairs
from sealcheck.encodings import interference
from sealcheck.encodings.given import GivenRun, given_run
from sealcheck.encodings.solving import Solver, satisfiable
from sealcheck.oracles import explorer
from sealcheck.programs.events import mt
from sealcheck.programs.runs import Place
from sealcheck.programs.semantics import Semantics
from sealcheck.questions.answer_types import BOOLEAN
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import CannotAnswer, Oracle, Question, Symbolic
from sealcheck.questions.straight_lines import (
    KERNEL_SHARES,
    STRAIGHT,
    accepted,
    for_bsl,
    in_rel,
    least_for_kernel,
    require_rel,
    sends_to_itself,
)
from sealcheck.questions.verified import verified

EXPLORED_MESSAGES = 36
"""How many messages P and Q may have together where the explorer is asked.

The paper's example has 30 for n = 6, which take it seconds, and 42 for n = 7.
"""
SOLVED_MESSAGES = 6
"""How many messages P and Q may have together where solvers are asked: larger formulas take them long."""


def by_closure(instance: Instance) -> bool:
    """Whether P's last receive on each channel reaches the first later send, in the graph of P;Q.

    The transitive closure of the whole program graph, and nothing that the signatures use.
    """
    p, q = instance.p, instance.q
    both = p.then(q)
    causal = causal_pairs(both)
    for j, share in enumerate(p.shares, 1):
        for i in {event.sender for event in share if not event.is_send}:
            send, receive = mt(i, j)
            last = Place(j, len(share) - share[::-1].index(receive))
            past_p = len(p.shares[i - 1])
            sent = [at for at, event in enumerate(both.shares[i - 1], 1) if at > past_p and event == send]
            ends = (
                [Place(i, sent[0])] if sent else [Place(i, at + 1) for at in range(len(both.shares[i - 1]))]
            )
            if not any((last, end) in causal for end in ends):
                return False
    return True


def by_exploring(instance: Instance) -> bool:
    """Whether nothing after P interferes with it, in any execution."""
    if instance.messages > EXPLORED_MESSAGES:
        raise CannotAnswer(f"P and Q have more than {EXPLORED_MESSAGES} messages, and too many executions")
    return explorer.seals(instance.p, instance.q)


def by_kernel(instance: Instance) -> bool:
    """Whether the kernel accepts chains, or a run that interferes."""
    least = least_for_kernel(instance)
    return bool(accepted("sealing-pairs", least, sealing_document(least.p, least.q))["seals"])


def by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> bool:
    """Whether the solver finds no run in which a message crosses the end of P, or is left over there."""
    require_rel(semantics)
    if instance.messages > SOLVED_MESSAGES:
        raise CannotAnswer(f"P and Q have more than {SOLVED_MESSAGES} messages")
    p, q = instance.straight
    if sends_to_itself(p) or sends_to_itself(q):
        raise CannotAnswer("a process sends to itself")
    if p.is_balanced and q.is_balanced:
        return interference.seals(p, q, solver)
    missing = max((-excess for excess in p.then(q).imbalance.values() if excess < 0), default=0)
    given = given_run([p, q], solver.order, later_sends=missing + 1)
    interferes = Or(interference.crosses(given), left_over(given))
    return not satisfiable(solver, [*given.axioms, interferes])


def left_over(given: GivenRun) -> FNode:
    """Some message of P is not received in the interval, so a later program may receive it."""
    sends = [name for name, event in given.events.items() if event.is_send and given.layer_of(name) == "P"]
    return Or(Not(Or(given.run.takers(send))) for send in sends)


IS_SEAL = Question(
    id="is-seal",
    text="Does Q seal P?",
    takes=("p", "q"),
    domain=STRAIGHT,
    answer=BOOLEAN,
    oracles=(
        Oracle("program graph", for_bsl(by_closure)),
        Oracle("explorer", in_rel(by_exploring)),
        Oracle("kernel", for_bsl(by_kernel), shares=KERNEL_SHARES, is_checked=True),
        *verified("is-seal", ("p", "q"), BOOLEAN),
    ),
    symbolic=Symbolic(by_solving),
    certificate="causal chains, or a run in which a later message is received in P",
    per_second=150,
)
