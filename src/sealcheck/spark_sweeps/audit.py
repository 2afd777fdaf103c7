"""The audit: the paper's statements, checked on every program up to a bound.

Each statement is checked twice over: instance by instance, comparing what it predicts with what
the algorithm, the explorer and the SMT solvers find; and level by level, asking the solvers for
a counterexample among all programs of the level at once.  Both are cut into shards for Spark.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pyarrow as pa
from pyspark.sql import SparkSession

from sealcheck.encodings.solving import SMT_SOLVERS, SOLVERS
from sealcheck.errors import Disagreement
from sealcheck.language.parser import parse_straight_line
from sealcheck.programs.counting import count_canonical, count_canonical_sequences, count_programs
from sealcheck.spark_sweeps import tasks
from sealcheck.spark_sweeps.shards import OnProgress, Row, Shard, run_inline, split
from sealcheck.theorems.checking import Tally, check_level, check_programs
from sealcheck.theorems.registry import statement
from sealcheck.theorems.statement import Claim, Form, Instance, Statement, Verdict

INSTANCES_PER_SHARD = 250

SCHEMA = pa.schema({"job": pa.string(), "n": pa.int32(), "messages": pa.int32(), "tally": pa.string()})
"""`job` says what was checked (see `Job`), `messages` counts P and Q together."""


@dataclass(frozen=True)
class Job:
    """What a shard of the audit does, beside its range of programs; travels as JSON text."""

    statement: str
    solvers: tuple[str, ...]
    others: int = 0
    """Messages besides those of P."""
    form: str = ""
    """Check the level for this form, by the solvers; if empty, check program by program."""

    def __str__(self) -> str:
        return json.dumps(self.__dict__)

    @classmethod
    def parsed(cls, text: str) -> "Job":
        """The job that a shard carries."""
        fields = json.loads(text)
        return cls(fields["statement"], tuple(fields["solvers"]), fields["others"], fields["form"])


@dataclass
class Finding:
    """A row of the audit's table."""

    statement: Statement
    claim: Claim
    n: int
    messages: int
    verdict: Verdict
    counterexample: Instance | None
    instances: int
    """Canonical programs, or pairs, that were checked one by one."""
    queries: int
    """Whole-space queries asked, over all solvers."""
    unknown: int
    ways: tuple[str, ...]
    level_solvers: tuple[str, ...]


@dataclass
class _Collected:
    """All tallies of one statement, by level."""

    by_program: dict[tuple[int, int], Tally] = field(default_factory=dict)
    by_level: dict[tuple[Form, str, int, int], Tally] = field(default_factory=dict)
    """Per form and solver."""


def audit(
    spark: SparkSession | None,
    names: Sequence[str],
    spaces: Sequence[tuple[int, int]],
    *,
    solver: str | None = None,
    on_progress: OnProgress | None = None,
) -> list[Finding]:
    """Check the named statements on all spaces (n, messages).

    `solver` asks everything of that one solver instead of all.  Without `spark` the shards are
    checked in this process.  Raises Disagreement where ways to the truth, or the enumeration
    and the counts that never enumerate, contradict each other; or a solver's answer about a
    whole level contradicts what checking the level instance by instance found.
    """
    shards = [shard for name in names for shard in _shards(statement(name), spaces, solver)]
    if spark is None:
        rows = run_inline(shards, check_shard, SCHEMA, on_progress=on_progress)
    else:
        rows = tasks.run(
            spark,
            shards,
            check_shard,
            SCHEMA,
            description="audit: " + ", ".join(names),
            on_progress=on_progress,
        )
    collected: dict[str, _Collected] = {name: _Collected() for name in names}
    for row in rows.to_pylist():
        _collect(collected, row)
    return [
        finding for name in names for finding in _findings(statement(name), collected[name], spaces, solver)
    ]


def _shards(checked: Statement, spaces: Sequence[tuple[int, int]], solver: str | None) -> Iterator[Shard]:
    smt, levels = ((solver,), (solver,)) if solver else (SMT_SOLVERS, SOLVERS)
    for n, messages in spaces:
        for claim in checked.claims:
            for level_solver in levels:
                job = Job(checked.id, (level_solver,), form=claim.form.value)
                yield Shard(str(job), n, messages, 0, 1)
        for of_p in range(messages + 1) if checked.about_pairs else (messages,):
            others = messages - of_p
            programs = count_programs(n, of_p)
            instances = count_canonical_sequences(n, [of_p, others])
            size = max(1, programs * INSTANCES_PER_SHARD // max(1, instances))
            yield from split(str(Job(checked.id, smt, others)), n, of_p, programs, size)


def check_shard(shard: Shard) -> Iterator[Row]:
    """The one result row of a shard."""
    job = Job.parsed(shard.job)
    checked = statement(job.statement)
    if job.form:
        claim = next(claim for claim in checked.claims if claim.form.value == job.form)
        tally = check_level(checked, claim, shard.n, shard.messages, solver=job.solvers[0])
    else:
        tally = check_programs(
            checked, shard.n, shard.messages, job.others, shard.start, shard.stop, solvers=job.solvers
        )
    yield shard.job, shard.n, shard.messages + job.others, _to_json(tally)


def _to_json(tally: Tally) -> str:
    def pair(instance: Instance) -> list[object]:
        return [instance.n, str(instance.p), None if instance.q is None else str(instance.q)]

    return json.dumps(
        {
            "checked": tally.checked,
            "unknown": tally.unknown,
            "refuting": {form.value: pair(instance) for form, instance in tally.refuting.items()},
            "disputed": pair(tally.disputed) if tally.disputed else None,
            "answers": tally.answers,
        }
    )


def _from_json(text: str) -> Tally:
    def instance(pair: list[object]) -> Instance:
        n, p, q = pair
        assert isinstance(n, int)
        return Instance(*(parse_straight_line(str(program), n) for program in (p, q) if program is not None))

    fields = json.loads(text)
    return Tally(
        fields["checked"],
        fields["unknown"],
        {Form(form): instance(pair) for form, pair in fields["refuting"].items()},
        instance(fields["disputed"]) if fields["disputed"] else None,
        fields["answers"],
    )


def _collect(collected: dict[str, _Collected], row: dict[str, object]) -> None:
    job = Job.parsed(str(row["job"]))
    tally = _from_json(str(row["tally"]))
    found = collected[job.statement]
    n, messages = row["n"], row["messages"]
    assert isinstance(n, int)
    assert isinstance(messages, int)
    if job.form:
        found.by_level[Form(job.form), job.solvers[0], n, messages] = tally
    else:
        found.by_program.setdefault((n, messages), Tally()).add(tally)


def _require_agreement(name: str, found: _Collected) -> None:
    """Raise Disagreement with the smallest instance that any part has disputed."""
    total = Tally()
    for tally in (*found.by_program.values(), *found.by_level.values()):
        total.add(tally)
    if total.disputed is not None:
        raise Disagreement(f"{name}, n = {total.disputed.n}, on {total.disputed}: {total.answers}")


def _findings(
    checked: Statement, found: _Collected, spaces: Sequence[tuple[int, int]], solver: str | None
) -> Iterator[Finding]:
    _require_agreement(checked.id, found)
    by_program = Tally()
    for n, messages in spaces:
        tally = found.by_program.setdefault((n, messages), Tally())
        _require_all_instances(checked, n, messages, tally)
        by_program.add(tally)
    smt, levels = ((solver,), (solver,)) if solver else (SMT_SOLVERS, SOLVERS)
    for claim in checked.claims:
        total = _all_levels(checked, claim, found, spaces, levels)
        queries = total.checked
        total.add(by_program)
        counterexample = total.refuting.get(claim.form)
        verdict = Verdict.UNKNOWN if total.unknown else Verdict.VERIFIED
        yield Finding(
            checked,
            claim,
            max(n for n, _ in spaces),
            max(messages for _, messages in spaces),
            verdict if counterexample is None else Verdict.REFUTED,
            counterexample,
            by_program.checked,
            queries,
            total.unknown,
            ("algorithm", "explorer", *smt),
            levels,
        )


def _all_levels(
    checked: Statement,
    claim: Claim,
    found: _Collected,
    spaces: Sequence[tuple[int, int]],
    solvers: Sequence[str],
) -> Tally:
    """What the solvers said of whole levels, compared with what is known of the instances."""
    total = Tally()
    for n, messages in spaces:
        one_by_one = found.by_program[n, messages]
        existing = one_by_one.refuting.get(claim.form)
        for solver in solvers:
            at_once = found.by_level[claim.form, solver, n, messages]
            other = at_once.refuting.get(claim.form)
            if (other is None) != (existing is None) and not (at_once.unknown or one_by_one.unknown):
                raise Disagreement(
                    f"{checked.id} {claim.form.value}, n = {n}, messages = {messages}: {solver}'s"
                    f" counterexample among all programs at once is {other}, but one by one it is {existing}"
                )
            total.add(at_once)
    return total


def _require_all_instances(checked: Statement, n: int, messages: int, tally: Tally) -> None:
    """Compare the number of instances checked with the number that there are."""
    if checked.about_pairs:
        expected = sum(count_canonical_sequences(n, [p, messages - p]) for p in range(messages + 1))
    else:
        expected = count_canonical(n, messages)
    if tally.checked != expected:
        raise Disagreement(
            f"{checked.id}, n = {n}, messages = {messages}: {tally.checked} instances, but counted {expected}"
        )
