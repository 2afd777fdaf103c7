"""Time and memory of an audit with an empty cache: in processes, on Spark, on one core, on a small cluster.

``python -m benchmarks.audit [--before OLD/bin/sealcheck] [STATEMENT …]`` audits these statements, or all
statements, in several ways. For each way, it prints wall seconds, CPU seconds, and the seconds until the
first row. It also prints the peak resident memory of the driver, of the largest Java process, and of the
largest other process. With ``--before``, an older installation is measured, too. Linux only.
"""

import argparse
import ctypes
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.sweep_memory import children, is_java, peak

NOW = str(Path(sys.executable).with_name("sealcheck"))
EVERY = 0.1
"""Seconds between two looks at the processes."""
_SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER of prctl(2)."""
FINISHED = (0, 1, 3)
"""Exit codes of an audit that was not aborted."""


@dataclass(frozen=True)
class Way:
    """How an audit is run."""

    name: str
    cores: int
    options: tuple[str, ...] = ()


WAYS = (
    Way("two cores", 2),
    Way("Spark local[2]", 2, ("--master", "local[2]")),
    Way("one core", 1),
    Way("local-cluster", 2, ("--master", "local-cluster[2,1,1024]")),
)


@dataclass
class Figures:
    """The time in seconds and the peak memory in megabytes of one audit."""

    wall: float = 0
    cpu: float = 0
    first_row: float = 0
    driver: float = 0
    java: float = 0
    other: float = 0

    def look(self, driver: int) -> None:
        """Note the peak memory of the processes so far."""
        self.driver = max(self.driver, peak(driver))
        for process in children(driver):
            if is_java(process):
                self.java = max(self.java, peak(process))
            else:
                self.other = max(self.other, peak(process))


def audited(program: str, way: Way, options: Sequence[str]) -> Figures:
    """Audit with an empty cache.  Ends this program if the audit fails."""
    found = Figures()
    command = [program, "audit", *options, *way.options]
    allowed = sorted(os.sched_getaffinity(0))[: way.cores]
    with tempfile.TemporaryDirectory() as cache:
        before = _of_ended_children()
        begun = time.monotonic()
        with subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"XDG_CACHE_HOME": cache},
            preexec_fn=partial(os.sched_setaffinity, 0, allowed),
        ) as audit:
            reading = threading.Thread(target=_read, args=(audit, begun, found))
            reading.start()
            while audit.poll() is None:
                found.look(audit.pid)
                time.sleep(EVERY)
            found.wall = time.monotonic() - begun
            reading.join()
        _bury()
        found.cpu = _of_ended_children() - before
    if audit.returncode not in FINISHED or not found.first_row:
        raise SystemExit(f"{' '.join(command)} ended with {audit.returncode}")
    return found


def _read(audit: "subprocess.Popen[str]", begun: float, found: Figures) -> None:
    """Note when the first row comes.  The lines above it give the bound and the names of the columns."""
    assert audit.stdout is not None
    for line in audit.stdout:
        if not found.first_row and line.strip() and not line.startswith(("Up to ", "statement ")):
            found.first_row = time.monotonic() - begun


def _adopt_orphans() -> None:
    """Adopt all processes that outlive their parents, so that their time counts."""
    if ctypes.CDLL(None).prctl(_SUBREAPER, 1):
        raise SystemExit("this system does not say what processes take that outlive their parents")


def _bury() -> None:
    """Wait for all remaining children."""
    while True:
        try:
            os.wait()
        except ChildProcessError:
            return


def _of_ended_children() -> float:
    """The CPU seconds of all ended descendants."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Audit in every way, and print a line for each audit."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("statements", nargs="*", metavar="STATEMENT")
    parser.add_argument("--before", metavar="PROGRAM", help="the sealcheck of an older installation")
    parser.add_argument("--n", default="3")
    parser.add_argument("--messages", default="4")
    asked = parser.parse_args()
    options = (*asked.statements, "--n", asked.n, "--messages", asked.messages)
    programs = {"before": asked.before, "now": NOW} if asked.before else {"now": NOW}
    _adopt_orphans()
    columns = ("s", "CPU s", "first row s", "driver MB", "Java MB", "other MB")
    print(f"{'':<21}", *(f"{column:>11}" for column in columns))
    for way in WAYS:
        for name, program in programs.items():
            found = audited(program, way, options)
            seconds = (f"{each:>11.1f}" for each in (found.wall, found.cpu, found.first_row))
            megabytes = (f"{each:>11.0f}" for each in (found.driver, found.java, found.other))
            print(f"{way.name:<14} {name:<6}", *seconds, *megabytes, flush=True)


if __name__ == "__main__":
    main()
