"""The plan of a sweep or a sample, without running it: exact counts, and rough times and sizes.

The rates are of one core of the authors' machine; expect them to be off by a factor of two.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sealcheck.algorithms.packed.events import is_packable
from sealcheck.spark_sweeps.cutting import (
    SAMPLE,
    counted_level,
    require_sample,
    shards_of,
    shards_of_draws,
    spacing,
)
from sealcheck.support.processes import cores

CHECK = {1: 1e-4, 2: 3e-4, 3: 4e-4, 4: 2e-3}
"""Seconds of one cross-check, by the number of processes, to be multiplied by the square of the number of
messages; `SLOW_CHECK` for more processes."""
SLOW_CHECK = 2e-2
PACKED, PLAIN, ROW = 4e-8, 3e-4, 6e-7
"""Seconds for a program in compiled loops, for one without them, and for writing a row."""
DRAW, PLAIN_DRAW = 2.5e-6, 5e-4
"""Seconds for a program that is drawn, in compiled loops and without them."""
INDEXING = {3: 2.0, 4: 6.0, 5: 4.0, 6: 1.0, 7: 3.0}
"""Seconds that a process takes to index the largest level of so many processes that is drawn from."""
BYTES_PER_ROW = 6
"""Of compressed Parquet."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The cost of sweeping one level, or of drawing a sample of it."""

    n: int
    messages: int
    programs: int
    canonical: int
    shards: int
    cross_checks: int
    """Approximate for a sample."""
    seconds: float
    """The time on one core."""
    bytes: int
    """The size of the rows, if they are kept."""
    drawn: int | None = None
    """The size of the sample, if it is one."""


def plans(spaces: Sequence[tuple[int, int]], *, with_rows: bool) -> list[Plan]:
    """A plan for each level.  Takes as long as counting the programs does.

    >>> plan, = plans([(3, 4)], with_rows=False)
    >>> plan.programs, plan.canonical, plan.shards, plan.cross_checks
    (2280, 381, 5, 381)
    """
    return [_plan(n, messages, with_rows=with_rows) for n, messages in spaces]


def sample_plans(spaces: Sequence[tuple[int, int]], count: int) -> list[Plan]:
    """A plan for a sample of `count` programs of each level.  Takes as long as counting the programs does.

    Raises InputError if `require_sample` does.

    >>> plan, = sample_plans([(3, 9)], 100_000)
    >>> plan.programs, plan.drawn, plan.shards, plan.cross_checks
    (192061738, 100000, 65, 150)
    """
    require_sample(spaces, count, 0)
    return [_plan(n, messages, drawn=count) for n, messages in spaces]


def _plan(n: int, messages: int, *, with_rows: bool = False, drawn: int | None = None) -> Plan:
    """The plan of a level, or of a sample of so many programs of it."""
    programs, canonical = counted_level(n, messages)
    is_packed = is_packable(n, messages)
    if drawn is None:
        shards, checks = shards_of([(n, messages)]), min(canonical, SAMPLE)
        seconds = programs * (PACKED if is_packed else PLAIN) + canonical * ROW * with_rows
    else:
        shards = shards_of_draws([(n, messages)], drawn)
        checks = len(range(0, drawn, spacing(drawn)))
        seconds = drawn * (DRAW if is_packed else PLAIN_DRAW) + cores() * INDEXING.get(n, 0)
    return Plan(
        n=n,
        messages=messages,
        programs=programs,
        canonical=canonical,
        shards=len(shards),
        cross_checks=checks,
        seconds=seconds + checks * (2e-3 + CHECK.get(n, SLOW_CHECK) * messages**2),
        bytes=canonical * BYTES_PER_ROW * with_rows,
        drawn=drawn,
    )
