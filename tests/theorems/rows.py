"""Check levels of statements."""

from collections.abc import Iterable
from dataclasses import replace

from sealcheck.encodings.solvers import SMT_SOLVERS
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.check import check_instances, check_level, inline
from sealcheck.theorems.checking.statement import Check, Claim, Statement, Tally

Levels = Iterable[tuple[int, int]]


def up_to(n: int, messages: int) -> list[tuple[int, int]]:
    return [(of_n, m) for of_n in range(1, n + 1) for m in range(messages + 1)]


def checked(about: Statement, levels: Levels, solvers: tuple[str, ...] = SMT_SOLVERS) -> list[Tally]:
    tallies = [Tally() for _ in about.claims]
    for level in levels:
        for tally, found in zip(tallies, check_instances(about, *level, solvers=solvers), strict=True):
            tally.add(found)
    return tallies


def asked(
    about: Statement, levels: Levels, solvers: tuple[str, ...] = ("cadical", "z3", "cvc5"), *, claim: int = 0
) -> Tally:
    tally = Tally()
    for level in levels:
        for solver in solvers:
            tally.add(check_level(about, claim, *level, solver=solver))
    return tally


def claiming(
    about: Statement, check: Check, levels: Levels, solvers: tuple[str, ...] = SMT_SOLVERS, *, claim: int = 0
) -> Tally:
    (tally,) = checked(replace(about, claims=(replace(about.claims[claim], check=check),)), levels, solvers)
    return tally


def explained(about: Statement, instance: Instance | None, *, claim: int = 0) -> str:
    explain = about.claims[claim].explain
    assert explain is not None
    assert instance is not None
    with inline() as ask:
        return explain(instance, ask)


def is_clean(tally: Tally) -> bool:
    return (tally.refuting, tally.disputed, tally.unknown) == (None, None, 0)


def holds(*tallies: Tally) -> bool:
    return all(tally.checked and is_clean(tally) and not tally.vacuous for tally in tallies)


def only_claim(about: Statement) -> Claim:
    (claim,) = about.claims
    return claim
