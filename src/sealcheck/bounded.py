"""A function in a process of its own, which is ended where it goes too far: limits of time and memory.

Neither a solver nor Python can be relied on to stop by itself: formulas are built without looking at a
clock, and solvers look at theirs now and then only.  So whoever computes is watched from outside.
"""

import ctypes
import multiprocessing
import pickle
import signal
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any, Generic, Self, TypeVar, cast

from sealcheck import memory
from sealcheck.errors import Disagreement, InputError, LimitReached, Unfinished

A = TypeVar("A")
B = TypeVar("B")

_LOOK = 0.05
"""Seconds between two looks at the memory."""
_SIGNAL_AT_DEATH_OF_PARENT = 1
"""PR_SET_PDEATHSIG of prctl(2)."""


class ProcessDied(LimitReached):
    """The process has ended by itself, or was killed: most often, because memory was short."""


@dataclass(frozen=True)
class Limits:
    """How far an answer may go."""

    seconds: int
    mib: int


class Bounded(Generic[A, B]):
    """A function that is called in a process of its own, within limits; a context manager, which ends that.

    The process is a fork of this one, made for the first call and kept for the next: arguments and results
    are pickled, the function is not.

    >>> with Bounded(abs, Limits(60, 2048)) as bounded:
    ...     bounded(-1)
    1
    """

    def __init__(self, function: Callable[[A], B], limits: Limits) -> None:
        self._function, self._limits = function, limits
        self._child: _Child | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._child is not None:
            self._child.end()

    def __call__(self, argument: A) -> B:
        """What the function returns.  Raises what it raises, and LimitReached, saying which limit was hit."""
        self._child = child = self._child or _Child(self._function)
        try:
            found = child.ask(argument, self._limits)
        except BaseException:
            child.end()
            self._child = None
            raise
        if isinstance(found, BaseException):
            raise found
        return cast(B, found)


_KEPT: "dict[tuple[Limits, bool], Bounded[Any, Any]]" = {}
"""A process for each, kept for the next call: what it has built is used again."""


def call_within(limits: Limits, function: Callable[[A], B], argument: A, *, apart: bool = False) -> B:
    """What the function, which is pickled by its name, returns in a process that is kept until this one ends.

    That is another process for calls that are to be kept `apart` from the others.  Raises what the
    function raises, and LimitReached.

    >>> call_within(Limits(60, 2048), abs, -1)
    1
    """
    bounded = _KEPT.setdefault((limits, apart), Bounded(_call, limits))
    return cast(B, bounded((function, argument)))


def _call(call: tuple[Callable[[A], B], A]) -> B:
    function, argument = call
    return function(argument)


class _Child:
    """The process, and how it is reached."""

    def __init__(self, function: Callable[[A], B]) -> None:
        fork = multiprocessing.get_context("fork")
        self._pipe, other = fork.Pipe()
        self._process = fork.Process(target=_serve, args=(function, other, self._pipe), daemon=True)
        self._process.start()
        other.close()
        self._started_with = self._mib()

    def end(self) -> None:
        """End it at once."""
        self._process.kill()
        self._process.join()
        self._pipe.close()

    def ask(self, argument: object, limits: Limits) -> object:
        """Its answer, or the exception in place of one.  Raises LimitReached."""
        try:
            self._pipe.send((argument, limits.seconds))
            self._wait(limits)
            return self._pipe.recv()
        except (EOFError, OSError):
            raise ProcessDied("the process that was to find it has died: is there enough memory?") from None

    def _wait(self, limits: Limits) -> None:
        until = monotonic() + limits.seconds
        while not self._pipe.poll(_LOOK):
            if monotonic() > until:
                raise LimitReached(f"it takes more than {limits.seconds} s (--seconds)")
            if self._mib() - self._started_with > limits.mib:
                raise LimitReached(f"it takes more than {limits.mib} MiB of memory (--memory)")

    def _mib(self) -> float:
        return memory.of_process(self._process.pid or 0)


def _serve(function: Callable[[A], B], pipe: Connection, others: Connection) -> None:
    """Call the function with what comes in, until that ends."""
    others.close()  # or this process would keep its own pipe open
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who asks, who then ends this one
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SIGNAL_AT_DEATH_OF_PARENT, signal.SIGKILL)
    while True:
        try:
            argument, seconds = pipe.recv()
        except EOFError:
            return
        signal.alarm(seconds + 5)  # where whoever asks has died, and the system does not say so
        pipe.send_bytes(_outcome(function, argument))
        signal.alarm(0)


def _outcome(function: Callable[[A], B], argument: A) -> bytes:
    """What the function returns or raises, pickled."""
    try:
        return pickle.dumps(function(argument))
    except MemoryError:
        return pickle.dumps(LimitReached("out of memory"))
    except (InputError, Disagreement, Unfinished, LimitReached, ModuleNotFoundError) as error:
        return pickle.dumps(error)
    except Exception:
        return pickle.dumps(RuntimeError(traceback.format_exc()))
