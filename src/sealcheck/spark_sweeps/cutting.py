"""Cut levels and samples into shards, and forecast the cost of work on them.

A *level* (n, m) consists of all programs of n processes with m messages. Each program has an index in its
level. A *shard* is a range of these indices or, for a random sample, a range of draws. A *plan* forecasts the
work on a level. The counts in a plan are exact; times and sizes are estimates.

Up to 4 processes, *compiled loops* decide ranges of programs fast. Programs that are equal up to renaming
processes form a class, and one program of each class is *canonical*. This module imports neither Spark nor
solvers.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from sealcheck.algorithms.packed.events import is_packable
from sealcheck.errors import InputError
from sealcheck.programs.space import count_canonical, count_programs
from sealcheck.support.processes import cores

SAMPLE = 1_000
"""About how many canonical programs of a large level are cross-checked. In smaller levels, all are."""
SEED = 2026
MOST_SHARDS = 64
"""The number of shards of a level, if their sizes are between the bounds below."""
SMALLEST_SHARD, LARGEST_SHARD, LARGEST_PACKED = 500, 500_000, 2_000_000
"""Bounds on the number of programs in a shard. For compiled loops, `LARGEST_PACKED` is the upper bound."""
MOST_DRAWN = {1: 14, 2: 14, 3: 14, 4: 8, 5: 4, 6: 3, 7: 3, 8: 2}
"""For each number of processes, the largest number of messages of programs that are drawn.

Beyond these numbers, the tables for drawing take more than a gigabyte, or minutes to make.
"""
CHECKED = 150
"""The largest number of programs of a sample that are cross-checked."""
WITHOUT_SPARK = 15.0
"""Up to this many seconds of work for one core, Spark is not used, because it takes 10 s to start."""


@dataclass(frozen=True, order=True)
class Shard:
    """The programs with index start <= index < stop in the space (n, messages), for one job.

    >>> shard = Shard("graph-cause", n=3, messages=4, start=100, stop=200)
    >>> shard.programs, str(shard)
    (100, 'graph-cause, n = 3, messages = 4, programs 100..199')
    """

    job: str
    n: int
    messages: int
    start: int
    stop: int

    @property
    def programs(self) -> int:
        """The number of programs in the shard."""
        return self.stop - self.start

    def __str__(self) -> str:
        name = _readable(self.job)
        return f"{name}, n = {self.n}, messages = {self.messages}, programs {self.start}..{self.stop - 1}"


def _readable(job: str) -> str:
    """A job as text for people.

    >>> _readable('{"statement": "graph-cause", "kind": "level", "number": 0, "solvers": ["z3", "cvc5"]}')
    'graph-cause (kind: level, number: 0, solvers: z3 cvc5)'
    """
    try:
        (_, name), *others = json.loads(job).items()
    except (ValueError, AttributeError):
        return job
    listed = (
        f"{key}: {' '.join(map(str, value)) if isinstance(value, list) else value}" for key, value in others
    )
    return f"{name} ({', '.join(listed)})"


def split(job: str, n: int, messages: int, programs: int, size: int) -> list[Shard]:
    """Shards of at most `size` >= 1 programs that cover the indices 0..programs-1 once, in order.

    >>> [(shard.start, shard.stop) for shard in split("count", 2, 3, programs=25, size=10)]
    [(0, 10), (10, 20), (20, 25)]
    """
    return [Shard(job, n, messages, start, min(start + size, programs)) for start in range(0, programs, size)]


def shards_of(spaces: Sequence[tuple[int, int]]) -> list[Shard]:
    """The shards of these levels (n, messages), which do not depend on the machine."""
    shards = []
    for n, messages in spaces:
        programs, _ = counted_level(n, messages)
        largest = LARGEST_PACKED if is_packable(n, messages) else LARGEST_SHARD
        size = min(max(programs // MOST_SHARDS, SMALLEST_SHARD), largest)
        shards += split("sweep", n, messages, programs, size)
    return shards


@cache
def counted_level(n: int, messages: int) -> tuple[int, int]:
    """The numbers of all programs and of canonical programs of a level, counted without listing them."""
    return count_programs(n, messages), count_canonical(n, messages)


def require_drawable(n: int, messages: int) -> None:
    """Raise InputError if programs of the space (n, messages) cannot be drawn. Counts the programs."""
    if n not in MOST_DRAWN:
        raise InputError(f"programs of at most {max(MOST_DRAWN)} processes can be drawn: n is {n}")
    if not 0 <= messages <= MOST_DRAWN[n]:
        raise InputError(
            f"programs with n = {n} can be drawn with 0 to {MOST_DRAWN[n]} messages, not {messages}"
        )
    if not count_programs(n, messages):
        raise InputError(f"the space of n = {n}, m = {messages} has no programs to draw")


def require_sample(spaces: Sequence[tuple[int, int]], count: int, seed: int) -> None:
    """Raise InputError if the arguments are not valid for `sample`."""
    if count < 1:
        raise InputError(f"a sample has at least 1 program, not {count}")
    if seed < 0:
        raise InputError(f"the seed must be at least 0, not {seed}")
    for n, messages in spaces:
        require_drawable(n, messages)


def shards_of_draws(spaces: Sequence[tuple[int, int]], count: int) -> list[Shard]:
    """The shards for `count` draws from each of these levels (n, messages)."""
    size = min(max(count // MOST_SHARDS, SMALLEST_SHARD), LARGEST_SHARD)
    return [shard for n, messages in spaces for shard in split("sample", n, messages, count, size)]


def spacing(count: int) -> int:
    """The number N such that one in N draws is cross-checked.

    >>> spacing(150), spacing(151), spacing(100_000)
    (1, 2, 667)
    """
    return -(-count // CHECKED)


# The rates are of one core of the authors' machine; expect them to be off by a factor of two.
CHECK = {1: 1e-4, 2: 3e-4, 3: 4e-4, 4: 2e-3}
"""By the number of processes: the seconds of one cross-check of a program with 1 message.

A program with m messages takes m squared times as long. For more processes, `SLOW_CHECK` is used.
"""
SLOW_CHECK = 2e-2
PACKED, PLAIN, ROW = 4e-8, 3e-4, 6e-7
"""Seconds for a program in compiled loops, for a program without them, and for writing a row."""
DRAW, PLAIN_DRAW = 2.5e-6, 5e-4
"""Seconds for drawing and judging a program, in compiled loops and without them."""
INDEXING = {3: 2.0, 4: 6.0, 5: 4.0, 6: 1.0, 7: 3.0}
"""By the number of processes: the seconds in which a worker indexes the largest level of `MOST_DRAWN`."""
BYTES_PER_ROW = 6
"""The size of a row in compressed Parquet."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The cost of sweeping a level, or of drawing a sample of it."""

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
    """The size of the files with rows. 0 if no rows are written."""
    drawn: int | None = None
    """The size of the sample; None if the whole level is swept."""


def plans(spaces: Sequence[tuple[int, int]], *, with_rows: bool) -> list[Plan]:
    """A plan for each level. Takes as long as counting the programs.

    >>> plan, = plans([(3, 4)], with_rows=False)
    >>> plan.programs, plan.canonical, plan.shards, plan.cross_checks
    (2280, 381, 5, 381)
    """
    return [_plan(n, messages, with_rows=with_rows) for n, messages in spaces]


def sample_plans(spaces: Sequence[tuple[int, int]], count: int) -> list[Plan]:
    """A plan for a sample of `count` programs of each level. Takes as long as counting the programs.

    Raises InputError as `require_sample` does.

    >>> plan, = sample_plans([(3, 9)], 100_000)
    >>> plan.programs, plan.drawn, plan.shards, plan.cross_checks
    (192061738, 100000, 65, 150)
    """
    require_sample(spaces, count, 0)
    return [_plan(n, messages, drawn=count) for n, messages in spaces]


def is_little(plans: Sequence[Plan], *, with_rows: bool = False) -> bool:
    """Whether the work is done in one process, without Spark. Writing rows always needs Spark.

    >>> is_little(plans([(3, 4)], with_rows=False)), is_little(plans([(3, 7)], with_rows=False))
    (True, False)
    """
    return not with_rows and sum(plan.seconds for plan in plans) < WITHOUT_SPARK


def _plan(n: int, messages: int, *, with_rows: bool = False, drawn: int | None = None) -> Plan:
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
