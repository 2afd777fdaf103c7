"""Is Q a communication-closed layer of P;Q;R?  In ≀P;Q;R≀ no message crosses its ends (section 3)."""

from sealcheck.encodings.refinement import refute
from sealcheck.encodings.solving import Solver
from sealcheck.oracles.environment import crossed
from sealcheck.oracles.executions import find_counterexample
from sealcheck.oracles.matching_functions import matchings
from sealcheck.programs.notions import Refinement, ccl
from sealcheck.programs.semantics import Semantics
from sealcheck.questions.answer_types import BOOLEAN
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import Oracle, Question, Symbolic
from sealcheck.questions.refines import SHARES, syntax
from sealcheck.questions.straight_lines import BSL, require_bsl, require_formal_cut


def by_matching(instance: Instance, semantics: Semantics) -> bool:
    """Whether no matching function of P;Q;R has a message that crosses the end of P, or that of P;Q."""
    _require_known(instance, semantics)
    p, q, r = instance.straight
    before, up_to_end = p, p.then(q)
    found = matchings(up_to_end.then(r))
    return not any(crossed(prefix, matching) for matching in found for prefix in (before, up_to_end))


def as_ccl(instance: Instance) -> Refinement:
    """That Q is a CCL, by the definition."""
    return ccl(*syntax(instance))


def by_executing(instance: Instance, semantics: Semantics) -> bool:
    """Whether no execution refutes it.

    One event outside, which interferes, is enough: the program is balanced, and starts at a silent cut.
    """
    _require_known(instance, semantics)
    return find_counterexample(*as_ccl(instance), instance.n, semantics, outside=1) is None


def by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> bool:
    """Whether the solver finds no run that refutes it."""
    _require_known(instance, semantics)
    return refute(*as_ccl(instance), instance.n, solver, semantics) is None


def _require_known(instance: Instance, semantics: Semantics) -> None:
    require_bsl(instance, semantics)
    require_formal_cut(semantics)


IS_CCL = Question(
    id="is-ccl",
    text="Is Q a communication-closed layer of P;Q;R?",
    takes=("p", "q", "r"),
    domain=BSL,
    answer=BOOLEAN,
    oracles=(
        Oracle("matchings", by_matching),
        Oracle("executions", by_executing, shares=SHARES),
    ),
    symbolic=Symbolic(by_solving, shares=SHARES),
    per_second=60,
)
