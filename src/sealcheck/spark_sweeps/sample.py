"""Samples of levels that are too large to sweep: random programs, judged on Spark or in this process.

A *level* (n, m) consists of all programs of n processes with m messages. A *shard* is a range of draws. A
draw depends only on its number, the seed and the level. So a sample does not depend on the machines.

Of each level, at most `CHECKED` drawn programs are cross-checked with other oracles. A sample does not verify
a claim. `algorithms.packed.levels` explains the statistics of samples.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from pyspark.sql import SparkSession

from sealcheck.algorithms.packed.events import Ints, is_packable
from sealcheck.algorithms.packed.levels import Sample, draws, unranked
from sealcheck.algorithms.packed.profiles import Verdicts
from sealcheck.errors import Disagreement, LimitReached
from sealcheck.programs.space import count_programs
from sealcheck.spark_sweeps import on_spark
from sealcheck.spark_sweeps.columns import Sampled, SampleRow
from sealcheck.spark_sweeps.cutting import Shard, require_sample, shards_of_draws, spacing
from sealcheck.spark_sweeps.deciding import (
    Described,
    cross_checked,
    judged,
    judged_at,
    one_by_one,
    packed_level,
    require_undisputed,
    warm_up,
)
from sealcheck.spark_sweeps.shards import OnProgress, Row, Within, limits_hit, within_limits
from sealcheck.support.processes import Limits
from sealcheck.theorems.checking.domains import indexed_space
from sealcheck.words import counted


def sample(
    spark: SparkSession | None,
    spaces: Sequence[tuple[int, int]],
    count: int,
    seed: int,
    *,
    limits: Limits,
    on_progress: OnProgress | None = None,
) -> list[Sampled]:
    """Draw `count` programs of each level in `spaces`, on Spark or, without a session, in this process.

    Raises

    - InputError if programs of a level cannot be drawn, or if `count` < 1 or `seed` < 0;
    - ShardFailed if a task failed;
    - LimitReached if a shard hit a limit, because a sample without its hard programs would be biased;
    - Disagreement if a cross-check disagrees, or if a level does not have the number of programs that
      `count_programs` gives.
    """
    require_sample(spaces, count, seed)
    warm_up()
    within = Within(Judging(count, seed), SampleRow.schema(), limits)
    shards, what = shards_of_draws(spaces, count), described(spaces, count, seed)
    rows = on_spark.run(
        spark, shards, within, within.limited_schema, description=what, on_progress=on_progress
    )
    if hit := limits_hit(rows):
        raise LimitReached(hit[0])
    return added_up(within_limits(rows).to_pylist())


def described(spaces: Sequence[tuple[int, int]], count: int, seed: int) -> str:
    """The description for Spark's interface.

    >>> described([(3, 12)], 1000, 7)
    'sample: sealability of 1000 random programs, n = 3, 12 messages, seed 7'
    """
    processes = ", ".join(str(n) for n, _ in spaces)
    programs = f"{counted(count, 'random program')}, n = {processes}, {counted(spaces[0][1], 'message')}"
    return f"sample: sealability of {programs}, seed {seed}"


@dataclass(frozen=True)
class Judging:
    """The work on a shard: draw programs, judge them, and return one row of totals."""

    count: int
    seed: int

    def __call__(self, shard: Shard) -> Iterator[Row]:
        """The row of totals of the shard."""
        n, m, every = shard.n, shard.messages, spacing(self.count)
        source: _Level = _packed(n, m) if is_packable(n, m) else _plain(n, m)
        total, chosen = Sample.of(n, m, source.size, Verdicts.of([])), list[Described]()
        number = shard.start
        for block in draws(self.seed, n, m, source.size, start=shard.start, stop=shard.stop):
            total += Sample.of(n, m, source.size, source.verdicts(block))
            chosen += map(source.described, block[-number % every :: every].tolist())
            number += len(block)
        yield SampleRow(**asdict(total), **asdict(cross_checked(chosen))).row


def added_up(rows: Iterable[dict[str, Any]]) -> list[Sampled]:
    """The samples, level by level, added up from the rows of shards.

    Raises Disagreement in the cases of `sample`.
    """
    samples: dict[tuple[int, int], Sampled] = {}
    for row in rows:
        require_undisputed(SampleRow.read(row))
        part = Sampled.read(row)
        level = part.n, part.messages
        there_are = count_programs(*level)
        if part.programs != there_are:
            raise Disagreement(
                f"n = {part.n}, messages = {part.messages}: {counted(part.programs, 'program')} to draw from,"
                f" but counted {there_are}"
            )
        samples[level] = samples[level] + part if level in samples else part
    return list(samples.values())


@dataclass(frozen=True)
class _Level:
    """A level to draw from, with functions that judge programs by index."""

    size: int
    verdicts: Callable[[Ints], Verdicts]
    described: Callable[[int], Described]


def _packed(n: int, messages: int) -> _Level:
    level = packed_level(n, messages)

    def described(index: int) -> Described:
        program = unranked(level, index)
        return Described(index, program, program.orbit_size, *judged_at(level.verdicts(np.array([index])), 0))

    return _Level(level.size, level.verdicts, described)


def _plain(n: int, messages: int) -> _Level:
    space = indexed_space(n, messages)
    return _Level(
        space.size,
        lambda indices: Verdicts.of(judged(space.program(index)) for index in indices.tolist()),
        lambda index: one_by_one(index, space.program(index)),
    )
