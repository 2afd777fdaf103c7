"""The time of a sweep's inner loop in Spark, compared with the same loop without Spark, on one level.

Both write the same Parquet files. The plain loop runs in one process. Spark runs on one core, then on all
cores; its start is timed separately. Only the ratios are meaningful.

    python benchmarks/spark_overhead.py [messages, 5 by default]
"""

import os
import sys
import tempfile
import time
from pathlib import Path

from sealcheck.programs.space import count_programs
from sealcheck.spark_sweeps import on_spark as tasks
from sealcheck.spark_sweeps.columns import ProgramRow
from sealcheck.spark_sweeps.cutting import shards_of
from sealcheck.spark_sweeps.deciding import describe_shard
from sealcheck.spark_sweeps.session import spark_session
from sealcheck.spark_sweeps.shards import run_inline
from sealcheck.spark_sweeps.sweep import WRITTEN, open_directory


def plainly(messages: int) -> float:
    """Seconds for the level (3, messages) in a plain loop."""
    with tempfile.TemporaryDirectory() as scratch:
        directory = open_directory(Path(scratch) / "rows", shards_of([(3, messages)]), ProgramRow.schema())
        start = time.perf_counter()
        run_inline(directory.missing(), directory.writing(describe_shard), WRITTEN)
        return time.perf_counter() - start


def on_spark(messages: int, cores: int) -> tuple[float, float]:
    """Seconds to start Spark, and for the level once a first small job has run."""
    start = time.perf_counter()
    with spark_session(f"local[{cores},3]") as spark, tempfile.TemporaryDirectory() as scratch:
        for name, size in (("warm-up", 2), ("rows", messages)):
            directory = open_directory(Path(scratch) / name, shards_of([(3, size)]), ProgramRow.schema())
            middle = time.perf_counter()
            tasks.run(
                spark,
                directory.missing(),
                directory.writing(describe_shard),
                WRITTEN,
                description="benchmark",
            )
        return middle - start, time.perf_counter() - middle


def main() -> None:
    """Print one line for each way to run the level."""
    messages = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    programs = count_programs(3, messages)
    cores = len(os.sched_getaffinity(0))
    plain = plainly(messages)
    print(f"n = 3, messages = {messages}: {programs} programs")
    print(f"{'':<16} {'start s':>8} {'level s':>8} {'programs/s':>11} {'against plain':>14}")
    print(f"{'plain loop':<16} {0.0:>8.1f} {plain:>8.1f} {programs / plain:>11.0f} {1.0:>14.2f}")
    for some in dict.fromkeys((1, cores)):
        started, level = on_spark(messages, some)
        name = f"Spark local[{some}]"
        print(f"{name:<16} {started:>8.1f} {level:>8.1f} {programs / level:>11.0f} {plain / level:>14.2f}")


if __name__ == "__main__":
    main()
