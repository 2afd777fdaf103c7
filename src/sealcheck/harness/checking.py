"""Checking statements: instance by instance over a range, a level at once, and without a hypothesis.

Everything here works on a range of an indexed domain, so it runs the same in a plain loop and in a
Spark task.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import log
from typing import Any

from sealcheck.encodings.solvers import SMT_SOLVERS
from sealcheck.encodings.solving import Status, fresh_formulas, open_solver
from sealcheck.errors import Disagreement, LimitReached
from sealcheck.every_n.record import Established, established
from sealcheck.every_n.theorem import Theorem
from sealcheck.harness.answering import SECONDS, Known, NotYetKnown, inline
from sealcheck.harness.every_length import MOST_PROCESSES, Shown
from sealcheck.harness.every_length import ask as ask_profiles
from sealcheck.harness.statement import Ask, Claim, Growth, Outcome, ProfileQuery, Query, Statement, Verdict
from sealcheck.questions.instance import Instance
from sealcheck.questions.minimal_seal import MINIMAL_SEAL
from sealcheck.questions.question import Asked

EVERY_LENGTH = 3
"""The largest n for which all profiles are gone through one by one; with more processes, formulas decide."""

Counts = tuple[tuple[int, int], ...]
"""Sizes of inputs, and how much was counted for each."""


@dataclass(slots=True)
class Tally:
    """What a part of a check has found about one claim.

    `refuting` and `disputed` hold the smallest instance on which, in that order, the claim is wrong,
    and the oracles contradict each other.
    """

    checked: int = 0
    vacuous: int = 0
    """Of these: instances that do not meet the hypotheses of the claim."""
    unknown: int = 0
    refuting: Instance | None = None
    disputed: Instance | None = None
    dispute: str = ""
    """What each oracle said about what was asked of the disputed instance."""

    def add(self, other: "Tally") -> None:
        """Take over what another part has found."""
        self.checked += other.checked
        self.vacuous += other.vacuous
        self.unknown += other.unknown
        if other.refuting is not None:
            self.refute(other.refuting)
        if other.disputed is not None:
            self.disagree(other.disputed, other.dispute)

    def refute(self, instance: Instance) -> None:
        """Keep the smaller of two counterexamples."""
        if self.refuting is None or instance.size < self.refuting.size:
            self.refuting = instance

    def disagree(self, instance: Instance, dispute: str) -> None:
        """Keep the smaller of two disagreements."""
        if self.disputed is None or instance.size < self.disputed.size:
            self.disputed, self.dispute = instance, dispute

    def check(self, claim: Claim, instance: Instance, ask: Ask) -> None:
        """Check one more instance.  Raises NotYetKnown, and counts nothing, where an answer is missing."""
        assert claim.check is not None
        try:
            outcome = claim.check(instance, ask)
        except LimitReached:
            self.unknown += 1
        except Disagreement as dispute:
            self.disagree(instance, str(dispute))
        else:
            self.vacuous += outcome is Outcome.VACUOUS
            if outcome is Outcome.FAILS:
                self.refute(instance)
        self.checked += 1


def total(tallies: Sequence[Tally]) -> Tally:
    """All of them together."""
    found = Tally()
    for tally in tallies:
        found.add(tally)
    return found


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
    assert claim.whole_space is not None
    with fresh_formulas(), open_solver(solver, seconds=SECONDS) as opened:
        for query in claim.whole_space(n, messages):
            answer = opened.ask(query.formulas)
            tally.checked += 1
            if answer.status is Status.UNKNOWN:
                tally.unknown += 1
            elif answer.status is Status.SAT:
                confirm(claim, query, query.instance(answer).canonical(), tally)
    return tally


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
    """Look for counterexamples to a claim, by its number, among programs of any length."""
    claim = statement.claims[number]
    if n > EVERY_LENGTH:
        return by_formulas(claim, n).tally
    assert claim.every_length is not None
    tally = Tally(checked=1)
    if (instance := claim.every_length(n)) is not None:
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


@dataclass(frozen=True)
class Ablation:
    """What became of a claim without one of its hypotheses."""

    breaking: Instance | None
    """The smallest instance on which it then fails."""
    n: int
    messages: int
    """How far instances were looked for."""
    unknown: bool = False
    """A limit was hit on the way."""


def ablate(
    statement: Statement,
    hypothesis: int,
    spaces: Sequence[tuple[int, int]],
    known: Mapping[Asked[Any], object] | None = None,
) -> Ablation:
    """Drop a hypothesis and go through the levels, smallest first, until a claim fails.

    >>> from sealcheck.theorems.registry import statement
    >>> about = statement("graph-cause-largest")
    >>> number = [h.name for h in about.hypotheses].index("balanced")
    >>> str(ablate(about, number, [(2, 1), (2, 2)]).breaking)
    'snd 1->2; rcv 1<-2; rcv 2<-1'
    """
    without = statement.hypotheses[hypothesis].without
    assert without is not None
    n, messages = max(n for n, _ in spaces), max(messages for _, messages in spaces)
    unknown = False
    for level in spaces:
        try:
            with inline(known=known) as ask:
                breaking = without(*level, ask)
        except LimitReached:
            unknown = True
            continue
        if breaking is not None:
            return Ablation(breaking, n, messages, unknown)
    return Ablation(None, n, messages, unknown)


def count(growth: Growth) -> Counts:
    """What the claim about growth counts, for every size."""
    return tuple(growth.counts())


def fitted_exponent(counts: Counts) -> float:
    """The exponent e for which the last count is to the one before as the sizes to the power of e.

    >>> fitted_exponent(((2, 4), (4, 16), (8, 64)))
    2.0
    """
    (size, few), (larger, many) = counts[-2:]
    return log(many / few) / log(larger / size)


TOLERANCE = 0.25
"""How far above a claimed exponent a fitted one may be: lower-order terms fade slowly."""


def grows_faster(growth: Growth, counts: Counts) -> bool:
    """Whether the counts contradict the claim."""
    return fitted_exponent(counts) > growth.exponent + TOLERANCE


def on_record(claim: Claim) -> tuple[Established, ...]:
    """The theorems that together are the claim, if all of them are on record."""
    return _all_established(claim.theorems)


def refutations_on_record(claim: Claim) -> tuple[Established, ...]:
    """The theorems that together say that the claim does not hold, if all of them are on record."""
    return _all_established(claim.refutations)


def _all_established(theorems: Sequence[Theorem]) -> tuple[Established, ...]:
    found = [established(theorem) for theorem in theorems]
    return tuple(each for each in found if each) if all(found) else ()


def verdict_on(about: Statement, claim: Claim, found: Tally, counts: Counts | None) -> Verdict:
    """What follows for a claim from theorems that are on record, and from all that was found about it.

    Raises Disagreement where it was proved and is refuted.
    """
    bounded = bounded_verdict(about, claim, found, counts)
    if not on_record(claim):
        return bounded
    if bounded is Verdict.REFUTED:
        names = ", ".join(theorem.name for theorem in claim.theorems)
        raise Disagreement(f"{about.id} is proved ({names}), but fails on {found.refuting}")
    return Verdict.PROVED


def bounded_verdict(about: Statement, claim: Claim, found: Tally, counts: Counts | None) -> Verdict:
    """What follows for a claim from all that was found about it."""
    growth = claim.growth
    if found.refuting is not None or (growth and counts and grows_faster(growth, counts)):
        return Verdict.REFUTED
    if about.not_boundable:
        return Verdict.NOT_BOUNDABLE
    nothing_checked = found.checked == found.vacuous and counts is None
    return Verdict.UNKNOWN if found.unknown or nothing_checked else Verdict.VERIFIED
