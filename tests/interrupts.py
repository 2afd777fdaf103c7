"""Commands that Ctrl-C ends at some moment: exit code 130, in silence, with nothing left behind.

A command starts in an empty folder, with empty caches and an empty temporary folder. The interrupt comes
within 15 seconds, and goes to the command or to its process group. Then no process of its session, and no
file, may be left.
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

LONGEST = 15.0
"""The latest interrupt, in seconds after the start; all commands take longer."""
STARTED = 0.08
"""Processor seconds until the command can handle interrupts. Before, the signal ends Python."""

COMMANDS = {
    "audit": ("audit", "--n", "3", "--messages", "4"),
    "sweep": ("sweep", "--n", "3", "--messages", "8", "--out", "rows"),
    "prove": ("prove", "sealability", "--n", "4", "--messages", "16", "--out", "proofs"),
    "table": ("table", "sealability", "--n", "4", "--messages", "5", "--out", "table.jsonl"),
}
KEPT = re.compile(r"rows|rows/_sweep\.json|rows/shard=\w+\.parquet|proofs|proofs/[\w.-]+\.proof")
"""Files that may stay, because a sweep or a proof resumes from them."""


@dataclass(frozen=True)
class Ended:
    """How a command has ended."""

    moment: float
    """Seconds from its start to the interrupt."""
    took: float
    """Seconds from the interrupt to its end."""
    code: int
    said: bytes
    processes: list[str]
    files: list[str]

    @property
    def is_clean(self) -> bool:
        """Whether it did what it should."""
        by_signal = self.moment < STARTED and self.code == -signal.SIGINT
        silent = self.moment < STARTED or not self.said
        return (self.code == 130 or by_signal) and silent and not self.processes and not self.files


def interrupted(name: str, moment: float, *, group: bool) -> Ended:
    with tempfile.TemporaryDirectory(prefix="interrupts-") as scratch:
        folders = [Path(scratch, part) for part in ("work", "cache", "tmp")]
        for folder in folders:
            folder.mkdir()
        work, cache, temporary = folders
        environment = os.environ | {"XDG_CACHE_HOME": str(cache), "TMPDIR": str(temporary)}
        command = subprocess.Popen(
            [sys.executable, "-m", "sealcheck", *COMMANDS[name]],
            cwd=work,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        time.sleep(moment)
        while moment >= STARTED and command.poll() is None and _processor_seconds(command.pid) < STARTED:
            time.sleep(0.01)  # where others use the machine, Python starts later
        (os.killpg if group else os.kill)(command.pid, signal.SIGINT)
        begun = time.monotonic()
        _, said = command.communicate(timeout=60)
        took = time.monotonic() - begun
        left = [str(path.relative_to(work)) for path in work.rglob("*")]
        files = [path for path in left if not KEPT.fullmatch(path)]
        return Ended(
            moment, took, command.returncode, said, _session(command.pid), files + os.listdir(temporary)
        )


def _processor_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _session(leader: int) -> list[str]:
    listed = subprocess.run(
        ["ps", "-A", "-o", "sess=,stat=,args="], capture_output=True, text=True, check=True
    )
    rows = (line.split(maxsplit=2) for line in listed.stdout.splitlines())
    return [args for session, state, args in rows if int(session) == leader and not state.startswith("Z")]
