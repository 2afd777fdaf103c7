"""Shards as Spark tasks.

Checks are nested functions throughout: pytest's modules cannot be imported by worker processes.
"""

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from sealcheck.programs.space import Space
from sealcheck.spark_sweeps import on_spark
from sealcheck.spark_sweeps.cutting import Shard, split
from sealcheck.spark_sweeps.shards import Check, Progress, Row, ShardFailed, run_inline
from sealcheck.spark_sweeps.sweep import WRITTEN, open_directory

LISTING = pa.schema({"program": pa.string(), "length": pa.int64(), "first": pa.bool_()})
ONE = pa.schema({"number": pa.int64()})


def listing() -> Check:
    def check(shard: Shard) -> Iterator[Row]:
        for index, program in enumerate(Space(shard.n, shard.messages).programs(shard.start, shard.stop)):
            yield str(program), program.length if index else None, index == 0

    return check


def sleeping(marks: Path) -> Check:
    def check(shard: Shard) -> Iterator[Row]:
        (marks / str(shard.start)).touch()
        time.sleep(600)
        yield (0,)

    return check


def assert_usable(spark: SparkSession) -> None:
    """Check that no task of an earlier job holds a core."""
    begun = time.monotonic()
    numbers = on_spark.run(
        spark, split("after", 1, 0, 4, 1), lambda s: [(s.start,)], ONE, description="after"
    )
    assert numbers["number"].to_pylist() == [0, 1, 2, 3]
    assert time.monotonic() - begun < 60


def test_rows_are_those_of_a_plain_loop_in_its_order(spark: SparkSession) -> None:
    shards = split("list", 3, 3, len(Space(3, 3)), 20)
    assert len(shards) > 5
    table = on_spark.run(spark, shards, listing(), LISTING, description="list")
    assert table.schema == LISTING
    assert table == run_inline(shards, listing(), LISTING)


def test_every_shard_is_a_task_of_its_own(spark: SparkSession) -> None:
    def partition(shard: Shard) -> Iterator[Row]:
        from pyspark import TaskContext

        context = TaskContext.get()
        assert context is not None
        yield (context.partitionId(),)

    table = on_spark.run(spark, split("partition", 1, 0, 37, 1), partition, ONE, description="partition")
    assert table["number"].to_pylist() == list(range(37))


def test_no_shards_run_no_job(spark: SparkSession) -> None:
    assert on_spark.run(spark, [], listing(), LISTING, description="nothing") == LISTING.empty_table()


def test_progress_grows_up_to_the_number_of_programs(spark: SparkSession) -> None:
    schema = pa.schema({"disagreements": pa.int64()})
    seen: list[Progress] = []

    def disputing(shard: Shard) -> Iterator[Row]:
        time.sleep(0.5 if shard.start else 0)
        yield (2 if shard.start < 30 else 0,)

    shards = split("disputing", 1, 0, 60, 10)
    on_spark.run(spark, shards, disputing, schema, description="disputing", on_progress=seen.append)
    assert [step.done for step in seen] == sorted(step.done for step in seen)
    assert any(0 < step.done < 60 and 0 < (step.disagreements or 0) <= 6 for step in seen)
    assert seen[-1] == (60, 60, 0, 6)


def test_a_failing_task_is_one_exception_with_its_own_message(spark: SparkSession) -> None:
    def broken(shard: Shard) -> Iterator[Row]:
        yield (1,)
        if shard.start == 2:
            raise ValueError("first line\nShardFailed: second line")

    with pytest.raises(ShardFailed) as failure:
        on_spark.run(spark, split("broken", 2, 1, 4, 1), broken, ONE, description="broken")
    expected = "broken, n = 2, messages = 1, programs 2..2: ValueError: first line\nShardFailed: second line"
    assert str(failure.value) == expected
    assert failure.value.__cause__ is None
    assert "in broken\n" in failure.value.__notes__[0]
    assert "org.apache" not in failure.value.__notes__[0]


def test_a_killed_worker_is_replaced(spark: SparkSession, tmp_path: Path) -> None:
    mark = tmp_path / "died"

    def mortal(shard: Shard) -> Iterator[Row]:
        if shard.start == 1 and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        yield (shard.start,)

    seen: list[Progress] = []
    table = on_spark.run(
        spark, split("mortal", 1, 0, 4, 1), mortal, ONE, description="mortal", on_progress=seen.append
    )
    assert table["number"].to_pylist() == [0, 1, 2, 3]
    assert (seen[-1].done, seen[-1].disagreements) == (4, None)
    assert seen[-1].failed >= 1


def test_a_worker_that_always_dies_is_reported(spark: SparkSession) -> None:
    def deadly(shard: Shard) -> Iterator[Row]:
        os.kill(os.getpid(), signal.SIGKILL)
        yield (0,)

    with pytest.raises(ShardFailed, match=r"^the process that checked a shard has died"):
        on_spark.run(spark, split("deadly", 1, 0, 1, 1), deadly, ONE, description="deadly")


def test_interrupting_cancels_the_tasks_at_once(spark: SparkSession, tmp_path: Path) -> None:
    pressed: list[float] = []

    def press() -> None:
        while not any(tmp_path.iterdir()):
            time.sleep(0.05)
        pressed.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press).start()
    with pytest.raises(KeyboardInterrupt):
        on_spark.run(spark, split("sleep", 1, 0, 8, 1), sleeping(tmp_path), ONE, description="sleep")
    assert time.monotonic() - pressed[0] < on_spark.CANCEL_SECONDS
    assert len(list(tmp_path.iterdir())) <= 2
    assert_usable(spark)


def test_an_exception_of_the_progress_callback_cancels(spark: SparkSession, tmp_path: Path) -> None:
    def fail(_: Progress) -> None:
        raise BrokenPipeError("nobody listens")

    with pytest.raises(BrokenPipeError, match="nobody listens"):
        on_spark.run(
            spark, split("sleep", 1, 0, 8, 1), sleeping(tmp_path), ONE, description="sleep", on_progress=fail
        )
    assert_usable(spark)


def test_interrupted_writing_leaves_only_whole_files(spark: SparkSession, tmp_path: Path) -> None:
    shards = split("stuck", 1, 0, 4, 1)
    opened = open_directory(tmp_path, shards, ONE)

    def stuck(shard: Shard) -> Iterator[pa.RecordBatch]:
        os.fsync = lambda _: time.sleep(600)  # of this worker, which does not outlive its task
        yield pa.record_batch([[shard.start]], schema=ONE)

    def interrupt(_: Progress) -> None:
        if list(tmp_path.glob(".shard=*.tmp")):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        on_spark.run(
            spark, shards, opened.writing(stuck), WRITTEN, description="stuck", on_progress=interrupt
        )
    assert open_directory(tmp_path, shards, ONE).missing() == shards
    assert [file.name for file in tmp_path.iterdir()] == ["_sweep.json"]
