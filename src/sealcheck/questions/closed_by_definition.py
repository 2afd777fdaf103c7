"""Which channels does P close, by the definition?  Those that are empty at the end of every ≀P (section 4).

Asked of syntax trees, and answered by looking at what the definition speaks of: occurrences of ≀P.
`closed_channels` asks the same of straight-line programs, and answers by what is known of these.
"""

from sealcheck.encodings.refinement import leaves_open
from sealcheck.encodings.solving import Solver
from sealcheck.oracles.endings import crossing, endings
from sealcheck.programs.events import Channel, channels
from sealcheck.programs.semantics import Semantics
from sealcheck.programs.syntax import Cut, layered
from sealcheck.questions.answer_types import CHANNELS
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import CannotAnswer, Oracle, Question, Symbolic
from sealcheck.questions.refines import WHOLE_LANGUAGE, events_outside, syntax
from sealcheck.questions.straight_lines import require_formal_cut


def by_executing(instance: Instance, semantics: Semantics) -> frozenset[Channel]:
    """The channels on which no execution of ≀P has a message received on the other side of its end."""
    if semantics.self_channels:
        raise CannotAnswer("executions know self-channels only where a program uses them")
    require_formal_cut(semantics)  # it looks at messages that are received
    (p,) = syntax(instance)
    program = layered(Cut(), p)
    found = endings(program, instance.n, semantics, outside=events_outside(program, semantics.reading))
    return frozenset(channels(instance.n)).difference(*(crossing(run, d) for run, _, d in found))


def by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> frozenset[Channel]:
    """The channels for which the solver finds no run in which ≀P ends and the channel is not empty."""
    (p,), n = syntax(instance), instance.n
    every = channels(n, self_channels=semantics.self_channels)
    return frozenset(c for c in every if leaves_open(p, c, n, solver, semantics) is None)


CLOSED_BY_DEFINITION = Question(
    id="closed-by-definition",
    text="Which channels are empty at the end of every occurrence of P that starts at a silent cut?",
    takes=("p",),
    domain=WHOLE_LANGUAGE,
    answer=CHANNELS,
    oracles=(Oracle("executions", by_executing),),
    symbolic=Symbolic(by_solving),
    per_second=15,
)
