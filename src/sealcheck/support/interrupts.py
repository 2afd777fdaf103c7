"""Ctrl-C ends a command at once, and leaves neither processes nor half-written files.

No command raises KeyboardInterrupt, which can get lost in a library's callback, turn into another error, or
interrupt an import. Instead, the signal handler kills all descendants of this process, calls the functions
registered by `undone`, and exits.
"""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from sealcheck.support.processes import running

SECONDS = 5.0
"""How long killed processes may take to disappear."""

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_CLEAR_LINE_AND_SHOW_CURSOR = b"\r\x1b[2K\x1b[?25h"

_undo: list[Callable[[], object]] = []


@contextmanager
def undone(undo: Callable[[], object]) -> Iterator[None]:
    """Call `undo` at the end of the block, or when an interrupt ends the process inside the block.

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

    A signal that is already ignored stays ignored.
    """
    for number in _SIGNALS:
        if signal.getsignal(number) in (signal.default_int_handler, signal.SIG_DFL):
            signal.signal(number, _end)


def ignore_interrupts() -> None:
    """From now on, ignore SIGINT and SIGTERM."""
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
    """Discard further messages on standard error. Clear the progress bar of a terminal."""
    with suppress(OSError):
        shown = os.dup(2)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 2)
        if os.isatty(shown):
            os.write(shown, _CLEAR_LINE_AND_SHOW_CURSOR)


def _kill_descendants() -> None:
    """Kill all descendants of this process. First stop all of them, so that none starts another process."""
    found: set[int] = set()
    while new := _descendants() - found:
        _send(signal.SIGSTOP, new)
        found |= new
    _send(signal.SIGKILL, found)
    deadline = time.monotonic() + SECONDS
    while any(each.process in found for each in running()) and time.monotonic() < deadline:
        time.sleep(0.005)


def _send(number: signal.Signals, processes: set[int]) -> None:
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, number)


def _descendants() -> set[int]:
    parents = {each.process: each.parent for each in running()}
    found = {os.getpid()}
    while new := {child for child, parent in parents.items() if parent in found} - found:
        found |= new
    return found - {os.getpid()}
