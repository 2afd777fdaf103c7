"""The memory of a sweep's processes, which must not grow with the number of programs.

``python benchmarks/sweep_memory.py [--n 3] [--messages 6 7 8]`` sweeps all levels up to each of these numbers
of messages. Nearly all programs of a sweep are in its largest level. For each sweep, it prints the peak
resident memory of the driver, of the driver's Java process, and of the largest worker. Pages that processes
share count for each of them. The exit code is 1 if a process takes more than a gigabyte. Linux only.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sealcheck.programs.space import count_programs

COMMAND = [str(Path(sys.executable).with_name("sealcheck")), "sweep"]
EVERY = 0.05
"""Seconds between two looks at the processes; Linux keeps the peak memory of each process."""
MOST = 1024
"""Megabytes that a process may take."""


@dataclass
class Peaks:
    """The peak resident memory of the processes of one sweep, in megabytes, and its seconds."""

    driver: float = 0
    java: float = 0
    worker: float = 0
    seconds: float = 0


def children(process: int) -> Iterator[int]:
    """All descendants of a process, except those that end during the call."""
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            found = [int(number) for number in task.read_text().split()]
        except OSError:
            continue
        for child in found:
            yield child
            yield from children(child)


def peak(process: int) -> float:
    """The peak resident memory of a process so far, in megabytes; 0 if it has ended."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0
    return max((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:")), default=0)


def is_java(process: int) -> bool:
    """Whether the process runs Java."""
    try:
        return Path(f"/proc/{process}/comm").read_text().strip() == "java"
    except OSError:
        return False


def swept(n: int, messages: int) -> Peaks:
    """Sweep all levels up to (n, messages), and look at the processes all the time."""
    peaks = Peaks()
    begun = time.monotonic()
    options = ("--n", str(n), "--messages", str(messages), "--json")
    with subprocess.Popen([*COMMAND, *options], stdout=subprocess.DEVNULL) as driver:
        while driver.poll() is None:
            look(driver.pid, peaks)
            time.sleep(EVERY)
    if driver.returncode:
        raise SystemExit(f"the sweep of n = {n}, messages = {messages} ended with {driver.returncode}")
    peaks.seconds = time.monotonic() - begun
    return peaks


def look(driver: int, peaks: Peaks) -> None:
    """Note the peak memory of the processes so far."""
    peaks.driver = max(peaks.driver, peak(driver))
    below = list(children(driver))
    java = [process for process in below if is_java(process)]
    workers = [process for first in java for process in children(first) if process not in java]
    peaks.java = max([peaks.java, *map(peak, java)])
    peaks.worker = max([peaks.worker, *map(peak, workers)])


def main() -> int:
    """Sweep, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--n", type=int, default=3)
    parser.add_argument("--messages", type=int, nargs="+", default=[6, 7, 8])
    asked = parser.parse_args()
    print(
        f"{'n':>2} {'messages':>8} {'programs':>12} {'driver MB':>9} {'Java MB':>8} {'worker MB':>9} {'s':>5}"
    )
    most = 0.0
    for messages in asked.messages:
        programs = sum(count_programs(asked.n, m) for m in range(messages + 1))
        found = swept(asked.n, messages)
        print(
            f"{asked.n:>2} {messages:>8} {programs:>12} {found.driver:>9.0f} {found.java:>8.0f}"
            f" {found.worker:>9.0f} {found.seconds:>5.0f}",
            flush=True,
        )
        most = max(most, found.driver, found.java, found.worker)
    print(f"\nNo process took more than {most:.0f} MB.")
    return int(most > MOST)


if __name__ == "__main__":
    sys.exit(main())
