"""Is P balanced?  From empty channels, every occurrence has as many sends as receives on each (section 4)."""

from typing import assert_never

from sealcheck.encodings.refinement import unbalanced
from sealcheck.encodings.solving import Solver
from sealcheck.oracles.endings import endings, lopsided
from sealcheck.programs.paths import missing
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
)
from sealcheck.questions.answer_types import BOOLEAN
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import CannotAnswer, Oracle, Question, Symbolic
from sealcheck.questions.refines import WHOLE_LANGUAGE, partners_outside, syntax


def events_outside(program: Program, semantics: Semantics) -> int:
    """How many events an execution has after P, so that P gets to its end if it can.

    Nothing is under way when P starts, so a process can send to P only once it has finished its own share,
    that is, after all its sends of P.  A receive of P that takes such a message may as well take one of P,
    where there is one left; so as many later sends as P lacks are enough.  Not so where a guard
    looks at what was received, or a silent cut stands between a send and its receive.

    >>> from sealcheck.language.parser import parse
    >>> from sealcheck.programs.semantics import PAPER
    >>> texts = "rcv 2<-1", "snd 1->2; cut; rcv 2<-1"
    >>> [events_outside(parse(text), PAPER) for text in texts]
    [1, 2]
    """
    if is_conditional(program):
        return 1 + partners_outside(program, semantics.reading)
    return missing(program, semantics.unroll)


def is_conditional(program: Program) -> bool:
    """Whether there is a guard or a silent cut in the program.

    >>> from sealcheck.language.parser import parse
    >>> [is_conditional(parse(text)) for text in ("mt 1->2 + (snd 1->2)*", "(mt 1->2; cut)*")]
    [False, True]
    """
    match program:
        case Guard() | Cut():
            return True
        case Layering(parts) | Choice(parts):
            return any(map(is_conditional, parts))
        case Repetition(body):
            return is_conditional(body)
        case Eps() | Assignment() | Send() | Receive():
            return False
        case _:
            assert_never(program)


def by_executing(instance: Instance, semantics: Semantics) -> bool:
    """Whether every execution of P that starts with empty channels has as many sends as receives on each."""
    if semantics.self_channels:
        raise CannotAnswer("executions know self-channels only where a program uses them")
    (p,) = syntax(instance)
    outside = events_outside(p, semantics)
    return not any(lopsided(run, d) for run, _, d in endings(p, instance.n, semantics, outside=outside))


def by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> bool:
    """Whether the solver finds no occurrence from empty channels with more sends than receives, or fewer."""
    (p,) = syntax(instance)
    return unbalanced(p, instance.n, solver, semantics) is None


BALANCED = Question(
    id="balanced",
    text="Is P balanced?",
    takes=("p",),
    domain=WHOLE_LANGUAGE,
    answer=BOOLEAN,
    oracles=(Oracle("executions", by_executing),),
    symbolic=Symbolic(by_solving),
    per_second=100,
)
