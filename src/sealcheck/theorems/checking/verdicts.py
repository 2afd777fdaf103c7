"""Verdicts on claims, from checks and theorems, and the findings: the rows of the ledger."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import log

from sealcheck.errors import Disagreement
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.examples import exchange
from sealcheck.theorems.checking.hypotheses import Ablation
from sealcheck.theorems.checking.record import Established, Theorem, established
from sealcheck.theorems.checking.statement import Ask, Claim, Growth, Hypothesis, Statement, Tally, Verdict

Counts = tuple[tuple[int, int], ...]
"""Pairs of the size of an input, and a count."""

EXCHANGE = "the program in which every process sends to all others and then receives"
ONE_FAMILY = "each claim is checked by counting, on one family of programs only"


def counts(how: Callable[[int], int], *sizes: int) -> Callable[[Ask], Iterator[tuple[int, int]]]:
    """The counts at these sizes.

    >>> with inline(()) as ask:
    ...     list(counts(lambda n: n * n, 2, 4)(ask))
    [(2, 4), (4, 16)]
    """
    return lambda ask: ((n, how(n)) for n in sizes)


def of_exchange(what: str, exponent: int, how: Callable[[StraightLine], int]) -> Growth:
    """A claim about growth, counted on the programs `exchange`."""
    return Growth(f"{what}, for {EXCHANGE}", "n", exponent, counts(lambda n: how(exchange(n)), 2, 4, 8, 16))


def count(growth: Growth) -> Counts:
    """The counts of a claim about growth.

    Raises Disagreement if the oracles of its questions contradict each other.
    """
    with inline(()) as ask:
        return tuple(growth.counts(ask))


def fitted_exponent(counts: Counts) -> float:
    """The exponent of the last step: (ratio of the sizes)^exponent is the ratio of the counts.

    >>> fitted_exponent(((2, 4), (4, 16), (8, 64)))
    2.0
    """
    (size, few), (larger, many) = counts[-2:]
    return log(many / few) / log(larger / size)


TOLERANCE = 0.25
"""A fitted exponent may be larger than the claimed one by this much, since lower-order terms fade slowly."""


def grows_faster(growth: Growth, counts: Counts) -> bool:
    """Whether the counts contradict the claim.

    >>> claimed = [Growth("squares", "n", exponent, counts(lambda n: n * n, 2, 4)) for exponent in (1, 2)]
    >>> [grows_faster(growth, ((2, 4), (4, 16))) for growth in claimed]
    [True, False]
    """
    return fitted_exponent(counts) > growth.exponent + TOLERANCE


def on_record(theorems: Sequence[Theorem]) -> tuple[Established, ...]:
    """The records of these theorems. If any theorem is not on record, there are none."""
    found = [established(theorem) for theorem in theorems]
    return tuple(each for each in found if each) if all(found) else ()


def verdict_on(
    about: Statement,
    claim: Claim,
    found: Tally,
    counts: Counts | None,
    levels: Collection[tuple[int, int]] = (),
) -> Verdict:
    """The verdict on a claim, from checks and from the theorems on record.

    `levels` are the checked levels. Raises Disagreement if theorems and checks contradict each other.
    """
    bounded = bounded_verdict(about, claim, found, counts)
    name = f"{about.id}, {claim.form.value}"
    if on_record(claim.refutations):
        by = f"{name} is refuted ({_names(claim.refutations)})"
        if on_record(claim.theorems):
            raise Disagreement(f"{by}, and proved ({_names(claim.theorems)})")
        if bounded is Verdict.VERIFIED and levels and (not claim.fails_at or claim.fails_at in levels):
            raise Disagreement(f"{by}, but checking it has found no counterexample")
        return Verdict.REFUTED
    if not on_record(claim.theorems):
        return bounded
    if bounded is Verdict.REFUTED:
        raise Disagreement(f"{name} is proved ({_names(claim.theorems)}), but fails on {found.refuting}")
    return Verdict.PROVED


def _names(theorems: Sequence[Theorem]) -> str:
    return ", ".join(theorem.name for theorem in theorems)


def bounded_verdict(about: Statement, claim: Claim, found: Tally, counts: Counts | None) -> Verdict:
    """The verdict on a claim, from checks alone."""
    growth = claim.growth
    if found.refuting is not None or (growth and counts and grows_faster(growth, counts)):
        return Verdict.REFUTED
    if about.not_boundable or claim.not_boundable:
        return Verdict.NOT_BOUNDABLE
    nothing_checked = found.checked == found.vacuous and counts is None
    return Verdict.UNKNOWN if found.unknown or nothing_checked else Verdict.VERIFIED


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A row of the ledger."""

    statement: Statement
    claim: Claim
    n: int
    messages: int
    verdict: Verdict
    counterexample: Instance | None = None
    instances: int = 0
    """The number of instances that were checked one by one."""
    vacuous: int = 0
    """The number of these instances that do not meet the claim's hypotheses."""
    queries: int = 0
    """The number of whole-space queries, over all solvers."""
    unknown: int
    oracles: tuple[str, ...]
    """The oracles of all questions of the statement."""
    level_solvers: tuple[str, ...] = ()
    ablations: tuple[tuple[Hypothesis, Ablation | None], ...] = ()
    counts: Counts | None = None
    bounded: Verdict
    """The verdict from checks alone, without theorems."""
    theorems: tuple[Established, ...] = ()
    """The theorems that together are the claim, if all are on record."""
    refutations: tuple[Established, ...] = ()
    """The theorems that together refute the claim, if all are on record."""
    abstained: Mapping[str, int] = field(default_factory=dict)
    """How often each oracle could not answer."""
    trouble: str = ""
    """The reason for the verdict `error` or `unknown`. Earlier findings do not count."""

    @property
    def number(self) -> int:
        """The number of the claim among those of its statement."""
        return self.statement.claims.index(self.claim)
