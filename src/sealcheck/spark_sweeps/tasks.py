"""Shards as Spark tasks: one descriptor row, one partition, one task, a few result rows.

A task costs 30 to 50 ms, so a shard should take a second or more; and a core should get four
shards or more, so that slow ones even out.
"""

import gc
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from uuid import uuid4

import pyarrow as pa
from py4j.protocol import Py4JError
from pyspark import SparkContext
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from sealcheck.spark_sweeps.shards import (
    DISAGREEMENTS,
    Check,
    OnProgress,
    Progress,
    Shard,
    ShardFailed,
    checked,
    disagreements,
)

POLL_SECONDS = 0.2
CANCEL_SECONDS = 15.0
"""How long an interrupted job may take to stop before it is left to itself."""

_DESCRIPTOR = pa.schema(
    {
        "job": pa.string(),
        "n": pa.int64(),
        "messages": pa.int64(),
        "start": pa.int64(),
        "stop": pa.int64(),
    }
)
_REPORTED = re.compile(rf"^{re.escape(ShardFailed.__module__)}\.ShardFailed: (.*)", re.MULTILINE | re.DOTALL)


def run(
    spark: SparkSession,
    shards: Sequence[Shard],
    check: Check,
    schema: pa.Schema,
    *,
    description: str,
    on_progress: OnProgress | None = None,
) -> pa.Table:
    """Check every shard in a Spark task of its own; the rows in the order of the shards.

    `check` and what it refers to are pickled; functions of importable modules by name.  All
    rows are held by this process.  `description` is what Spark's interface shows.  Progress tells of
    whole shards only, of their disagreements, too.  Raises
    ShardFailed where a shard fails as often as Spark tries it, and cancels the job before it
    lets KeyboardInterrupt, or any exception of `on_progress`, through.
    """
    if not shards:
        return schema.empty_table()
    programs_done, disputed = (spark.sparkContext.accumulator(0) for _ in range(2))
    tells = DISAGREEMENTS in schema.names
    total = sum(shard.programs for shard in shards)

    def task(descriptors: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        _freeze_imports()
        for batch in descriptors:
            for descriptor in batch.to_pylist():
                shard = Shard(**descriptor)
                for found in checked(shard, check, schema):
                    disputed.add(disagreements(schema, [found]) or 0)
                    yield found
                programs_done.add(shard.programs)

    def collect() -> pa.Table:
        tasks = _descriptors(spark, shards).mapInArrow(task, from_arrow_schema(schema))
        return tasks.toArrow().cast(schema)

    job = _Job(spark.sparkContext, collect, description)
    try:
        job.start()
        while not job.is_over():
            if on_progress:
                so_far = disputed.value if tells else None
                on_progress(Progress(programs_done.value, total, job.failed_attempts, so_far))
    except BaseException:
        job.cancel()
        raise
    rows = job.result()
    if on_progress:
        on_progress(Progress(total, total, job.failed_attempts, disagreements(schema, rows.to_batches())))
    return rows


def _descriptors(spark: SparkSession, shards: Sequence[Shard]) -> DataFrame:
    """One row for each shard, in order, each in a partition of its own without a shuffle."""
    session = spark.newSession()
    session.conf.set("spark.sql.leafNodeDefaultParallelism", str(len(shards)))
    rows = [asdict(shard) for shard in shards]
    return session.createDataFrame(pa.Table.from_pylist(rows, schema=_DESCRIPTOR))


@cache
def _freeze_imports() -> None:
    """Take what a worker process has imported out of the garbage collection after every task.

    That collection was a third of what a task costs.
    """
    gc.freeze()


class _Job(threading.Thread):
    """A Spark job in a thread of its own, so that the thread that waits for it hears Ctrl-C.

    PySpark talks to Java over one connection per thread, and an interrupt in the middle of an
    exchange leaves that connection out of step.  The thread that waits therefore never talks to
    Java: the job's thread does, and a second one that counts failures and cancels the job.
    """

    def __init__(self, context: SparkContext, collect: Callable[[], pa.Table], description: str) -> None:
        super().__init__(daemon=True)
        self.failed_attempts = 0
        self._context, self._collect, self._description = context, collect, description
        self._group = f"sealcheck-{uuid4().hex}"
        self._outcome: Future[pa.Table] = Future()
        self._cancelled = threading.Event()
        self._attendant = threading.Thread(target=self._attend, daemon=True)

    def run(self) -> None:
        """Run the job unless it has been cancelled already."""
        if self._cancelled.is_set():
            return
        self._attendant.start()
        try:
            self._context.setJobGroup(self._group, self._description, interruptOnCancel=True)
            self._outcome.set_result(self._collect())
        except BaseException as error:
            self._outcome.set_exception(error)

    def _attend(self) -> None:
        with suppress(Py4JError):  # where Java is gone, the job's own thread says so
            while self.is_alive():
                if self._cancelled.is_set():  # again and again: the job may not have reached Spark yet
                    self._context.setLogLevel("OFF")  # tasks that are cut off are errors to Spark
                    self._context.cancelJobGroup(self._group)
                else:
                    self.failed_attempts = _failed_attempts(self._context, self._group)
                self.join(POLL_SECONDS)

    def is_over(self) -> bool:
        """Whether the job has ended, after giving it a moment to do so."""
        return bool(wait([self._outcome], POLL_SECONDS).done)

    def cancel(self) -> None:
        """Stop the job, and wait until it has stopped or CANCEL_SECONDS have passed."""
        self._cancelled.set()
        if self.is_alive():
            self.join(CANCEL_SECONDS)

    def result(self) -> pa.Table:
        """The rows of a job that is over.  Raises ShardFailed where Spark gave it up."""
        self._attendant.join()
        try:
            return self._outcome.result()
        except (PySparkException, Py4JError) as error:
            raise _failure(str(error)) from None


def _failure(report: str) -> ShardFailed:
    """What a task said, taken out of what Spark says about it."""
    if reported := _REPORTED.search(report):
        failure = ShardFailed(reported.group(1).strip())
    elif "Python worker exited unexpectedly" in report:
        failure = ShardFailed("the process that checked a shard died: is there enough memory?")
    else:
        failure = ShardFailed(f"Spark gave the job up: {report.strip().partition(chr(10))[0]}")
    failure.add_note(report)
    return failure


def _failed_attempts(context: SparkContext, group: str) -> int:
    tracker = context.statusTracker()
    jobs = [tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup(group)]
    stages = [tracker.getStageInfo(stage) for job in jobs if job for stage in job.stageIds]
    return sum(stage.numFailedTasks for stage in stages if stage)
