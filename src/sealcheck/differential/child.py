"""A process of somebody else: lines go in, lines come out, and nothing it does makes us wait for ever."""

import os
import selectors
import shlex
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import IO

from sealcheck import memory
from sealcheck.errors import InputError

LONGEST_LINE = 1 << 20
"""Bytes; a line that is longer is not read to its end."""
STDERR_KEPT = 4096
"""Bytes of what it last wrote to standard error."""
LOOK_EVERY = 0.25
"""Seconds between two looks at how much memory it uses."""
CHUNK = 1 << 16
MOST_CHUNKS = 16
"""Of standard error, read after the end: what has left the process group may still write."""


class NoLineError(Exception):
    """It wrote no line."""


class TimeUpError(NoLineError):
    """It wrote none in time."""


class EndedError(NoLineError):
    """It closed its output; the message says how it ended."""


class TooLongError(NoLineError):
    """It wrote a line that is too long; the message says so."""


class TooMuchError(NoLineError):
    """It used too much memory; the message says so."""


class Child:
    """A running process, in a group of its own, so that what it starts can be ended with it.

    Raises InputError where it cannot be started.
    """

    def __init__(self, command: Sequence[str], mib: int, folder: str | None = None) -> None:
        self._mib, self._looked = mib, time.monotonic()
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
        self._stdin = _pipe(self._process.stdin)
        self._stdout = _pipe(self._process.stdout)
        self._stderr = _pipe(self._process.stderr)
        self._ready = selectors.DefaultSelector()
        self._ready.register(self._stdout, selectors.EVENT_READ, self._out)
        self._ready.register(self._stderr, selectors.EVENT_READ, self._err)

    def exchange(self, line: bytes, seconds: float) -> bytes:
        """Write a line, and read the next one that it writes.  Raises NoLineError."""
        deadline = time.monotonic() + seconds
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
        """Close its input, and read what it still writes, until it ends or has written a line.

        Raises TimeUpError where it does neither, TooLongError and TooMuchError.
        """
        self._close_input()
        deadline = time.monotonic() + seconds
        with suppress(EndedError):
            while b"\n" not in self._out:
                self._take_in(deadline)
        return bytes(self._out)

    @property
    def has_more(self) -> bool:
        """Whether it wrote something that was not asked for yet."""
        return bool(self._out)

    def ended(self, seconds: float) -> int | None:
        """Its exit code, or minus the signal that ended it; None where it still runs after that time."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def stop(self) -> str:
        """End it with whatever it started; what it last wrote to standard error."""
        with suppress(ProcessLookupError, PermissionError):  # the latter, on some systems, of ended ones
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        with suppress(OSError):
            for _ in range(MOST_CHUNKS):
                self._err.extend(os.read(self._stderr.fileno(), CHUNK))
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
        except OSError:  # nobody reads it; what comes of that, reading will tell
            return rest[len(rest) :]

    def _take_in(self, deadline: float) -> None:
        """Wait a little for something to read or to write, and read it.  Raises NoLineError."""
        now = time.monotonic()
        if now > deadline:
            raise TimeUpError
        for key, _ in self._ready.select(min(LOOK_EVERY, deadline - now)):
            if key.fileobj is self._stdin:
                continue
            found = os.read(key.fd, CHUNK)
            key.data.extend(found)
            if not found:
                self._ready.unregister(key.fileobj)
                if key.fileobj is self._stdout:
                    raise EndedError
        del self._err[:-STDERR_KEPT]
        if len(self._out) > LONGEST_LINE:
            raise TooLongError(f"it wrote more than {LONGEST_LINE} bytes in answer to one question")
        if now - self._looked > LOOK_EVERY:
            self._looked = now
            if memory.of_session(self._process.pid) > self._mib:
                raise TooMuchError(f"it used more than {self._mib} MiB of memory")

    def _close_input(self) -> None:
        with suppress(KeyError, ValueError):
            self._ready.unregister(self._stdin)
        with suppress(OSError):
            self._stdin.close()


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    os.set_blocking(stream.fileno(), False)
    return stream
