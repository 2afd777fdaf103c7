"""What a task costs that has nothing to do: over TCP, and over Unix sockets.

`session` chooses these where it can; a folder for temporary files whose path is too long for a socket's
makes it choose TCP.  Each line is a session of its own, both in one run: read the ratio.

    python benchmarks/spark_tasks.py
"""

import tempfile
import time
from pathlib import Path

from sealcheck.spark_sweeps import tasks
from sealcheck.spark_sweeps.bundles import Bundle
from sealcheck.spark_sweeps.on_spark import PICKLED, in_a_task
from sealcheck.spark_sweeps.session import spark_session

JOBS, TASKS = 20, 32


def task_seconds() -> float:
    """Seconds by the clock that a core is taken by a task, in jobs of many."""
    with spark_session() as spark:
        nothing = [Bundle((), 0.0).packed()] * TASKS
        for _ in range(2):  # the workers start, and import what they need
            tasks.run(spark, nothing, in_a_task, PICKLED, description="warm-up")
        start = time.perf_counter()
        for _ in range(JOBS):
            tasks.run(spark, nothing, in_a_task, PICKLED, description="benchmark")
        cores = spark.sparkContext.defaultParallelism
        return (time.perf_counter() - start) * cores / (JOBS * TASKS)


def main() -> None:
    """Print one line for each way."""
    before = tempfile.tempdir
    with tempfile.TemporaryDirectory() as scratch:
        long = Path(scratch, "x" * 100)
        long.mkdir()
        try:
            for name, folder in (("TCP", str(long)), ("Unix sockets", before)):
                tempfile.tempdir = folder
                print(f"{name:<14} {1000 * task_seconds():>6.1f} ms a task", flush=True)
        finally:
            tempfile.tempdir = before


if __name__ == "__main__":
    main()
