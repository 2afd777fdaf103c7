"""Programs per second of the loops over packed programs, compared with the plain loop, on one core.

A packed program is one number for each process. The packed loops get whole levels (all programs of a size).
The plain loop gets some ranges of the levels that it can index in a few seconds. The run stops if the loops
differ on a range. Times are CPU times without compiling and indexing. Only their ratios are meaningful.

    python benchmarks/packed_levels.py
"""

import time
from collections.abc import Callable
from typing import TypeVar

from sealcheck.algorithms.minimum_seal import Minimum, minimum_or_unsealable
from sealcheck.algorithms.packed.levels import PackedLevel
from sealcheck.algorithms.sealability import Problem
from sealcheck.algorithms.signature import signature
from sealcheck.programs.space import Space

RANGES, RANGE = 20, 400
"""How many ranges the plain loop gets, and how many programs are in each range."""
LEVELS = [(2, 8), (3, 6), (3, 7), (3, 8), (4, 4), (4, 5), (4, 6), (4, 7)]
PLAIN_LEVELS = [(2, 8), (3, 6), (3, 7), (4, 4), (4, 5)]
"""Levels that `Space` indexes in a few seconds."""

Answer = TypeVar("Answer")


def seconds(question: Callable[[], Answer]) -> tuple[float, Answer]:
    """The CPU seconds of a call, and its result."""
    start = time.process_time()
    answer = question()
    return time.process_time() - start, answer


def plain_loop(space: Space, start: int, stop: int) -> list[tuple[int, int, int]]:
    """For each canonical program of the range: its index, orbit size, and messages of a minimum seal."""
    rows = []
    for index, program in enumerate(space.programs(start, stop), start):
        if program.is_canonical:
            found = minimum_or_unsealable(Problem.of(signature(program)))
            messages = len(found.transmissions) if isinstance(found, Minimum) else -1
            rows.append((index, program.orbit_size, messages))
    return rows


def compared(level: PackedLevel) -> str:
    """The plain loop's part of the line: its programs per second, and how much faster the packed loop is."""
    space = Space(level.n, level.m)
    starts = range(0, space.size, -(-space.size // RANGES))
    ranges = [(start, min(start + RANGE, space.size)) for start in starts]
    taken, rows = seconds(lambda: [row for start, stop in ranges for row in plain_loop(space, start, stop)])
    batches = [level.batch(start, stop) for start, stop in ranges]
    columns = [(batch.index, batch.orbit_size, batch.minimum) for batch in batches]
    assert rows == [row for batch in columns for row in zip(*(c.tolist() for c in batch), strict=True)]
    whole, _ = seconds(level.tally)
    rate = sum(stop - start for start, stop in ranges) / taken
    return f" {rate:>8,.0f} {level.size / whole / rate:>7,.0f}"


def main() -> None:
    """Print one line for each level."""
    compiling, _ = seconds(lambda: PackedLevel(3, 3).tally())
    print(f"loops compiled or loaded in {compiling:.1f} s")
    print(
        f"{'n':>2} {'m':>2} {'programs':>12} {'canonical':>10} {'index s':>8} {'level s':>8} {'ns/row':>7}"
        f" {'programs/s':>11} {'plain/s':>8} {'ratio':>7}"
    )
    for n, m in LEVELS:
        indexing, level = seconds(lambda n=n, m=m: PackedLevel(n, m))  # type: ignore[misc]
        taken, tally = seconds(level.tally)
        line = f"{n:>2} {m:>2} {tally.programs:>12,} {tally.canonical:>10,} {indexing:>8.3f} {taken:>8.3f}"
        line += f" {taken / tally.canonical * 1e9:>7.0f} {tally.programs / taken:>11,.0f}"
        print(line + (compared(level) if (n, m) in PLAIN_LEVELS else ""), flush=True)


if __name__ == "__main__":
    main()
