"""Can Q go on and on after P?  A seal that can is no proper one: it may diverge (section 3, "Proper Seals").

No finite interval shows an infinite occurrence.  What is asked is whether Q, started at a silent cut at the
end of an occurrence of ≀P, gets through three iterations, each with an event, of a repetition with
which it ends.  Who asks has to know that what can be done three times can be done for ever.
"""

from dataclasses import replace
from typing import assert_never

from sealcheck.encodings.iterations import iterated
from sealcheck.encodings.refinement import occurs_somewhere
from sealcheck.encodings.solving import Solver
from sealcheck.oracles.executions import executions
from sealcheck.oracles.iterations import cuts_after_iterations
from sealcheck.oracles.occurrence import ends
from sealcheck.programs.semantics import Semantics
from sealcheck.programs.syntax import (
    Assignment,
    Choice,
    Cut,
    Eps,
    Guard,
    Layering,
    Program,
    Receive,
    Repetition,
    Send,
    layered,
)
from sealcheck.questions.answer_types import BOOLEAN
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import CannotAnswer, Oracle, Question, Symbolic
from sealcheck.questions.refines import SHARES, WHOLE_LANGUAGE, partners_outside, syntax

ITERATIONS = 3


def by_executing(instance: Instance, semantics: Semantics) -> bool:
    """Whether some execution has the iterations; outside there is what receives have to take from there."""
    if semantics.self_channels:
        raise CannotAnswer("executions know self-channels only where a program uses them")
    p, q = syntax(instance)
    if not ends_with_repetition(q):
        return False
    before = layered(Cut(), p, Cut())
    unrolled = _unrolled(semantics)
    outside = partners_outside(layered(before, *([q] * ITERATIONS)), semantics.reading)
    return any(
        d in cuts_after_iterations(run, b, q, ITERATIONS, semantics)
        for run, c, d in executions(layered(before, q), instance.n, unrolled, outside=outside)
        for b in ends(run, c, before, semantics)
    )


def ends_with_repetition(program: Program) -> bool:
    """Whether some path of the program ends in a repetition.

    >>> from sealcheck.language.parser import parse
    >>> [ends_with_repetition(parse(text)) for text in ("cut + eps; (cut)*", "(cut)*; cut")]
    [True, False]
    """
    match program:
        case Layering(parts):
            return ends_with_repetition(parts[-1])
        case Choice(alternatives):
            return any(map(ends_with_repetition, alternatives))
        case Repetition():
            return True
        case Eps() | Assignment() | Send() | Receive() | Guard() | Cut():
            return False
        case _:
            assert_never(program)


def by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> bool:
    """Whether the solver finds an interval over which the iterations, written out, occur."""
    p, q = syntax(instance)
    written_out = (layered(Cut(), p, Cut(), found) for found in iterated(q, ITERATIONS))
    return any(occurs_somewhere(w, instance.n, solver, _unrolled(semantics)) for w in written_out)


def _unrolled(semantics: Semantics) -> Semantics:
    return replace(semantics, unroll=max(semantics.unroll, ITERATIONS))


GOES_ON = Question(
    id="goes-on",
    text="After P, can Q get through three iterations of a repetition with which it ends?",
    takes=("p", "q"),
    domain=WHOLE_LANGUAGE,
    answer=BOOLEAN,
    oracles=(Oracle("executions", by_executing, shares=SHARES),),
    symbolic=Symbolic(by_solving, shares=SHARES),
    per_second=60,
)
