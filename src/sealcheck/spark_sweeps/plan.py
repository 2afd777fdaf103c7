"""What a sweep will do, before it does anything: exact counts, and rough times and sizes.

The rates are of one core of the machine that this was written on; expect to be off by a factor of two.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass

from sealcheck.spark_sweeps.examine import PACKED_PROCESSES, SAMPLE, counted_level, shards_of

SECONDS_PER_CHECK = {1: 0.005, 2: 0.01, 3: 0.03}
"""Of one program, by the number of processes; `SLOW_CHECK` for more."""
SLOW_CHECK = 0.3
PACKED, PLAIN, ROW = 4e-8, 1e-4, 6e-5
"""Seconds for a program in compiled loops, for one without them, and for writing a row."""
BYTES_PER_ROW = 24
"""Of compressed Parquet."""


@dataclass(frozen=True)
class Plan:
    """What sweeping one level takes."""

    n: int
    messages: int
    programs: int
    canonical: int
    shards: int
    cross_checks: int
    """About, where they are a sample."""
    seconds: float
    """Of one core."""
    bytes: int
    """Of the rows, if they are kept."""


def plans(spaces: Sequence[tuple[int, int]], *, with_rows: bool) -> list[Plan]:
    """A plan for each level.  Takes as long as counting the programs does.

    >>> plan, = plans([(3, 4)], with_rows=False)
    >>> plan.programs, plan.canonical, plan.shards, plan.cross_checks
    (2280, 381, 5, 381)
    """
    return [_plan(n, messages, with_rows=with_rows) for n, messages in spaces]


def _plan(n: int, messages: int, *, with_rows: bool) -> Plan:
    programs, canonical = counted_level(n, messages)
    checks = min(canonical, SAMPLE)
    seconds = programs * (PACKED if n <= PACKED_PROCESSES else PLAIN)
    seconds += checks * SECONDS_PER_CHECK.get(n, SLOW_CHECK)
    seconds += canonical * ROW * with_rows
    shards = len(shards_of([(n, messages)]))
    size = canonical * BYTES_PER_ROW * with_rows
    return Plan(n, messages, programs, canonical, shards, checks, seconds, size)


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
