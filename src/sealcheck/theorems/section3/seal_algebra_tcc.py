"""`l:seal.algebra`, item 6, for the whole language: P is TCC iff all programs seal P.

Reading      "all programs" are eps and the programs of a single atom without data.  One direction (P is TCC
             if all programs seal it) needs eps only; the converse is tried on all of them.
Refutation   a TCC program that something does not seal, or one that is not TCC and that all seal.
Not claimed  that larger programs seal a TCC program, too.  This follows from `constructs-monotone`: if ≀P
             refines P≀, then ≀P;Q refines P≀Q, for every Q.
"""

from functools import partial

from sealcheck.programs.semantics import Semantics
from sealcheck.programs.syntax import Eps, Program, seals, tcc
from sealcheck.questions.instance import Instance
from sealcheck.questions.whole_language import REFINES, syntax
from sealcheck.theorems.checking.domains import Bounded, Listed
from sealcheck.theorems.checking.laws import LIMITS, NOT_NEEDED, SETTINGS, holding, over_all_intervals, sizes
from sealcheck.theorems.checking.small_programs import SIZE, atoms, has_data, tuples
from sealcheck.theorems.checking.statement import Ask, Claim, Hypothesis, Outcome, Statement

Settings = tuple[Semantics, ...]


def candidates(n: int) -> tuple[Program, ...]:
    """The programs of which each seals P, or does not."""
    return (Eps(), *(atom for atom in atoms(n) if not has_data(atom)))


def where_tcc(instance: Instance, ask: Ask) -> Settings:
    """The settings in which P is TCC."""
    (p,) = syntax(instance)
    return holding([tcc(p)], instance.n, SETTINGS, ask)


def where_sealed_by_all(instance: Instance, ask: Ask) -> Settings:
    """The settings in which all candidates seal P; where eps does not, the others are not asked about."""
    (p,) = syntax(instance)
    by_eps = holding([seals(p, Eps())], instance.n, SETTINGS, ask)
    return holding([seals(p, q) for q in candidates(instance.n)], instance.n, by_eps, ask)


def sealed_by_some(n: int, size: int, ask: Ask) -> Instance | None:
    """A program that is not TCC, and a candidate that seals it."""
    for instance in tuples(n, size, 1):
        (p,) = syntax(instance)
        if not ask(REFINES, Instance(n, tcc(p))):
            for q in candidates(n):
                if ask(REFINES, Instance(n, seals(p, q))):
                    return Instance(n, (p, q))
    return None


def explain(instance: Instance, ask: Ask) -> str:
    """The settings of both sides."""
    found = where_tcc(instance, ask), where_sealed_by_all(instance, ask)
    closed, sealed = (", ".join(map(str, settings)) or "none" for settings in found)
    return f"TCC in: {closed}\nsealed by all in: {sealed}"


MOST = {1: 2, 2: 2}

STATEMENT = Statement.of(
    "seal-algebra-6-whole-language",
    "l:seal.algebra, 6",
    Claim(
        "P is TCC iff all programs seal P",
        check=lambda p, ask: Outcome.of(where_tcc(p, ask) == where_sealed_by_all(p, ask)),
        hypotheses=(
            Hypothesis(
                "all programs seal P, not only some", sealed_by_some, remark="Q seals P, which is not TCC"
            ),
            *NOT_NEEDED,
        ),
        explain=explain,
        theorems=over_all_intervals("SealAlgebra.v", "seal_algebra_6"),
    ),
    domain=Bounded(Listed("programs", partial(tuples, length=1)), MOST),
    questions=(REFINES,),
    measure=SIZE,
    limits=(
        sizes(MOST),
        "of all programs that may seal P, eps and those of one atom without data are tried",
        *LIMITS,
    ),
)
