"""Findings, the rows of the ledger, made from all results about a statement.

A *level* (n, m) consists of all programs of n processes with m messages. A *statement* of the paper makes one
or more *claims*. An audit checks each claim on all instances of some levels. A statement also has *jobs*: an
audit asks solvers about whole levels, drops hypotheses, and counts quantities that grow.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sealcheck.encodings.solvers import SMT_SOLVERS, SOLVERS
from sealcheck.errors import Disagreement, LimitReached
from sealcheck.questions.instance import Instance
from sealcheck.spark_sweeps.jobs import (
    AskLevel,
    Contradiction,
    Counted,
    CountGrowth,
    DropHypothesis,
    Job,
    LevelChecked,
    Refused,
    Result,
)
from sealcheck.support.processes import Limits
from sealcheck.theorems import own
from sealcheck.theorems.checking.check import checked_alone
from sealcheck.theorems.checking.hypotheses import Ablation
from sealcheck.theorems.checking.statement import Statement, Tally, Verdict, total
from sealcheck.theorems.checking.verdicts import Counts, Finding, bounded_verdict, on_record, verdict_on
from sealcheck.theorems.registry import statement
from sealcheck.words import counted

Level = tuple[int, int]
"""n and the number of messages."""


@dataclass(frozen=True)
class Setup:
    """The bounds of an audit, and the solvers that it asks."""

    levels: tuple[Level, ...]
    smt: tuple[str, ...] = SMT_SOLVERS
    """The solvers that are asked about single instances."""
    at_once: tuple[str, ...] = SOLVERS
    """The solvers that are asked about whole levels."""
    limits: Limits | None = None
    """The limits of time and memory for each part of the work."""

    @classmethod
    def of(cls, levels: Sequence[Level], solver: str | None = None, limits: Limits | None = None) -> "Setup":
        """The setup with all solvers or, if a solver is given, with only this solver."""
        smt, at_once = ((solver,), (solver,)) if solver else (SMT_SOLVERS, SOLVERS)
        return cls(tuple(levels), smt, at_once, limits)

    @property
    def n(self) -> int:
        """The largest number of processes."""
        return max(n for n, _ in self.levels)

    @property
    def messages(self) -> int:
        """The largest number of messages."""
        return max(messages for _, messages in self.levels)


@dataclass(kw_only=True)
class Found:
    """All results about one statement."""

    by_instance: dict[Level, LevelChecked] = field(default_factory=dict)
    by_level: dict[tuple[int, str, Level], Tally] = field(default_factory=dict)
    """Per claim, solver and level, the solver's answer about the whole level."""
    ablations: dict[int, Ablation] = field(default_factory=dict)
    """Per hypothesis, the outcome of dropping it."""
    counts: dict[int, Counts] = field(default_factory=dict)
    """Per claim about growth, its counts."""
    contradictions: list[str] = field(default_factory=list)
    """Contradictions between oracles in jobs. The tallies have the contradictions in checks of instances."""


def findings(about: Statement, found: Found, setup: Setup) -> Iterator[Finding]:
    """The finding about each claim.

    Raises Disagreement in these cases:

    - Oracles contradict each other, or a counterexample does not refute its claim when checked again.
    - The number of instances that were checked is not the number that was counted without listing them.
    - A solver's answer about a whole level contradicts the check of its instances.

    Raises LimitReached if a limit is hit while a counterexample is checked again.
    """
    _require_agreement(about.id, found)
    for number in range(len(about.claims)):
        one_by_one = {level: _one_by_one(about, number, found, level) for level in setup.levels}
        yield _finding(about, number, found, setup, one_by_one)


def unchecked(about: Statement, refused: Refused, setup: Setup) -> Iterator[Finding]:
    """The findings about the claims of a statement that could not be checked, with the reason."""
    verdict = Verdict.UNKNOWN if refused.limit else Verdict.ERROR
    for claim in about.claims:
        yield Finding(
            statement=about,
            claim=claim,
            n=setup.n,
            messages=setup.messages,
            verdict=verdict,
            bounded=verdict,
            unknown=int(refused.limit),
            oracles=oracles(about, setup.smt),
            trouble=refused.why,
        )


def _finding(
    about: Statement, number: int, found: Found, setup: Setup, by_level: Mapping[Level, Tally]
) -> Finding:
    claim = about.claims[number]
    one_by_one = total(list(by_level.values()))
    at_once = _at_once(about, number, found, setup, by_level) if claim.whole_space else Tally()
    everything = total([one_by_one, at_once])
    ablations = {h: found.ablations.get(position) for position, h in enumerate(about.hypotheses)}
    counts = found.counts.get(number)
    abstained = Counter[str]()
    for level in found.by_instance.values():
        abstained.update(level.abstained)
    if everything.refuting is not None:
        _confirm(about, number, everything.refuting)
    return Finding(
        statement=about,
        claim=claim,
        n=setup.n,
        messages=setup.messages,
        verdict=verdict_on(about, claim, everything, counts, setup.levels),
        bounded=bounded_verdict(about, claim, everything, counts),
        theorems=on_record(claim.theorems),
        refutations=on_record(claim.refutations),
        counterexample=everything.refuting,
        instances=one_by_one.checked,
        vacuous=one_by_one.vacuous,
        queries=at_once.checked,
        unknown=everything.unknown,
        oracles=oracles(about, setup.smt),
        level_solvers=setup.at_once if claim.whole_space else (),
        ablations=tuple((hypothesis, ablations[hypothesis]) for hypothesis in claim.hypotheses),
        counts=counts,
        abstained=dict(abstained),
    )


def _confirm(about: Statement, number: int, instance: Instance) -> None:
    """Check a counterexample again with all oracles, because it may come from the cache.

    Raises Disagreement if the counterexample does not refute the claim, and LimitReached if a limit was hit.
    """
    if own.is_own(about.id):
        again = own.there(about.id, _checked_there, about.id, number, instance)
    else:
        again = checked_alone(about.claims[number], instance)
    if again.refuting is None:
        name = f"{about.id}, {about.claims[number].form.value}, n = {instance.n}"
        if again.unknown:
            raise LimitReached(f"{name}: a limit was hit in confirming the counterexample {instance}")
        raise Disagreement(
            f"{name}: {instance} refuted the claim, but did not when checked again {again.dispute}".rstrip()
        )


def _checked_there(id: str, number: int, instance: Instance) -> Tally:
    return checked_alone(statement(id).claims[number], instance)


def oracles(about: Statement, solvers: Sequence[str]) -> tuple[str, ...]:
    """The oracles that are asked about the instances of a statement, for all of its questions."""
    names = (name for question in about.questions for name in question.oracle_names(solvers))
    return tuple(dict.fromkeys(names))


def _require_agreement(id: str, found: Found) -> None:
    """Raise Disagreement if oracles disagree."""
    tallies = [tally for level in found.by_instance.values() for tally in level.tallies]
    worst = total([*tallies, *found.by_level.values()])
    if worst.disputed is not None:
        raise Disagreement(f"{id}, n = {worst.disputed.n}, on {worst.disputed}: {worst.dispute}")
    if found.contradictions:
        raise Disagreement(f"{id}: {min(found.contradictions)}")


def _one_by_one(about: Statement, number: int, found: Found, level: Level) -> Tally:
    """The result for a claim on all instances of a level."""
    if about.domain is None or about.claims[number].check is None:
        return Tally()
    tally = found.by_instance[level].tallies[number] if level in found.by_instance else Tally()
    expected = about.domain.expected(*level)
    if tally.checked != expected:
        n, messages = level
        raise Disagreement(
            f"{about.id}, n = {n}, messages = {messages}: {counted(tally.checked, 'instance')},"
            f" but counted {expected}"
        )
    return tally


def _at_once(
    about: Statement, number: int, found: Found, setup: Setup, by_level: Mapping[Level, Tally]
) -> Tally:
    """The solvers' results for whole levels."""
    everything = Tally()
    for (n, messages), one_by_one in by_level.items():
        existing = one_by_one.refuting
        for solver in setup.at_once:
            tally = found.by_level[number, solver, (n, messages)]
            other = tally.refuting
            if (other is None) != (existing is None) and not (tally.unknown or one_by_one.unknown):
                form = about.claims[number].form.value
                raise Disagreement(
                    f"{about.id} {form}, n = {n}, messages = {messages}: {solver}'s"
                    f" counterexample among all programs at once is {other}, but one by one it is {existing}"
                )
            everything.add(tally)
    return everything


ABLATION = (3, 3)
"""Hypotheses are dropped on levels of up to this n, and this number of messages."""


def jobs_of(about: Statement, setup: Setup) -> Iterator[Job]:
    """The jobs of a statement, in addition to its instances."""
    for number, claim in enumerate(about.claims):
        if claim.growth is not None:
            yield CountGrowth(about.id, number)
        for n, messages in setup.levels if claim.whole_space is not None else ():
            for solver in setup.at_once:
                yield AskLevel(about.id, number, solver, n, messages)
    most = min(ABLATION[0], setup.n), min(ABLATION[1], setup.messages)
    for number, hypothesis in enumerate(about.hypotheses):
        if hypothesis.is_dropped:
            yield DropHypothesis(about.id, number, *most)


def file_result(found: Found, job: Job, result: Result) -> None:
    """Add the result of a job to `found`.  Raises TypeError if the job cannot have a result of this type."""
    match job, result:
        case (DropHypothesis() | CountGrowth(), Contradiction(why)):
            found.contradictions.append(why)
        case AskLevel(_, claim, solver, n, messages), Tally():
            found.by_level[claim, solver, (n, messages)] = result
        case DropHypothesis(_, hypothesis), Ablation():
            found.ablations[hypothesis] = result
        case CountGrowth(_, claim), Counted(counts):
            found.counts[claim] = counts
        case _:
            raise TypeError(f"{type(result).__name__} is no result of {job}")
