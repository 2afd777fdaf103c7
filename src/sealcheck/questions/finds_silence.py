"""Does Q find silence wherever P may have ended?  At each such cut of each occurrence of ≀P;Q.

That Q seals P asks less: that at some cut where P may have ended there was silence.
"""

from sealcheck.encodings.refinement import begins_in_noise
from sealcheck.encodings.solving import Solver
from sealcheck.oracles.executions import executions
from sealcheck.oracles.occurrence import ends, is_silent
from sealcheck.programs.semantics import Semantics
from sealcheck.programs.syntax import Cut, layered
from sealcheck.questions.answer_types import BOOLEAN
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import CannotAnswer, Oracle, Question, Symbolic
from sealcheck.questions.refines import SHARES, WHOLE_LANGUAGE, events_outside, syntax


def by_executing(instance: Instance, semantics: Semantics) -> bool:
    """Whether in every execution of ≀P;Q each cut at which P may have ended, and Q begun, is silent."""
    if semantics.self_channels:
        raise CannotAnswer("executions know self-channels only where a program uses them")
    p, q = syntax(instance)
    after_cut = layered(Cut(), p)
    both = layered(after_cut, q)
    return all(
        is_silent(run, between, semantics)
        for run, c, d in executions(
            both, instance.n, semantics, outside=events_outside(both, semantics.reading)
        )
        for between in ends(run, c, after_cut, semantics)
        if d in ends(run, between, q, semantics)
    )


def by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> bool:
    """Whether the solver finds no run in which P may have ended, and Q begun, at a cut that is not silent."""
    p, q = syntax(instance)
    return begins_in_noise(p, q, instance.n, solver, semantics) is None


FINDS_SILENCE = Question(
    id="finds-silence",
    text="Does Q find silence wherever P may have ended?",
    takes=("p", "q"),
    domain=WHOLE_LANGUAGE,
    answer=BOOLEAN,
    oracles=(Oracle("executions", by_executing, shares=SHARES),),
    symbolic=Symbolic(by_solving),
    per_second=60,
)
