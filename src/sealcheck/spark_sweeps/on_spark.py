"""Jobs on Spark: the rounds of an audit as DataFrames, and shards of the program space as tasks.

An audit works in rounds (`rounds`): it checks instances, and asks questions to which the answers are missing.
Then it checks again the instances that *wait* for these answers. A shard is a range of programs. The thread
that waits for results reacts to Ctrl-C, because only other threads talk to Java.
"""

import math
import re
import shutil
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from dataclasses import asdict
from functools import partial, reduce
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar
from uuid import uuid4

import pyarrow as pa
from py4j.protocol import Py4JError
from pyspark import SparkContext
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sql
from pyspark.sql.pandas.types import from_arrow_schema

from sealcheck.errors import InputError
from sealcheck.spark_sweeps.audit_tasks import (
    ANSWERS,
    ASKED,
    CHECKED,
    JOBS,
    KNOWN,
    RANGES,
    TO_CHECK,
    Answer,
    Check,
    Do,
    Task,
    collect_seldom,
    done,
    in_parts,
)
from sealcheck.spark_sweeps.cutting import Shard
from sealcheck.spark_sweeps.jobs import (
    Job,
    LevelChecked,
    Refused,
    Row,
    job_text,
    read_job,
    read_result,
    read_tally,
)
from sealcheck.spark_sweeps.rounds import POLL_SECONDS, Level, Outcome, Section, Setting
from sealcheck.spark_sweeps.shards import (
    DISAGREEMENTS,
    OnProgress,
    Progress,
    ShardFailed,
    checked,
    disagreements,
    run_inline,
)
from sealcheck.spark_sweeps.shards import (
    Check as ShardWork,
)
from sealcheck.support.interrupts import undone
from sealcheck.theorems.checking.statement import Tally

ATTEND_SECONDS = 1.0
"""The seconds between two looks at Spark's counts of failed tasks."""
LAST_JOBS = 3
"""The number of latest Spark jobs that are searched for failed tasks."""
CANCEL_SECONDS = 15.0
"""How many seconds this process waits for an interrupted job to stop."""
PARTS = 4
"""The number of tasks for each core. Several tasks balance the load."""
ANSWERS_OF_A_TASK = 400
FIRST_SECTION = 5.0
"""Seconds of work for each core in the first section of an audit."""
LEVEL = ["statement", "n", "messages"]
KNOWN_NAMES = [field.name for field in KNOWN]

A = TypeVar("A")

_SHARDS = pa.schema(
    {"job": pa.string(), "n": pa.int32(), "messages": pa.int32(), "start": pa.int64(), "stop": pa.int64()}
)
_REPORTED = re.compile(rf"^{re.escape(ShardFailed.__module__)}\.ShardFailed: (.*)", re.MULTILINE | re.DOTALL)


def require_shared(spark: SparkSession, folder: Path) -> None:
    """Raise InputError if some executor does not see a file that this process writes into the folder."""
    mark = folder / f".{uuid4().hex}"
    mark.touch()
    schema = pa.schema({"sees": pa.bool_()})

    def look(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Whether the executor sees the file."""
        for _ in batches:
            yield pa.RecordBatch.from_pylist([{"sees": mark.exists()}], schema=schema)

    parts = spark.sparkContext.defaultParallelism
    try:
        seen = spark.range(parts, numPartitions=parts).mapInArrow(look, from_arrow_schema(schema)).toArrow()
    finally:
        mark.unlink()
    if not all(seen["sees"].to_pylist()):
        raise InputError(
            f"not all executors see {folder}: set XDG_CACHE_HOME to a folder that all machines share"
        )


class OnSpark:
    """An engine of audits with DataFrames. Joins remove questions that are asked twice, and questions that
    are already answered."""

    largest_section = math.inf

    def __init__(self, spark: SparkSession, setting: Setting) -> None:
        self.failed = 0
        self.first_section = FIRST_SECTION * spark.sparkContext.defaultParallelism
        self._spark, self._setting = spark.newSession(), setting
        self._parts = PARTS * spark.sparkContext.defaultParallelism
        # Tables are small, and answers take long. So partitions are few, and plans are not adapted again.
        self._spark.conf.set("spark.sql.shuffle.partitions", str(spark.sparkContext.defaultParallelism))
        self._spark.conf.set("spark.sql.adaptive.enabled", "false")
        self._done = spark.sparkContext.accumulator(0)

    @property
    def done(self) -> int:
        """The number of instances and jobs that are done."""
        return int(self._done.value)

    def outcomes(
        self, sections: Sequence[Section], tick: Callable[[], None]
    ) -> Generator[Outcome, None, None]:
        """As in `Rounds`. Checks of instances and other jobs are two series of Spark jobs, done at once.

        The other jobs of later sections start only when the instances of the first section have been checked.
        So these jobs do not delay the first outcome.
        """
        outcomes: SimpleQueue[Outcome] = SimpleQueue()
        results: SimpleQueue[list[Row]] = SimpleQueue()
        shown = threading.Event()

        def check() -> None:
            try:
                for section in sections:
                    outcomes.put(self._checked(section.ranges))
                    shown.set()
            finally:
                shown.set()

        def do() -> None:
            for section in sections:
                results.put(self._results(section.jobs))
                shown.wait()

        context = self._spark.sparkContext
        running = [Running(context, check, "audit: instances"), Running(context, do, "audit: other jobs")]
        try:
            for each in running:
                each.start()
            for _ in sections:
                outcome, rows = self._next(outcomes, running, tick), self._next(results, running, tick)
                outcome.results = [(read_job(row["job"]), read_result(row["result"])) for row in rows]
                yield outcome
        finally:
            shown.set()
            for each in running:
                each.cancel()

    def _next(self, queue: "SimpleQueue[A]", running: "Sequence[Running]", tick: Callable[[], None]) -> A:
        """The next item of a queue. Raises ShardFailed if Spark gives up on a job."""
        while True:
            with suppress(Empty):
                return queue.get(timeout=POLL_SECONDS)
            for each in running:
                if each.is_over(0):
                    each.result()
            self.failed = sum(each.failed_attempts for each in running)
            tick()

    def _checked(self, ranges: Sequence[Row]) -> Outcome:
        outcome, rounds = Outcome(), list[DataFrame]()
        if not ranges:
            return outcome
        first = [row | {"only": None, "needed": [], "known": []} for row in ranges]
        rows, left = self._frame(first, TO_CHECK).repartition(min(len(first), self._parts)), len(ranges)
        with self._scratch() as written:
            while left:
                rounds.append(written(self._map(Check(self._setting.solvers), rows), CHECKED))
                left, asked = self._file(_rows(_added_up(rounds[-1])), outcome)
                if left:
                    waiting = rounds[-1].where("open > 0")
                    new = self._unanswered(waiting.select(sql.explode("asked").alias("asked")), asked)
                    self._keep(self._map(Answer(self._setting.solvers, self._setting.run), new))
                    rows = self._again(waiting, min(left, self._parts))
            self._count_abstentions(reduce(DataFrame.union, rounds), outcome)
        return outcome

    @contextmanager
    def _scratch(self) -> Iterator[Callable[[DataFrame, pa.Schema], DataFrame]]:
        """A function that writes a table and reads it again, so that Spark's plans stay small."""
        folder = self._setting.answers.folder.with_name(f".{uuid4().hex}")

        def written(rows: DataFrame, schema: pa.Schema) -> DataFrame:
            path = str(folder / uuid4().hex)
            rows.write.parquet(path)
            return self._spark.read.schema(from_arrow_schema(schema)).parquet(path)

        with undone(partial(shutil.rmtree, folder, ignore_errors=True)):
            try:
                yield written
            finally:
                shutil.rmtree(folder, ignore_errors=True)

    def _file(self, rows: Sequence[Row], outcome: Outcome) -> tuple[int, int]:
        """Add a round to the outcome. Returns the number of ranges that wait, and the number of questions
        asked."""
        for row in rows:
            if row["refused"]:
                outcome.refused[row["statement"]] = Refused(row["refused"], row["by_limit"])
            if row["claim"] is not None:
                level = outcome.levels.setdefault(_level(row), LevelChecked([]))
                level.tallies.extend(Tally() for _ in range(row["claim"] + 1 - len(level.tallies)))
                level.tallies[row["claim"]].add(read_tally(row))
        of_ranges = [row for row in rows if not row["claim"]]
        left, asked = (sum(row[name] or 0 for row in of_ranges) for name in ("left", "asked"))
        return left, asked

    def _count_abstentions(self, checked: DataFrame, outcome: Outcome) -> None:
        """Count the abstentions of each oracle at each level."""
        silent = self._answers().where(sql.size("abstained") > 0).select("key", "abstained")
        done = checked.where("open = 0")
        needed = done.select(*LEVEL, sql.explode("needed").alias("key"))
        each = needed.join(sql.broadcast(silent), "key").dropDuplicates([*LEVEL, "key"])
        oracles = each.select(*LEVEL, sql.explode("abstained").alias("oracle"))
        for row in _rows(oracles.groupBy(*LEVEL, "oracle").count()):
            outcome.levels[_level(row)].abstained[row["oracle"]] = row["count"]

    def _again(self, waiting: DataFrame, parts: int) -> DataFrame:
        """Rows of `TO_CHECK`: waiting ranges with the answers that they need. A lost answer is null."""
        answers = self._answers().select(*KNOWN_NAMES).withColumnRenamed("key", "of")
        needed = waiting.select(*RANGES.names, sql.explode("needed").alias("key"))
        found = needed.join(answers, sql.col("key") == sql.col("of"), "left")
        by_range = found.repartition(parts, *RANGES.names).groupBy(*RANGES.names)
        known = by_range.agg(sql.collect_list(sql.struct(*KNOWN_NAMES)).alias("known"))
        rows = waiting.select(*RANGES.names, sql.col("waiting").alias("only"), "needed")
        return rows.repartition(parts, *RANGES.names).join(known, RANGES.names).select(*TO_CHECK.names)

    def _unanswered(self, asked: DataFrame, number: int) -> DataFrame:
        """Rows of `ASKED`: the unanswered questions."""
        new = asked.select("asked.*").join(self._answers().select("key"), "key", "left_anti")
        parts = max(self._parts, number // ANSWERS_OF_A_TASK)
        # The key is a digest that includes the instance, so one shuffle is enough for both columns.
        once = new.repartitionByRange(parts, "instance").dropDuplicates(["instance", "key"])
        return once.select(*ASKED.names).sortWithinPartitions("instance")

    def _keep(self, answers: DataFrame) -> None:
        """Add the answers to their table as one file, since many small files are slow to read."""
        folder = str(self._setting.answers.folder)
        answers.repartition(1).write.mode("append").parquet(folder, compression="zstd")

    def _answers(self) -> DataFrame:
        """The answers that count in this audit. If two audits ran at once, an answer may come twice."""
        reader = self._spark.read.schema(from_arrow_schema(ANSWERS))
        table = reader.parquet(str(self._setting.answers.folder))
        lasting = sql.col("unknown").isNull() & sql.col("disputed").isNull()
        return table.where(lasting | (sql.col("run") == self._setting.run))

    def _results(self, jobs: Sequence[Job]) -> list[Row]:
        if not jobs:
            return []
        task = Do()
        rows: list[Row] = [{"job": job_text(job)} for job in jobs]
        rows.sort(key=task.seconds, reverse=True)
        parts = min(len(rows), self._parts)
        dealt = [
            row | {"part": number % parts} for number, row in enumerate(rows)
        ]  # so all take about as long
        frame = self._frame(dealt, JOBS.append(pa.field("part", pa.int32())))
        return _rows(self._map(task, frame.repartitionById(parts, "part").select("job")))

    def _frame(self, rows: Sequence[Row], schema: pa.Schema) -> DataFrame:
        table = pa.Table.from_pylist(list(rows), schema=schema)
        return self._spark.createDataFrame(table, from_arrow_schema(schema))

    def _map(self, task: Task, rows: DataFrame) -> DataFrame:
        limits, finished = self._setting.limits, self._done

        def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            """The results of some rows, part by part."""
            collect_seldom()
            for batch in batches:
                for part in in_parts(task, batch.to_pylist()):
                    found = done(task, part, limits)
                    finished.add(sum(row.get("finished", 0) for row in found))
                    yield pa.RecordBatch.from_pylist(found, schema=task.schema)

        return rows.mapInArrow(work, from_arrow_schema(task.schema))


def _added_up(checked: DataFrame) -> DataFrame:
    """The sums of the tallies of a round, by level and claim."""
    each = checked.coalesce(1).withColumn("tally", sql.explode_outer("tallies"))
    sums = [sql.sum(f"tally.{name}").alias(name) for name in ("checked", "vacuous", "unknown")]
    least = [sql.min(f"tally.{name}").alias(name) for name in ("refuting", "disputed")]
    of_ranges = [
        sql.count_if(sql.col("open") > 0).alias("left"),
        sql.sum("asks").alias("asked"),
        sql.max("refused").alias("refused"),
        sql.bool_or("by_limit").alias("by_limit"),
    ]
    return each.groupBy(*LEVEL, sql.col("tally.claim").alias("claim")).agg(*sums, *least, *of_ranges)


def _rows(frame: DataFrame) -> list[Row]:
    found: list[Row] = frame.toArrow().to_pylist()
    return found


def _level(row: Row) -> Level:
    return row["statement"], row["n"], row["messages"]


def run(
    spark: SparkSession | None,
    shards: Sequence[Shard],
    work: ShardWork,
    schema: pa.Schema,
    *,
    description: str,
    on_progress: OnProgress | None = None,
) -> pa.Table:
    """Do the work on each shard in a Spark task. Returns the rows, in the order of the shards.

    Without a session, this process does one shard after the other. Memory holds all rows. Spark's interface
    shows the `description`.

    Raises ShardFailed if a shard fails as often as Spark tries it. Before this function raises
    KeyboardInterrupt, or an exception of `on_progress`, it cancels the job.
    """
    if not shards:
        return schema.empty_table()
    if spark is None:
        return run_inline(shards, work, schema, on_progress=on_progress)
    total, context = sum(shard.programs for shard in shards), spark.sparkContext
    finished, disputed = context.accumulator(0), context.accumulator(0)

    def task(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Do the work for each shard, check its rows, and report progress."""
        collect_seldom()
        for batch in batches:
            for shard in (Shard(**row) for row in batch.to_pylist()):
                for found in checked(shard, work, schema):
                    disputed.add(disagreements(schema, [found]) or 0)
                    yield found
                finished.add(shard.programs)

    def collect() -> pa.Table:
        return _one_by_one(spark, shards).mapInArrow(task, from_arrow_schema(schema)).toArrow().cast(schema)

    def tell() -> None:
        if on_progress:
            of_rows = disputed.value if DISAGREEMENTS in schema.names else None
            on_progress(Progress(finished.value, total, running.failed_attempts, of_rows))

    running = Running(context, collect, description)
    rows = running.followed(tell)
    if on_progress:
        on_progress(Progress(total, total, running.failed_attempts, disagreements(schema, rows.to_batches())))
    return rows


def _one_by_one(spark: SparkSession, shards: Sequence[Shard]) -> DataFrame:
    """A data frame of the shards, each in a separate partition."""
    session = spark.newSession()
    session.conf.set("spark.sql.leafNodeDefaultParallelism", str(len(shards)))
    return session.createDataFrame(pa.Table.from_pylist(list(map(asdict, shards)), schema=_SHARDS))


class Running(threading.Thread):
    """Spark jobs in a separate thread, so that the thread that waits for them reacts to Ctrl-C.

    PySpark has one connection to Java per thread. An interrupt in the middle of an exchange makes the
    connection unusable. So the waiting thread never talks to Java. The thread of this class runs the jobs,
    and a third thread counts failures and cancels the jobs.
    """

    def __init__(self, context: SparkContext, collect: Callable[[], Any], description: str) -> None:
        super().__init__(daemon=True)
        self._failed: dict[int, int] = {}
        self._context, self._collect, self._description = context, collect, description
        self._group = f"sealcheck-{uuid4().hex}"
        self._outcome: Future[Any] = Future()
        self._cancelled, self._noticed = threading.Event(), threading.Event()
        self._attendant = threading.Thread(target=self._attend, daemon=True)

    def run(self) -> None:
        """Run the jobs if they have not been cancelled."""
        if self._cancelled.is_set():
            return
        self._attendant.start()
        try:
            self._context.setJobGroup(self._group, self._description, interruptOnCancel=True)
            self._context.setLocalProperty("spark.scheduler.pool", self._description)
            self._outcome.set_result(self._collect())
        except BaseException as error:
            self._outcome.set_exception(error)
        finally:
            self._noticed.set()

    def _attend(self) -> None:
        with suppress(Py4JError):  # where Java is gone, the job's own thread says so
            while self.is_alive():
                if self._cancelled.is_set():  # again and again: the job may not have reached Spark yet
                    self._context.setLogLevel("OFF")  # tasks that are cut off are errors to Spark
                    self._context.cancelJobGroup(self._group)
                    self.join(POLL_SECONDS)
                else:
                    self._failed |= _failed_attempts(self._context, self._group)
                    self._noticed.wait(ATTEND_SECONDS)
            self._failed |= _failed_attempts(self._context, self._group)

    @property
    def failed_attempts(self) -> int:
        """The number of failed attempts of tasks."""
        return sum(self._failed.values())

    def is_over(self, seconds: float = POLL_SECONDS) -> bool:
        """Whether all jobs have ended. Waits for their end, but at most `seconds`."""
        return bool(wait([self._outcome], seconds).done)

    def followed(self, tell: Callable[[], None]) -> Any:
        """Run the jobs and return their result. Until then, call `tell` several times a second.

        If `tell` raises an exception, cancel the jobs.
        """
        try:
            self.start()
            while not self.is_over():
                tell()
        except BaseException:
            self.cancel()
            raise
        return self.result()

    def cancel(self) -> None:
        """Stop the jobs. Wait until they have ended, but at most CANCEL_SECONDS."""
        self._cancelled.set()
        self._noticed.set()
        if self.is_alive():
            self.join(CANCEL_SECONDS)

    def result(self) -> Any:
        """The result.  Raises ShardFailed if Spark gave up on a job."""
        self._attendant.join()
        try:
            return self._outcome.result()
        except (PySparkException, Py4JError) as error:
            raise _failure(str(error)) from None


def _failure(report: str) -> ShardFailed:
    """The exception of a failed task, with the task's message, from Spark's report."""
    if reported := _REPORTED.search(report):
        failure = ShardFailed(reported.group(1).strip())
    elif "Python worker exited unexpectedly" in report:
        failure = ShardFailed("the process that checked a shard has died, perhaps for lack of memory")
    else:
        failure = ShardFailed(f"Spark gave up the job: {report.strip().partition(chr(10))[0]}")
    failure.add_note(report)
    return failure


def _failed_attempts(context: SparkContext, group: str) -> dict[int, int]:
    """The number of failed tasks of each stage of the latest jobs."""
    tracker = context.statusTracker()
    jobs = [tracker.getJobInfo(job) for job in sorted(tracker.getJobIdsForGroup(group))[-LAST_JOBS:]]
    stages = [tracker.getStageInfo(stage) for job in jobs if job for stage in job.stageIds]
    return {stage.stageId: stage.numFailedTasks for stage in stages if stage}
