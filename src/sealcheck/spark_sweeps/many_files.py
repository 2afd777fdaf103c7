"""Questions in many files, answered in Spark tasks."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir
from typing import Any

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from sealcheck.spark_sweeps.audit_tasks import collect_seldom
from sealcheck.spark_sweeps.on_spark import Running
from sealcheck.spark_sweeps.shards import OnProgress, Progress, ShardFailed

PARTS = 32
"""The largest number of tasks for each core. Many small tasks balance the load."""

Row = dict[str, Any]

FILES = pa.schema({"at": pa.int32(), "name": pa.binary()})
"""Files, each with its place in the list. Names are bytes, because file names need not be text."""
ANSWERS = pa.schema(
    {
        "at": pa.int32(),
        "verdict": pa.string(),
        "answer": pa.string(),
        "remarks": pa.string(),
        "cases": pa.string(),
        "seconds": pa.float64(),
        "error": pa.string(),
    }
)
"""Answers about files. `answer` is text or JSON, and `remarks` are for standard error. `cases` has test cases
for build servers, as JSON."""


def answers(
    spark: SparkSession, files: Sequence[str], answer: Callable[[str], Row], on_progress: OnProgress
) -> tuple[list[Row], dict[str, int]]:
    """The rows of these files in order, and the number of files with each verdict.

    Raises ShardFailed if a task fails, or if an executor does not see the current folder. Executors must also
    see the files.
    """
    context, folder = spark.sparkContext, os.getcwd()
    finished = context.accumulator(0)

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The answers to the questions in some files."""
        collect_seldom()
        if not os.path.isdir(folder):
            raise ShardFailed(f"an executor does not see the current folder, {folder}")
        with chdir(folder):
            for row in (row for batch in batches for row in batch.to_pylist()):
                found = {"at": row["at"]} | answer(os.fsdecode(row["name"]))
                finished.add(1)
                yield pa.RecordBatch.from_pylist([found], schema=ANSWERS)

    def collect() -> tuple[pa.Table, list[Any]]:
        session = spark.newSession()
        parts = min(len(files), PARTS * context.defaultParallelism)
        session.conf.set("spark.sql.leafNodeDefaultParallelism", str(parts))
        named = pa.table([range(len(files)), [*map(os.fsencode, files)]], schema=FILES)
        rows = session.createDataFrame(named).mapInArrow(work, from_arrow_schema(ANSWERS)).cache()
        try:
            return rows.toArrow(), rows.groupBy("verdict").count().collect()
        finally:
            rows.unpersist()

    running = Running(context, collect, "phases --each")
    table, counts = running.followed(
        lambda: on_progress(Progress(finished.value, len(files), running.failed_attempts))
    )
    return sorted(table.to_pylist(), key=lambda row: int(row["at"])), {each[0]: each[1] for each in counts}
