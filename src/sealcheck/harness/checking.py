"""Checking statements: instance by instance over a range, and a level at once.

Everything here works on a range of an indexed domain, so it runs the same in a plain loop and in a
Spark task.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from pysmt.environment import Environment

from sealcheck.encodings.solvers import SMT_SOLVERS
from sealcheck.encodings.solving import Status, open_solver
from sealcheck.harness.answering import SECONDS, Known, NotYetKnown, inline
from sealcheck.harness.statement import Claim, ProfileQuery, Query, Statement
from sealcheck.harness.tally import Tally
from sealcheck.questions.asking import Asked
from sealcheck.questions.instance import Instance


@dataclass
class Checked:
    """What was found about a range of instances."""

    tallies: list[Tally]
    """One for each claim."""
    waiting: list[tuple[int, int]] = field(default_factory=list)
    """What could not be checked yet: the number of the instance in the range, and of the claim."""
    missing: dict[Asked[Any], None] = field(default_factory=dict)
    """What has to be answered first."""


def check_range(
    statement: Statement,
    n: int,
    messages: int,
    *,
    start: int,
    stop: int,
    agreed: Mapping[Asked[Any], object],
    only: Sequence[tuple[int, int]] | None = None,
) -> Checked:
    """Compare every claim with the answers that are known, on the instances of a range of the level.

    Only what is named in `only`, where that is given: what was `waiting` before.
    """
    found = Checked([Tally() for _ in statement.claims])
    if statement.domain is None:
        return found
    ask = Known(agreed)
    chosen = None if only is None else set(only)
    for at, instance in enumerate(statement.domain.instances(n, messages, start, stop)):
        for number, claim in enumerate(statement.claims):
            if claim.check is not None and (chosen is None or (at, number) in chosen):
                try:
                    found.tallies[number].check(claim, instance, ask)
                except NotYetKnown:
                    found.waiting.append((at, number))
    found.missing = ask.missing
    return found


def check_instances(
    statement: Statement,
    n: int,
    messages: int,
    start: int = 0,
    stop: int | None = None,
    *,
    solvers: Sequence[str] = SMT_SOLVERS,
) -> list[Tally]:
    """Compare every claim with the answers, on the instances of a range of the level, all in this process.

    >>> from sealcheck.theorems.registry import statement
    >>> [tally.checked for tally in check_instances(statement("graph-cause"), 2, 2)]
    [3]
    """
    tallies = [Tally() for _ in statement.claims]
    if statement.domain is None:
        return tallies
    if stop is None:
        stop = statement.domain.size(n, messages)
    with inline(solvers) as ask:
        for instance in statement.domain.instances(n, messages, start, stop):
            for tally, claim in zip(tallies, statement.claims, strict=True):
                if claim.check is not None:
                    tally.check(claim, instance, ask)
    return tallies


def check_level(statement: Statement, number: int, n: int, messages: int, *, solver: str) -> Tally:
    """Ask whether any instance of the level (n, messages) refutes the claim, all at once.

    A model counts as a counterexample once the instance that it describes is confirmed.  One
    that is not leaves the level unknown if it only shows that a proof does not apply; otherwise
    query and claim contradict each other, and it is disputed.

    >>> from sealcheck.theorems.registry import statement
    >>> check_level(statement("graph-cause"), 0, 2, 2, solver="z3").refuting
    """
    tally = Tally()
    claim = statement.claims[number]
    formulas, queries = _about_level(claim, n, messages)
    with formulas, open_solver(solver, seconds=SECONDS) as opened:
        for query in queries:
            answer = opened.ask(query.formulas)
            tally.checked += 1
            if answer.status is Status.UNKNOWN:
                tally.unknown += 1
            elif answer.status is Status.SAT:
                confirm(claim, query, query.instance(answer).canonical(), tally)
    return tally


@lru_cache(maxsize=1)
def _about_level(claim: Claim, n: int, messages: int) -> tuple[Environment, list[Query]]:
    """The queries about a level, and where their formulas are: kept for the next solver that is asked."""
    assert claim.whole_space is not None
    with Environment() as formulas:
        return formulas, list(claim.whole_space(n, messages))


def confirm(claim: Claim, query: Query | ProfileQuery, instance: Instance, tally: Tally) -> None:
    """Decide what a model of a whole-space query means, by checking the claim on the instance."""
    assert claim.check is not None
    found = Tally()
    with inline() as ask:
        found.check(claim, instance, ask)
    if found.refuting is not None:
        tally.refute(instance)
    elif found.disputed is not None:
        tally.disagree(instance, found.dispute)
    elif query.by_proof or found.unknown:
        tally.unknown += 1
    else:
        tally.disagree(instance, f"the query '{query.name}' refutes the claim, the oracles do not")
