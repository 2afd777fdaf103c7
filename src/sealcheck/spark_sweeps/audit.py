"""The audit: the paper's statements, checked up to a bound.

Each statement is checked instance by instance, comparing what it predicts with what the ways to
the truth find; level by level, asking the solvers for a counterexample among all programs of
the level at once; without each of its hypotheses; and, where that is possible, for programs of
every length.  All of it is cut into shards for Spark.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from pyspark.sql import SparkSession

from sealcheck.encodings.solving import SMT_SOLVERS, SOLVERS
from sealcheck.errors import Disagreement
from sealcheck.spark_sweeps import tasks
from sealcheck.spark_sweeps.cache import Cache
from sealcheck.spark_sweeps.jobs import SCHEMA, Job, Result, check_shard, from_json
from sealcheck.spark_sweeps.shards import OnProgress, Progress, Shard, run_inline, split
from sealcheck.theorems.checking import Ablation, Counts, Tally, every_length, verdict_on
from sealcheck.theorems.registry import statement
from sealcheck.theorems.statement import Claim, Hypothesis, Instance, Statement, Verdict

ABLATION = (3, 3)
"""The n and the messages up to which hypotheses are dropped."""
SHARDS_AT_ONCE = 96
"""Results are kept after so many shards, so that no more than these are lost."""


@dataclass
class Finding:
    """A row of the ledger: what was found about one claim."""

    statement: Statement
    claim: Claim
    n: int
    messages: int
    verdict: Verdict
    counterexample: Instance | None
    instances: int
    """How many were checked one by one."""
    vacuous: int
    """How many of these do not meet the hypotheses."""
    queries: int
    """Whole-space queries asked, over all solvers."""
    unknown: int
    ways: tuple[str, ...]
    level_solvers: tuple[str, ...]
    every_length: tuple[int, ...]
    """The n for which programs of every length were gone through."""
    ablations: tuple[tuple[Hypothesis, Ablation | None], ...]
    counts: Counts | None


@dataclass
class _Collected:
    """All results about one statement."""

    by_instance: dict[tuple[int, int], Tally] = field(default_factory=dict)
    """Per level."""
    by_level: dict[tuple[int, str, int, int], Tally] = field(default_factory=dict)
    """Per claim, solver and level."""
    every_length: dict[tuple[int, int], Tally] = field(default_factory=dict)
    """Per claim and n."""
    ablations: dict[int, Ablation] = field(default_factory=dict)
    """Per hypothesis."""
    counts: dict[int, Counts] = field(default_factory=dict)
    """Per claim."""

    def add(self, shard: Shard, result: Result) -> None:
        """File what a shard has found."""
        job = Job.parsed(shard.job)
        level = shard.n, shard.messages
        match result:
            case Ablation():
                self.ablations[job.number] = result
            case tuple():
                self.counts[job.number] = result
            case Tally() if job.kind == "level":
                self.by_level[job.number, job.solvers[0], *level] = result
            case Tally() if job.kind == "every length":
                self.every_length[job.number, shard.n] = result
            case Tally():
                self.by_instance.setdefault(level, Tally()).add(result)


OpenSpark = Callable[[], AbstractContextManager[SparkSession | None]]
"""Starts Spark, or, where it yields None, has the shards checked in this process."""


def audit(
    open_spark: OpenSpark,
    names: Sequence[str],
    spaces: Sequence[tuple[int, int]],
    *,
    solver: str | None = None,
    cache: Cache | None = None,
    on_progress: OnProgress | None = None,
) -> list[Finding]:
    """Check the named statements on all spaces (n, messages).

    `solver` asks everything of that one solver instead of all.  What `cache` has is not checked
    again; Spark is started only if something is left to do.  Raises Disagreement where ways to
    the truth, or the enumeration and the counts that never enumerate, contradict each other; or a
    solver's answer about a whole level contradicts what checking it instance by instance found.
    """
    shards = [shard for name in names for shard in _shards(statement(name), spaces, solver)]
    kept = {shard: cache.get(shard) if cache else None for shard in shards}
    results = {shard: result for shard, result in kept.items() if result is not None}
    missing = [shard for shard in shards if shard not in results]
    if missing:
        with open_spark() as spark:
            results |= _done(spark, missing, cache, on_progress)
    collected: dict[str, _Collected] = {name: _Collected() for name in names}
    for shard in shards:
        collected[Job.parsed(shard.job).statement].add(shard, from_json(results[shard]))
    return [
        finding for name in names for finding in _findings(statement(name), collected[name], spaces, solver)
    ]


def _done(
    spark: SparkSession | None, missing: Sequence[Shard], cache: Cache | None, on_progress: OnProgress | None
) -> dict[Shard, str]:
    """The results of these shards, by doing what they say."""
    results: dict[Shard, str] = {}
    done, total = 0, sum(shard.programs for shard in missing)

    def follow(part: Progress) -> None:
        if on_progress:
            on_progress(Progress(done + part.done, total, part.failed))

    for first in range(0, len(missing), SHARDS_AT_ONCE):
        part = missing[first : first + SHARDS_AT_ONCE]
        if spark is None:
            rows = run_inline(part, check_shard, SCHEMA, on_progress=follow)
        else:
            named = ", ".join(dict.fromkeys(Job.parsed(shard.job).statement for shard in part))
            rows = tasks.run(
                spark, part, check_shard, SCHEMA, description=f"audit: {named}", on_progress=follow
            )
        for shard, result in zip(part, rows.column("result").to_pylist(), strict=True):
            results[shard] = result
            if cache and not _may_change(from_json(result)):
                cache.put(shard, result)
        done += sum(shard.programs for shard in part)
    return results


def _may_change(result: Result) -> bool:
    """Whether the next run may get further: a limit was hit."""
    return isinstance(result, Tally | Ablation) and bool(result.unknown)


def _solvers(solver: str | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Who is asked about instances, and who about levels."""
    return ((solver,), (solver,)) if solver else (SMT_SOLVERS, SOLVERS)


def _shards(about: Statement, spaces: Sequence[tuple[int, int]], solver: str | None) -> Iterator[Shard]:
    smt, levels = _solvers(solver)
    for number, claim in enumerate(about.claims):
        if claim.growth is not None:
            yield Shard(str(Job(about.id, "growth", number)), 0, 0, 0, 1)
    for number, claim in enumerate(about.claims):
        for n in every_length(claim, spaces):
            yield Shard(str(Job(about.id, "every length", number)), n, 0, 0, 1)
    for n, messages in spaces:
        for number, claim in enumerate(about.claims):
            for level_solver in levels if claim.whole_space is not None else ():
                yield Shard(str(Job(about.id, "level", number, (level_solver,))), n, messages, 0, 1)
        if about.domain is not None:
            indices = about.domain.size(n, messages)
            instances = max(1, about.domain.expected(n, messages))
            size = max(1, indices * about.per_shard // instances)
            yield from split(str(Job(about.id, "instances", solvers=smt)), n, messages, indices, size)
    most_n = min(ABLATION[0], max(n for n, _ in spaces))
    most_messages = min(ABLATION[1], max(messages for _, messages in spaces))
    for number, hypothesis in enumerate(about.hypotheses):
        if hypothesis.without is not None:
            yield Shard(str(Job(about.id, "hypothesis", number)), most_n, most_messages, 0, 1)


def _require_agreement(name: str, found: _Collected) -> None:
    """Raise Disagreement with the smallest instance that any part has disputed."""
    total = Tally()
    for tally in (*found.by_instance.values(), *found.by_level.values()):
        total.add(tally)
    if total.disputed is not None:
        raise Disagreement(f"{name}, n = {total.disputed.n}, on {total.disputed}: {total.answers}")


def _findings(
    about: Statement, found: _Collected, spaces: Sequence[tuple[int, int]], solver: str | None
) -> Iterator[Finding]:
    _require_agreement(about.id, found)
    one_by_one = Tally()
    for n, messages in spaces:
        tally = found.by_instance.setdefault((n, messages), Tally())
        _require_all_instances(about, n, messages, tally)
        one_by_one.add(tally)
    smt, levels = _solvers(solver)
    for number, claim in enumerate(about.claims):
        lengths = every_length(claim, spaces)
        at_once = _all_levels(about, number, found, spaces, levels) if claim.whole_space else Tally()
        total = Tally()
        for tally in (one_by_one, at_once, *(found.every_length[number, n] for n in lengths)):
            total.add(tally)
        yield Finding(
            about,
            claim,
            max(n for n, _ in spaces),
            max(messages for _, messages in spaces),
            verdict_on(about, number, total, found.counts.get(number)),
            total.refuting.get(number),
            one_by_one.checked,
            one_by_one.vacuous,
            at_once.checked,
            total.unknown,
            (*about.ways, *(smt if about.smt is not None else ())),
            levels if claim.whole_space else (),
            lengths,
            tuple((h, found.ablations.get(position)) for position, h in enumerate(about.hypotheses)),
            found.counts.get(number),
        )


def _all_levels(
    about: Statement,
    number: int,
    found: _Collected,
    spaces: Sequence[tuple[int, int]],
    solvers: Sequence[str],
) -> Tally:
    """What the solvers said of whole levels, compared with what is known of the instances."""
    total = Tally()
    for n, messages in spaces:
        one_by_one = found.by_instance[n, messages]
        existing = one_by_one.refuting.get(number)
        for solver in solvers:
            at_once = found.by_level[number, solver, n, messages]
            other = at_once.refuting.get(number)
            if (other is None) != (existing is None) and not (at_once.unknown or one_by_one.unknown):
                form = about.claims[number].form.value
                raise Disagreement(
                    f"{about.id} {form}, n = {n}, messages = {messages}: {solver}'s"
                    f" counterexample among all programs at once is {other}, but one by one it is {existing}"
                )
            total.add(at_once)
    return total


def _require_all_instances(about: Statement, n: int, messages: int, tally: Tally) -> None:
    """Compare the number of instances checked with the number that there are."""
    expected = 0 if about.domain is None else about.domain.expected(n, messages)
    if tally.checked != expected:
        raise Disagreement(
            f"{about.id}, n = {n}, messages = {messages}: {tally.checked} instances, but counted {expected}"
        )
