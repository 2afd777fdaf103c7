"""Can P run without any message crossing its end?  So that all its messages are received, and none but these.

The run starts at a silent cut, and anything may follow P.  Where the answer is no, no straight-line program
seals P that can complete after it, however long it is.  For take a run of ≀P;S; P has its events there at
fixed places, so the cut after P is fixed as well.  By what is answered, a receive of P takes a message
that P did not send, or a message of P is not received in P.  If in this run a message crosses the
cut after P, S does not seal P.  Otherwise a message of P is not received at all; then in another
run, the same up to the end of S, it is received later, and crosses that cut.  And if S seals
P, such a run of ≀P;S without what follows P is a run of P itself: nothing in P needs what comes after.
"""

from pysmt.shortcuts import Not

from sealcheck.encodings.given import given_run
from sealcheck.encodings.interference import crosses
from sealcheck.encodings.solving import Solver, satisfiable
from sealcheck.oracles.matching_functions import executed_matchings, matchings
from sealcheck.programs.semantics import Semantics
from sealcheck.questions.answer_types import BOOLEAN
from sealcheck.questions.instance import Instance
from sealcheck.questions.is_seal import left_over
from sealcheck.questions.question import CannotAnswer, Oracle, Question, Symbolic
from sealcheck.questions.straight_lines import STRAIGHT, in_rel, require_rel


def by_matching(instance: Instance) -> bool:
    """Whether some matching function of P by itself reaches all sends; all are tried."""
    return any(len(matching) == instance.p.messages for matching in matchings(instance.p))


def by_executing(instance: Instance, semantics: Semantics) -> bool:
    """Whether some execution of P by itself takes all its messages."""
    return any(len(taken) == instance.p.messages for taken in executed_matchings(instance.p, semantics.model))


def by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> bool:
    """Whether the solver finds a run of P, and of later sends, without a message across the end of P."""
    require_rel(semantics)
    p = instance.p
    if any(event.sender == event.receiver for share in p.shares for event in share):
        raise CannotAnswer("a process sends to itself")
    given = given_run([p], solver.order)
    return satisfiable(solver, [*given.axioms, Not(crosses(given)), Not(left_over(given))])


CLOSED_RUN = Question(
    id="closed-run",
    text="Can P run without any message crossing its end, or being left over there?",
    takes=("p",),
    domain=STRAIGHT,
    answer=BOOLEAN,
    oracles=(
        Oracle("matchings", in_rel(by_matching)),
        Oracle("executions", by_executing),
    ),
    symbolic=Symbolic(by_solving),
    per_second=100,
)
