"""Items of work as Spark tasks: one pickled item, one partition, one task, a few result rows.

A task costs 30 to 50 ms, so an item should take a second or more; and a core should get four
or more of them, so that slow ones even out.

Spark does the jobs of an audit; helpers do, until it has started: that takes as long as the first rows.
"""

import pickle
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import AbstractContextManager, ExitStack, suppress
from typing import Any, Self
from uuid import uuid4

import pyarrow as pa
from py4j.protocol import Py4JError
from pyspark import SparkContext
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from sealcheck.spark_sweeps.crews import (
    POLL_SECONDS,
    Bundle,
    Done,
    Helpers,
    Packed,
    collect_seldom,
    do_packed,
)
from sealcheck.spark_sweeps.shards import (
    DISAGREEMENTS,
    OnProgress,
    Progress,
    Row,
    ShardFailed,
    W,
    Work,
    checked,
    disagreements,
)
from sealcheck.words import counted

TASK_POLL_SECONDS = 0.2
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

    The items are pickled, and so are `work` and its references; functions of importable modules by
    name.  All rows are held by this process.  `description` is what Spark's interface shows.  Progress
    tells of whole items only, of their disagreements, too.  Raises ShardFailed if an item fails as
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

    The caller waits until it is over, or cancels it.
    """

    def __init__(
        self, spark: SparkSession, items: Sequence[W], work: Work[W], schema: pa.Schema, description: str
    ) -> None:
        done, disputed = (spark.sparkContext.accumulator(0) for _ in range(2))

        def task(pickled: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            """Do the work for each item, check its rows, and count for the progress bar."""
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

    def is_over(self, seconds: float = TASK_POLL_SECONDS) -> bool:
        """Whether the job has ended, after giving it a moment to do so."""
        return bool(wait([self._job.outcome], seconds).done)

    @property
    def outcome(self) -> Future[pa.Table]:
        """Done when the job has ended; its outcome is in `result`."""
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
        """The rows of a job that is over.  Raises ShardFailed if Spark gave it up."""
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
                self.join(TASK_POLL_SECONDS)

    def cancel(self) -> None:
        """Stop the job, and wait until it has stopped or CANCEL_SECONDS have passed."""
        self._cancelled.set()
        if self.is_alive():
            self.join(CANCEL_SECONDS)

    def result(self) -> pa.Table:
        """The rows of a job that is over.  Raises ShardFailed if Spark gave it up."""
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


PER_CORE = 4.0
"""Seconds of work that a Spark job has for each core."""
SPARK_JOBS = 2
"""At once, so that the cores that have no task of the first any more have those of the second."""

PICKLED = pa.schema({"results": pa.binary()})

OpenSpark = Callable[[], AbstractContextManager[SparkSession]]


def in_a_task(packed: Packed) -> Iterator[Row]:
    """The one row of a bundle: its results, pickled."""
    yield (do_packed(packed),)


class OnSpark:
    """Spark, and helpers until it has started."""

    def __init__(self, open_spark: OpenSpark, helpers: Helpers | None = None) -> None:
        """Calls helpers of its own, if none are given."""
        self._helpers = Helpers() if helpers is None else helpers
        self._session = _Session(open_spark)
        self._running: dict[Future[Any], tuple[Sequence[Bundle], Running]] = {}
        self._failed = 0

    def __enter__(self) -> Self:
        self._helpers.__enter__()
        self._session.start()
        return self

    def __exit__(self, *_: object) -> None:
        with ExitStack() as stack:
            stack.callback(self._session.close)
            stack.callback(self._helpers.__exit__)
            for bundles_and_job in self._running.values():
                stack.callback(bundles_and_job[1].cancel)

    @property
    def wanted(self) -> float:
        """How many seconds of work it would take now."""
        if not self._session.ready.done():
            return self._helpers.wanted
        return PER_CORE * self._session.cores if len(self._running) < SPARK_JOBS else 0.0

    @property
    def failed(self) -> int:
        """How many attempts of tasks have failed, and helpers."""
        now = sum(running.progress.failed for _, running in self._running.values())
        return self._failed + now + self._helpers.failed

    def give(self, bundles: Sequence[Bundle]) -> None:
        """Have Spark do these, or, as long as it starts, the helpers."""
        if not self._session.ready.done():
            self._helpers.give(bundles)
        elif bundles:
            spark, packed = self._session.ready.result(), [bundle.packed() for bundle in bundles]
            running = Running(spark, packed, in_a_task, PICKLED, f"audit: {_named(bundles)}")
            self._running[running.outcome] = bundles, running
            running.start()

    def done(self) -> list[Done]:
        """What has been done since the last time."""
        futures = [*self._helpers.futures, *self._running]
        if not self._session.ready.done():
            futures.append(self._session.ready)
        wait(futures, POLL_SECONDS, FIRST_COMPLETED)
        if self._session.ready.done():
            self._session.ready.result()  # or why Spark does not start
        found = self._helpers.done(0)
        for future in [future for future in self._running if future.done()]:
            bundles, running = self._running[future]
            rows = running.result().column("results")
            results = (pickle.loads(row.as_py()) for row in rows)
            found += zip(bundles, results, strict=True)
            self._failed += running.progress.failed
            del self._running[future]
        return found


class _Session(threading.Thread):
    """A thread that starts Spark, has it import what jobs need, and stops it in the end.

    So the thread that waits for it never talks to Java, and hears Ctrl-C.
    """

    def __init__(self, open_spark: OpenSpark) -> None:
        super().__init__(daemon=True)
        self.ready: Future[SparkSession] = Future()
        self.cores = 1
        self._open = open_spark
        self._leave = threading.Event()

    def run(self) -> None:
        """Keep Spark until it is no longer needed."""
        try:
            with self._open() as spark:
                self.cores = spark.sparkContext.defaultParallelism
                empty = [Bundle((), 0.0).packed()] * self.cores
                run(spark, empty, in_a_task, PICKLED, description="audit: imports", on_progress=self._go_on)
                self.ready.set_result(spark)
                self._leave.wait()
        except BaseException as error:
            if not self.ready.done():
                self.ready.set_exception(error)

    def _go_on(self, _: Progress) -> None:
        if self._leave.is_set():
            raise InterruptedError("Spark is not needed any more")

    def close(self) -> None:
        """Stop Spark, and wait for that."""
        self._leave.set()
        if self.is_alive():
            self.join()


def _named(bundles: Sequence[Bundle]) -> str:
    """What Spark's interface shows."""
    first, *others = [job for bundle in bundles for job in bundle.jobs]
    return f"{first}, and {counted(len(others), 'other job')}"
