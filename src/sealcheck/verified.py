"""The verified checker: the program `sealcheck-verified`, where it is on the PATH.

It is extracted from the proofs (`make -C proofs checker`), and needed for nothing.  Here is only how it
is spoken to: one JSON object a line goes in, one comes out.
"""

import atexit
import hashlib
import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Mapping
from functools import cache
from typing import IO, Any, NamedTuple

from sealcheck.errors import InputError, LimitReached

PROGRAM = "sealcheck-verified"

NOT_INSTALLED = (
    f"'{PROGRAM}' is not on the PATH: `make -C proofs checker` builds it where Coq and OCaml are installed"
)

SECONDS = 60.0
"""How long an answer may take."""

CHUNK = 1 << 16


class Reply(NamedTuple):
    """What it says: a result, or a sentence why there is none."""

    result: Any = None
    skipped: str = ""
    error: str = ""


class VerifiedChecker:
    """A running checker.  Raises InputError where it cannot be started."""

    def __init__(self, program: str) -> None:
        try:
            self._process = subprocess.Popen(
                [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
            )
        except OSError as error:
            raise InputError(f"cannot start {program}: {error.strerror or error}") from None
        self._asked = 0
        self._unread = b""

    def ask(self, document: Mapping[str, object]) -> Reply:
        """What it says.  Raises LimitReached where it ends, takes too long, or says something else."""
        self._asked += 1
        line = json.dumps({"v": 1, "seq": self._asked} | dict(document)).encode() + b"\n"
        try:
            _pipe(self._process.stdin).write(line)
            said = json.loads(self._line())
            if said.pop("seq") != self._asked and "error" not in said:
                raise ValueError
            return Reply(**said)
        except (AttributeError, KeyError, OSError, TypeError, ValueError):
            self.stop()
            raise LimitReached(f"{PROGRAM} did not answer what it was asked") from None

    def _line(self) -> bytes:
        deadline = time.monotonic() + SECONDS
        output = _pipe(self._process.stdout)
        while b"\n" not in self._unread:
            if not select.select([output], [], [], max(0.0, deadline - time.monotonic()))[0]:
                self.stop()
                raise LimitReached(f"{PROGRAM} took more than {SECONDS:.0f} s")
            chunk = os.read(output.fileno(), CHUNK)
            if not chunk:
                raise OSError
            self._unread += chunk
        line, _, self._unread = self._unread.partition(b"\n")
        return line

    def stop(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()
        _pipe(self._process.stdin).close()
        _pipe(self._process.stdout).close()


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream


def is_installed() -> bool:
    """Whether the program is on the PATH."""
    return shutil.which(PROGRAM) is not None


def checker() -> VerifiedChecker:
    """The checker of this process, started when first asked for.  Raises InputError without one."""
    program = shutil.which(PROGRAM)
    if program is None:
        raise InputError(NOT_INSTALLED)
    return _started(program, os.getpid())


@cache
def _started(program: str, process: int) -> VerifiedChecker:
    """One for each process: two that share a pipe would get each other's answers."""
    started = VerifiedChecker(program)
    atexit.register(_stop_in, process, started)
    return started


def _stop_in(process: int, started: VerifiedChecker) -> None:
    """End it, unless this is a fork of the process that it belongs to."""
    if os.getpid() == process:
        started.stop()


def digest() -> dict[str, str]:
    """What tells the installed program from others, by its name; nothing where there is none."""
    program = shutil.which(PROGRAM)
    if program is None:
        return {}
    with open(program, "rb") as file:
        return {PROGRAM: hashlib.file_digest(file, "sha256").hexdigest()}
