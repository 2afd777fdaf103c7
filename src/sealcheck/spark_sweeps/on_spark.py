"""Spark does the jobs of an audit; helpers do, until it has started: that takes as long as the first rows."""

import pickle
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import AbstractContextManager, ExitStack
from typing import Any, Self

import pyarrow as pa
from pyspark.sql import SparkSession

from sealcheck.spark_sweeps import tasks
from sealcheck.spark_sweeps.bundles import Bundle, Packed, do_packed
from sealcheck.spark_sweeps.crews import POLL_SECONDS, Done, Helpers
from sealcheck.spark_sweeps.shards import Progress, Row
from sealcheck.words import counted

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
        self._running: dict[Future[Any], tuple[Sequence[Bundle], tasks.Running]] = {}
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
            running = tasks.Running(spark, packed, in_a_task, PICKLED, f"audit: {_named(bundles)}")
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
        """Keep Spark until nobody needs it."""
        try:
            with self._open() as spark:
                self.cores = spark.sparkContext.defaultParallelism
                empty = [Bundle((), 0.0).packed()] * self.cores
                tasks.run(
                    spark, empty, in_a_task, PICKLED, description="audit: imports", on_progress=self._go_on
                )
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
