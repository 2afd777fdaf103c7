"""Checking claims about programs of every length, for so many processes.

For few processes, all profiles are gone through; with more, formulas about them decide.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from sealcheck.errors import LimitReached
from sealcheck.questions.question import Instance
from sealcheck.questions.sealing import MINIMAL_SEAL
from sealcheck.theorems.checking.check import confirm, inline
from sealcheck.theorems.checking.every_length import MOST_PROCESSES, Shown
from sealcheck.theorems.checking.every_length import ask as ask_profiles
from sealcheck.theorems.checking.statement import Claim, ProfileQuery, Statement, Tally

EVERY_LENGTH = 3
"""The largest n for which all profiles are gone through one by one; with more processes, formulas decide."""


def every_length(claim: Claim, spaces: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """The n of these levels for which the claim is checked for programs of every length."""
    if claim.every_length is None:
        return ()
    most = MOST_PROCESSES if claim.about_profiles else EVERY_LENGTH
    return tuple(sorted({n for n, _ in spaces if n <= most}))


def gone_through(lengths: Sequence[int]) -> tuple[int, ...]:
    """The n of these for which all profiles are gone through, without any solver."""
    return tuple(n for n in lengths if n <= EVERY_LENGTH)


def check_every_length(statement: Statement, number: int, n: int) -> Tally:
    """Look for counterexamples to a claim, by its number, among programs of any length.

    Raises Disagreement where the oracles of what it asks contradict each other.
    """
    claim = statement.claims[number]
    if n > EVERY_LENGTH:
        return by_formulas(claim, n).tally
    assert claim.every_length is not None
    tally = Tally(checked=1)
    try:
        with inline(()) as ask:
            instance = claim.every_length(n, ask)
    except LimitReached:
        tally.unknown += 1
        return tally
    if instance is not None:
        tally.refute(instance)
    return tally


@dataclass
class Decided:
    """What formulas about profiles show of a claim."""

    tally: Tally = field(default_factory=Tally)
    shown: list[Shown] = field(default_factory=list)
    """The proofs, one for each query that has no model."""


def by_formulas(claim: Claim, n: int) -> Decided:
    """Decide a claim about programs of n processes and every length.

    As with levels, a model counts as a counterexample once the program that it describes is confirmed.

    >>> from sealcheck.theorems.registry import statement
    >>> [each.name for each in by_formulas(statement("sealability").claims[1], 3).shown]
    ['n=3: met, unsealable', 'n=3: not met, sealable', 'n=3: learning after 4 rounds']
    """
    assert claim.about_profiles is not None
    found = Decided()
    for number, query in enumerate(claim.about_profiles(n)):
        found.tally.checked += 1
        try:
            answer = ask_profiles(query, number, n)
        except LimitReached:
            found.tally.unknown += 1
            continue
        if isinstance(answer, Shown):
            found.shown.append(answer)
        else:
            confirm(replace(claim, check=query.check), query, Instance.of(answer), found.tally)
        if query.needs_most is not None:
            _check_need(query, Instance.of(query.needs_most), found.tally)
    return found


def _check_need(query: ProfileQuery, instance: Instance, tally: Tally) -> None:
    """Require that a shortest seal of the program has as many messages as is said to be needed."""
    with inline() as ask:
        if ask(MINIMAL_SEAL, instance) != query.most:
            tally.refute(instance)
