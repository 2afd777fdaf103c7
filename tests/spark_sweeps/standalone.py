"""A standalone Spark cluster, started as docs/cluster.md says, that loses workers."""

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.request import urlopen

import pyspark

from sealcheck.spark_sweeps.installed import java_home

HOSTS = ("127.0.0.1", "127.0.0.2")
"""A worker for each host. Spark takes the hosts for two machines, and runs a slow task again on the other."""
FRUGAL = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
"""Options that spare Java its second compiler, which would take most of its time."""
PATIENCE = 120.0
"""The longest wait, in seconds."""


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind((HOSTS[0], 0))
        return int(listener.getsockname()[1])


def wait_for(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"not within {PATIENCE:.0f} seconds")
        time.sleep(0.02)


def descendants(pid: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            children.setdefault(int(fields[1]), []).append(int(entry.name))
    found, waiting = [], [pid]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def named(pids: list[int], name: str) -> list[int]:
    found = []
    for pid in pids:
        try:
            if name in Path(f"/proc/{pid}/comm").read_text():
                found.append(pid)
        except OSError:
            continue
    return found


def kill(pid: int, how: signal.Signals = signal.SIGKILL) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, how)


class Standalone:
    """A master, and a worker of one core at each of `HOSTS`."""

    def __init__(self, folder: Path) -> None:
        port, page = free_port(), free_port()
        self.url = f"spark://{HOSTS[0]}:{port}"
        self._page = f"http://{HOSTS[0]}:{page}/json/"
        self._folder = folder
        self._workers: dict[str, subprocess.Popen[bytes]] = {}
        self._master = self._start(
            "master.Master", "--host", HOSTS[0], "--port", str(port), "--webui-port", str(page)
        )

    def _start(self, what: str, *arguments: str) -> "subprocess.Popen[bytes]":
        spark_home = pyspark.__path__[0]
        home = {"SPARK_HOME": spark_home, "JAVA_HOME": str(java_home(self._folder))}
        with open(self._folder / "log", "ab") as log:
            return subprocess.Popen(
                [f"{spark_home}/bin/spark-class", f"org.apache.spark.deploy.{what}", *arguments],
                env={**os.environ, **home, "SPARK_DAEMON_JAVA_OPTS": FRUGAL},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def _alive(self) -> int:
        try:
            with urlopen(self._page, timeout=5) as page:
                return int(json.load(page)["aliveworkers"])
        except (OSError, ValueError):
            return -1

    def fill(self) -> None:
        """Start the missing workers, and wait until the master knows all."""
        wait_for(lambda: self._alive() >= 0)
        for host in HOSTS:
            if host not in self._workers:
                room = ("--cores", "1", "--memory", "2g", "--work-dir", str(self._folder / f"work {host}"))
                options = ("--host", host, "--webui-port", "0", *room)
                self._workers[host] = self._start("worker.Worker", *options, self.url)
        wait_for(lambda: self._alive() == len(HOSTS))

    def are_busy(self) -> bool:
        """Whether every worker has an executor that has started Python."""
        return all(named(descendants(worker.pid), "python") for worker in self._workers.values())

    def lose_worker(self, host: str) -> None:
        """Kill the worker at `host` and its processes, as when a machine fails."""
        _end(self._workers.pop(host))

    def stop(self) -> None:
        """End all processes."""
        for process in (*self._workers.values(), self._master):
            _end(process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    below = descendants(process.pid)
    for pid in (process.pid, *below):
        kill(pid)
    process.wait()


@contextmanager
def standalone(folder: Path) -> Iterator[Standalone]:
    cluster = Standalone(folder)
    try:
        cluster.fill()
        yield cluster
    finally:
        cluster.stop()
