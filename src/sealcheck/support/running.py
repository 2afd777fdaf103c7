"""The processes that are running, and how much memory they use."""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple


class Running(NamedTuple):
    """A process that has not ended."""

    process: int
    parent: int
    session: int
    """0 except on Linux."""
    mib: float
    """Resident memory."""


def running() -> Iterator[Running]:
    """All processes of this machine.

    >>> os.getppid() in {each.parent for each in running() if each.process == os.getpid()}
    True
    """
    if sys.platform == "linux":
        for name in filter(str.isdigit, os.listdir("/proc")):
            yield from _in_proc(int(name))
    else:
        yield from _in_ps("-A")


def mib_of_process(process: int) -> float:
    """Resident memory of a process; 0 if it has ended.

    >>> 1 < mib_of_process(os.getpid()) < 100_000
    True
    """
    found = _in_proc(process) if sys.platform == "linux" else _in_ps(f"-p {process}")
    return sum(each.mib for each in found)


def mib_of_session(session: int) -> float:
    """Resident memory of all processes of a session; 0 except on Linux.

    >>> mib_of_session(os.getsid(0)) >= mib_of_process(os.getpid()) if sys.platform == "linux" else True
    True
    """
    return sum(each.mib for each in running() if each.session == session)


def _in_proc(process: int) -> Iterator[Running]:
    with suppress(OSError, ValueError), open(f"/proc/{process}/stat", "rb") as file:
        # the name is in brackets and may contain anything
        state, parent, _, session, *more = file.read().rpartition(b")")[2].split()
        if state not in b"ZX":
            mib = int(more[17]) * os.sysconf("SC_PAGE_SIZE") / 2**20
            yield Running(process, int(parent), int(session), mib)


def _in_ps(selection: str) -> Iterator[Running]:
    with os.popen(f"ps {selection} -o pid=,stat=,ppid=,rss=") as table:
        for process, state, parent, kib in map(str.split, table):
            if not state.startswith("Z"):
                yield Running(int(process), int(parent), 0, int(kib) / 1024)
