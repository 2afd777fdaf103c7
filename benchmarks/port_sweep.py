"""Compare the decision about layers over ports with a search of all executions, on Spark.

``PYTHONPATH=. python -m benchmarks.port_sweep --n 3 --messages 3 --layers 2 [--way rounds] [--out FOLDER]``
compares both on every instance of a bounded space. It prints the seconds and, for each guarantee of a port,
three numbers: of all instances, of canonical instances (one for each class of renamed instances), and of safe
canonical instances. With ``--out``, a stopped sweep is resumed. If two answers differ, the sweep fails after
its last shard, and shows the differing instance with the shortest text. Spark's workers find this folder by
PYTHONPATH.
"""

import argparse
import sys
import time
from pathlib import Path

from benchmarks.ports_compared import EVERY, Level, port_sweep

from sealcheck.errors import Disagreement, InputError, Unfinished
from sealcheck.programs.port_space import WAYS
from sealcheck.spark_sweeps.session import spark_session


def main() -> None:
    """Print the totals of each way of combining the layers."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--n", type=int, default=3, help="number of processes")
    parser.add_argument("--messages", type=int, default=3, help="number of messages of all layers")
    parser.add_argument("--layers", type=int, default=2, help="number of layers")
    parser.add_argument("--way", choices=[str(way) for way in WAYS], help="by default, all four")
    parser.add_argument("--every", type=int, default=EVERY, help="one in how many is solved and checked")
    parser.add_argument("--master", help="Spark master, by default local with all cores")
    parser.add_argument("--out", type=Path, help="folder for the results, one below it for each way")
    given = parser.parse_args()
    with spark_session(given.master, "ports") as spark:
        for way in WAYS:
            if given.way not in (None, str(way)):
                continue
            level = Level(given.n, given.messages, given.layers, way)
            out = given.out and given.out / str(level).replace(" ", "").replace("=", "")
            start = time.perf_counter()
            totals = port_sweep(spark, level, out, every=given.every)
            print(f"{level}: {time.perf_counter() - start:.0f} s")
            print(f"  {'':<20} {'instances':>13} {'canonical':>11} {'safe':>11} {'kernel':>7} {'solved':>7}")
            for each in totals:
                counts = f"{each.instances:>13,} {each.canonical:>11,} {each.safe:>11,}"
                print(f"  {each.guarantee:<20} {counts} {each.kernel:>7,} {each.solved:>7,}", flush=True)


if __name__ == "__main__":
    try:
        main()
    except (Disagreement, InputError, Unfinished) as error:
        sys.exit(f"error: {error}")
