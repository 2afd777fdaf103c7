"""The sweep: every program of the bounded space decided, summed up level by level.

What tasks do is in `sweep_shards`.  Without a folder for the rows, they are counted where they are found;
with one, Spark SQL sums the files up.  Either way the totals are compared with counts that never enumerate.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from sealcheck.algorithms.packed.levels import NOTHING
from sealcheck.errors import Disagreement
from sealcheck.spark_sweeps import tasks
from sealcheck.spark_sweeps.columns import LevelTotals, ProgramRow, ShardRow
from sealcheck.spark_sweeps.directory import WRITTEN, open_directory, remove_unfinished
from sealcheck.spark_sweeps.shards import Check, OnProgress, Shard
from sealcheck.spark_sweeps.sweep_shards import (
    count_shard,
    counted_level,
    describe_shard,
    require_undisputed,
    shards_of,
    warm_up,
)
from sealcheck.spark_sweeps.within import LIMIT, Within, limits_hit, within_limits
from sealcheck.support.interrupts import undone
from sealcheck.support.processes import Limits
from sealcheck.words import counted

Level = tuple[int, int]


class Swept(NamedTuple):
    """What came of a sweep."""

    levels: list[LevelTotals]
    """Those that were gone through whole."""
    limits: list[str]
    """The limits that were hit: of each shard that was not done, one."""


def check_directory(spaces: Sequence[Level], out: Path) -> Sequence[str]:
    """Raise InputError unless `out` can take the rows, so that it is known before Spark starts.

    Returns the names of the files there that were damaged, and removed.
    """
    return open_directory(out, shards_of(spaces), ProgramRow.schema()).damaged


def sweep(
    spark: SparkSession,
    spaces: Sequence[Level],
    out: Path | None = None,
    *,
    limits: Limits,
    on_progress: OnProgress | None = None,
) -> Swept:
    """Sweep the spaces, with `out` into Parquet files in that folder, where a stopped sweep is taken up.

    Each shard has the `limits` for itself; levels with one that hits them are left out.  Raises InputError
    where `out` can't be used, ShardFailed where a task failed, and Disagreement where a cross-check found
    one, or the enumeration and the counts that never enumerate differ.
    """
    warm_up()

    def run(shards: Sequence[Shard], work: Check, schema: pa.Schema) -> pa.Table:
        within, what = Within(work, schema, limits), described(spaces, len(shards), len(shards_of(spaces)))
        return tasks.run(
            spark, shards, within, within.limited_schema, description=what, on_progress=on_progress
        )

    found = _counted(run, spaces) if out is None else _written(spark, run, spaces, out)
    whole = [level for level in spaces if level not in found.unfinished]
    return Swept([_checked_level(found.levels, *level) for level in whole], found.limits)


class _Found(NamedTuple):
    """The totals, of the rows that there are."""

    levels: dict[Level, LevelTotals]
    unfinished: set[Level]
    """Levels with shards that hit a limit."""
    limits: list[str]


Run = Callable[[Sequence[Shard], Check, pa.Schema], pa.Table]
"""Has work done on each shard within limits; one row for each."""


def _counted(run: Run, spaces: Sequence[Level]) -> _Found:
    shards = shards_of(spaces)
    rows = run(shards, count_shard, ShardRow.schema())
    return _Found(added_up(within_limits(rows).to_pylist()), _unfinished(shards, rows), limits_hit(rows))


def _unfinished(shards: Sequence[Shard], rows: pa.Table) -> set[Level]:
    """The levels with shards that hit a limit."""
    limits = rows[LIMIT].to_pylist()
    return {(shard.n, shard.messages) for shard, limit in zip(shards, limits, strict=True) if limit}


def described(spaces: Sequence[Level], missing: int = 0, shards: int = 0) -> str:
    """What is done, for Spark's interface; of a sweep that goes on, how many of the shards are left, too.

    >>> described([(2, 0), (2, 1), (3, 0), (3, 1)], 5, 8)
    'sweep: sealability of every program, n = 2..3, up to 1 message, 5 of 8 shards left'
    """
    first, last = min(n for n, _ in spaces), max(n for n, _ in spaces)
    most = max(messages for _, messages in spaces)
    bounds = f"n = {first}" if first == last else f"n = {first}..{last}"
    left = f", {missing} of {counted(shards, 'shard')} left" if missing < shards else ""
    return f"sweep: sealability of every program, {bounds}, up to {counted(most, 'message')}{left}"


def added_up(rows: Iterable[dict[str, Any]]) -> dict[Level, LevelTotals]:
    """The levels that the counts of shards make up.

    Raises Disagreement with the smallest program about which a cross-check disagreed.
    """
    levels: dict[Level, LevelTotals] = {}
    for row in sorted(rows, key=lambda row: (row["n"], row["messages"])):
        require_undisputed(ShardRow.read(row))
        counts = LevelTotals.read(row)
        level = counts.n, counts.messages
        levels[level] = levels[level] + counts if level in levels else counts
    return levels


def _written(spark: SparkSession, run: Run, spaces: Sequence[Level], out: Path) -> _Found:
    directory = open_directory(out, shards_of(spaces), ProgramRow.schema())
    missing = directory.missing()
    # Cancelled tasks, those that hit a limit, and those of a killed sweep that lived on while this one ran,
    # leave files.
    with undone(partial(remove_unfinished, directory.path)):
        written = run(missing, directory.writing(describe_shard), WRITTEN)
    unfinished = _unfinished(missing, written)
    levels: dict[Level, LevelTotals] = {}
    if files := directory.files(without=unfinished):  # there is no shard where no space holds a program
        rows = spark.read.parquet(*map(str, files))
        _require_agreement(spark, rows)
        levels = _levels(spark, rows)
    return _Found(levels, unfinished, limits_hit(written))


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


def _levels(spark: SparkSession, rows: DataFrame) -> dict[Level, LevelTotals]:
    summary = spark.sql(LevelTotals.select(), rows=rows)
    return {(row.n, row.messages): LevelTotals.read(row.asDict()) for row in summary.collect()}


def _checked_level(levels: dict[Level, LevelTotals], n: int, messages: int) -> LevelTotals:
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
        cross_checked=0,
        unknown=0,
        **NOTHING.counts,
    )
