"""Sweeps that are stopped at random moments in random ways, and taken up again.

Each round starts `sealcheck sweep --out DIR`, stops it (the command, its Java process, or one of its Python
workers; by SIGKILL, SIGTERM, SIGINT, or with no room left on the disk), runs it again until it is done, and
compares every file with those of a sweep that nobody stopped, byte for byte.  On a standalone cluster, a
worker and all that it runs is killed instead, which must not stop the sweep.

    python -m tests.chaos.chaos [rounds, 28 by default] [seed, 1 by default]
"""

import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from tests.chaos.standalone import HOSTS, descendants, kill, named, standalone

OPTIONS = ("--n", "3", "--messages", "5")
LOCAL = "local[2,3]"
LONGEST = 20.0
"""Seconds after which a sweep is stopped at the latest; it takes about as long."""
NO_ROOM = 6_000
"""Bytes that a file may have where the disk is said to be full: less than some of the results have."""


def started(
    folder: Path, before: Callable[[], None] | None = None, master: str = LOCAL
) -> subprocess.Popen[bytes]:
    """A sweep into `folder`, in a process group of its own."""
    command = [sys.executable, "-c", "from sealcheck.cli.main import main; raise SystemExit(main())"]
    return subprocess.Popen(
        [*command, "sweep", *OPTIONS, "--master", master, "--out", str(folder)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=before,
    )


def stop(sweep: subprocess.Popen[bytes], way: str, rng: random.Random) -> None:
    """Stop a sweep, or a part of it."""
    if way in ("SIGKILL", "SIGTERM", "SIGINT"):
        kill(sweep.pid, signal.Signals[way])
        return
    part = named(descendants(sweep.pid), "java" if way == "java" else "python")
    if part:
        kill(rng.choice(part), signal.SIGKILL)


def full_disk() -> None:
    """Let no file of this process, and of those that it starts, grow beyond a few kilobytes."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (NO_ROOM, NO_ROOM))


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def lose_worker(folder: Path, rng: random.Random) -> tuple[float, int]:
    """Sweep on a cluster that loses a worker: after how many seconds, and what was done by then."""
    with tempfile.TemporaryDirectory(prefix="chaos-") as scratch, standalone(Path(scratch)) as cluster:
        sweep = started(folder, master=cluster.url)
        moment = rng.uniform(0.5, LONGEST)
        time.sleep(moment)
        done = finished(folder)
        cluster.lose_worker(rng.choice(HOSTS))
        if sweep.wait(timeout=600) != 0:
            raise SystemExit("a sweep that lost a worker gave up")
    return moment, done


def finished(folder: Path) -> int:
    """How many shards have their file."""
    return len(list(folder.glob("shard=*.parquet")))


def one_round(folder: Path, way: str, rng: random.Random) -> tuple[float, int]:
    """Start, stop, and finish a sweep: after how many seconds it was stopped, and what was done by then."""
    sweep = started(folder, full_disk if way == "full disk" else None)
    moment = rng.uniform(0.5, LONGEST)
    if way == "full disk":
        sweep.wait()
    else:
        time.sleep(moment)
        stop(sweep, way, rng)
    if way in ("worker", "java"):
        sweep.wait()
    sweep.wait(timeout=120)
    done = finished(folder)
    for _ in range(3):
        if started(folder).wait(timeout=600) == 0:
            return moment, done
    raise SystemExit(f"a sweep stopped by {way} could not be finished")


def main() -> None:
    """Run the rounds, and say how each was stopped; exit code 1 if any folder differs."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 28
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    ways = ("SIGKILL", "SIGTERM", "SIGINT", "worker", "java", "full disk", "cluster worker")
    said, different = Counter[str](), 0
    with tempfile.TemporaryDirectory(prefix="chaos-") as scratch:
        assert started(Path(scratch, "reference")).wait() == 0
        reference = contents(Path(scratch, "reference"))
        for number in range(rounds):
            way = ways[number % len(ways)]
            folder = Path(scratch, str(number))
            lost = way == "cluster worker"
            moment, done = lose_worker(folder, rng) if lost else one_round(folder, way, rng)
            same = contents(folder) == reference
            different += not same
            said[way] += 1
            shown = "same bytes" if same else "DIFFERENT"
            print(f"{number + 1:>3}  {way:<14} after {moment:4.1f} s, {done:>2} files: {shown}", flush=True)
    print(f"{rounds} sweeps of {len(reference)} files, {different} different; {dict(said)}")
    raise SystemExit(different > 0)


if __name__ == "__main__":
    main()
