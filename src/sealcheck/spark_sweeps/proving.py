"""Cube and conquer: prove that whole-space queries have no model, with one proof for each cube.

A *whole-space query* of a claim is about all programs of n processes with m messages. It has a model if one
of these programs is a counterexample. A *cube* is a part of the search space of a query. A *part* of the work
is a query, a cube, or the *cover*, which is the proof that no model is outside the cubes.

Each query is first tried as a whole. If the solver needs many conflicts (a measure of its work), the query is
split into cubes, and hard cubes into smaller cubes. So most tasks are short. The task of a part that cannot
be split may go on up to the limits of time and memory. If no limit is hit, the set of cubes is reproducible.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import KW_ONLY, asdict, dataclass, field
from enum import StrEnum
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from sealcheck.encodings.clauses import Model, Proof, refutation_within
from sealcheck.errors import Disagreement, InputError, LimitReached
from sealcheck.evidence.cubes import Cube, LevelQuery, clausal, described, numbered
from sealcheck.evidence.proofs import Part, proof_file, verify_proof
from sealcheck.kernel.reading import Rejected
from sealcheck.questions.instance import Instance
from sealcheck.spark_sweeps.cutting import Shard
from sealcheck.spark_sweeps.shards import OnProgress, Progress, Row, checked
from sealcheck.support.files import unfinished_name, whole_file
from sealcheck.support.interrupts import undone
from sealcheck.support.processes import Limits
from sealcheck.theorems.checking.check import confirm
from sealcheck.theorems.checking.statement import Tally, Verdict
from sealcheck.theorems.registry import statement
from sealcheck.words import counted

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

CONFLICTS = 100_000
"""The number of conflicts after which a part is split: some seconds of a solver's work."""
ALONE_SECONDS = 10.0
"""The seconds of work in one process before Spark starts."""


class Became(StrEnum):
    """The outcome of an attempt to prove a part."""

    PROVED = "proved"
    MODEL = "model"
    SPLIT = "split"
    """The part is too hard, and may be split."""
    UNKNOWN = "unknown"
    """A limit was hit, and the part can't be split."""
    FOREIGN = "foreign"
    """The file for the proof exists, but does not prove the part."""


SCHEMA = pa.schema({"part": pa.string(), "outcome": pa.string(), "steps": pa.int64(), "detail": pa.string()})
"""`detail` is a model (a list of its true variables), the limit that was hit, or the fault of a file."""

Run = Callable[[Sequence[Shard], Callable[[Shard], Iterator[Row]]], pa.Table]
"""Does the work on each shard, on Spark or in this process. Returns rows of `SCHEMA`, in any order."""


@dataclass
class Result:
    """The state of one query."""

    query: LevelQuery
    _: KW_ONLY
    proved: list[Cube] = field(default_factory=list)
    covered: bool = False
    """Whether the query is proved to have no model outside the cubes."""
    steps: int = 0
    """The number of steps of all proofs."""
    model: set[int] | None = None
    limits: list[str] = field(default_factory=list)

    @property
    def needs_cover(self) -> bool:
        """Whether the query was split, and no proof is missing except the cover."""
        return self.model is None and not self.limits and self.proved != [()]

    @property
    def is_proved(self) -> bool:
        """Whether all proofs exist, so the query has no model."""
        return self.model is None and not self.limits and (self.covered or self.proved == [()])


@dataclass(frozen=True, kw_only=True)
class Level:
    """The result for a claim at one level (n, messages)."""

    statement: str
    claim: int
    n: int
    messages: int
    queries: int
    proofs: int
    steps: int
    """The number of steps of all proofs."""
    verdict: Verdict
    counterexample: Instance | None
    limits: tuple[str, ...]
    """The limits that were hit."""


@contextmanager
def opened_run(master: str | None, names: str, on_progress: OnProgress) -> Iterator[Run]:
    """A function that does the shards of all rounds.

    Without a master, this process does shards for `ALONE_SECONDS` in all, beginning with those that are
    expected to be short. Spark does the rest. With a master, Spark does all shards. Spark's interface shows
    the `names`. The function raises the exceptions of `on_spark.run` and `spark_session`.
    """
    with ExitStack() as stack:
        deadline = monotonic() + (ALONE_SECONDS if master is None else 0)
        spark: SparkSession | None = None

        def run(shards: Sequence[Shard], work: Callable[[Shard], Iterator[Row]]) -> pa.Table:
            nonlocal spark
            left, rows = list(shards), list[pa.RecordBatch]()
            while left and spark is None and monotonic() < deadline:
                rows += checked(left.pop(), work, SCHEMA)
                on_progress(Progress(len(rows), len(shards), 0))
            found = pa.Table.from_batches(rows, SCHEMA)
            if not left:
                return found
            from sealcheck.spark_sweeps import on_spark
            from sealcheck.spark_sweeps.session import spark_session

            if spark is None:
                spark = stack.enter_context(spark_session(master, "sealcheck prove"))
            what = f"prove {names}: {counted(len(left), 'cube')}"
            report = partial(_of_all, on_progress, len(rows))
            others = on_spark.run(spark, left, work, SCHEMA, description=what, on_progress=report)
            return pa.concat_tables([found, others])

        yield run


def _of_all(on_progress: OnProgress, before: int, later: Progress) -> None:
    """Report Spark's progress, together with the shards that were done before."""
    on_progress(later._replace(done=later.done + before, total=later.total + before))


def prove(
    run: Run,
    levels: Sequence[tuple[str, int, int, int]],
    limits: Limits,
    folder: Path | None = None,
    *,
    conflicts: int = CONFLICTS,
) -> list[Level]:
    """Prove for each query of these levels that it has no model, or find a model.

    A level is (statement, claim, n, messages). Levels without a query are left out. A part that takes more
    than `conflicts` conflicts is split. With a `folder`, proofs are kept there, and proofs that are already
    there are checked and reused.

    Raises InputError if no level has a query, or if a file in the folder has the name of a needed proof but
    does not prove this part. Raises Disagreement if the oracles contradict a model, or if a cover has a
    model.
    """
    asked = {level: queries for level in levels if (queries := numbered(*level))}
    if not asked:
        raise InputError("these levels have no queries: nothing to prove")
    results = {query: Result(query) for queries in asked.values() for query in queries}
    with ExitStack() as stack:
        if folder is not None:
            named = {query.statement for query in results}
            stack.enter_context(undone(partial(_remove_unfinished, folder, named)))
        _ask(run, results, Attempt(limits, folder, conflicts))
    return [_level(level, list(map(results.__getitem__, asked[level]))) for level in asked]


def _remove_unfinished(folder: Path, statements: Iterable[str]) -> None:
    """Remove unfinished files of killed tasks."""
    for id in statements:
        for unfinished in folder.glob(unfinished_name(f"{id}-*.proof", "[0-9a-f]" * 32)):
            with suppress(OSError):
                unfinished.unlink()


def _ask(run: Run, results: dict[LevelQuery, Result], attempt: "Attempt") -> None:
    """Try all queries and cubes, round by round, until none is left. Then try the covers."""
    parts = [Part(query) for query in results]
    while parts:
        rows = run(_shards(parts), attempt).to_pylist()
        parts = [part for row in rows for part in _filed(row, results)]
        parts = [part for part in parts if results[part.query].model is None]
    uncovered = (result for result in results.values() if result.needs_cover)
    covers = [Part(result.query, cover=tuple(sorted(result.proved))) for result in uncovered]
    for row in run(_shards(covers), attempt).to_pylist() if covers else ():
        _file_cover(row, results)


def _shards(parts: Sequence[Part]) -> list[Shard]:
    """A shard for each part. Parts that are expected to take long come first."""
    ordered = sorted(parts, key=lambda part: (part.query.messages, part.query.n, part.cube), reverse=True)
    return [Shard(_written(part), part.query.n, part.query.messages, 0, 1) for part in ordered]


def _written(part: Part) -> str:
    fields = {"query": asdict(part.query), "cube": part.cube, "cover": part.cover}
    return json.dumps({"proof": part.file_name} | fields)


def _read(text: str) -> Part:
    fields = json.loads(text)
    cover = None if fields["cover"] is None else tuple(map(tuple, fields["cover"]))
    return Part(LevelQuery(**fields["query"]), tuple(fields["cube"]), cover)


@dataclass(frozen=True)
class Attempt:
    """The work of a task: prove that a part of a query has no model, or report why not."""

    limits: Limits
    folder: Path | None
    conflicts: int

    def __call__(self, shard: Shard) -> Iterator[Row]:
        """The single row about the part."""
        part = _read(shard.job)
        splittable = part.cover is None and bool(clausal(part.query).parts(part.cube))
        file = None if self.folder is None else self.folder / part.file_name
        if file is not None and (kept := _kept(file, part)) is not None:
            yield (shard.job, *kept)
            return
        try:
            conflicts = self.conflicts if splittable else None
            found = refutation_within(part.clauses(), self.limits, conflicts=conflicts)
        except LimitReached as limit:
            yield shard.job, Became.SPLIT if splittable else Became.UNKNOWN, 0, str(limit)
            return
        match found:
            case Model(true):
                yield shard.job, Became.MODEL, 0, json.dumps(sorted(true))
            case Proof(steps):
                if file is not None:
                    with whole_file(file) as sink:  # once only, however often the task is tried
                        sink.write(proof_file(part, steps))
                yield shard.job, Became.PROVED, len(steps), ""


def _kept(file: Path, part: Part) -> tuple[str, int, str] | None:
    """The columns of `SCHEMA` about an existing proof, without `part`. None if the part must be proved."""
    if not file.exists():
        return None
    if not file.is_file():
        return Became.FOREIGN, 0, f"{file} is not a regular file"
    try:
        shown, steps = verify_proof(file)
    except (Rejected, InputError) as reason:
        return Became.FOREIGN, 0, f"{file} is not a proof of this version: {reason}"
    if shown == part:
        return Became.PROVED, steps, ""
    if shown.query == part.query and shown.cover is not None and part.cover is not None:
        return None
    return Became.FOREIGN, 0, f"{file} is a proof of something else"


def _filed(row: dict[str, Any], results: dict[LevelQuery, Result]) -> list[Part]:
    """Record the outcome of a query or cube. Returns the cubes into which it is split.

    Raises InputError if the folder has a foreign file.
    """
    part = _read(row["part"])
    result = results[part.query]
    match Became(row["outcome"]):
        case Became.PROVED:
            result.proved.append(part.cube)
            result.steps += row["steps"]
        case Became.MODEL:
            result.model = set(json.loads(row["detail"]))
        case Became.FOREIGN:
            raise InputError(f"{row['detail']}: choose another folder")
        case Became.UNKNOWN:
            result.limits.append(f"{part.file_name}: {row['detail']}")
        case Became.SPLIT:
            return [Part(part.query, cube) for cube in clausal(part.query).parts(part.cube)]
    return []


def _file_cover(row: dict[str, Any], results: dict[LevelQuery, Result]) -> None:
    part = _read(row["part"])
    if row["outcome"] == Became.FOREIGN:
        raise InputError(f"{row['detail']}: choose another folder")
    if row["outcome"] == Became.MODEL:
        raise Disagreement(f"the cubes of {part.file_name} do not cover everything")
    result = results[part.query]
    result.covered = row["outcome"] == Became.PROVED
    result.steps += row["steps"]
    if not result.covered:
        result.limits.append(f"{part.file_name}: {row['detail']}")


def _level(level: tuple[str, int, int, int], results: Sequence[Result]) -> Level:
    id, number, n, messages = level
    claim, tally = statement(id).claims[number], Tally(checked=len(results))
    for result in results:
        if result.model is not None:
            query, instance = described(result.query, result.model)
            before = tally.unknown
            confirm(claim, query, instance, tally)
            if tally.unknown > before:
                result.limits.append(f"{query.name}: the model {instance} is not known to refute the claim")
        elif not result.is_proved:
            tally.unknown += 1
    if tally.disputed is not None:
        raise Disagreement(f"{id}, on {tally.disputed}: {tally.dispute}")
    verdict = Verdict.UNKNOWN if tally.unknown else Verdict.VERIFIED
    return Level(
        statement=id,
        claim=number,
        n=n,
        messages=messages,
        queries=len(results),
        proofs=sum(len(result.proved) + result.covered for result in results),
        steps=sum(result.steps for result in results),
        verdict=verdict if tally.refuting is None else Verdict.REFUTED,
        counterexample=tally.refuting,
        limits=tuple(limit for result in results for limit in result.limits),
    )
