"""The time of `sealcheck phases --each` for many traces: in a loop, and through Spark on the same cores.

``python -m benchmarks.many_files [--files N] [--events N] [--rounds N]`` writes traces with ports, and asks
about all traces in both ways, alternately. It prints wall seconds and CPU seconds, and fails if the answers
differ. Linux only.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.sweep_memory import children
from benchmarks.trace_size import write

EVERY = 0.05
"""Seconds between two looks at the processes; CPU time after the last look is not counted."""
WAYS = {"loop": (), "Spark local[2]": ("--master", "local[2]")}


def asked(folder: Path, options: tuple[str, ...]) -> tuple[float, float, str]:
    """The wall seconds, the CPU seconds, and the last line of the answer."""
    command = [sys.executable, "-m", "sealcheck", "phases", "--each", str(folder), *options]
    begun = time.monotonic()
    used: dict[int, float] = {}
    with (
        tempfile.TemporaryFile("w+") as out,
        subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL) as driver,
    ):
        while driver.poll() is None:
            for process in (driver.pid, *children(driver.pid)):
                used[process] = max(used.get(process, 0), processor_seconds(process))
            time.sleep(EVERY)
        wall = time.monotonic() - begun
        out.seek(0)
        return wall, sum(used.values()), out.read().rstrip().rpartition("\n")[2]


def processor_seconds(process: int) -> float:
    """The CPU seconds of a process so far, without its children; 0 if it has ended."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Print a line for each run."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--files", type=int, default=60)
    parser.add_argument("--events", type=int, default=20_000, help="of each file")
    parser.add_argument("--rounds", type=int, default=2)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for number in range(given.files):
            write(folder, given.events, ports=True)
            (folder / "all.jsonl").rename(folder / f"{number}.jsonl")
        print(f"{'':<16} {'s':>8} {'CPU s':>8}  answers")
        answers = set()
        for _ in range(given.rounds):
            for name, options in WAYS.items():
                wall, cpu, answer = asked(folder, options)
                answers.add(answer)
                print(f"{name:<16} {wall:>8.1f} {cpu:>8.1f}  {answer}", flush=True)
    if len(answers) > 1:
        raise SystemExit("the answers differ")


if __name__ == "__main__":
    main()
