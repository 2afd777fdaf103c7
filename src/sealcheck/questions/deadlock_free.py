"""Is P deadlock-free?  By itself, from empty channels, it never gets stuck (section 2.2, General assumption).

Which message a receive takes makes no difference to what can happen next, and what can happen still can after
another process's event.  So all executions get equally far: either none gets stuck, or none completes.
"""

from typing import assert_never

from sealcheck.encodings.given import given_run
from sealcheck.encodings.solving import Solver, satisfiable
from sealcheck.oracles import explorer
from sealcheck.oracles.isolation import never_stuck
from sealcheck.programs.semantics import ChannelModel, Semantics
from sealcheck.questions.answer_types import BOOLEAN
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import CannotAnswer, Oracle, Question, Symbolic
from sealcheck.questions.straight_lines import STRAIGHT

SHARES = "that all executions get equally far, with the others that look for one that completes"


def by_executing(instance: Instance, semantics: Semantics) -> bool:
    """Whether no execution of P gets stuck."""
    _require_known(semantics)
    return never_stuck(instance.p)


def by_one_execution(instance: Instance, semantics: Semantics) -> bool:
    """Whether one execution of P completes, in which a message that is waited for is received at once."""
    _require_known(semantics)
    return instance.p.is_deadlock_free


def by_exploring(instance: Instance, semantics: Semantics) -> bool:
    """Whether the explorer finds an execution that completes."""
    _require_known(semantics)
    if any(excess < 0 for excess in instance.p.imbalance.values()):
        raise CannotAnswer("the explorer lets others send what P lacks")
    return explorer.can_complete(instance.p)


def by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> bool:
    """Whether the solver finds a run of P by itself."""
    _require_known(semantics)
    given = given_run([instance.p], solver.order, later_sends=0)
    return satisfiable(solver, [*given.axioms])


def _require_known(semantics: Semantics) -> None:
    """Fail for models whose sends may wait, or receives for more than a message: others deadlock there."""
    match semantics.model:
        case ChannelModel.REL | ChannelModel.REL_FIFO:
            pass
        case other:
            assert_never(other)


DEADLOCK_FREE = Question(
    id="deadlock-free",
    text="Is P deadlock-free?",
    takes=("p",),
    domain=STRAIGHT,
    answer=BOOLEAN,
    oracles=(
        Oracle("executions", by_executing),
        Oracle("one execution", by_one_execution, shares=SHARES),
        Oracle("explorer", by_exploring, shares=SHARES),
    ),
    symbolic=Symbolic(by_solving, shares=SHARES),
    per_second=200,
)
