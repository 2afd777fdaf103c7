"""Items of work as Spark tasks: one pickled item, one partition, one task, a few result rows.

A task costs 30 to 50 ms, so an item should take a second or more; and a core should get four
or more of them, so that slow ones even out.
"""

import pickle
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from uuid import uuid4

import pyarrow as pa
from py4j.protocol import Py4JError
from pyspark import SparkContext
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from sealcheck.spark_sweeps.garbage import collect_seldom
from sealcheck.spark_sweeps.shards import (
    DISAGREEMENTS,
    OnProgress,
    Progress,
    ShardFailed,
    W,
    Work,
    checked,
    disagreements,
)

POLL_SECONDS = 0.2
CANCEL_SECONDS = 15.0
"""How long an interrupted job may take to stop before it is left to itself."""

_ITEM = pa.schema({"item": pa.binary()})
_REPORTED = re.compile(rf"^{re.escape(ShardFailed.__module__)}\.ShardFailed: (.*)", re.MULTILINE | re.DOTALL)


def run(
    spark: SparkSession,
    items: Sequence[W],
    work: Work[W],
    schema: pa.Schema,
    *,
    description: str,
    on_progress: OnProgress | None = None,
) -> pa.Table:
    """Do every item in a Spark task of its own; the rows in the order of the items.

    The items are pickled, and so are `work` and what it refers to; functions of importable modules by
    name.  All rows are held by this process.  `description` is what Spark's interface shows.  Progress
    tells of whole items only, of their disagreements, too.  Raises ShardFailed where an item fails as
    often as Spark tries it, and cancels the job before it lets KeyboardInterrupt, or any exception of
    `on_progress`, through.
    """
    if not items:
        return schema.empty_table()
    running = Running(spark, items, work, schema, description)
    try:
        running.start()
        while not running.is_over():
            if on_progress:
                on_progress(running.progress)
    except BaseException:
        running.cancel()
        raise
    rows = running.result()
    if on_progress:
        total = sum(item.weight for item in items)
        disputed = disagreements(schema, rows.to_batches())
        on_progress(Progress(total, total, running.progress.failed, disputed))
    return rows


class Running:
    """A Spark job for a list of items: what `run` does, for those who have several of them at once.

    Whoever starts it waits until it is over, or cancels it.
    """

    def __init__(
        self, spark: SparkSession, items: Sequence[W], work: Work[W], schema: pa.Schema, description: str
    ) -> None:
        done, disputed = (spark.sparkContext.accumulator(0) for _ in range(2))

        def task(pickled: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            """What a worker does: the work for each item, checked; and it counts for whoever follows."""
            collect_seldom()
            for batch in pickled:
                for each in batch.column("item"):
                    item: W = pickle.loads(each.as_py())
                    for found in checked(item, work, schema):
                        disputed.add(disagreements(schema, [found]) or 0)
                        yield found
                    done.add(item.weight)

        def collect() -> pa.Table:
            tasks = _pickled(spark, items).mapInArrow(task, from_arrow_schema(schema))
            return tasks.toArrow().cast(schema)

        self._done, self._disputed = done, disputed
        self._total = sum(item.weight for item in items)
        self._tells = DISAGREEMENTS in schema.names
        self._job = _Job(spark.sparkContext, collect, description)

    def start(self) -> None:
        """Have Spark begin."""
        self._job.start()

    def is_over(self, seconds: float = POLL_SECONDS) -> bool:
        """Whether the job has ended, after giving it a moment to do so."""
        return bool(wait([self._job.outcome], seconds).done)

    @property
    def outcome(self) -> Future[pa.Table]:
        """Done when the job has ended; what it then holds, `result` knows better."""
        return self._job.outcome

    @property
    def progress(self) -> Progress:
        """How far it has come."""
        disputed = self._disputed.value if self._tells else None
        return Progress(self._done.value, self._total, self._job.failed_attempts, disputed)

    def cancel(self) -> None:
        """Stop the job, and wait until it has stopped or CANCEL_SECONDS have passed."""
        self._job.cancel()

    def result(self) -> pa.Table:
        """The rows of a job that is over.  Raises ShardFailed where Spark gave it up."""
        return self._job.result()


def _pickled(spark: SparkSession, items: Sequence[W]) -> DataFrame:
    """One row for each item, in order, each in a partition of its own without a shuffle."""
    session = spark.newSession()
    session.conf.set("spark.sql.leafNodeDefaultParallelism", str(len(items)))
    return session.createDataFrame(pa.table([[pickle.dumps(item) for item in items]], schema=_ITEM))


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
        self.outcome: Future[pa.Table] = Future()
        self._cancelled = threading.Event()
        self._attendant = threading.Thread(target=self._attend, daemon=True)

    def run(self) -> None:
        """Run the job unless it has been cancelled already."""
        if self._cancelled.is_set():
            return
        self._attendant.start()
        try:
            self._context.setJobGroup(self._group, self._description, interruptOnCancel=True)
            self.outcome.set_result(self._collect())
        except BaseException as error:
            self.outcome.set_exception(error)

    def _attend(self) -> None:
        with suppress(Py4JError):  # where Java is gone, the job's own thread says so
            while self.is_alive():
                if self._cancelled.is_set():  # again and again: the job may not have reached Spark yet
                    self._context.setLogLevel("OFF")  # tasks that are cut off are errors to Spark
                    self._context.cancelJobGroup(self._group)
                else:
                    self.failed_attempts = _failed_attempts(self._context, self._group)
                self.join(POLL_SECONDS)

    def cancel(self) -> None:
        """Stop the job, and wait until it has stopped or CANCEL_SECONDS have passed."""
        self._cancelled.set()
        if self.is_alive():
            self.join(CANCEL_SECONDS)

    def result(self) -> pa.Table:
        """The rows of a job that is over.  Raises ShardFailed where Spark gave it up."""
        self._attendant.join()
        try:
            return self.outcome.result()
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
