"""What shows that P does not refine Q, or that it is not balanced?  A run, and an interval where P occurs.

Every oracle finds a run in its own way, and they find different ones; each is looked at by the definition.
"""

from sealcheck.encodings.refinement import refute, unbalanced
from sealcheck.encodings.solving import Solver
from sealcheck.errors import InputError
from sealcheck.oracles.endings import endings, lopsided
from sealcheck.oracles.executions import find_counterexample
from sealcheck.oracles.occurrence import is_silent, occurs
from sealcheck.programs.global_runs import Interval
from sealcheck.programs.semantics import CutReading, Semantics
from sealcheck.questions import balanced
from sealcheck.questions.answer_types import INTERVAL_OR_NONE
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import CannotAnswer, Oracle, Question, Symbolic, Witness
from sealcheck.questions.refines import SHARES, WHOLE_LANGUAGE, events_outside, syntax


def is_run(found: Interval, semantics: Semantics) -> bool:
    """Whether it is a run of the model."""
    try:
        found.run.check(semantics.model)
    except InputError:
        return False
    return True


def refutes(instance: Instance, semantics: Semantics, found: Interval | None) -> bool:
    """Whether P occurs over the interval, and Q does not; if there is no interval, nothing is claimed."""
    if found is None:
        return True
    left, right = syntax(instance)
    return is_run(found, semantics) and [occurs(*found, p, semantics) for p in (left, right)] == [True, False]


def by_executing(instance: Instance, semantics: Semantics) -> Interval | None:
    """The first execution that refutes it, with as many events outside as `events_outside` says."""
    left, right = syntax(instance)
    outside = events_outside(left, semantics.reading)
    return find_counterexample(left, right, instance.n, semantics, outside=outside)


def by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> Interval | None:
    """The run of the fewest events inside for which the solver has a model."""
    left, right = syntax(instance)
    return refute(left, right, instance.n, solver, semantics)


COUNTEREXAMPLE = Question(
    id="counterexample",
    text="Over which interval of a run does P occur, but not Q, if there is any?",
    takes=("p", "q"),
    domain=WHOLE_LANGUAGE,
    answer=INTERVAL_OR_NONE,
    oracles=(Oracle("executions", by_executing, shares=SHARES),),
    symbolic=Symbolic(by_solving, shares=SHARES),
    witness=Witness(lambda found: found is None, refutes),
    per_second=60,
)


def is_unbalanced(instance: Instance, semantics: Semantics, found: Interval | None) -> bool:
    """Whether P occurs, from empty channels, and a channel has more of its sends than receives, or fewer."""
    if found is None:
        return True
    (p,) = syntax(instance)
    starts_empty = is_silent(found.run, found.c, Semantics(reading=CutReading.EMPTY))
    return (
        is_run(found, semantics)
        and starts_empty
        and occurs(*found, p, semantics)
        and bool(lopsided(found.run, found.d))
    )


def unbalanced_by_executing(instance: Instance, semantics: Semantics) -> Interval | None:
    """The first such execution."""
    if semantics.self_channels:
        raise CannotAnswer("executions know self-channels only where a program uses them")
    (p,) = syntax(instance)
    outside = balanced.events_outside(p, semantics)
    found = endings(p, instance.n, semantics, outside=outside)
    return next((each for each in found if lopsided(each.run, each.d)), None)


def unbalanced_by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> Interval | None:
    """The run of the fewest events inside for which the solver has a model."""
    (p,) = syntax(instance)
    return unbalanced(p, instance.n, solver, semantics)


UNBALANCED_RUN = Question(
    id="unbalanced-run",
    text="In which run from empty channels has P more sends than receives on a channel, or fewer, if any?",
    takes=("p",),
    domain=WHOLE_LANGUAGE,
    answer=INTERVAL_OR_NONE,
    oracles=(Oracle("executions", unbalanced_by_executing, shares=SHARES),),
    symbolic=Symbolic(unbalanced_by_solving, shares=SHARES),
    witness=Witness(lambda found: found is None, is_unbalanced),
    per_second=100,
)
