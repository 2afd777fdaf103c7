"""The sweep: every program of the bounded space, decided and cross-checked, one row each.

A row is a canonical program (one for each class of programs that differ in the names of the
processes) with what the algorithms say of it.  On a level of up to `SAMPLE` canonical
programs all are cross-checked by the explorer and the SMT solvers; on a larger one a seeded
sample of about that many.
"""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from sealcheck.algorithms.minimum_seal import minimum_or_unsealable
from sealcheck.algorithms.sealability import Problem, Sealable, closed_channel_graph, is_connected
from sealcheck.algorithms.signature import signature
from sealcheck.encodings.solving import SMT_SOLVERS, Solver, fresh_formulas, open_solver
from sealcheck.errors import Disagreement
from sealcheck.programs.counting import count_canonical, count_programs
from sealcheck.programs.straight_line import StraightLine
from sealcheck.spark_sweeps import tasks
from sealcheck.spark_sweeps.directory import WRITTEN, open_directory, remove_unfinished
from sealcheck.spark_sweeps.shards import OnProgress, Row, Shard, split
from sealcheck.theorems.checking import SECONDS
from sealcheck.theorems.domains import indexed_space
from sealcheck.theorems.registry import statement
from sealcheck.theorems.statement import Instance

SAMPLE = 1_000
"""Canonical programs of a level that are cross-checked, about."""
SEED = 2026
PROGRAMS_PER_SHARD = 2_000

SCHEMA = pa.schema(
    {
        "n": pa.int32(),
        "messages": pa.int32(),
        "index": pa.int64(),
        "program": pa.string(),
        "orbit_size": pa.int32(),
        "open_channels": pa.int32(),
        "connected": pa.bool_(),
        "sealable": pa.bool_(),
        "minimum_messages": pa.int32(),
        "cross_checked": pa.bool_(),
        "disagreement": pa.string(),
    }
)
"""`index` is the program's index in its space; `connected` is the printed criterion of
`th:sealability`; `minimum_messages` is null where there is no seal, and `disagreement` where
the cross-check found none."""


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


def shards_of(spaces: Sequence[tuple[int, int]]) -> list[Shard]:
    """The shards for some spaces (n, messages).  They do not depend on the machine."""
    shards = []
    for n, messages in spaces:
        programs, canonical = _counted(n, messages)
        size = PROGRAMS_PER_SHARD // 4 if canonical <= SAMPLE else PROGRAMS_PER_SHARD
        shards += split("sweep", n, messages, programs, size)
    return shards


@cache
def _counted(n: int, messages: int) -> tuple[int, int]:
    """All programs, and the canonical ones, counted once in a process: (4, 6) takes seconds."""
    return count_programs(n, messages), count_canonical(n, messages)


def check_directory(spaces: Sequence[tuple[int, int]], out: Path) -> None:
    """Raise InputError unless `out` can take the rows; cheap, so that it is known before Spark starts."""
    open_directory(out, shards_of(spaces), SCHEMA)


def sweep(
    spark: SparkSession,
    spaces: Sequence[tuple[int, int]],
    out: Path,
    *,
    on_progress: OnProgress | None = None,
) -> list[Level]:
    """Sweep the spaces into Parquet files in the folder `out`, and sum them up with Spark SQL.

    Takes up a sweep that was stopped.  Raises InputError where `out` can't be used, ShardFailed
    where a task failed, and Disagreement where a cross-check found one, or the enumeration
    and the counts that never enumerate differ.
    """
    directory = open_directory(out, shards_of(spaces), SCHEMA)
    tasks.run(
        spark,
        directory.missing(),
        directory.writing(examine_shard),
        WRITTEN,
        description="sweep: sealability of every program",
        on_progress=on_progress,
    )
    remove_unfinished(directory.path)  # tasks of a killed sweep may have lived on while this one ran
    rows = spark.read.parquet(*map(str, directory.files()))
    _require_agreement(spark, rows)
    levels = _levels(spark, rows)
    return [_checked_level(levels, n, messages) for n, messages in spaces]


def _require_agreement(spark: SparkSession, rows: DataFrame) -> None:
    """Raise Disagreement with the smallest program that has one."""
    disputed = spark.sql(
        """
        SELECT n, program, disagreement FROM {rows} WHERE disagreement IS NOT NULL
        ORDER BY n, messages, index LIMIT 1
        """,
        rows=rows,
    ).collect()
    for n, program, disagreement in disputed:
        raise Disagreement(f"sealability, n = {n}, on {program}: {disagreement}")


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
               count_if(cross_checked) AS cross_checked
        FROM {rows} GROUP BY n, messages
        """,
        rows=rows,
    )
    return {(row.n, row.messages): Level(**row.asDict()) for row in summary.collect()}


def _checked_level(levels: dict[tuple[int, int], Level], n: int, messages: int) -> Level:
    """The level, after comparing it with the counts that never enumerate."""
    level = levels.get((n, messages), Level(n, messages, 0, 0, 0, 0, 0, None, 0))
    counted = _counted(n, messages)
    if (level.programs, level.canonical) != counted:
        raise Disagreement(
            f"n = {n}, messages = {messages}: enumerated {level.programs} programs, {level.canonical} up to"
            f" renaming, but counted {counted[0]} and {counted[1]}"
        )
    return level


def examine_shard(shard: Shard) -> Iterator[Row]:
    """The rows of the canonical programs of a shard, in index order."""
    _, canonical = _counted(shard.n, shard.messages)
    share = SAMPLE / max(SAMPLE, canonical)
    space = indexed_space(shard.n, shard.messages)
    with fresh_formulas(), ExitStack() as stack:
        solvers = [stack.enter_context(open_solver(name, seconds=SECONDS)) for name in SMT_SOLVERS]
        for index, program in enumerate(space.programs(shard.start, shard.stop), shard.start):
            if program.is_canonical:
                row = examine(program)
                chosen = _is_sampled(shard, index, share)
                disagreement = _cross_check(program, row.sealable, solvers) if chosen else None
                yield (shard.n, shard.messages, index, *row.values(), chosen, disagreement)


def _cross_check(program: StraightLine, sealable: bool, solvers: Sequence[Solver]) -> str | None:
    """What each way says, if they do not all say what the algorithms said."""
    truths = statement("sealability").truths(Instance.of(program), solvers)
    if all(truth == sealable for truth in truths.values()):
        return None
    return ", ".join(f"{way} says {truth}" for way, truth in truths.items())


@dataclass(frozen=True)
class Examined:
    """What the algorithms say of one canonical program."""

    program: str
    orbit_size: int
    open_channels: int
    connected: bool
    sealable: bool
    minimum_messages: int | None

    def values(self) -> tuple[object, ...]:
        """The values in the order of the columns."""
        return tuple(asdict(self).values())


def examine(program: StraightLine) -> Examined:
    """Decide sealability and the minimum seal of one program.

    >>> from sealcheck.programs.events import mt
    >>> examine(StraightLine.of(2, mt(1, 2))).minimum_messages
    1
    """
    first = signature(program)
    found = minimum_or_unsealable(Problem.of(first))
    sealable = isinstance(found, Sealable)
    return Examined(
        str(program),
        program.orbit_size,
        len(first.open_channels),
        is_connected(first.n, closed_channel_graph(first)),
        sealable,
        len(found.transmissions) if isinstance(found, Sealable) else None,
    )


def _is_sampled(shard: Shard, index: int, share: float) -> bool:
    """Whether this program is among the seeded `share` of its level; depends on nothing else."""
    digest = hashlib.sha256(f"{SEED} {shard.n} {shard.messages} {index}".encode()).digest()
    return int.from_bytes(digest[:8]) < share * 2**64
