"""Ctrl-C ends a command at once, wherever it is, and leaves neither processes nor half-written files.

A KeyboardInterrupt that is raised just anywhere gets lost in the callbacks of libraries, turns into some
other error, or meets an import.  So in the process of a command none is raised: the handler itself ends
whatever this process has started, undoes what is to be `undone`, and then ends the process.
"""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

SECONDS = 5.0
"""How long killed processes may take to disappear."""

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_CLEAR_LINE_AND_SHOW_CURSOR = b"\r\x1b[2K\x1b[?25h"

_undo: list[Callable[[], object]] = []


@contextmanager
def undone(undo: Callable[[], object]) -> Iterator[None]:
    """Call `undo` when the block is left, or when an interrupt ends the process inside it.

    >>> with undone(lambda: print("removed")):
    ...     print("made")
    made
    removed
    """
    _undo.append(undo)
    try:
        yield
    finally:
        undo()
        _undo.remove(undo)


def end_at_interrupt() -> None:
    """From now on, Ctrl-C ends this process with exit code 130, and SIGTERM with 143.

    A signal that whoever started the process has it ignore, is ignored.
    """
    for number in _SIGNALS:
        if signal.getsignal(number) in (signal.default_int_handler, signal.SIG_DFL):
            signal.signal(number, _end)


def ignore_interrupts() -> None:
    """From now on, there is nothing left to be interrupted."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def _end(number: int, _: FrameType | None) -> None:
    ignore_interrupts()
    _silence()
    _kill_descendants()
    for undo in reversed(_undo):
        with suppress(Exception):
            undo()
    os._exit(128 + number)


def _silence() -> None:
    """Let nobody complain about what is being ended; where a progress bar may be shown, remove it."""
    with suppress(OSError):
        shown = os.dup(2)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 2)
        if os.isatty(shown):
            os.write(shown, _CLEAR_LINE_AND_SHOW_CURSOR)


def _kill_descendants() -> None:
    """End all processes that come from this one.  They are stopped first, so that none starts another one."""
    found: set[int] = set()
    while new := _descendants() - found:
        _send(signal.SIGSTOP, new)
        found |= new
    _send(signal.SIGKILL, found)
    deadline = time.monotonic() + SECONDS
    while not found.isdisjoint(_parents()) and time.monotonic() < deadline:
        time.sleep(0.005)


def _send(number: signal.Signals, processes: set[int]) -> None:
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, number)


def _descendants() -> set[int]:
    parents = _parents()
    found = {os.getpid()}
    while new := {child for child, parent in parents.items() if parent in found} - found:
        found |= new
    return found - {os.getpid()}


def _parents() -> dict[int, int]:
    """The parent of each process that lives."""
    rows = (row.split() for row in (_rows_of_proc() if sys.platform == "linux" else _rows_of_ps()))
    return {int(process): int(parent) for process, state, parent in rows if not state.startswith("Z")}


def _rows_of_proc() -> Iterator[str]:
    for process in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError), open(f"/proc/{process}/stat", "rb") as file:
            state, parent, *_ = file.read().rpartition(b")")[2].split()
            yield f"{process} {state.decode()} {parent.decode()}"


def _rows_of_ps() -> Iterator[str]:
    with os.popen("ps -A -o pid=,stat=,ppid=") as table:
        yield from table
