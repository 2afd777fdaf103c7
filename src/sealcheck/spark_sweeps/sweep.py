"""The sweep: every program of the bounded space, decided and cross-checked, one row each.

A row is a canonical program (one for each class of programs that differ in the names of the
processes) with what the algorithms say of it.  On a level of up to `SAMPLE` canonical
programs all are cross-checked by the explorer and the SMT solvers; on a larger one a seeded
sample of about that many.  A cross-check without an answer is counted, and no cross-check.
"""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from sealcheck.algorithms.minimum_seal import Minimum, minimum_or_unsealable
from sealcheck.algorithms.sealability import Problem, Unsealable, closed_channel_graph, is_connected
from sealcheck.algorithms.signature import Signature, signature
from sealcheck.encodings.solving import SMT_SOLVERS, Solver, fresh_formulas, open_solver
from sealcheck.errors import Disagreement, LimitReached
from sealcheck.programs.counting import count_canonical, count_programs
from sealcheck.programs.straight_line import StraightLine
from sealcheck.spark_sweeps import tasks
from sealcheck.spark_sweeps.cross_check import disagreement
from sealcheck.spark_sweeps.directory import WRITTEN, open_directory, remove_unfinished
from sealcheck.spark_sweeps.shards import OnProgress, Row, Shard, split
from sealcheck.theorems.checking import SECONDS
from sealcheck.theorems.domains import indexed_space

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
        "unknown": pa.string(),
    }
)
"""`index` is the program's index in its space; `connected` is the printed criterion of
`th:sealability`; `minimum_messages` is null where there is no seal, `disagreement` where the
cross-check found none, and `unknown` unless there should be a cross-check, but a limit was hit."""


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
    try:
        tasks.run(
            spark,
            directory.missing(),
            directory.writing(examine_shard),
            WRITTEN,
            description="sweep: sealability of every program",
            on_progress=on_progress,
        )
    finally:  # cancelled tasks, and those of a killed sweep that lived on while this one ran, leave files
        remove_unfinished(directory.path)
    levels: dict[tuple[int, int], Level] = {}
    if files := directory.files():  # there is no shard where no space holds a program
        rows = spark.read.parquet(*map(str, files))
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
                first = signature(program)
                found = minimum_or_unsealable(Problem.of(first))
                chosen = _is_sampled(shard, index, share)
                checked = _cross_checked(program, found, solvers) if chosen else (False, None, None)
                yield (shard.n, shard.messages, index, *_described(program, first, found), *checked)


def _described(program: StraightLine, first: Signature, found: Minimum | Unsealable) -> Row:
    """What the algorithms say of one canonical program, from its text to its minimum seal."""
    return (
        str(program),
        program.orbit_size,
        len(first.open_channels),
        is_connected(first.n, closed_channel_graph(first)),
        isinstance(found, Minimum),
        len(found.transmissions) if isinstance(found, Minimum) else None,
    )


def _cross_checked(program: StraightLine, found: Minimum | Unsealable, solvers: Sequence[Solver]) -> Row:
    """Whether there was a cross-check, what it objects to, and why there was none."""
    try:
        return True, disagreement(program, found, solvers), None
    except LimitReached as limit:
        return False, None, str(limit)


def _is_sampled(shard: Shard, index: int, share: float) -> bool:
    """Whether this program is among the seeded `share` of its level; depends on nothing else."""
    digest = hashlib.sha256(f"{SEED} {shard.n} {shard.messages} {index}".encode()).digest()
    return int.from_bytes(digest[:8]) < share * 2**64
