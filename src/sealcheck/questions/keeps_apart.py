"""Does Q keep P apart from whatever follows?  ≀P;Q refines P≀Q≀; a barrier does that for all P (section 3).

What comes after a barrier may be taken to be eps: if ≀P;Q refines P≀Q≀, then layering any R after both sides
keeps that.
"""

from sealcheck.algorithms.sealing import is_seal
from sealcheck.algorithms.signature import signature
from sealcheck.encodings.solving import Solver
from sealcheck.oracles import explorer
from sealcheck.programs.notions import barrier
from sealcheck.programs.semantics import Semantics
from sealcheck.programs.straight_line import StraightLine
from sealcheck.programs.syntax import Eps
from sealcheck.questions import refines
from sealcheck.questions.answer_types import BOOLEAN
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import CannotAnswer, Oracle, Question, Symbolic
from sealcheck.questions.straight_lines import require_bsl, require_formal_cut, require_rel


def by_signatures(instance: Instance, semantics: Semantics) -> bool:
    """Whether Q seals P, and nothing is needed to seal P;Q, by the signatures of all of these."""
    _require_sealing(instance, semantics)
    require_bsl(instance, semantics)
    p, q = instance.p, instance.q
    of_p, of_q, both, nothing = map(signature, (p, q, p.then(q), StraightLine.of(p.n)))
    return is_seal(of_p, of_q) and is_seal(both, nothing)


def by_exploring(instance: Instance, semantics: Semantics) -> bool:
    """Whether in no execution anything interferes with P, nor with P;Q."""
    _require_sealing(instance, semantics)
    require_rel(semantics)
    p, q = instance.p, instance.q
    return explorer.seals(p, q) and explorer.seals(p.then(q), StraightLine.of(p.n))


def _require_sealing(instance: Instance, semantics: Semantics) -> None:
    """Raise CannotAnswer unless this is a question about sealing of straight-line programs."""
    if not all(isinstance(program, StraightLine) for program in instance.programs):
        raise CannotAnswer("it knows straight-line programs only")
    require_formal_cut(semantics)


def by_executing(instance: Instance, semantics: Semantics) -> bool:
    """Whether no execution of ≀P;Q has P≀Q≀ not occur over the same interval."""
    return refines.by_executing(_as_refinement(instance), semantics)


def by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> bool:
    """Whether the solver finds no run that keeps ≀P;Q from refining P≀Q≀."""
    return refines.by_solving(_as_refinement(instance), semantics, solver)


def _as_refinement(instance: Instance) -> Instance:
    p, q = refines.syntax(instance)
    return Instance(instance.n, barrier(p, q, Eps()))


KEEPS_APART = Question(
    id="keeps-apart",
    text="Does Q keep P apart from whatever follows?",
    takes=("p", "q"),
    domain=refines.WHOLE_LANGUAGE,
    answer=BOOLEAN,
    oracles=(
        Oracle("signatures", by_signatures),
        Oracle("explorer", by_exploring),
        Oracle("executions", by_executing, shares=refines.SHARES),
    ),
    symbolic=Symbolic(by_solving, shares=refines.SHARES),
    per_second=60,
)
