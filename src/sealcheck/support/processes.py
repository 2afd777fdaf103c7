"""Limit the time and memory of a function that runs in a fork, or of a command that exchanges lines.

Neither solvers nor Python functions stop reliably at a time limit. So they run in other processes, and this
process stops them at the limits.
"""

import ctypes
import gc
import multiprocessing
import os
import pickle
import selectors
import shlex
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import ceil
from multiprocessing.connection import Connection
from time import monotonic
from typing import IO, Any, Generic, NamedTuple, Self, TypeVar, cast

from sealcheck.errors import Disagreement, InputError, LimitReached, Unfinished

A = TypeVar("A")
B = TypeVar("B")

LONGEST_LINE = 1 << 20
"""The most bytes of a line that are read from a command."""
STDERR_KEPT = 4096
"""Of what a command writes to standard error, this many bytes are kept, from the end."""

_LOOK = 0.05
"""Seconds between two checks of the memory of a fork."""
_LOOK_AT_SESSION = 0.25
"""Seconds between two checks of the memory of a command and its children."""
_CHUNK = 1 << 16
_MOST_CHUNKS = 16
"""The most chunks of standard error that are read after the command has ended. A child that has left the
command's process group is not killed, and could write forever."""
_SIGNAL_AT_DEATH_OF_PARENT = 1
"""PR_SET_PDEATHSIG of prctl(2)."""


class TimeUp(LimitReached):
    """There was no answer in time."""


class MemoryUp(LimitReached):
    """The process used too much memory."""


class ProcessDied(LimitReached):
    """The process ended, or closed its output. If it was killed, memory was most often short."""


class LineTooLong(LimitReached):
    """The process wrote more than LONGEST_LINE bytes without an end of line."""


@dataclass(frozen=True)
class Limits:
    """Limits for one answer."""

    seconds: float
    mib: int
    """In MiB: by how much the memory of a fork may grow, or how much a command and its children may use."""
    starting: float = 30.0
    """Seconds for the first answer of a command."""


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def end_with_parent() -> None:
    """From now on, the system kills this process when its parent ends (on Linux only)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SIGNAL_AT_DEATH_OF_PARENT, signal.SIGKILL)


class Bounded(Generic[A, B]):
    """A function that is called in a fork of this process, within limits.

    The first call makes the fork, and later calls use the same fork. The end of a ``with`` block ends the
    fork. Arguments and results are pickled.

    >>> with Bounded(abs, Limits(60, 2048)) as bounded:
    ...     bounded(-1)
    1
    """

    def __init__(
        self, function: Callable[[A], B], limits: Limits, tick: Callable[[], None] = lambda: None
    ) -> None:
        """Call `tick` several times a second during each call."""
        self._function, self._limits, self._tick = function, limits, tick
        self._fork: _Fork | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._fork is not None:
            self._fork.end()

    def __call__(self, argument: A) -> B:
        """The result of the function.  Raises what the function raises, and LimitReached at a limit."""
        self._fork = fork = self._fork or _Fork(self._function)
        try:
            found = fork.ask(argument, self._limits, self._tick)
        except BaseException:
            fork.end()
            self._fork = None
            raise
        if isinstance(found, BaseException):
            raise found
        return cast(B, found)


_KEPT: "dict[tuple[int, Limits, bool], Bounded[Any, Any]]" = {}
"""The forks that are kept for later calls. Only the process that made a fork can use the fork's pipe. So a
key begins with the id of this process."""


def call_within(limits: Limits, function: Callable[[A], B], argument: A, *, apart: bool = False) -> B:
    """The result of a function, called in a fork that is kept until this process ends.

    The function is pickled by name. Calls with `apart` use another fork than calls without `apart`. Raises
    what the function raises. At a limit, raises LimitReached.

    >>> call_within(Limits(60, 2048), abs, -1)
    1
    """
    bounded = _KEPT.setdefault((os.getpid(), limits, apart), Bounded(_call, limits))
    return cast(B, bounded((function, argument)))


def _call(call: tuple[Callable[[A], B], A]) -> B:
    function, argument = call
    return function(argument)


class _Fork:
    """A fork of this process that calls a function."""

    def __init__(self, function: Callable[[A], B]) -> None:
        fork = multiprocessing.get_context("fork")
        self._pipe, other = fork.Pipe()
        self._process = fork.Process(target=_serve, args=(function, other, self._pipe), daemon=True)
        self._process.start()
        other.close()
        self._started_with = self._mib()

    def end(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._process.join()
        self._pipe.close()

    def ask(self, argument: object, limits: Limits, tick: Callable[[], None]) -> object:
        """What the function returned, or the exception that it raised. Raises LimitReached at a limit."""
        try:
            self._pipe.send((argument, limits.seconds))
            self._wait(limits, tick)
            return self._pipe.recv()
        except (EOFError, OSError):
            raise ProcessDied(
                "the process that computed the answer has died, perhaps for lack of memory"
            ) from None

    def _wait(self, limits: Limits, tick: Callable[[], None]) -> None:
        until = monotonic() + limits.seconds
        while not self._pipe.poll(min(_LOOK, max(0.0, until - monotonic()))):
            tick()
            if monotonic() > until:
                raise TimeUp(f"it takes more than {limits.seconds} s (--seconds)")
            if self._mib() - self._started_with > limits.mib:
                raise MemoryUp(f"it takes more than {limits.mib} MiB of memory (--memory)")

    def _mib(self) -> float:
        return mib_of_process(self._process.pid or 0)


def _serve(function: Callable[[A], B], pipe: Connection, others: Connection) -> None:
    """Call the function with each argument that arrives, until the pipe is closed."""
    others.close()  # or this process would keep its own pipe open
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which then ends this process
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    end_with_parent()
    gc.freeze()  # what the parent made stays
    gc.set_threshold(50_000)  # answers make many objects, and few cycles
    while True:
        try:
            argument, seconds = pipe.recv()
        except EOFError:
            return
        signal.alarm(ceil(seconds) + 5)  # if the parent has died and the system does not say so
        pipe.send_bytes(_outcome(function, argument))
        signal.alarm(0)


def _outcome(function: Callable[[A], B], argument: A) -> bytes:
    try:
        return pickle.dumps(function(argument))
    except MemoryError:
        return pickle.dumps(LimitReached("out of memory"))
    except (InputError, Disagreement, Unfinished, LimitReached, ModuleNotFoundError) as error:
        return pickle.dumps(error)
    except Exception:
        return pickle.dumps(RuntimeError(traceback.format_exc()))


class Speaker:
    """A running command that reads and writes lines. This process never waits forever for the command.

    The command has a session of its own, so that `stop` can kill its children, too. Raises InputError if the
    command cannot be started.
    """

    def __init__(self, command: Sequence[str], mib: int, folder: str | None = None) -> None:
        self._mib, self._looked = mib, monotonic()
        self._out, self._err = bytearray(), bytearray()
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                bufsize=0,
                cwd=folder,
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise InputError(f"cannot start '{shlex.join(command)}': {reason}") from None
        self._stdin = _not_blocking(self._process.stdin)
        self._stdout = _not_blocking(self._process.stdout)
        self._stderr = _not_blocking(self._process.stderr)
        self._ready = selectors.DefaultSelector()
        self._ready.register(self._stdout, selectors.EVENT_READ, self._out)
        self._ready.register(self._stderr, selectors.EVENT_READ, self._err)

    def exchange(self, line: bytes, seconds: float) -> bytes:
        """Write a line, and read the line that answers it.  Raises LimitReached, in one of its subclasses."""
        deadline = monotonic() + seconds
        rest = self._write(memoryview(line))
        if rest:
            self._ready.register(self._stdin, selectors.EVENT_WRITE)
        while (at := self._out.find(b"\n")) < 0:
            self._take_in(deadline)
            if rest and not (rest := self._write(rest)):
                self._ready.unregister(self._stdin)
        found = bytes(self._out[: at + 1])
        del self._out[: at + 1]
        return found

    def remaining(self, seconds: float) -> bytes:
        """Close the input of the process, and read until the process ends or has written a line.

        Raises TimeUp, MemoryUp or LineTooLong.
        """
        self._close_input()
        deadline = monotonic() + seconds
        with suppress(ProcessDied):
            while b"\n" not in self._out:
                self._take_in(deadline)
        return bytes(self._out)

    @property
    def has_more(self) -> bool:
        """Whether output has arrived that no `exchange` has returned."""
        return bool(self._out)

    def ended(self, seconds: float) -> int | None:
        """The exit code, or minus the number of the signal that ended the process.

        None if the process still runs after `seconds`.
        """
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def stop(self) -> str:
        """Kill the process and its children.  Returns the end of its standard error.  Call this once."""
        with suppress(ProcessLookupError, PermissionError):  # some systems raise the latter if it has ended
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        with suppress(OSError):
            for _ in range(_MOST_CHUNKS):
                self._err.extend(os.read(self._stderr.fileno(), _CHUNK))
                del self._err[:-STDERR_KEPT]
        self._ready.close()
        self._close_input()
        self._stdout.close()
        self._stderr.close()
        return self._err.decode("utf-8", errors="backslashreplace")

    def _write(self, rest: memoryview) -> memoryview:
        try:
            return rest[os.write(self._stdin.fileno(), rest) :]
        except BlockingIOError:
            return rest
        except OSError:  # nothing reads it; reading will show why
            return rest[len(rest) :]

    def _take_in(self, deadline: float) -> None:
        """Wait a little until something can be read or written. Read what has arrived."""
        now = monotonic()
        if now > deadline:
            raise TimeUp
        for key, _ in self._ready.select(min(_LOOK_AT_SESSION, deadline - now)):
            if key.fileobj is self._stdin:
                continue
            found = os.read(key.fd, _CHUNK)
            key.data.extend(found)
            if not found:
                self._ready.unregister(key.fileobj)
                if key.fileobj is self._stdout:
                    raise ProcessDied
        del self._err[:-STDERR_KEPT]
        if len(self._out) > LONGEST_LINE:
            raise LineTooLong(f"it wrote more than {LONGEST_LINE} bytes in answer to one question")
        if now - self._looked > _LOOK_AT_SESSION:
            self._looked = now
            if mib_of_session(self._process.pid) > self._mib:
                raise MemoryUp(f"it used more than {self._mib} MiB of memory")

    def _close_input(self) -> None:
        with suppress(KeyError, ValueError):
            self._ready.unregister(self._stdin)
        with suppress(OSError):
            self._stdin.close()


def _not_blocking(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    os.set_blocking(stream.fileno(), False)
    return stream


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
    """The resident memory of a process, in MiB. 0 if the process has ended.

    >>> 1 < mib_of_process(os.getpid()) < 100_000
    True
    """
    found = _in_proc(process) if sys.platform == "linux" else _in_ps(f"-p {process}")
    return sum(each.mib for each in found)


def mib_of_session(session: int) -> float:
    """The resident memory of all processes of a session, in MiB. Always 0 on systems other than Linux.

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
