"""Shards as Spark tasks: one descriptor row, one partition, one task, a few result rows.

A task costs about 30 ms, so a shard should take a second or more; and a core should get four
shards or more, so that slow ones even out.
"""

import gc
import re
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from dataclasses import asdict
from functools import cache
from uuid import uuid4

import pyarrow as pa
from py4j.protocol import Py4JJavaError
from pyspark import InheritableThread, SparkContext
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from sealcheck.spark_sweeps.shards import Check, OnProgress, Progress, Shard, ShardFailed, checked

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
    rows are held by this process.  `description` is what Spark's interface shows.  Raises
    ShardFailed where a shard fails as often as Spark tries it, and cancels the job before it
    lets KeyboardInterrupt, or any exception of `on_progress`, through.
    """
    if not shards:
        return schema.empty_table()
    context = spark.sparkContext
    programs_done = context.accumulator(0)
    total = sum(shard.programs for shard in shards)
    group = f"sealcheck-{uuid4().hex}"

    def task(descriptors: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        _freeze_imports()
        for batch in descriptors:
            for descriptor in batch.to_pylist():
                shard = Shard(**descriptor)
                yield from checked(shard, check, schema)
                programs_done.add(shard.programs)

    def collect() -> pa.Table:
        context.setJobGroup(group, description, interruptOnCancel=True)
        tasks = _descriptors(spark, shards).mapInArrow(task, from_arrow_schema(schema))
        return tasks.toArrow().cast(schema)

    def report() -> None:
        if on_progress:
            on_progress(Progress(programs_done.value, total, _failed_attempts(context, group)))

    rows = _awaited(collect, report, lambda: context.cancelJobGroup(group))
    report()
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


def _awaited(job: Callable[[], pa.Table], report: Callable[[], None], cancel: Callable[[], None]) -> pa.Table:
    """The result of `job`, which runs in a thread so that this one hears Ctrl-C at once."""
    outcome: Future[pa.Table] = Future()

    def body() -> None:
        try:
            outcome.set_result(job())
        except BaseException as error:
            outcome.set_exception(error)

    InheritableThread(target=body, daemon=True).start()
    try:
        while not wait([outcome], POLL_SECONDS).done:
            report()
    except BaseException:
        deadline = time.monotonic() + CANCEL_SECONDS
        while not outcome.done() and time.monotonic() < deadline:
            cancel()  # again and again: the job may not have reached Spark yet
            wait([outcome], POLL_SECONDS)
        raise
    try:
        return outcome.result()
    except (PySparkException, Py4JJavaError) as error:
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
