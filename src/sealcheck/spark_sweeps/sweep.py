"""The sweep: every program of the bounded space decided, summed up level by level.

What tasks do is in `sweep_shards`.  Without a folder for the rows, they are counted where they are found;
with one, Spark SQL sums the files up.  Either way the totals are compared with counts that never enumerate.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from sealcheck.errors import Disagreement
from sealcheck.interrupts import undone
from sealcheck.spark_sweeps import tasks
from sealcheck.spark_sweeps.columns import LevelTotals, ProgramRow, ShardRow
from sealcheck.spark_sweeps.directory import WRITTEN, open_directory, remove_unfinished
from sealcheck.spark_sweeps.shards import OnProgress
from sealcheck.spark_sweeps.sweep_shards import (
    count_shard,
    counted_level,
    describe_shard,
    require_undisputed,
    shards_of,
    warm_up,
)
from sealcheck.words import counted


def check_directory(spaces: Sequence[tuple[int, int]], out: Path) -> Sequence[str]:
    """Raise InputError unless `out` can take the rows, so that it is known before Spark starts.

    Returns the names of the files there that were damaged, and removed.
    """
    return open_directory(out, shards_of(spaces), ProgramRow.schema()).damaged


def sweep(
    spark: SparkSession,
    spaces: Sequence[tuple[int, int]],
    out: Path | None = None,
    *,
    on_progress: OnProgress | None = None,
) -> list[LevelTotals]:
    """Sweep the spaces, with `out` into Parquet files in that folder, where a stopped sweep is taken up.

    Raises InputError where `out` can't be used, ShardFailed where a task failed, and Disagreement where a
    cross-check found one, or the enumeration and the counts that never enumerate differ.
    """
    warm_up()
    if out is None:
        levels = _counted(spark, spaces, on_progress)
    else:
        levels = _written(spark, spaces, out, on_progress)
    return [_checked_level(levels, n, messages) for n, messages in spaces]


def _counted(
    spark: SparkSession, spaces: Sequence[tuple[int, int]], on_progress: OnProgress | None
) -> dict[tuple[int, int], LevelTotals]:
    rows = tasks.run(
        spark,
        shards_of(spaces),
        count_shard,
        ShardRow.schema(),
        description=described(spaces),
        on_progress=on_progress,
    )
    return added_up(rows.to_pylist())


def described(spaces: Sequence[tuple[int, int]], missing: int = 0, shards: int = 0) -> str:
    """What is done, for Spark's interface; of a sweep that goes on, how many of the shards are left, too.

    >>> described([(2, 0), (2, 1), (3, 0), (3, 1)], 5, 8)
    'sweep: sealability of every program, n = 2..3, up to 1 message, 5 of 8 shards left'
    """
    first, last = min(n for n, _ in spaces), max(n for n, _ in spaces)
    most = max(messages for _, messages in spaces)
    bounds = f"n = {first}" if first == last else f"n = {first}..{last}"
    left = f", {missing} of {counted(shards, 'shard')} left" if missing < shards else ""
    return f"sweep: sealability of every program, {bounds}, up to {counted(most, 'message')}{left}"


def added_up(rows: Iterable[dict[str, Any]]) -> dict[tuple[int, int], LevelTotals]:
    """The levels that the counts of shards make up.

    Raises Disagreement with the smallest program about which a cross-check disagreed.
    """
    levels: dict[tuple[int, int], LevelTotals] = {}
    for row in sorted(rows, key=lambda row: (row["n"], row["messages"])):
        require_undisputed(ShardRow.read(row))
        counts = LevelTotals.read(row)
        level = counts.n, counts.messages
        levels[level] = levels[level] + counts if level in levels else counts
    return levels


def _written(
    spark: SparkSession, spaces: Sequence[tuple[int, int]], out: Path, on_progress: OnProgress | None
) -> dict[tuple[int, int], LevelTotals]:
    directory = open_directory(out, shards_of(spaces), ProgramRow.schema())
    missing = directory.missing()
    # Cancelled tasks, and those of a killed sweep that lived on while this one ran, leave files.
    with undone(partial(remove_unfinished, directory.path)):
        tasks.run(
            spark,
            missing,
            directory.writing(describe_shard),
            WRITTEN,
            description=described(spaces, len(missing), len(directory.shards)),
            on_progress=on_progress,
        )
    levels: dict[tuple[int, int], LevelTotals] = {}
    if files := directory.files():  # there is no shard where no space holds a program
        rows = spark.read.parquet(*map(str, files))
        _require_agreement(spark, rows)
        levels = _levels(spark, rows)
    return levels


def _require_agreement(spark: SparkSession, rows: DataFrame) -> None:
    """Raise Disagreement with the smallest program that has one."""
    disputed = spark.sql(
        """
        SELECT n, program, disagreement FROM {rows} WHERE disagreement IS NOT NULL
        ORDER BY n, messages, index LIMIT 1
        """,
        rows=rows,
    ).collect()
    for n, program, said in disputed:
        raise Disagreement(f"sealability, n = {n}, on {program}: {said}")


def _levels(spark: SparkSession, rows: DataFrame) -> dict[tuple[int, int], LevelTotals]:
    summary = spark.sql(LevelTotals.select(), rows=rows)
    return {(row.n, row.messages): LevelTotals.read(row.asDict()) for row in summary.collect()}


def _checked_level(levels: dict[tuple[int, int], LevelTotals], n: int, messages: int) -> LevelTotals:
    """The level, after comparing it with the counts that never enumerate."""
    level = levels.get((n, messages), _nothing(n, messages))
    there_are = counted_level(n, messages)
    if (level.programs, level.canonical) != there_are:
        raise Disagreement(
            f"n = {n}, messages = {messages}: enumerated {counted(level.programs, 'program')},"
            f" {level.canonical} up to renaming, but counted {there_are[0]} and {there_are[1]}"
        )
    return level


def _nothing(n: int, messages: int) -> LevelTotals:
    """The totals of a level without programs."""
    return LevelTotals(
        n=n,
        messages=messages,
        programs=0,
        canonical=0,
        sealable=0,
        unsealable=0,
        unconnected_yet_sealable=0,
        most_seal_messages=None,
        cross_checked=0,
        unknown=0,
    )
