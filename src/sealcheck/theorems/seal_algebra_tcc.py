"""`l:seal.algebra`, item 6, for the whole language: P is TCC iff all programs seal P.

Reading      "all programs" are eps and the programs of a single atom without data.  That P is TCC if
             all programs seal it needs eps only; the converse is tried on all of them.
Refutation   a TCC program that something does not seal, or one that is not TCC and that all seal.
Not claimed  that a TCC program is sealed by larger programs, too.
"""

from functools import partial

from sealcheck.encodings.solving import Solver
from sealcheck.programs.notions import seals, tcc
from sealcheck.programs.syntax import Eps, Program
from sealcheck.theorems.capped import Capped
from sealcheck.theorems.domains import Listed
from sealcheck.theorems.laws import (
    IN_REL,
    LIMITS,
    NOT_NEEDED,
    SETTINGS,
    Holds,
    named,
    played,
    sizes,
    solved_by,
)
from sealcheck.theorems.refining import syntax
from sealcheck.theorems.small_programs import atoms, has_data, tuples
from sealcheck.theorems.statement import Claim, Form, Hypothesis, Instance, Statement

Closed = tuple[tuple[str, ...], tuple[str, ...]]
"""The settings in which P is TCC, and those in which all candidates seal it."""


def candidates(n: int) -> tuple[Program, ...]:
    """The programs of which each seals P, or does not."""
    return (Eps(), *(atom for atom in atoms(n) if not has_data(atom)))


def _truth(instance: Instance, holds: Holds) -> Closed:
    """Where P is TCC, and where all candidates seal it."""
    (p,) = syntax(instance)
    n = instance.n
    closed = (setting for setting in SETTINGS if holds(tcc(p), n, setting))
    sealed = (s for s in SETTINGS if all(holds(seals(p, q), n, s) for q in candidates(n)))
    return named(closed), named(sealed)


def when_played(instance: Instance) -> Closed:
    """By playing."""
    return _truth(instance, played)


def when_solved(instance: Instance, solver: Solver) -> Closed:
    """By solving."""
    return _truth(instance, solved_by(solver))


def predicted(instance: Instance) -> Closed:
    """All candidates seal P where it is TCC, and nowhere else."""
    (p,) = syntax(instance)
    closed = named(s for s in SETTINGS if played(tcc(p), instance.n, s))
    return closed, closed


def sealed_by_some(n: int, size: int) -> Instance | None:
    """A program that is not TCC, and a candidate that seals it."""
    for instance in tuples(n, size, 1):
        (p,) = syntax(instance)
        if not played(tcc(p), n, IN_REL):
            for q in candidates(n):
                if played(seals(p, q), n, IN_REL):
                    return Instance(n, (p, q))
    return None


def _story(instance: Instance) -> str:
    closed, sealed = (", ".join(settings) or "none" for settings in when_played(instance))
    return f"TCC in: {closed}\nsealed by all in: {sealed}"


MOST = {1: 2, 2: 2}

STATEMENT = Statement(
    id="seal-algebra-6-whole-language",
    label="l:seal.algebra, 6",
    claims=(
        Claim(
            Form.AS_PRINTED,
            "P is TCC iff all programs seal P",
            predicts=predicted,
            story=_story,
        ),
    ),
    hypotheses=(
        Hypothesis(
            "all programs seal P, not only some", sealed_by_some, remark="Q seals P, which is not TCC"
        ),
        *NOT_NEEDED,
    ),
    domain=Capped(Listed("programs", partial(tuples, length=1)), MOST),
    ways={"plays": when_played},
    smt=when_solved,
    limits=(
        sizes(MOST),
        "of all programs that may seal P, eps and those of one atom without data are tried",
        *LIMITS,
    ),
    per_shard=10,
)
