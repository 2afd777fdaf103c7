"""Claims about programs of every length, decided by formulas about profiles, with proofs.

What no conceivable profile refutes, no program does, whether programs have all these profiles or not: so
that is asked first, and rests on less.  Where one does, a profile is asked for that a program has.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from pysmt.fnode import FNode

from sealcheck.encodings.clauses import Clauses, Model, Proof, refutation, to_cnf
from sealcheck.encodings.listed_seals import Seals, Transmissions, listed_seals
from sealcheck.encodings.profiles import SomeProgram, SymbolicProfile
from sealcheck.encodings.sealability import SymbolicCriteria, rounds, sealable_but_not_met, still_learning
from sealcheck.encodings.solving import Answer, answer_of, fresh_formulas
from sealcheck.errors import Disagreement
from sealcheck.programs.straight_line import StraightLine
from sealcheck.theorems.checking.statement import Check, ProfileQuery
from sealcheck.words import counted

MOST_PROCESSES = 5
"""With one more, there are hundreds of thousands of seals to list."""


@dataclass(frozen=True, kw_only=True)
class Shown:
    """No profile is a model of a query: a proof that the kernel has accepted."""

    number: int
    """Of the query, among those of its claim."""
    name: str
    programs_only: bool
    """Whether the formula has only the profiles that programs have, not all conceivable ones."""
    seals: tuple[Transmissions, ...]
    """The seals that are listed, one for all that it becomes by renaming."""
    clauses: Clauses = field(repr=False)
    steps: tuple[str, ...] = field(repr=False)


def sealed_by_few(
    n: int, most: int, check: Check, needs_most: StraightLine | None = None
) -> Iterator[ProfileQuery]:
    """That so many messages seal every sealable program; and that a program needs them, if one is given.

    Sealable programs meet the criterion of `sealability`, as the first two queries show; and one that does
    is sealed by one of the seals that are listed, as the last one shows.
    """
    criterion = SymbolicCriteria.one_block

    def met(profile: SymbolicProfile) -> list[FNode]:
        return [*profile.definition(), criterion(SymbolicCriteria(profile))]

    lemma = partial(ProfileQuery, check=check, by_proof=True)
    yield lemma(f"n={n}: not met, sealable", partial(sealable_but_not_met, criterion=criterion))
    yield lemma(f"n={n}: learning after {rounds(n)} rounds", still_learning)
    name = f"n={n}: met, not sealed by {counted(most, 'message')}"
    yield ProfileQuery(name, met, check, most=most, needs_most=needs_most)


def clauses_of(
    query: ProfileQuery, n: int, *, programs_only: bool, seals: Sequence[Transmissions]
) -> Clauses:
    """What the models of a query satisfy, with those seals that are listed."""
    with fresh_formulas():
        profile = SymbolicProfile(n)
        given = _given(query, profile, SomeProgram(profile) if programs_only else None)
        return to_cnf([*given, *Seals(profile).sealed_by_none(seals)]).clauses


def ask(query: ProfileQuery, number: int, n: int) -> Shown | StraightLine:
    """A proof that no profile of n processes is a model of the query, or a program whose profile is one.

    Raises LimitReached as `minimum_seal` does.

    >>> from sealcheck.theorems.registry import statement
    >>> queries = statement("sealability").claims[0].about_profiles
    >>> len(ask(next(queries(2)), 0, 2).steps) > 1
    True
    """
    for programs_only in (False, True):
        with fresh_formulas():
            found = _asked(query, number, n, programs_only=programs_only)
        if found is not None:
            return found
    raise AssertionError("a model that is a program's gives that program")


def _given(query: ProfileQuery, profile: SymbolicProfile, some: SomeProgram | None) -> list[FNode]:
    return [*query.formulas(profile), *(some.definition() if some else [])]


def _asked(query: ProfileQuery, number: int, n: int, *, programs_only: bool) -> Shown | StraightLine | None:
    """None where there is a model, but maybe of no program."""
    profile = SymbolicProfile(n)
    some = SomeProgram(profile) if programs_only else None
    given = _given(query, profile, some)
    seals = [] if query.most is None else listed_seals(profile, given, query.most)
    if isinstance(seals, Answer):
        return some.program(seals) if some else None
    cnf = to_cnf([*given, *Seals(profile).sealed_by_none(seals)])
    match refutation(cnf.clauses):
        case Proof(steps):
            return Shown(
                number=number,
                name=query.name,
                programs_only=programs_only,
                seals=tuple(seals),
                clauses=cnf.clauses,
                steps=steps,
            )
        case Model(true) if query.most is None:
            return some.program(answer_of(cnf, true)) if some else None
        case Model():
            raise Disagreement(f"'{query.name}': a profile that is sealed by none of those listed was missed")
