"""The time and memory of `sealcheck phases` for recorded traces, by the number of events.

Sixteen hosts exchange messages in phases. Each host sends to random hosts, and receives all messages before
the next phase. Between two phases, all hosts send to one host, which sends to all. There are two kinds of
traces: without tags, each phase in a file; with tags and receives from any source, all phases in one file.

    python -m benchmarks.trace_size [EVENTS ...] [--before OLD/src]
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import sealcheck

SEED, HOSTS, PHASES = 7, 16, 8
Record = dict[str, str]


def phase(source: random.Random, name: str, messages: int, *, ports: bool) -> Iterator[Record]:
    """The events of a phase, in an order in which they happen."""
    hosts = [f"host-{k:02}" for k in range(HOSTS)]
    hub, *others = hosts
    sent: list[tuple[str, str, str]] = []
    number = 0

    def send(sender: str, receiver: str) -> Iterator[Record]:
        nonlocal number
        number += 1
        id = f"{name}-{number}"
        sent.append((id, sender, receiver))
        yield {"host": sender, "event": "send", "message": id, "to": receiver, "tag": "halo"}

    def receive(at: int, **more: str) -> Iterator[Record]:
        id, _, receiver = sent.pop(at)
        yield {"host": receiver, "event": "receive", "message": id} | more

    for _ in range(messages):
        yield from send(*source.sample(hosts, 2))
        if len(sent) > 100:
            yield from receive(source.randrange(len(sent)) if ports else 0, **{"from": "*"})
    while sent:
        yield from receive(0, **{"from": "*"})
    for sender, receiver in [(each, hub) for each in others] + [(hub, each) for each in others]:
        for record in send(sender, receiver):
            yield record | {"tag": "hub"}
        yield from receive(0)


def write(folder: Path, events: int, *, ports: bool) -> list[str]:
    """Write traces with this number of events in all, and return the arguments of the command."""
    source = random.Random(SEED)
    files = []
    for k in range(PHASES):
        name = f"exchange {k}"
        file = folder / ("all.jsonl" if ports else f"{k}.jsonl")
        files.append(f"@{file}")
        with file.open("a") as out:
            for record in phase(source, name, events // PHASES // 2 - 2 * HOSTS + 2, ports=ports):
                if ports:
                    record["phase"] = name
                else:
                    record.pop("tag", None)
                    record.pop("from", None)
                out.write(json.dumps(record) + "\n")
    return list(dict.fromkeys(files))


def main() -> None:
    """Print a row for each number of events and each kind of trace."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("events", nargs="*", type=int, default=[100_000, 1_000_000])
    parser.add_argument("--before", metavar="SRC", help="the folder src of an older version")
    given = parser.parse_args()
    sources = [Path(sealcheck.__file__).parents[1], *([Path(given.before)] if given.before else [])]
    print("   events  ports   MB  " + "  ".join(["answer  wall s   cpu s  peak MB"] * len(sources)))
    for events in given.events:
        for ports in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                files = write(Path(folder), events, ports=ports)
                size = sum(Path(file[1:]).stat().st_size for file in files) / 10**6
                found = "  ".join(asked(files, source) for source in sources)
                print(f"{events:>9} {'yes' if ports else 'no':>6} {size:>4.0f}  {found}", flush=True)


def asked(files: list[str], source: Path) -> str:
    """The answer of the version in this folder, its seconds, and the peak memory of its largest process."""
    start = time.monotonic()
    command = [sys.executable, "-m", "sealcheck", "phases", "--seconds", "600", *files]
    environment = os.environ | {"PYTHONPATH": str(source)}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as child:
        assert child.stdout is not None
        answer = child.stdout.read().decode().partition(":")[0]
        _, _, used = os.wait4(child.pid, 0)
        child.returncode = 0
    shown = answer if answer in ("yes", "no", "unknown") else "error"
    wall, cpu = time.monotonic() - start, used.ru_utime + used.ru_stime
    return f"{shown:>6} {wall:>7.1f} {cpu:>7.1f} {used.ru_maxrss / 1024:>8.0f}"


if __name__ == "__main__":
    main()
