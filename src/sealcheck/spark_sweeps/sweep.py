"""The sweep: every program of the bounded space decided, summed up level by level.

What tasks do is in `examine`.  Without a folder for the rows, they are counted where they are found; with
one, Spark SQL sums the files up.  Either way the totals are compared with counts that never enumerate.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from sealcheck.errors import Disagreement
from sealcheck.spark_sweeps import tasks
from sealcheck.spark_sweeps.directory import WRITTEN, open_directory, remove_unfinished
from sealcheck.spark_sweeps.examine import (
    COUNTS,
    SCHEMA,
    count_shard,
    counted_level,
    examine_shard,
    require_undisputed,
    shards_of,
    warm_up,
)
from sealcheck.spark_sweeps.shards import OnProgress


@dataclass(frozen=True)
class Level:
    """The totals of the space (n, messages); all but `programs` count canonical programs."""

    n: int
    messages: int
    programs: int
    canonical: int
    sealable: int
    unsealable: int
    unconnected_yet_sealable: int
    """Counterexamples to `th:sealability` as printed."""
    most_seal_messages: int | None
    """The most messages that the minimum seal of a sealable program of this level has."""
    cross_checked: int
    unknown: int
    """Programs whose cross-check hit a limit."""

    def and_also(self, others: dict[str, Any]) -> "Level":
        """With the counts of other programs of the level."""
        most = [m for m in (self.most_seal_messages, others["most_seal_messages"]) if m is not None]
        added = {name: value + others[name] for name, value in asdict(self).items() if name not in _KEPT}
        return Level(self.n, self.messages, **added, most_seal_messages=max(most, default=None))


_KEPT = ("n", "messages", "most_seal_messages")


def check_directory(spaces: Sequence[tuple[int, int]], out: Path) -> None:
    """Raise InputError unless `out` can take the rows; cheap, so that it is known before Spark starts."""
    open_directory(out, shards_of(spaces), SCHEMA)


def sweep(
    spark: SparkSession,
    spaces: Sequence[tuple[int, int]],
    out: Path | None = None,
    *,
    on_progress: OnProgress | None = None,
) -> list[Level]:
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
) -> dict[tuple[int, int], Level]:
    rows = tasks.run(
        spark,
        shards_of(spaces),
        count_shard,
        COUNTS,
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
    left = f", {missing} of {shards} shards left" if missing < shards else ""
    return f"sweep: sealability of every program, {bounds}, up to {most} message{'s' * (most != 1)}{left}"


def added_up(rows: Iterable[dict[str, Any]]) -> dict[tuple[int, int], Level]:
    """The levels that the counts of shards make up.

    Raises Disagreement with the smallest program about which a cross-check disagreed.
    """
    levels: dict[tuple[int, int], Level] = {}
    for row in sorted(rows, key=lambda row: (row["n"], row["messages"])):
        require_undisputed(row)
        counts = {name: row[name] for name in Level.__dataclass_fields__}
        before = levels.get((row["n"], row["messages"]))
        levels[row["n"], row["messages"]] = Level(**counts) if before is None else before.and_also(counts)
    return levels


def _written(
    spark: SparkSession, spaces: Sequence[tuple[int, int]], out: Path, on_progress: OnProgress | None
) -> dict[tuple[int, int], Level]:
    directory = open_directory(out, shards_of(spaces), SCHEMA)
    missing = directory.missing()
    try:
        tasks.run(
            spark,
            missing,
            directory.writing(examine_shard),
            WRITTEN,
            description=described(spaces, len(missing), len(directory.shards)),
            on_progress=on_progress,
        )
    finally:  # cancelled tasks, and those of a killed sweep that lived on while this one ran, leave files
        remove_unfinished(directory.path)
    levels: dict[tuple[int, int], Level] = {}
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


def _levels(spark: SparkSession, rows: DataFrame) -> dict[tuple[int, int], Level]:
    summary = spark.sql(
        """
        SELECT n, messages,
               sum(orbit_size) AS programs,
               count(*) AS canonical,
               count_if(sealable) AS sealable,
               count_if(NOT sealable) AS unsealable,
               count_if(sealable AND NOT connected) AS unconnected_yet_sealable,
               max(minimum_messages) AS most_seal_messages,
               count_if(cross_checked) AS cross_checked,
               count(unknown) AS unknown
        FROM {rows} GROUP BY n, messages
        """,
        rows=rows,
    )
    return {(row.n, row.messages): Level(**row.asDict()) for row in summary.collect()}


def _checked_level(levels: dict[tuple[int, int], Level], n: int, messages: int) -> Level:
    """The level, after comparing it with the counts that never enumerate."""
    level = levels.get((n, messages), Level(n, messages, 0, 0, 0, 0, 0, None, 0, 0))
    counted = counted_level(n, messages)
    if (level.programs, level.canonical) != counted:
        raise Disagreement(
            f"n = {n}, messages = {messages}: enumerated {level.programs} programs, {level.canonical} up to"
            f" renaming, but counted {counted[0]} and {counted[1]}"
        )
    return level
